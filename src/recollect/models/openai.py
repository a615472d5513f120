"""Language models behind any server that speaks OpenAI's protocol: chat completions, responses, streams.

It learns how each model wants to be asked from the server's refusals: `max_tokens` or `max_completion_tokens`, a JSON schema
or only a promise of JSON, room for reasoning, token usage in streams, system messages anywhere or only in front. A table of
models would be out of date on the day it is written.
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
from recollect.rules.completion import about_roles, one_system
from recollect.settings import Settings

#: Extra tokens for a model that reasons first: its reasoning counts against the limit of its answer.
THINKING_ROOM = 4000
#: Statuses of a server that does not know a parameter; some validate with 422.
_BAD_REQUEST = (400, 422)

_COMPLETIONS = "/chat/completions"
_RESPONSES = "/responses"


class Unusable(ModelError):
    """The server answered with nothing readable; another question may succeed."""


class _Form(StrEnum):
    """How JSON is requested: by a schema that the server enforces, as any JSON, or only in the prompt."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


#: What to try when a form is refused.
_NEXT_FORM = {_Form.SCHEMA: _Form.OBJECT, _Form.OBJECT: _Form.WORDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manners:
    """Which parameters a model accepts."""

    limit: str = "max_tokens"
    form: _Form = _Form.SCHEMA
    thinks: bool = False
    #: Reports the tokens at the end of a stream.
    tells_usage: bool = True
    #: Accepts one system message, at the beginning.
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
        """`timeout_seconds` limits a whole answer, or the silence between two pieces of a stream (`Limits` limits all of it).

        `hurried`: a person waits, so a silent server is not asked twice.
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
        """The model's answer to these messages, as JSON when there is a schema; never an empty text.

        `described`: the messages describe the schema, so it is not repeated for a server that accepts none.
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
                # It reached its limit before its first word, so it was reasoning.
                manners, thought = replace(manners, thinks=True), answer
                continue
            self._manners[model] = manners
            return self._said(_billed(answer, thought), _COMPLETIONS, model)

    async def responses(self, prompt_id: str, version: str, input: str) -> Completion:
        """The answer of a hosted prompt to a text; the prompt names the model."""
        body = {"prompt": {"id": prompt_id, "version": version}, "input": input}
        wanted = f"the prompt {prompt_id!r} in version {version!r}"
        answer = await self._asked(_RESPONSES, body, wanted, reply.response)
        return self._said(answer, _RESPONSES, prompt_id)

    async def stream(self, messages: Sequence[Mapping[str, str]], *, model: str) -> AsyncGenerator[str, None]:
        """The text of an answer as it arrives; an answer that breaks off is an error."""
        async with aclosing(self.speech(messages, model=model)) as events:
            async for event in events:
                if event.text:
                    yield event.text

    async def speech(
        self, messages: Sequence[Mapping[str, Any]], *, model: str
    ) -> AsyncGenerator[Delta, None]:
        """The events of an answer as they arrive, with the model's name and tokens where the server reports them."""
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
            raise ModelError(f"{self._endpoint.named(_COMPLETIONS)} stopped in the middle of its answer.")
        if not spoke:
            raise ModelError(
                f"{self._endpoint.named(_COMPLETIONS)} returned no text. Check the model {model!r}."
            )

    async def _lines(self, messages: Sequence[Mapping[str, Any]], model: str) -> AsyncGenerator[str, None]:
        """The lines of a stream, requested with parameters that the server accepts."""
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
        """Close the connections; may be called twice."""
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
            f"{self._endpoint.named(path)} returned an invalid answer"
            f" ({self._endpoint.hide_key(str(cause))}). Check that it is an OpenAI-compatible address."
        )

    def _said(self, answer: Completion, path: str, asked: str) -> Completion:
        if not answer.text:
            raise Unusable(f"{self._endpoint.named(path)} returned an empty answer. Check {asked!r}.")
        return answer if answer.model else replace(answer, model=asked)


def server_for(settings: Settings, *, hurried: bool = False) -> OpenAI:
    """The server in the settings; nothing is connected before the first request. `hurried`: a person waits for the answers."""
    return OpenAI(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        timeout_seconds=settings.model_timeout_seconds,
        max_retries=1 if hurried else 3,
        hurried=hurried,
    )


def _billed(answer: Completion, thought: Completion | None) -> Completion:
    """The answer with the tokens of an earlier attempt that was only reasoning: it was billed as well."""
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
    """The body of a request. No temperature: models that reason refuse any but their own."""
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
    """The body of a request for a stream."""
    said = one_system(messages) if manners.one_system else [dict(message) for message in messages]
    body: dict[str, Any] = {"model": model, "messages": said, "stream": True}
    return {**body, "stream_options": {"include_usage": True}} if manners.tells_usage else body


def _after_refused_stream(manners: _Manners, refusal: Refused) -> _Manners | None:
    """How to ask again; None if there is no other way.

    Servers phrase their refusal of `stream_options` in many ways, so it is left out after any refusal.
    """
    if refusal.status not in _BAD_REQUEST:
        return None
    if not manners.one_system and about_roles(refusal.complaint):
        return replace(manners, one_system=True)
    return replace(manners, tells_usage=False) if manners.tells_usage else None


def _after_refusal(manners: _Manners, refusal: Refused, has_schema: bool) -> _Manners | None:
    """How to ask again; None if there is no other way."""
    if refusal.status not in _BAD_REQUEST:
        return None
    if manners.limit == "max_tokens" and "max_tokens" in refusal.complaint:
        # Only models that reason refuse the old name.
        return replace(manners, limit="max_completion_tokens", thinks=True)
    if has_schema and (form := _NEXT_FORM.get(manners.form)):
        return replace(manners, form=form)
    return None
