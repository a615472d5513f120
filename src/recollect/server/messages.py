"""Messages: recording turns, reading them in order, and changing or erasing a message.

Recording stores its idempotency key in the same transaction as the messages, so a turn that is sent again after a crash is
stored only once, whether or not the client received a response.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from recollect.records.cursor import cursor as as_cursor
from recollect.server.caller import Reader, TheMemory, Writer
from recollect.server.chat_memory import PIN, PinShape
from recollect.server.chats import ChatId, record_of
from recollect.server.errors import Problem
from recollect.server.memories import RECEIPT, ForgottenShape
from recollect.server.wire import Body, Cursor, Json, Limit, example, page, problems

router = APIRouter(tags=["messages"])

MessageId = Annotated[str, Path(description="The message's ID.")]


class MessageShape(BaseModel):
    """A message with its importance and its position in its chat."""

    id: str
    session_id: str
    role: str
    #: The speaker's name, if the role does not identify the speaker.
    name: str | None = None
    text: str
    model_id: str
    model_variant: str | None
    token_usage: int
    created_at: str
    importance_score: float
    position: int
    #: Tokens of the text, in our tokenizer.
    tokens: int
    #: Tokens that the provider billed, if known.
    billed_tokens: int | None
    #: The session it belongs to.
    session: str | None


class RecordedShape(BaseModel):
    """The messages as stored, and the pins made from them."""

    messages: list[MessageShape]
    pins: list[PinShape]


class MessagesShape(BaseModel):
    """Messages in order of position."""

    messages: list[MessageShape]
    next_cursor: str | None


class RederivedShape(BaseModel):
    """The effects of an edit: pin IDs, and the number of summaries to be rewritten."""

    removed_pins: list[str]
    added_pins: list[str]
    refolded: int
    #: The same pins, complete.
    removed: list[PinShape]
    added: list[PinShape]


class AmendedShape(MessageShape):
    """A message with its new text."""

    rederived: RederivedShape


class NewMessage(Body):
    """One message, verbatim."""

    #: user, assistant, system or tool.
    role: str
    text: str = Field(
        validation_alias=AliasChoices("text", "content"),
        description="The message text; OpenAI's name `content` is also accepted.",
    )
    model_id: str | None = None
    model_variant: str | None = None
    #: The speaker's name, if the role does not identify the speaker.
    name: str | None = None
    #: Tokens that the provider billed.
    token_usage: int | None = None
    #: Default: now.
    created_at: str | None = None


class NewMessages(Body):
    """Messages of one chat, in chronological order."""

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
    #: The persona of a new chat; an existing chat must belong to this persona.
    persona_id: str | None = None


class MessageChange(Body):
    """A message's new text."""

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
        Header(
            alias="Idempotency-Key",
            description="Repeating the same body with the same key stores nothing new.",
        ),
    ] = None,
) -> Json:
    """Record messages, all or none; a new chat is created if needed, and facts and todos are extracted in the background."""
    chat = memory.chat(chat_id, user=caller.user, persona=body.persona_id)
    said = [item.model_dump(exclude_unset=True) for item in body.messages]
    done = await chat.add(said, idempotency_key=key)
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
    around: Annotated[str | None, Query(description="Messages around this one, including it.")] = None,
    before: Annotated[
        int | None, Query(ge=1, le=2**53, description="The last messages before this position.")
    ] = None,
    newest: Annotated[
        bool, Query(description="Start with the newest messages; the next page has the ones before them.")
    ] = False,
) -> Json:
    """List messages in order of position, oldest page first by default."""
    if sum(given is not None for given in (cursor, around, before)) + newest > 1:
        raise Problem(400, "Give only one of cursor, around, before and newest.")
    if before is not None:
        # A negative position means that this page ends before it, and the next page precedes this one.
        cursor = as_cursor(-before)
    elif cursor is None and around is None and not newest:
        cursor = as_cursor(0)
    chat = memory.chat(chat_id, user=caller.user)
    found = await chat.messages(around=around, limit=limit, cursor=cursor)
    if not found:
        # A missing chat is an error, not an empty list.
        await record_of(chat_id, caller, memory)
    return page("messages", found)


@router.get(
    "/v1/messages/{message_id}", response_model=MessageShape, responses=problems(404) | example(MESSAGE)
)
async def get_message(message_id: MessageId, caller: Reader, memory: TheMemory) -> Json:
    """Show one message, whichever chat it is in."""
    return Json((await memory.message(message_id, user=caller.user)).to_dict())


@router.patch(
    "/v1/messages/{message_id}",
    response_model=AmendedShape,
    responses=problems(404, 409) | example(MESSAGE | {"rederived": _REDERIVED}),
)
async def edit_message(message_id: MessageId, body: MessageChange, caller: Writer, memory: TheMemory) -> Json:
    """Change a message's text; the pins, memories and summaries derived from it are updated."""
    return Json((await memory.edit(message_id, body.text, user=caller.user)).to_dict())


@router.delete(
    "/v1/messages/{message_id}",
    response_model=ForgottenShape,
    responses=problems(404, 409) | example(RECEIPT),
)
async def delete_message(message_id: MessageId, caller: Writer, memory: TheMemory) -> Json:
    """Erase a message and everything derived from it; the receipt says what was erased."""
    return Json((await memory.forget(message=message_id, user=caller.user)).to_dict())
