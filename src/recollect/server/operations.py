"""Operations: whether the service is alive (`/health`) and ready (`/ready`), its metrics (`/metrics`), users and jobs.

Jobs are background work on recorded messages. Users see their own jobs; operators see everybody's and the whole store.
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

#: Maximum seconds that one request may wait for jobs, because connections do not last forever.
LONGEST_WAIT: Final = 3600


class HealthShape(BaseModel):
    """The process is alive."""

    status: str
    version: str


class ReadyShape(BaseModel):
    """The service is ready."""

    status: str


class UsersShape(BaseModel):
    """User IDs in alphabetical order."""

    users: list[str]
    next_cursor: str | None


class JobShape(BaseModel):
    """One unfinished job."""

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
    #: IDs of the records concerned, never their text.
    payload: dict[str, Any]
    leased_until: str | None


class JobsShape(BaseModel):
    """A user's unfinished jobs."""

    jobs: list[JobShape]


class StoreShape(BaseModel):
    """Figures for the whole store, and the number of users per embedding model."""

    database: str
    size_bytes: int
    #: The number of the latest migration.
    schema_version: int = Field(alias="schema")
    models: dict[str, int]
    users: int


class WorkShape(JobsShape):
    """Extra figures for operators: everybody's jobs by status and kind, how many are scheduled for later, and the lag."""

    counts: dict[str, dict[str, int]]
    scheduled: int
    lag_seconds: float
    #: Everybody's dead jobs, which failed too often.
    dead: list[JobShape]
    store: StoreShape


class DrainedShape(BaseModel):
    """Whether a user's jobs are done, and how many remain."""

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
    """Check that the process is alive; needs no token."""
    return Json({"status": "ok", "version": __version__})


@router.get("/ready", response_model=ReadyShape, responses=problems() | example({"status": "ready"}))
async def ready(service: TheService) -> Json:
    """Check that the database and the worker respond; returns 503 until they do. Needs no token."""
    await service.check()
    if not await service.works():
        raise Problem(503, "The worker is not responding yet; try again in a few seconds.")
    return Json({"status": "ready"})


@router.get(
    "/metrics",
    # With `PlainTextResponse`, FastAPI would also describe the errors as plain text.
    response_class=Response,
    responses=problems() | {200: {"content": {"text/plain": {"example": "recollect_users 3.0\n"}}}},
)
async def metrics(request: Request, caller: Operator, service: TheService) -> Response:
    """Return metrics in Prometheus's text format."""
    return Response(await served_by(request).metrics.text(service), media_type=CONTENT_TYPE_LATEST)


@router.get(
    "/v1/users",
    response_model=UsersShape,
    responses=problems() | example({"users": ["alice@example.com"], "next_cursor": None}),
)
async def list_users(
    caller: Operator, admin: TheAdmin, limit: Limit = MAX_PAGE, cursor: Cursor = None
) -> Json:
    """List all users with memories; only for operators, or for anyone in local mode."""
    found = await admin.users(limit=limit, cursor=cursor)
    return Json({"users": found, "next_cursor": found.next_cursor})


@jobs.get("/v1/jobs", response_model=WorkShape | JobsShape, responses=problems() | example(_WORK))
async def list_jobs(
    caller: Known,
    admin: TheAdmin,
    status: Annotated[
        str | None, Query(description="Only jobs with this status: pending, running or dead.")
    ] = None,
) -> Json:
    """List a user's unfinished jobs, oldest first; operators also get figures for all users and the store."""
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
        float, Query(alias="timeout", description=f"Maximum seconds to wait, up to {LONGEST_WAIT}.")
    ] = 30.0,
) -> Json:
    """Wait until this user's jobs are done, except those scheduled for later."""
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
    job_id: Annotated[str, Path(description="The dead job's ID.")], caller: Writer, admin: TheAdmin
) -> Json:
    """Retry a dead job."""
    await admin.revive(job_id, user=caller.user)
    return Json({"success": True})
