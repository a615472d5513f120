"""Summaries by a language model: renders a prompt, asks, and checks the answer before anyone keeps it.

An answer in JSON that does not fit is sent back once, with the complaint; after that it is a `ModelError`, and the job
tries later. A brief that is longer than it should be is not cut here: the fold does that, and logs it. Leaving a bad
answer to the rules was rejected: a summary that changes its author in silence cannot be trusted by either name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from recollect.errors import ModelError
from recollect.language.sentence import cut_at_sentence
from recollect.language.spine_material import SpineMaterial
from recollect.models.openai import OpenAI
from recollect.models.prompts import brief, rolling_summary, session_summary, spine
from recollect.models.reply import json_object
from recollect.records.session_state import MAX_ROLLING
from recollect.records.session_summary import SessionDigest, digest_from
from recollect.records.spine import SpineContent, content_from
from recollect.records.turn import Turn
from recollect.rules.fold import Folded

T = TypeVar("T")

#: An answer may take so many times the tokens that it is asked for: tokenizers differ, and a cut one ends in mid-word.
_SLACK = 2
#: Tokens of a rolling summary of 600 characters in a tokenizer that knows its language badly.
_ROLLING_TOKENS = 400
#: Tokens of a digest: six fields of a few short lines.
_DIGEST_TOKENS = 800
#: Tokens of a spine: four sections of at most 1,200 characters.
_SPINE_TOKENS = 2000
#: Characters of a bad answer that are shown to the model again; a long one is long because it repeats itself.
_MAX_ECHO = 1000
#: Small models repeat the delimiters of the question.
_ECHO = re.compile(r"^=+ *[A-Z_]+ *=+$", re.MULTILINE)


class ModelWriter:
    """The writer behind a server of language models."""

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
        """The model's summary, as long as the model made it."""
        asked = brief.render(existing, turns, cap=cap)
        return Folded(brief=await self._text(asked, max_tokens=cap * _SLACK))

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """The model's digest."""
        asked = session_summary.render(turns)
        return await self._values(asked, session_summary.SCHEMA, _digest, max_tokens=_DIGEST_TOKENS)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The model's summary, cut after its last whole sentence or word when it is too long."""
        asked = rolling_summary.render(previous, turns)
        text = " ".join((await self._text(asked, max_tokens=_ROLLING_TOKENS)).split())
        return text if len(text) <= MAX_ROLLING else cut_at_sentence(text, MAX_ROLLING, len)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The model's long view."""
        asked = spine.render(previous, material)
        # Out of nothing, nothing may be written.
        read = content_from if material == SpineMaterial() else _content
        return await self._values(asked, spine.SCHEMA, read, max_tokens=_SPINE_TOKENS)

    async def aclose(self) -> None:
        """Give the connections back; may be called twice."""
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
        """The answer as a record; one that cannot be read goes back once with the reason."""
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
                f"The model {self._model!r} did not give a {schema['title']} in two tries: {cause}."
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
