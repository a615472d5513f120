"""The seed: what a product knows of a user before the first word (S4's UserSeed)."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.served import TheMemory

router = APIRouter(tags=["seed"])


class SeedShape(BaseModel):
    """What was known of a user beforehand."""

    facts: list[dict[str, Any]]
    notes: str


_SEED: dict[str, Any] = {
    "facts": [{"content": "User lives in Austin, Texas", "category": "identity"}],
    "notes": "Prefers short answers in the morning.",
}


class NewSeed(Body):
    """A whole seed; what it no longer says is archived."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SEED]})

    #: Each with `content` and, if given, what `POST /memories` takes beside it.
    facts: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    notes: str = ""


@router.get("/v1/seed", response_model=SeedShape, responses=problems() | example(_SEED))
async def get_seed(caller: Reader, memory: TheMemory) -> Json:
    """What was known of the user beforehand; empty when nothing was."""
    return Json((await memory.seed(user=caller.user)).to_dict())


@router.put("/v1/seed", response_model=SeedShape, responses=problems(409, 502, 504) | example(_SEED))
async def put_seed(body: NewSeed, caller: Writer, memory: TheMemory) -> Json:
    """Say what is known of the user beforehand: facts become memories, the notes stand in every context."""
    return Json((await memory.set_seed(body.facts, notes=body.notes, user=caller.user)).to_dict())
