"""Pins: facts that enter every context of a chat (S0's SemanticPin)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict

from recollect.records.pin import DEFAULT_IMPORTANCE, PinType
from recollect.server.answer import DoneShape, Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.named_session import chat_named
from recollect.server.served import TheMemory

router = APIRouter(tags=["pins"])

PinId = Annotated[str, Path(description="The pin.")]


class PinShape(BaseModel):
    """A fact that enters every context of its chat."""

    id: str
    session_id: str
    content: str
    #: Only where it is known.
    source_message_id: str | None = None
    importance_score: float
    pin_type: str
    created_at: str
    #: A rule made it of its message, and makes it anew when the message changes.
    derived: bool
    tokens: int


class PinsShape(BaseModel):
    """What is pinned in a chat, most important first."""

    pins: list[PinShape]


class NewPin(Body):
    """A fact to pin."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "session_id": "session-456",
                    "content": "Patient allergic to Penicillin",
                    "source_message_id": "1761647445123-3f9a2c41",
                    "importance_score": 10.0,
                    "pin_type": "manual",
                }
            ]
        }
    )

    session_id: str
    content: str
    source_message_id: str | None = None
    importance_score: float = DEFAULT_IMPORTANCE
    #: manual, auto, code, concept or system.
    pin_type: str = PinType.MANUAL.value
    #: Whose chat it is, if it is new; a known chat must be this persona's.
    persona_id: str | None = None


class PinChange(Body):
    """What to change of a pin; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"importance_score": 8.0}]})

    content: str | None = None
    importance_score: float | None = None
    pin_type: str | None = None
    #: The chat to move it to.
    session_id: str | None = None


PIN = {
    "id": "1698501234567-5d0c61e7",
    "session_id": "session-456",
    "content": "Patient allergic to Penicillin and Sulfa drugs. Severe reaction (anaphylaxis) in 2010.",
    "source_message_id": "1761647445123-3f9a2c41",
    "importance_score": 10.0,
    "pin_type": "manual",
    "created_at": "2025-10-28T10:30:45.123Z",
    "derived": False,
    "tokens": 24,
}


@router.post(
    "/api/memory/pins",
    status_code=201,
    response_model=PinShape,
    responses=problems(404, 409) | example(PIN, 201),
)
async def add_pin(body: NewPin, caller: Writer, memory: TheMemory) -> Json:
    """Pin a fact; the chat is made if it is new."""
    pin = await chat_named(body.session_id, caller, memory, persona=body.persona_id).pin(
        body.content,
        importance_score=body.importance_score,
        pin_type=body.pin_type,
        source_message_id=body.source_message_id,
    )
    return Json(pin.to_dict(), 201)


@router.get("/api/memory/pins", response_model=PinsShape, responses=problems() | example({"pins": [PIN]}))
async def list_pins(
    session_id: Annotated[str, Query(description="The chat; one that is not there has no pins.")],
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """What is pinned in a chat, most important first."""
    found = await chat_named(session_id, caller, memory).pins()
    return Json({"pins": [pin.to_dict() for pin in found]})


@router.patch("/api/memory/pins/{pin_id}", response_model=PinShape, responses=problems(404) | example(PIN))
async def update_pin(pin_id: PinId, body: PinChange, caller: Writer, memory: TheMemory) -> Json:
    """Change a pin, or move it to another chat."""
    moved = body.session_id
    pin = await memory.update_pin(
        pin_id,
        user=caller.user,
        content=body.content,
        importance_score=body.importance_score,
        pin_type=body.pin_type,
        chat_id=None if moved is None else chat_named(moved, caller, memory).chat_id,
    )
    return Json(pin.to_dict())


@router.delete(
    "/api/memory/pins/{pin_id}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def remove_pin(pin_id: PinId, caller: Writer, memory: TheMemory) -> Json:
    """Take a pin away; what its message says stays."""
    await memory.remove_pin(pin_id, user=caller.user)
    return Json({"success": True})
