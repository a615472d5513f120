"""Judging by a language model: renders the prompt, asks, and keeps what the user's words bear out.

A reply that cannot be read goes back once, with the complaint; after that, or when the server refuses or the day's cap is
reached, the rules judge, and the judgement says so. Only a server that is away is an error, for a later try may succeed.
Messages that instruct a model are never shown to it: the rules, which nobody can talk into anything, read those. Letting
the job fail for a malformed reply was rejected: the same messages would fail again.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.errors import ModelError
from recollect.models.endpoint import Refused
from recollect.models.judge_offline import RulesJudge
from recollect.models.judge_reply import judgement_from
from recollect.models.openai import OpenAI, Unusable
from recollect.models.prompts.judge import SCHEMA, portions, readable, render
from recollect.models.reply import Completion, json_object
from recollect.models.spend import Spend
from recollect.records.judgement import Judgement, Material
from recollect.records.message import Message, Role

log = logging.getLogger(__name__)

#: Tokens of a reply: the frame of empty lists and a sentence, and so much more for every message of the user.
_REPLY_TOKENS = 300
_TOKENS_A_MESSAGE = 150
_MOST_TOKENS = 2000
#: Characters of a bad reply that are shown to the model again; a long one is long because it repeats itself.
_MAX_ECHO = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Malformed:
    """A reply that could not be read."""

    text: str
    complaint: str


class _NoVerdict(Exception):
    """The model cannot judge this; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ModelJudge:
    """The judge behind a server of language models."""

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
        """What the model found; what the rules find, where it gave nothing usable."""
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
        """Give the connections back; may be called twice."""
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
        """Ask once, read the reply and note what it cost."""
        if not await self._spend.allowed():
            raise _NoVerdict("cap")
        self._capped = False
        own = sum(map(_is_shown, part.messages))
        limit = min(_REPLY_TOKENS + _TOKENS_A_MESSAGE * own, _MOST_TOKENS)
        try:
            reply = await self._server.complete(
                asked, model=self._model, max_tokens=limit, schema=SCHEMA, described=True
            )
        except Unusable:
            await self._note(asked, None, failed=True)
            return _Malformed(text="", complaint="there was no answer in it")
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
        """The tokens by the server's word, else by our own count."""
        prompt = reply.prompt_tokens if reply else None
        if prompt is None:
            prompt = sum(self._count(message["content"]) for message in asked)
        answer = reply.completion_tokens if reply else 0
        if answer is None:
            answer = self._count(reply.text) if reply else 0
        await self._spend.note(self._model, prompt_tokens=prompt, completion_tokens=answer, failed=failed)

    def _tell(self, reason: str) -> None:
        """Log that the rules take over; of a cap only once, until the next day lifts it."""
        if reason == "cap" and self._capped:
            return
        self._capped = reason == "cap"
        log.warning("judge.fell_back model=%s reason=%s", self._model, reason)


def _is_shown(message: Message) -> bool:
    return message.role is Role.USER and readable(message)


def _is_unseen(message: Message) -> bool:
    return message.role is Role.USER and not readable(message)


def _only_from(judgement: Judgement, messages: Sequence[Message]) -> Judgement:
    """What was found in these messages alone."""
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
