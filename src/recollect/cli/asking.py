"""Ask the models of the settings from a command: an answer as it comes, or a sign that a model is there.

Each question has an event loop and a connection of its own: commands have no loop, and a person who types is slower than
a connection. Commands import this module when they ask, because the client of models takes long to load.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar
from urllib.parse import urlsplit

from recollect.errors import ModelError
from recollect.models.openai import OpenAI
from recollect.settings import Settings

T = TypeVar("T")

#: Who is asked when nobody names a server.
_OPENAI = "api.openai.com"
#: A person sits before it: one more try, then a word about what is wrong.
_RETRIES = 1
#: Seconds for a model that is only asked whether it is there.
_PATIENCE = 15.0
_HELLO = "Reply with the word OK."
#: Tokens for the answer to that.
_WORD = 16


def spoken(settings: Settings, messages: Sequence[Mapping[str, Any]], show: Callable[[str], None]) -> str:
    """The chat model's whole answer; each piece is shown as it comes."""

    async def listen(server: OpenAI) -> str:
        pieces: list[str] = []
        async with aclosing(server.stream(messages, model=settings.chat_model)) as words:
            async for piece in words:
                pieces.append(piece)
                show(piece)
        return "".join(pieces)

    return _asked(settings, listen, seconds=settings.model_timeout_seconds, retries=_RETRIES)


def reach_model(settings: Settings, model: str) -> None:
    """An error when the model gives no answer."""
    messages = [{"role": "user", "content": _HELLO}]
    _asked(settings, lambda server: server.complete(messages, model=model, max_tokens=_WORD))


def reach_prompt(settings: Settings) -> None:
    """An error when the hosted prompt gives no answer."""
    prompt, version = settings.summary_prompt_id, settings.summary_prompt_version
    _asked(settings, lambda server: server.responses(prompt, version, _HELLO))


def _asked(
    settings: Settings,
    ask: Callable[[OpenAI], Awaitable[T]],
    *,
    seconds: float = _PATIENCE,
    retries: int = 0,
) -> T:
    if not settings.openai_api_key and urlsplit(settings.openai_base_url).hostname == _OPENAI:
        raise ModelError(
            f"OPENAI_API_KEY is not set, and {_OPENAI} answers nobody without a key: set it, or set OPENAI_BASE_URL for a"
            " server of your own."
        )

    async def once() -> T:
        server = OpenAI(
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            timeout_seconds=min(settings.model_timeout_seconds, seconds),
            max_retries=retries,
        )
        try:
            return await ask(server)
        finally:
            await server.aclose()

    return asyncio.run(once())
