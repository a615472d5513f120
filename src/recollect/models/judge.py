"""Judges: they read a conversation and propose memories, todos, pins and deletions.

`RulesJudge` runs inside the process: no model, no key, and the same messages always give the same judgement. It reads on
the event loop for half a millisecond at a time, because a thread would hold the interpreter lock for 5 ms and make
recording a turn five times slower; only its expressions are compiled in a thread, once per process. `ModelJudge` asks a
model behind an OpenAI-compatible server and keeps what the user's words support. A reply that cannot be read goes back once
with the complaint. After that, or when the server refuses or the daily cap is reached, the rules judge instead and the
judgement says so; only an unreachable server is an error, because a later try may succeed. Messages that instruct a model
are never sent to it: the rules read those. No judge knows when it is called or what happens to its proposals.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, cast

from recollect.errors import ModelError
from recollect.language import judge as rules
from recollect.language.pattern import Pattern
from recollect.models.endpoint import Refused
from recollect.models.judge_prompt import SCHEMA, portions, readable, render
from recollect.models.judge_reply import judgement_from
from recollect.models.openai import OpenAI, Unusable, server_for
from recollect.models.reply import Completion, json_object
from recollect.records.judgement import Judgement, Material
from recollect.records.message import Message, Role
from recollect.settings import Settings

log = logging.getLogger(__name__)

#: Seconds that the rules read before other tasks get their turn.
_SPELL = 0.0005
#: Seconds between two checks whether another chat is being read, and after each compiled expression.
_PAUSE = 0.001
#: Tokens of a reply: the frame of empty lists with a sentence, and a share per message of the user.
_REPLY_TOKENS = 300
_TOKENS_PER_MESSAGE = 150
_MOST_TOKENS = 2000
#: Characters of a bad reply that are sent back to the model; a long one is long because it repeats itself.
_MAX_ECHO = 1000

#: Whether this process has compiled the rules.
_compiled = threading.Event()


class Spend(Protocol):
    """The token budget of a purpose: how much may be spent today, and what was spent.

    The engine counts for the whole deployment, so that calls of several processes add up and survive a restart.
    """

    async def allowed(self) -> bool:
        """Whether another call is allowed: the daily cap is not reached."""
        ...

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        """Record one call; `failed`: its answer could not be used."""
        ...


class Judge(Protocol):
    """Finds what is worth remembering; a `ModelError` means that it could not be asked and a later try may succeed."""

    @property
    def name(self) -> str:
        """The name stored with its proposals: "rules", or the model's name."""
        ...

    async def judge(self, material: Material) -> Judgement:
        """The proposals for the new messages."""
        ...

    async def aclose(self) -> None:
        """Close connections; may be called twice."""
        ...


def _compile() -> None:
    """Load the rules and compile their expressions, pausing after each: together they take half a second."""
    _ = rules.Reading
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith(("recollect.language.", "recollect.rules."))
    ]
    for pattern in chain.from_iterable(_patterns(vars(module)) for module in modules):
        if not pattern.is_compiled:
            pattern.compiled()
            time.sleep(_PAUSE)
    _compiled.set()


def _patterns(held: object) -> Iterator[Pattern]:
    """The expressions in a value of a module: alone, or in tables."""
    if isinstance(held, Pattern):
        yield held
    elif isinstance(held, Mapping):
        yield from _patterns(tuple(cast(Mapping[object, object], held).values()))
    elif isinstance(held, tuple | list):
        for item in cast(Sequence[object], held):
            yield from _patterns(item)


class RulesJudge:
    """The judge that uses rules; always available."""

    def __init__(self) -> None:
        #: One chat is read at a time; several at once would each delay the tasks that wait.
        self._reading = False
        #: Seconds read since other tasks had their turn.
        self._spent = 0.0

    @property
    def name(self) -> str:
        return "rules"

    async def judge(self, material: Material) -> Judgement:
        """The proposals of the rules."""
        if not _compiled.is_set():
            await asyncio.to_thread(_compile)
        # Not a lock: that belongs to one event loop, and a memory may outlive several.
        while self._reading:  # noqa: ASYNC110
            await asyncio.sleep(_PAUSE)
        self._reading = True
        try:
            return await self._read(material)
        finally:
            self._reading = False

    async def _read(self, material: Material) -> Judgement:
        reading = rules.Reading(material)
        for message in material.messages:
            began = time.monotonic()
            reading.take(message)
            self._spent += time.monotonic() - began
            if self._spent > _SPELL:
                self._spent = 0.0
                await asyncio.sleep(0)
        return reading.judgement()

    async def aclose(self) -> None:
        """There is nothing to close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Malformed:
    """A reply that could not be read."""

    text: str
    complaint: str


class _NoVerdict(Exception):
    """The model gave no usable judgement; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ModelJudge:
    """The judge that asks a language model."""

    def __init__(self, server: OpenAI, model: str, *, spend: Spend, count: Callable[[str], int]) -> None:
        """`count` counts the tokens of a text."""
        self._server = server
        self._model = model
        self._spend = spend
        self._count = count
        self._rules = RulesJudge()
        self._capped = False

    @property
    def name(self) -> str:
        return self._model

    async def judge(self, material: Material) -> Judgement:
        """The model's proposals, or those of the rules when it gave nothing usable."""
        parts = [part for part in portions(material) if any(map(_is_shown, part.messages))]
        try:
            found = [await self._verdict(part) for part in parts]
        except _NoVerdict as failure:
            self._tell(failure.reason)
            return await self._rules.judge(material)
        unseen = [message for message in material.messages if _is_unseen(message)]
        if unseen:
            found.append(_only_from(await self._rules.judge(material), unseen))
        return _joined(found, by=self._model)

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        await self._server.aclose()

    async def _verdict(self, part: Material) -> Judgement:
        """The judgement of one portion, in two tries at most."""
        asked = render(part, self._count)
        first = await self._try(asked, part)
        if isinstance(first, Judgement):
            return first
        again = [
            *asked,
            {"role": "assistant", "content": first.text[:_MAX_ECHO] or "(nothing)"},
            {
                "role": "user",
                "content": f"This cannot be used: {first.complaint}. Reply again, shorter, with the JSON object only.",
            },
        ]
        second = await self._try(again, part)
        if isinstance(second, Judgement):
            return second
        raise _NoVerdict("malformed")

    async def _try(self, asked: list[dict[str, str]], part: Material) -> Judgement | _Malformed:
        """Ask once, read the reply and record its cost."""
        if not await self._spend.allowed():
            raise _NoVerdict("cap")
        self._capped = False
        own = sum(map(_is_shown, part.messages))
        limit = min(_REPLY_TOKENS + _TOKENS_PER_MESSAGE * own, _MOST_TOKENS)
        try:
            reply = await self._server.complete(
                asked, model=self._model, max_tokens=limit, schema=SCHEMA, described=True
            )
        except Unusable:
            await self._note(asked, None, failed=True)
            return _Malformed(text="", complaint="it contained no answer")
        except ModelError as cause:
            await self._spend.note(self._model, prompt_tokens=0, completion_tokens=0, failed=True)
            if isinstance(cause, Refused):
                raise _NoVerdict(f"refused_{cause.status}") from cause
            raise
        try:
            found = judgement_from(json_object(reply.text), part, by=self._model)
        except ValueError as cause:
            await self._note(asked, reply, failed=True)
            complaint = "it was too long and is cut off" if reply.truncated else str(cause)
            return _Malformed(text=reply.text, complaint=complaint)
        await self._note(asked, reply, failed=False)
        return found

    async def _note(self, asked: list[dict[str, str]], reply: Completion | None, *, failed: bool) -> None:
        """Record the tokens as the server counts them, or else as we do."""
        prompt = reply.prompt_tokens if reply else None
        if prompt is None:
            prompt = sum(self._count(message["content"]) for message in asked)
        answer = reply.completion_tokens if reply else 0
        if answer is None:
            answer = self._count(reply.text) if reply else 0
        await self._spend.note(self._model, prompt_tokens=prompt, completion_tokens=answer, failed=failed)

    def _tell(self, reason: str) -> None:
        """Log that the rules take over; a reached cap is logged once, until it is lifted."""
        if reason == "cap" and self._capped:
            return
        self._capped = reason == "cap"
        log.warning("judge.fell_back model=%s reason=%s", self._model, reason)


def _is_shown(message: Message) -> bool:
    return message.role is Role.USER and readable(message)


def _is_unseen(message: Message) -> bool:
    return message.role is Role.USER and not readable(message)


def _only_from(judgement: Judgement, messages: Sequence[Message]) -> Judgement:
    """The proposals that come from these messages alone."""
    ids = {message.message_id for message in messages}
    return Judgement(
        memories=tuple(found for found in judgement.memories if ids.issuperset(found.source_message_ids)),
        todos=tuple(found for found in judgement.todos if ids.issuperset(found.source_message_ids)),
        pins=tuple(found for found in judgement.pins if found.source_message_id in ids),
        forgettings=tuple(
            found for found in judgement.forgettings if ids.issuperset(found.source_message_ids)
        ),
        passed=tuple(found for found in judgement.passed if found.source_message_id in ids),
    )


def _joined(found: Sequence[Judgement], *, by: str) -> Judgement:
    return Judgement(
        memories=tuple(item for part in found for item in part.memories),
        todos=tuple(item for part in found for item in part.todos),
        pins=tuple(item for part in found for item in part.pins),
        forgettings=tuple(item for part in found for item in part.forgettings),
        passed=tuple(item for part in found for item in part.passed),
        judged_by=by,
    )


def judge_for(settings: Settings, spend: Spend, count: Callable[[str], int]) -> Judge | None:
    """The judge in the settings; None when it is switched off. `count` counts tokens."""
    if settings.judge == "off":
        return None
    if settings.judge != "model":
        return RulesJudge()
    return ModelJudge(server_for(settings), settings.judge_model, spend=spend, count=count)
