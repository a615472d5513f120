"""Accompany: record an OpenAI client's request, add memory to it and pass it on to the model.

New messages are stored before the model is asked; if the chat is new, so are the earlier ones. The client sends the
conversation itself, so only memory that its messages do not contain is added. If memory is unavailable, the request goes
on without it, because the client asked for an answer. `exchange` handles the answer.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from recollect.engine.assemble import assemble
from recollect.engine.beside import Beside
from recollect.engine.exchange import NO_SENSE, Exchange, Turn
from recollect.engine.offered_tools import OfferedTools
from recollect.engine.parts import Parts
from recollect.engine.record import record
from recollect.engine.talk import WITHOUT_MODEL
from recollect.errors import InvalidInput, ModelError, NotFound
from recollect.models.heard import Heard
from recollect.models.relay import Relayed
from recollect.records.message import MAX_NAME, Message, check_name
from recollect.rules import completion
from recollect.rules.completion import CompletionRequest
from recollect.settings import Settings
from recollect.store import chats

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accompanied:
    """A request and its memory options."""

    request: CompletionRequest
    #: The request as received.
    content: bytes
    chat_id: str
    persona_id: str | None
    #: Tokens of memory; None adds no memory.
    budget: int | None
    #: None offers no memory tools.
    tools: OfferedTools | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The response to the client."""

    status: int
    headers: Mapping[str, str]
    #: The whole body; None for a stream.
    content: bytes | None
    #: The chunks of a stream as they arrive.
    chunks: AsyncGenerator[bytes, None] | None = None


def read(content: bytes) -> CompletionRequest:
    """Parse these bytes as a request."""
    try:
        return completion.read(json.loads(content, parse_constant=_refuse))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The body is not valid JSON.") from error


async def accompany(parts: Parts, user_id: str, asked: Accompanied) -> Answered:
    """Record new messages, add memory and pass the request on; an error means that no answer has begun."""
    request = asked.request
    if not parts.settings.reaches_models:
        raise ModelError(WITHOUT_MODEL)
    model = request.model or parts.settings.chat_model
    if not model:
        raise InvalidInput("model required: name one, or set RECOLLECT_CHAT_MODEL.", field="model")
    check_name(model, field="model")
    parts.talks.expect(user_id)
    said = await _recorded(parts, user_id, asked)
    stable, recalled = await _memory(parts, user_id, asked)
    turn = Turn(
        user_id=user_id,
        chat_id=asked.chat_id,
        request=request,
        content=asked.content,
        model=model,
        said=said,
        stable=stable,
        recalled=recalled,
        tools=_offered(asked),
    )
    exchange = Exchange(parts, turn)
    parts.talks.begin(exchange.run(), user_id)
    head = await asyncio.shield(exchange.head)
    return Answered(status=head.status, headers=head.headers, content=head.content, chunks=exchange.passed())


async def embeddings(parts: Parts, content: bytes) -> Answered:
    """Pass an embeddings request on unchanged, for clients with a single base URL; nothing is stored."""
    if not parts.settings.reaches_models:
        raise ModelError(WITHOUT_MODEL)
    return _passed(await parts.relay.embed(content))


async def models(parts: Parts) -> Answered:
    """The available models: the server's list or, without one, the configured model."""
    settings = parts.settings
    has_server = settings.openai_api_key or settings.openai_base_url != Settings().openai_base_url
    if has_server:
        return _passed(await parts.relay.models())
    known = [settings.chat_model] if settings.chat_model else []
    return _whole(
        {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "created": 0, "owned_by": "recollect"} for name in known
            ],
        }
    )


async def model(parts: Parts, name: str) -> Answered:
    """One model, taken from the list because not every server can return a single one."""
    listed = await models(parts)
    if listed.status != 200:
        return listed
    found: object = Heard().whole(listed.content or b"").get("data")
    entries = cast("list[object]", found) if isinstance(found, list) else []
    for entry in [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]:
        if entry.get("id") == name:
            return _whole(entry)
    raise NotFound(
        f"There is no model {name[:MAX_NAME]!r} here; /v1/models lists those that there are.", id=name
    )


def _passed(relayed: Relayed) -> Answered:
    """A server response that is not a stream; a successful one must be valid."""
    if relayed.content is None or (relayed.status == 200 and not Heard().whole(relayed.content)):
        raise ModelError(NO_SENSE)
    return Answered(status=relayed.status, headers=relayed.headers, content=relayed.content)


def _whole(value: object) -> Answered:
    content = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return Answered(status=200, headers={"content-type": "application/json"}, content=content)


async def _recorded(parts: Parts, user_id: str, asked: Accompanied) -> Message | None:
    """Store the new messages and, if the chat is new, the earlier ones; return the last message."""
    request, chat_id = asked.request, asked.chat_id
    new = request.new
    known = await parts.database.read(user_id, lambda tx: chats.get(tx, user_id, chat_id))
    if known is None and (history := request.history):
        key = completion.history_key(chat_id, history)
        await record(parts, user_id, chat_id, history, persona_id=asked.persona_id, key=key)
    if not new:
        return None
    key = completion.key_of(chat_id, request.messages)
    recorded = await record(parts, user_id, chat_id, new, persona_id=asked.persona_id, key=key)
    return recorded.messages[-1] if recorded.messages else None


async def _memory(parts: Parts, user_id: str, asked: Accompanied) -> tuple[str, str]:
    """The memory to add: the part that rarely changes, and the part found for the question."""
    if asked.budget is None:
        return "", ""
    question = asked.request.question
    try:
        context = await assemble(
            parts,
            user_id,
            chat_id=asked.chat_id,
            persona_id=asked.persona_id,
            query=question if question.strip() else None,
            budget=asked.budget,
            beside=Beside(texts=asked.request.texts),
        )
    except ModelError as error:
        log.warning(
            "completion.without_memory user=%s chat=%s error=%s", user_id, asked.chat_id, type(error).__name__
        )
        return "", ""
    return context.stable_text, context.recalled_text


def _offered(asked: Accompanied) -> OfferedTools | None:
    """Our tools, if they can be offered: with several choices, nobody could tell which one calls them."""
    if asked.tools is None or asked.request.choices > 1:
        return None
    tools = asked.tools.beside(asked.request.body)
    return tools if tools.schemas else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
