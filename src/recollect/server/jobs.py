"""Jobs: the work that follows from what was said, seen by its user and by whoever runs the store."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect.api.public_errors import told_of_job
from recollect.server.answer import DoneShape, Json, example, problems
from recollect.server.caller import Operator, Reader, Writer
from recollect.server.errors import Problem
from recollect.server.served import TheMemory

router = APIRouter(tags=["jobs"])

#: Seconds for which one request may wait for work; connections do not live for ever.
LONGEST_WAIT: Final = 3600


class JobShape(BaseModel):
    """One piece of work that is not done."""

    id: str
    user_id: str
    kind: str
    subject: str
    status: str
    attempts: int
    run_at: str
    last_error: str | None
    created_at: str
    #: Jobs of one lane run one at a time.
    lane: str
    #: Ids of what it is about, never what was said.
    payload: dict[str, Any]
    leased_until: str | None


class JobsShape(BaseModel):
    """Work that is not done."""

    jobs: list[JobShape]


class WorkShape(BaseModel):
    """Everybody's work: how much by status and kind, how much of it is for later, how late it is, what is dead."""

    counts: dict[str, dict[str, int]]
    scheduled: int
    lag_seconds: float
    dead: list[JobShape]


class DrainedShape(BaseModel):
    """Whether a user's work is done, and how much is not."""

    drained: bool
    pending: int


_JOB: dict[str, Any] = {
    "id": "1761647445123-b1c2d3e4",
    "user_id": "alice@example.com",
    "kind": "fold",
    "subject": "session-456",
    "status": "dead",
    "attempts": 8,
    "run_at": "2025-10-28T10:32:52.123Z",
    "last_error": "ModelError: the model did not answer.",
    "created_at": "2025-10-28T10:30:45.123Z",
    "lane": "chat:session-456",
    "payload": {"chat_id": "session-456"},
    "leased_until": None,
}


@router.get(
    "/v1/jobs",
    response_model=WorkShape,
    responses=problems()
    | example(
        {
            "counts": {"pending": {"close_session": 3, "fold": 1}, "dead": {"fold": 1}},
            "scheduled": 3,
            "lag_seconds": 0.012,
            "dead": [_JOB],
        }
    ),
)
async def get_work(caller: Operator, memory: TheMemory) -> Json:
    """How much background work there is for everybody, how late it is, and what failed too often."""
    figures = await memory.work_figures()
    dead = await memory.dead_jobs()
    return Json({**figures.to_dict(), "dead": [job.to_dict() for job in dead]})


@router.get("/v1/worker/mine", response_model=JobsShape, responses=problems() | example({"jobs": [_JOB]}))
async def list_jobs(
    caller: Reader,
    memory: TheMemory,
    status: Annotated[str | None, Query(description="Only what is pending, running or dead.")] = None,
) -> Json:
    """A user's background work that is not done, in the order of its making."""
    found = await memory.jobs(user=caller.user, status=status)
    return Json({"jobs": [{**job.to_dict(), "last_error": told_of_job(job.last_error)} for job in found]})


@router.post(
    "/v1/worker/drain",
    response_model=DrainedShape,
    responses=problems() | example({"drained": True, "pending": 0}),
)
async def drain_jobs(
    caller: Writer,
    memory: TheMemory,
    seconds: Annotated[
        float, Query(alias="timeout", description=f"Seconds to wait at most, up to {LONGEST_WAIT}.")
    ] = 30.0,
) -> Json:
    """Wait until this user's background work is done; what is scheduled for later does not count."""
    if not 0 <= seconds <= LONGEST_WAIT:
        raise Problem(400, f"timeout must be a number of seconds from 0 to {LONGEST_WAIT}.")
    drained = await memory.drain(user=caller.user, seconds=seconds)
    pending = 0 if drained else await memory.open_jobs(user=caller.user)
    return Json({"drained": pending == 0, "pending": pending})


@router.post(
    "/v1/jobs/{job_id}/revive",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def revive_job(
    job_id: Annotated[str, Path(description="A dead job.")], caller: Writer, memory: TheMemory
) -> Json:
    """Try a dead job again."""
    await memory.revive(job_id, user=caller.user)
    return Json({"success": True})
