"""Whether the service lives: `/health`."""

from fastapi import APIRouter
from pydantic import BaseModel

from recollect import __version__
from recollect.adapters.rest.answer import Json, example, problems

router = APIRouter(tags=["operations"])


class HealthShape(BaseModel):
    """A sign of life."""

    status: str
    version: str


@router.get(
    "/health",
    response_model=HealthShape,
    responses=problems() | example({"status": "ok", "version": "0.1.0"}),
)
async def health() -> Json:
    """Say that the process lives; no token is needed."""
    return Json({"status": "ok", "version": __version__})
