"""Language models behind any server that speaks OpenAI's protocol: chat completions, responses, streams.

It asks, and learns the server's manners on the way: whether a model wants `max_tokens` or `max_completion_tokens`,
whether it takes a JSON schema, or at least promises JSON, whether it needs room to think, whether it tells what a stream
cost and takes system messages anywhere. It knows no prompt and no memory. A table of models and their manners was
rejected: it would be out of date on the day it is written.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from recollect.errors import ModelError
from recollect.models import reply
from recollect.models.endpoint import Endpoint, Refused
from recollect.models.reply import Completion, Delta
from recollect.rules.completion_memory import about_roles, one_system
from recollect.settings import Settings

#: Tokens that a model which thinks first may think with; its thoughts count against the limit of its answer.
THINKING_ROOM = 4000
#: What a server answers that does not know a parameter; some validate with 422.
_BAD_REQUEST = (400, 422)

_COMPLETIONS = "/chat/completions"
_RESPONSES = "/responses"


class Unusable(ModelError):
    """The server answered, but with nothing that could be read; another question may fare better."""


class _Form(StrEnum):
    """How JSON is asked for: by a schema that the server enforces, by its promise of any JSON, or by words alone."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


#: What to try when a form is refused.
_NEXT_FORM = {_Form.SCHEMA: _Form.OBJECT, _Form.OBJECT: _Form.WORDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manners:
    """How a model wants to be asked."""

    limit: str = "max_tokens"
    form: _Form = _Form.SCHEMA
    thinks: bool = False
    #: Tells at the end of a stream what it cost.
    tells_usage: bool = True
    #: Takes one system message, in front, and no other.
    one_system: bool = False


class OpenAI:
    """One server of language models."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None,
        timeout_seconds: float = 30.0,
        max_retries: int = 3,
        hurried: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`timeout_seconds` is for a whole answer; of a stream, for the silence between two words (see `Limits` for all of it).

        `hurried`: a person waits, so that nothing is waited for twice.
        """
        self._endpoint = Endpoint(
            kind="model server",
            base_url=base_url,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            hurried=hurried,
            sleep=sleep,
        )
        self._manners: dict[str, _Manners] = {}

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        model: str,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        described: bool = False,
    ) -> Completion:
        """What the model says to these messages, as JSON when there is a schema; never an empty text.

        `described`: the messages tell the schema themselves, so a server that takes none need not be told it again.
        """
        manners = self._manners.get(model, _Manners())
        thought: Completion | None = None
        while True:
            body = _request(messages, model, max_tokens, schema, manners)
            if schema is not None and manners.form is not _Form.SCHEMA and not described:
                body["messages"][0]["content"] += (
                    f"\n\nReply with one JSON object that fits this JSON schema: {json.dumps(schema)}"
                )
            try:
                answer = await self._asked(_COMPLETIONS, body, f"the model {model!r}", reply.completion)
            except Refused as refusal:
                changed = _after_refusal(manners, refusal, schema is not None)
                if changed is None:
                    raise
                manners = changed
                continue
            if answer.truncated and not answer.text and not manners.thinks:
                # It reached its limit before its first word: it was thinking.
                manners, thought = replace(manners, thinks=True), answer
                continue
            self._manners[model] = manners
            return self._said(_billed(answer, thought), _COMPLETIONS, model)

    async def responses(self, prompt_id: str, version: str, input: str) -> Completion:
        """What a hosted prompt makes of a text; the prompt itself names the model."""
        body = {"prompt": {"id": prompt_id, "version": version}, "input": input}
        wanted = f"the prompt {prompt_id!r} in version {version!r}"
        answer = await self._asked(_RESPONSES, body, wanted, reply.response)
        return self._said(answer, _RESPONSES, prompt_id)

    async def stream(self, messages: Sequence[Mapping[str, str]], *, model: str) -> AsyncGenerator[str, None]:
        """The model's words as they come; an answer that does not come to its end is an error."""
        async with aclosing(self.speech(messages, model=model)) as events:
            async for event in events:
                if event.text:
                    yield event.text

    async def speech(
        self, messages: Sequence[Mapping[str, Any]], *, model: str
    ) -> AsyncGenerator[Delta, None]:
        """The events of an answer as they come, with the model's own name and what it cost where the server tells."""
        spoke = finished = False
        async with aclosing(self._lines(messages, model)) as lines:
            async for line in lines:
                try:
                    event = reply.delta(line)
                except ValueError as cause:
                    raise self._nonsense(_COMPLETIONS, cause) from cause
                spoke = spoke or bool(event.text.strip())
                finished = finished or event.finished
                yield event
                if event.last:
                    break
        if not finished:
            raise ModelError(f"{self._endpoint.named(_COMPLETIONS)} broke off in the middle of its answer.")
        if not spoke:
            raise ModelError(f"{self._endpoint.named(_COMPLETIONS)} said nothing. Check the model {model!r}.")

    async def _lines(self, messages: Sequence[Mapping[str, Any]], model: str) -> AsyncGenerator[str, None]:
        """The lines of a stream, asked for in the way that the server takes."""
        manners = self._manners.get(model, _Manners())
        while True:
            body = _spoken_request(messages, model, manners)
            async with aclosing(
                self._endpoint.lines(_COMPLETIONS, body, wanted=f"the model {model!r}")
            ) as lines:
                try:
                    line = await anext(lines, None)
                except Refused as refusal:
                    changed = _after_refused_stream(manners, refusal)
                    if changed is None:
                        raise
                    manners = changed
                    continue
                self._manners[model] = manners
                while line is not None:
                    yield line
                    line = await anext(lines, None)
                return

    async def aclose(self) -> None:
        """Give the connections back; may be called twice."""
        await self._endpoint.aclose()

    async def _asked(
        self, path: str, body: Mapping[str, Any], wanted: str, read: Callable[[bytes], Completion]
    ) -> Completion:
        content = await self._endpoint.post(path, body, wanted=wanted)
        try:
            return read(content)
        except ValueError as cause:
            raise self._nonsense(path, cause) from cause

    def _nonsense(self, path: str, cause: ValueError) -> Unusable:
        return Unusable(
            f"{self._endpoint.named(path)} gave an answer that makes no sense"
            f" ({self._endpoint.hide_key(str(cause))}). Check that it is an OpenAI-compatible address."
        )

    def _said(self, answer: Completion, path: str, asked: str) -> Completion:
        if not answer.text:
            raise Unusable(f"{self._endpoint.named(path)} gave an empty answer. Check {asked!r}.")
        return answer if answer.model else replace(answer, model=asked)


def answering_for(settings: Settings) -> OpenAI:
    """The server of the settings for somebody who waits for an answer; nothing is asked before that."""
    return OpenAI(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        timeout_seconds=settings.model_timeout_seconds,
        max_retries=1,
        hurried=True,
    )


def _billed(answer: Completion, thought: Completion | None) -> Completion:
    """The answer with the tokens of an earlier one that was only a thought: it was paid for as well."""
    if thought is None:
        return answer
    return replace(
        answer,
        tokens=_sum(answer.tokens, thought.tokens),
        prompt_tokens=_sum(answer.prompt_tokens, thought.prompt_tokens),
        completion_tokens=_sum(answer.completion_tokens, thought.completion_tokens),
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _request(
    messages: Sequence[Mapping[str, str]],
    model: str,
    max_tokens: int,
    schema: Mapping[str, Any] | None,
    manners: _Manners,
) -> dict[str, Any]:
    """The body of a question. No temperature: models that think refuse any but their own."""
    said = [dict(message) for message in messages]
    room = THINKING_ROOM if manners.thinks else 0
    body: dict[str, Any] = {"model": model, "messages": said, manners.limit: max_tokens + room}
    if schema is not None and manners.form is _Form.SCHEMA:
        form = {"name": schema["title"], "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    elif schema is not None and manners.form is _Form.OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body


def _spoken_request(messages: Sequence[Mapping[str, Any]], model: str, manners: _Manners) -> dict[str, Any]:
    """The body of a question whose answer is streamed."""
    said = one_system(messages) if manners.one_system else [dict(message) for message in messages]
    body: dict[str, Any] = {"model": model, "messages": said, "stream": True}
    return {**body, "stream_options": {"include_usage": True}} if manners.tells_usage else body


def _after_refused_stream(manners: _Manners, refusal: Refused) -> _Manners | None:
    """How to ask again; None: there is no other way.

    Servers that do not know `stream_options` say so in a hundred ways, so that it is left out whatever they say.
    """
    if refusal.status not in _BAD_REQUEST:
        return None
    if not manners.one_system and about_roles(refusal.complaint):
        return replace(manners, one_system=True)
    return replace(manners, tells_usage=False) if manners.tells_usage else None


def _after_refusal(manners: _Manners, refusal: Refused, has_schema: bool) -> _Manners | None:
    """How to ask again; None: there is no other way."""
    if refusal.status not in _BAD_REQUEST:
        return None
    if manners.limit == "max_tokens" and "max_tokens" in refusal.complaint:
        # Only models that think refuse the old name.
        return replace(manners, limit="max_completion_tokens", thinks=True)
    if has_schema and (form := _NEXT_FORM.get(manners.form)):
        return replace(manners, form=form)
    return None
