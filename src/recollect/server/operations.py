"""Operations: whether the service lives (`/health`) and can serve (`/ready`), its numbers (`/metrics`), its users, and jobs.

Jobs are the background work that follows from what was said. A user sees their own; an operator sees everybody's, and the
store as a whole.
"""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field
from starlette.responses import Response

from recollect import __version__
from recollect.errors import public_job_error
from recollect.records.cursor import MAX_PAGE
from recollect.server.caller import (
    READ,
    SERVICE,
    Known,
    Operator,
    TheAdmin,
    TheMemory,
    TheService,
    Writer,
    served_by,
)
from recollect.server.errors import Problem
from recollect.server.wire import Cursor, DoneShape, Json, Limit, example, problems

router = APIRouter(tags=["operations"])
jobs = APIRouter(tags=["jobs"])

#: Seconds for which one request may wait for work; connections do not live for ever.
LONGEST_WAIT: Final = 3600


class HealthShape(BaseModel):
    """A sign of life."""

    status: str
    version: str


class ReadyShape(BaseModel):
    """Everything answers."""

    status: str


class UsersShape(BaseModel):
    """The ids of users, in alphabetical order."""

    users: list[str]
    next_cursor: str | None


class JobShape(BaseModel):
    """One job that is not done."""

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
    """The jobs of a user that are not done."""

    jobs: list[JobShape]


class StoreShape(BaseModel):
    """The store as a whole, and how many users each embedding model serves."""

    database: str
    size_bytes: int
    #: The number of its newest migration.
    schema_version: int = Field(alias="schema")
    models: dict[str, int]
    users: int


class WorkShape(JobsShape):
    """What an operator sees besides: everybody's jobs by status and kind, how many are for later, how late they are."""

    counts: dict[str, dict[str, int]]
    scheduled: int
    lag_seconds: float
    #: Everybody's jobs that failed too often.
    dead: list[JobShape]
    store: StoreShape


class DrainedShape(BaseModel):
    """Whether a user's jobs are done, and how many are not."""

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
_WORK: dict[str, Any] = {
    "jobs": [_JOB],
    "counts": {"pending": {"close_session": 3, "fold": 1}, "dead": {"fold": 1}},
    "scheduled": 3,
    "lag_seconds": 0.012,
    "dead": [_JOB],
    "store": {
        "database": "recollect.db",
        "size_bytes": 4_194_304,
        "schema": 10,
        "models": {"all-MiniLM-L6-v2": 3},
        "users": 3,
    },
}


@router.get(
    "/health",
    response_model=HealthShape,
    responses=problems() | example({"status": "ok", "version": "0.1.0"}),
)
async def health() -> Json:
    """Show that the process is alive; no token is needed."""
    return Json({"status": "ok", "version": __version__})


@router.get("/ready", response_model=ReadyShape, responses=problems() | example({"status": "ready"}))
async def ready(service: TheService) -> Json:
    """Show whether the database and the worker answer, 503 until they do; no token is needed."""
    await service.check()
    if not await service.works():
        raise Problem(503, "The worker does not answer yet; try again in a few seconds.")
    return Json({"status": "ready"})


@router.get(
    "/metrics",
    # `PlainTextResponse` would have FastAPI describe the errors, too, as plain text.
    response_class=Response,
    responses=problems() | {200: {"content": {"text/plain": {"example": "recollect_users 3.0\n"}}}},
)
async def metrics(request: Request, caller: Operator, service: TheService) -> Response:
    """Metrics in the text format of Prometheus."""
    return Response(await served_by(request).metrics.text(service), media_type=CONTENT_TYPE_LATEST)


@router.get(
    "/v1/users",
    response_model=UsersShape,
    responses=problems() | example({"users": ["alice@example.com"], "next_cursor": None}),
)
async def list_users(
    caller: Operator, admin: TheAdmin, limit: Limit = MAX_PAGE, cursor: Cursor = None
) -> Json:
    """List everybody who has a memory here; for operators, and for anybody in local mode."""
    found = await admin.users(limit=limit, cursor=cursor)
    return Json({"users": found, "next_cursor": found.next_cursor})


@jobs.get("/v1/jobs", response_model=WorkShape | JobsShape, responses=problems() | example(_WORK))
async def list_jobs(
    caller: Known,
    admin: TheAdmin,
    status: Annotated[str | None, Query(description="Only jobs that are pending, running or dead.")] = None,
) -> Json:
    """List a user's jobs that are not done, oldest first; an operator also gets everybody's figures and the store."""
    operates = SERVICE in caller.scopes
    if not operates:
        caller.need(READ)
    reads = READ in caller.scopes and caller.user_id is not None
    found = await admin.jobs(user=caller.user_id, status=status) if reads else []
    shown: dict[str, Any] = {
        "jobs": [{**job.to_dict(), "last_error": public_job_error(job.last_error)} for job in found]
    }
    if operates:
        shown |= (await admin.metrics()).work.to_dict()
        shown["dead"] = [job.to_dict() for job in await admin.jobs()]
        shown["store"] = (await admin.info()).to_dict()
    return Json(shown)


@jobs.post(
    "/v1/jobs/drain",
    response_model=DrainedShape,
    responses=problems() | example({"drained": True, "pending": 0}),
)
async def drain_jobs(
    caller: Writer,
    memory: TheMemory,
    service: TheService,
    seconds: Annotated[
        float, Query(alias="timeout", description=f"Seconds to wait at most, up to {LONGEST_WAIT}.")
    ] = 30.0,
) -> Json:
    """Wait until this user's jobs are done; those that are scheduled for later do not count."""
    if not 0 <= seconds <= LONGEST_WAIT:
        raise Problem(400, f"timeout must be a number of seconds from 0 to {LONGEST_WAIT}.")
    drained = await memory.drain(user=caller.user, timeout=seconds)
    pending = 0 if drained else await service.open_jobs(caller.user)
    return Json({"drained": pending == 0, "pending": pending})


@jobs.post(
    "/v1/jobs/{job_id}/revive",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def revive_job(
    job_id: Annotated[str, Path(description="A dead job.")], caller: Writer, admin: TheAdmin
) -> Json:
    """Try a dead job again."""
    await admin.revive(job_id, user=caller.user)
    return Json({"success": True})
