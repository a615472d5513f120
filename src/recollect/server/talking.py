"""Talking: stores the user's message and streams the model's answer as server-sent events.

An error before the first event is an ordinary error response; a later one is sent as the last event. If the client
disconnects, the reply is still finished and stored.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import aclosing, contextmanager
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Header
from pydantic import ConfigDict, Field
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from recollect.api.hosting import public_message
from recollect.api.memory import AsyncMemory
from recollect.engine.talk import WITHOUT_MODEL
from recollect.errors import ModelError
from recollect.records.talk import TalkEvent
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.server.caller import Caller, TheMemory, TheSettings, Writer
from recollect.server.chats import record_of
from recollect.server.wire import Body, problems
from recollect.settings import Settings

router = APIRouter(tags=["talking"])

#: Seconds of silence after which a keep-alive is sent, because proxies close connections that are silent for a minute.
ALIVE_SECONDS: Final = 15.0
_ALIVE: Final = b": keep-alive\n\n"
#: Caches, compression and proxies must not delay words.
_HEADERS: Final = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}

_EXAMPLE: Final = """event: chat
data: {"chat_id":"1767225600000-0001a1b2c3d4","message_id":"1767225600000-0002a1b2c3d4"}

event: content.delta
data: {"delta":"Macrolides"}

event: message.completed
data: {"message_id":"1767225601000-0003a1b2c3d4","text":"Macrolides","model_variant":"gpt-5-mini","token_usage":512}

"""
_DESCRIBED: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Events in this order: `chat`, any number of `content.delta`, then `message.completed` or `error`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}},
    }
}
_UNNAMED: Final = 'No model is set: send "model" in the body, or start the service with RECOLLECT_CHAT_MODEL. Nothing was stored.'
_UNREACHABLE: Final = (
    "No model is configured: start the service with OPENAI_API_KEY, or with OPENAI_BASE_URL for your own server."
    " Nothing was stored."
)
_TEXT: Final = "My dad is allergic to penicillin. Which antibiotics are safe?"

#: Repeating the same text with the same key within a day stores it once.
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="Repeating a request with the same key stores the message only once.",
    ),
]


class EventStream(StreamingResponse):
    """A stream of events, with a keep-alive after each long silence.

    A timer sends the keep-alives. Waiting for each event in its own task was rejected: it cost two more rounds of the event
    loop per word, and in each round the loop may have to wait for another thread.
    """

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        spoken = _Spoken(send)
        signs = asyncio.create_task(spoken.stay_alive())
        try:
            await super().stream_response(spoken.say)
        finally:
            signs.cancel()
            await asyncio.wait({signs})


class _Spoken:
    """One connection's output, and the time of the last event."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._clock = asyncio.get_running_loop().time
        self._last = self._clock()
        self._speaking = False

    async def say(self, message: Message) -> None:
        self._speaking = True
        await self._send(message)
        self._speaking = False
        self._last = self._clock()

    async def stay_alive(self) -> None:
        """Send a keep-alive after each silence, until cancelled; none is needed while an event is being sent."""
        while True:
            await asyncio.sleep(max(0.0, self._last + ALIVE_SECONDS - self._clock()))
            if self._speaking:
                self._last = self._clock()
            elif self._clock() - self._last >= ALIVE_SECONDS:
                await self.say({"type": "http.response.body", "body": _ALIVE, "more_body": True})


class FirstMessage(Body):
    """The first message of a chat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _TEXT}]})

    text: str
    #: The persona that talks to the user.
    persona_id: str | None = None
    #: Overrides the service's model.
    model: str | None = None
    #: Instructions for the answer, placed before everything else.
    instructions: str | None = None
    #: Retrieved passages: texts, or objects with `title` and `text`; placed between the history and the question.
    sources: list[Any] = Field(default_factory=list[Any])
    #: Maximum tokens of memory, including history.
    budget: int = DEFAULT_BUDGET


class NextMessage(FirstMessage):
    """A message in an existing chat."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"chat_id": "1767225600000-0001a1b2c3d4", "text": _TEXT}]}
    )

    chat_id: str


# `Response`, because FastAPI would describe errors with the media type of the class named here.
@router.post(
    "/v1/message/first", response_class=Response, responses=problems(404, 409, 502, 504) | _DESCRIBED
)
async def first_message(
    body: FirstMessage, caller: Writer, memory: TheMemory, settings: TheSettings, key: Key = None
) -> EventStream:
    """Start a chat and stream the answer, word by word, as server-sent events."""
    with _saying_what_is_missing(body, settings):
        return await _answered(body, None, caller, memory, key)


@router.post("/v1/message", response_class=Response, responses=problems(404, 409, 502, 504) | _DESCRIBED)
async def next_message(
    body: NextMessage, caller: Writer, memory: TheMemory, settings: TheSettings, key: Key = None
) -> EventStream:
    """Continue a chat and stream the answer, word by word, as server-sent events."""
    # A chat that does not exist is an error here, not a new chat.
    await record_of(body.chat_id, caller, memory)
    with _saying_what_is_missing(body, settings):
        return await _answered(body, body.chat_id, caller, memory, key)


@contextmanager
def _saying_what_is_missing(body: FirstMessage, settings: Settings) -> Generator[None]:
    """If no model can answer, raise an error that names the missing setting."""
    try:
        yield
    except ModelError as error:
        if error.message != WITHOUT_MODEL:
            raise
        named = body.model or settings.chat_model
        raise ModelError(_UNREACHABLE if named else _UNNAMED) from error


async def _answered(
    body: FirstMessage, chat_id: str | None, caller: Caller, memory: AsyncMemory, key: str | None
) -> EventStream:
    events = memory.talk(
        body.text,
        user=caller.user,
        chat=chat_id,
        persona=body.persona_id,
        model=body.model,
        instructions=body.instructions,
        sources=body.sources,
        tokens=check_budget(body.budget),
        idempotency_key=key,
    )
    # The first event is sent once the message is stored; earlier errors get their own status.
    first = await anext(events)
    return EventStream(_sent(first, events), headers=_HEADERS)


async def _sent(first: TalkEvent, events: AsyncGenerator[TalkEvent, None]) -> AsyncIterator[bytes]:
    """Events in their wire format."""
    yield _written(first)
    async with aclosing(events):
        async for event in events:
            yield _written(event)


def _written(event: TalkEvent) -> bytes:
    data = event.data if event.cause is None else {**event.data, "error": public_message(event.cause)}
    return b"event: %s\ndata: %s\n\n" % (event.kind.value.encode(), orjson.dumps(data))
