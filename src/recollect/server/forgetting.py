"""Forgetting: erase a memory, a message, a chat, an entity or a whole user, and say what was erased."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Writer
from recollect.server.served import TheMemory

router = APIRouter(tags=["forgetting"])


class ReceiptShape(BaseModel):
    """What was erased, counted by kind; kinds of which there was something are added."""

    model_config = ConfigDict(extra="allow")

    memories: int
    messages: int
    summaries: int
    pins: int
    todos: int
    #: Of memories; those of messages are counted apart.
    vectors: int
    #: The bytes are gone from the database file and its log.
    erased_from_disk: bool


class ForgottenShape(BaseModel):
    """The receipt, and the chats whose summaries are written anew from what is left."""

    receipt: ReceiptShape
    refolded: list[str]


class Target(Body):
    """What to forget: exactly one of these."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"message_id": "1761647445123-3f9a2c41"}]})

    memory_id: str | None = None
    message_id: str | None = None
    chat_id: str | None = None
    #: Its key, such as person:john.
    entity: str | None = None
    #: The whole user.
    everything: bool = False


RECEIPT: dict[str, Any] = {
    "receipt": {
        "memories": 1,
        "messages": 1,
        "summaries": 0,
        "pins": 1,
        "todos": 0,
        "vectors": 1,
        "message_vectors": 1,
        "history": 1,
        "erased_from_disk": True,
    },
    "refolded": [],
}


@router.post("/v1/forget", response_model=ForgottenShape, responses=problems(404, 409) | example(RECEIPT))
async def forget(body: Target, caller: Writer, memory: TheMemory) -> Json:
    """Erase one thing and all that came of it, down to the bytes on disk; this cannot be undone."""
    receipt = await memory.forget(
        body.memory_id,
        user=caller.user,
        message_id=body.message_id,
        chat_id=body.chat_id,
        entity=body.entity,
        everything=body.everything,
    )
    return Json(receipt.to_dict())
