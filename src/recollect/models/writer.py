"""Writers: they summarise conversations into briefs, session digests, rolling summaries and spines.

`OfflineWriter` uses rules: no model, no key, and the same turns always give the same text. `ModelWriter` asks any model behind
an OpenAI-compatible server and checks the answer: JSON that does not fit goes back once with the complaint, then it is a
`ModelError` and the job runs again later. The rules do not fill in for a failed model, because a summary should not change
its author silently. `HostedWriter` uses S1's hosted prompt, which exists for briefs only, and another writer for the rest. A
brief that is too long is returned as it is; the fold cuts it and logs that.
"""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from recollect.errors import ModelError
from recollect.language import gist
from recollect.language.sentence import cut_at_sentence
from recollect.language.spine_material import SpineMaterial
from recollect.models.note_prompts import (
    SESSION_SCHEMA,
    SPINE_SCHEMA,
    fold_input,
    render_brief,
    render_rolling,
    render_session,
    render_spine,
)
from recollect.models.openai import OpenAI, server_for
from recollect.models.reply import json_object
from recollect.records.message import Turn
from recollect.records.session import MAX_ROLLING, SessionDigest, digest_from
from recollect.records.spine import SpineContent, content_from
from recollect.rules.fold import Folded
from recollect.settings import Settings

T = TypeVar("T")

#: An answer may take this many times the requested tokens: tokenizers differ, and a truncated answer ends in mid-word.
_SLACK = 2
#: Tokens of a rolling summary of 600 characters, in a tokenizer that handles its language badly.
_ROLLING_TOKENS = 400
#: Tokens of a digest: six fields of a few short lines.
_DIGEST_TOKENS = 800
#: Tokens of a spine: four sections of at most 1,200 characters.
_SPINE_TOKENS = 2000
#: Characters of a bad answer that are sent back to the model; a long one is long because it repeats itself.
_MAX_ECHO = 1000
#: Small models repeat the delimiters of the question.
_ECHO = re.compile(r"^=+ *[A-Z_]+ *=+$", re.MULTILINE)


class Writer(Protocol):
    """Summarises conversations; a `ModelError` means that it could not, and that a later try may succeed."""

    @property
    def name(self) -> str:
        """The author stored with briefs: "offline", a model's name, or a prompt's id and version."""
        ...

    @property
    def notes_name(self) -> str:
        """The author of everything else; differs from `name` only if a hosted prompt writes the briefs."""
        ...

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The summary of a chat, extended by these turns; about `cap` tokens, sometimes more."""
        ...

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """What a session was about."""
        ...

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The state of the conversation in at most `MAX_ROLLING` characters."""
        ...

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """A new version of the long view of a user."""
        ...

    async def aclose(self) -> None:
        """Close connections; may be called twice."""
        ...


class OfflineWriter:
    """The writer that uses rules; always available. They take up to tenths of a second, so they run in a thread."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """`count` counts the tokens of a text."""
        self._count = count

    @property
    def name(self) -> str:
        return "offline"

    @property
    def notes_name(self) -> str:
        return self.name

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The most important sentences, of all turns and of the new ones alone."""
        brief, segment = await asyncio.to_thread(gist.fold, existing, turns, cap=cap, count=self._count)
        return Folded(brief=brief, segment=segment)

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """S4's six fields."""
        return await asyncio.to_thread(gist.session_digest, turns)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The newest important sentences."""
        return await asyncio.to_thread(gist.rolling, previous, turns)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The material in its four sections; it states what is true now, so the previous version adds nothing."""
        return await asyncio.to_thread(gist.spine_content, material)

    async def aclose(self) -> None:
        """There is nothing to close."""


class ModelWriter:
    """The writer that asks a language model."""

    def __init__(self, server: OpenAI, model: str) -> None:
        self._server = server
        self._model = model

    @property
    def name(self) -> str:
        return self._model

    @property
    def notes_name(self) -> str:
        return self.name

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The model's summary, not shortened."""
        asked = render_brief(existing, turns, cap=cap)
        return Folded(brief=await self._text(asked, max_tokens=cap * _SLACK))

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """The model's digest."""
        asked = render_session(turns)
        return await self._values(asked, SESSION_SCHEMA, _digest, max_tokens=_DIGEST_TOKENS)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The model's summary, cut at the end of a sentence or word when it is too long."""
        asked = render_rolling(previous, turns)
        text = " ".join((await self._text(asked, max_tokens=_ROLLING_TOKENS)).split())
        return text if len(text) <= MAX_ROLLING else cut_at_sentence(text, MAX_ROLLING, len)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The model's long view."""
        asked = render_spine(previous, material)
        # An empty spine is valid only for empty material.
        read = content_from if material == SpineMaterial() else _content
        return await self._values(asked, SPINE_SCHEMA, read, max_tokens=_SPINE_TOKENS)

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        await self._server.aclose()

    async def _text(self, messages: list[dict[str, str]], *, max_tokens: int) -> str:
        answer = await self._server.complete(messages, model=self._model, max_tokens=max_tokens)
        text = _ECHO.sub("", answer.text).strip()
        if not text:
            raise ModelError(f"The model {self._model!r} repeated the question instead of answering it.")
        return text

    async def _values(
        self,
        messages: list[dict[str, str]],
        schema: Mapping[str, Any],
        read: Callable[[dict[str, Any]], T],
        *,
        max_tokens: int,
    ) -> T:
        """The answer as a record; an unreadable one goes back once with the complaint."""
        first = await self._server.complete(messages, model=self._model, max_tokens=max_tokens, schema=schema)
        try:
            return read(json_object(first.text))
        except ValueError as cause:
            complaint = f"This cannot be used: {cause}. Reply again, shorter, with the JSON object only."
        again = [
            *messages,
            {"role": "assistant", "content": first.text[:_MAX_ECHO]},
            {"role": "user", "content": complaint},
        ]
        second = await self._server.complete(again, model=self._model, max_tokens=max_tokens, schema=schema)
        try:
            return read(json_object(second.text))
        except ValueError as cause:
            raise ModelError(
                f"The model {self._model!r} did not return a valid {schema['title']} in two tries: {cause}."
                " Check that it can write JSON."
            ) from cause


def _digest(values: dict[str, Any]) -> SessionDigest:
    if not values.get("one_liner"):
        raise ValueError("one_liner is missing")
    return digest_from(values)


def _content(values: dict[str, Any]) -> SpineContent:
    content = content_from(values)
    if content == SpineContent():
        raise ValueError("all four sections are empty")
    return content


class HostedWriter:
    """The writer whose briefs come from a hosted prompt."""

    def __init__(
        self, server: OpenAI, prompt_id: str, version: str, *, rest: ModelWriter | OfflineWriter
    ) -> None:
        """`rest` writes everything but briefs."""
        self._server = server
        self._prompt_id = prompt_id
        self._version = version
        self._rest = rest

    @property
    def name(self) -> str:
        return f"{self._prompt_id}@{self._version}"

    @property
    def notes_name(self) -> str:
        return self._rest.name

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The prompt's summary; its length is set in the prompt."""
        answer = await self._server.responses(self._prompt_id, self._version, fold_input(existing, turns))
        return Folded(brief=answer.text)

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """The other writer's digest."""
        return await self._rest.session(turns)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The other writer's summary."""
        return await self._rest.rolling(previous, turns)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The other writer's long view."""
        return await self._rest.spine(previous, material)

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        await self._server.aclose()
        await self._rest.aclose()


def writer_for(settings: Settings, count: Callable[[str], int]) -> Writer:
    """The writer in the settings; without one, nothing leaves the machine. `count` counts tokens."""
    hosted = settings.summary_prompt_version
    if not hosted and not settings.summarizer_model:
        return OfflineWriter(count)
    server = server_for(settings)
    rest = (
        ModelWriter(server, settings.summarizer_model) if settings.summarizer_model else OfflineWriter(count)
    )
    return HostedWriter(server, settings.summary_prompt_id, hosted, rest=rest) if hosted else rest
