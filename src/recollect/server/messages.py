"""Messages: recording turns, reading them in order, and changing or erasing one.

Recording keeps its idempotency key in the transaction that stores the messages (`own_keys`): a turn that is sent again
after a crash is stored once, whether or not its answer was ever seen.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from recollect.api.chat import AsyncChat
from recollect.records.cursor import cursor as as_cursor
from recollect.records.cursor import place
from recollect.records.message import Message
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.chats import ChatId
from recollect.server.errors import Problem
from recollect.server.forgetting import RECEIPT, ForgottenShape
from recollect.server.paging import Cursor, Limit, more, wanted
from recollect.server.pins import PIN, PinShape
from recollect.server.served import TheMemory

router = APIRouter(tags=["messages"])

MessageId = Annotated[str, Path(description="The message.")]


class MessageShape(BaseModel):
    """A message with its importance and its position in its chat."""

    id: str
    session_id: str
    role: str
    #: Only where somebody other than the role says speaks.
    name: str | None = None
    text: str
    model_id: str
    model_variant: str | None
    token_usage: int
    created_at: str
    importance_score: float
    position: int
    #: Of the text, in our own tokenizer.
    tokens: int
    #: What the provider billed, if somebody said so.
    billed_tokens: int | None
    #: The stretch of activity that it belongs to.
    session: str | None


class RecordedShape(BaseModel):
    """What was stored, and the pins that it brought."""

    messages: list[MessageShape]
    pins: list[PinShape]


class MessagesShape(BaseModel):
    """Messages in the order of their positions."""

    messages: list[MessageShape]
    next_cursor: str | None


class RederivedShape(BaseModel):
    """What followed from an edit: ids of pins, and how many summaries are written anew."""

    removed_pins: list[str]
    added_pins: list[str]
    refolded: int
    #: The same pins, whole.
    removed: list[PinShape]
    added: list[PinShape]


class AmendedShape(MessageShape):
    """A message with its new words."""

    rederived: RederivedShape


class NewMessage(Body):
    """One message as it was said."""

    #: user, assistant, system or tool.
    role: str
    text: str = Field(
        validation_alias=AliasChoices("text", "content"),
        description="What was said; `content`, as OpenAI calls it, is taken for it.",
    )
    model_id: str | None = None
    model_variant: str | None = None
    #: Who speaks, when the role does not say it.
    name: str | None = None
    #: What the provider billed.
    token_usage: int | None = None
    #: Now, unless told.
    created_at: str | None = None


class NewMessages(Body):
    """Messages of one chat, in the order in which they were said."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "messages": [
                        {"role": "user", "text": "My dad is allergic to Penicillin, had anaphylaxis in 2010"},
                        {"role": "assistant", "text": "I'll remember that.", "model_id": "gpt-4-turbo"},
                    ]
                }
            ]
        }
    )

    messages: list[NewMessage]
    #: Whose chat it is, if it is new; a known chat must be this persona's.
    persona_id: str | None = None


class MessageChange(Body):
    """A message's new words."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "My dad is allergic to Penicillin and Sulfa drugs"}]}
    )

    text: str


MESSAGE = {
    "id": "1761647445123-3f9a2c41",
    "session_id": "session-456",
    "role": "user",
    "text": "My dad is allergic to Penicillin, had anaphylaxis in 2010",
    "model_id": "gpt-4-turbo",
    "model_variant": None,
    "token_usage": 15,
    "created_at": "2025-10-28T10:30:45.123Z",
    "importance_score": 10.0,
    "position": 42,
    "tokens": 16,
    "billed_tokens": 15,
    "session": "1761647445123-8c11d0aa",
}
_REDERIVED: dict[str, Any] = {
    "removed_pins": [PIN["id"]],
    "added_pins": [],
    "refolded": 0,
    "removed": [PIN],
    "added": [],
}


@router.post(
    "/v1/chats/{chat_id}/messages",
    status_code=201,
    response_model=RecordedShape,
    responses=problems(409) | example({"messages": [MESSAGE], "pins": [PIN]}, 201),
)
async def record_messages(
    chat_id: ChatId,
    body: NewMessages,
    caller: Writer,
    memory: TheMemory,
    key: Annotated[
        str | None,
        Header(alias="Idempotency-Key", description="The same key with the same body stores nothing new."),
    ] = None,
) -> Json:
    """Record messages, all or none; the chat is made if it is new, and what they call for is done behind."""
    chat = memory.chat(chat_id, user=caller.user, persona=body.persona_id)
    done = await chat.record([item.model_dump(exclude_unset=True) for item in body.messages], key=key)
    return Json(done.to_dict(), 201, {"Idempotent-Replay": "true"} if done.repeated else None)


@router.get(
    "/v1/chats/{chat_id}/messages",
    response_model=MessagesShape,
    responses=problems(404) | example({"messages": [MESSAGE], "next_cursor": None}),
)
async def list_messages(
    chat_id: ChatId,
    caller: Reader,
    memory: TheMemory,
    limit: Limit = 50,
    cursor: Cursor = None,
    around: Annotated[str | None, Query(description="The messages around this one, and itself.")] = None,
    before: Annotated[int | None, Query(description="The last messages before this position.")] = None,
    newest: Annotated[
        bool, Query(description="The newest messages instead of the oldest; the next page goes back.")
    ] = False,
) -> Json:
    """Messages of a chat in the order of their positions; pages go from the oldest on, unless told otherwise."""
    if sum(given is not None for given in (cursor, around, before)) + newest > 1:
        raise Problem(400, "Give one of cursor, around, before and newest: each says where to read.")
    chat = memory.chat(chat_id, user=caller.user)
    if around is not None:
        found = await _around(chat, around, limit)
    else:
        start = (place(cursor, (int,)) or (0,))[0]
        backwards = newest or before is not None or start < 0
        end = -start if start else before
        found = await (_back(chat, end, limit) if backwards else _on(chat, start, limit))
    if not found["messages"]:
        # A chat that is not there is no empty chat.
        await chat.info()
    return Json(found)


async def _on(chat: AsyncChat, start: int, limit: int) -> dict[str, Any]:
    rows = await chat.messages(limit=wanted(limit), after=start)
    shown = rows[:limit]
    return _told(shown, shown[-1].position if more(len(rows), limit) else None)


async def _back(chat: AsyncChat, before: int | None, limit: int) -> dict[str, Any]:
    """A page that ends before a position, or with the newest message; its cursor is negative, for it leads back."""
    rows = await chat.messages(limit=wanted(limit), before=before)
    shown = rows[-limit:]
    return _told(shown, -shown[0].position if more(len(rows), limit) else None)


async def _around(chat: AsyncChat, message_id: str, limit: int) -> dict[str, Any]:
    shown = await chat.messages(limit=limit, around=message_id)
    last = shown[-1].position
    return _told(shown, last if await chat.messages(limit=1, after=last) else None)


def _told(shown: list[Message], ended: int | None) -> dict[str, Any]:
    return {
        "messages": [message.to_dict() for message in shown],
        "next_cursor": None if ended is None else as_cursor(ended),
    }


@router.get(
    "/v1/messages/{message_id}", response_model=MessageShape, responses=problems(404) | example(MESSAGE)
)
async def get_message(message_id: MessageId, caller: Reader, memory: TheMemory) -> Json:
    """One message, whichever chat it is in."""
    return Json((await memory.message(message_id, user=caller.user)).to_dict())


@router.patch(
    "/v1/messages/{message_id}",
    response_model=AmendedShape,
    responses=problems(404, 409) | example(MESSAGE | {"rederived": _REDERIVED}),
)
async def edit_message(message_id: MessageId, body: MessageChange, caller: Writer, memory: TheMemory) -> Json:
    """Give a message other words; pins, memories and summaries that came from it follow."""
    return Json((await memory.edit_message(message_id, body.text, user=caller.user)).to_dict())


@router.delete(
    "/v1/messages/{message_id}",
    response_model=ForgottenShape,
    responses=problems(404, 409) | example(RECEIPT),
)
async def delete_message(message_id: MessageId, caller: Writer, memory: TheMemory) -> Json:
    """Erase a message with everything that was derived from it; the receipt says what was erased."""
    return Json((await memory.forget(message_id=message_id, user=caller.user)).to_dict())
