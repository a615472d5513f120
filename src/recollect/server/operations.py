"""How the service does: whether it lives (`/health`), whether it can serve (`/ready`), and its numbers (`/metrics`)."""

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.responses import Response

from recollect import __version__
from recollect.server.answer import Json, example, problems
from recollect.server.caller import Operator
from recollect.server.errors import Problem
from recollect.server.served import TheMemory, served_by

router = APIRouter(tags=["operations"])


class HealthShape(BaseModel):
    """A sign of life."""

    status: str
    version: str


class ReadyShape(BaseModel):
    """Everything answers."""

    status: str


@router.get(
    "/health",
    response_model=HealthShape,
    responses=problems() | example({"status": "ok", "version": "0.1.0"}),
)
async def health() -> Json:
    """Say that the process lives; no token is needed."""
    return Json({"status": "ok", "version": __version__})


@router.get("/ready", response_model=ReadyShape, responses=problems() | example({"status": "ready"}))
async def ready(memory: TheMemory) -> Json:
    """Say whether the database and the worker answer, 503 until they do; no token is needed."""
    await memory.running.check()
    if not await memory.running.works():
        raise Problem(503, "The worker does not answer yet.")
    return Json({"status": "ready"})


@router.get(
    "/metrics",
    # `PlainTextResponse` would have FastAPI describe the errors, too, as plain text.
    response_class=Response,
    responses=problems() | {200: {"content": {"text/plain": {"example": "recollect_users 3.0\n"}}}},
)
async def metrics(request: Request, caller: Operator, memory: TheMemory) -> Response:
    """Give the numbers for whoever is on call, in the text form of Prometheus."""
    return Response(await served_by(request).metrics.text(memory), media_type=CONTENT_TYPE_LATEST)
