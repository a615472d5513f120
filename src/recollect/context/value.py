"""A context: exactly what a model sees, why, at what cost, and what was left out.

A frozen value with its forms. It does not know how its lines were chosen. `tokens` is exact near the budget; far below it, it
is a slightly high estimate from stored counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from recollect.context import rendering
from recollect.context.line import Dropped, Section
from recollect.context.rendering import View, view_of
from recollect.errors import InvalidInput
from recollect.records.chat import Summary
from recollect.records.message import Message
from recollect.records.pin import Pin
from recollect.records.talk import as_sources, parse_passages

#: S0's form, when tokens are tight: so many summaries, of at least this importance (design 11.3).
TIGHT_SUMMARIES = 3
NOTABLE_SUMMARY = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model will see."""

    chat_id: str | None
    budget: int
    #: Tokens in the most expensive form.
    tokens: int
    sections: tuple[Section, ...]
    dropped: tuple[Dropped, ...]
    #: The messages that are shown, verbatim unless `dropped` says that they are cut.
    tail: tuple[Message, ...]
    #: The user's question; empty if there is none.
    question: str
    #: The question's message ID, if it is already recorded in the chat.
    asked: Message | None
    #: All pins of the chat by importance, and its summaries in order: S0's form has room for more of them.
    pins: tuple[Pin, ...]
    summaries: tuple[Summary, ...]

    def __str__(self) -> str:
        return self.to_text()

    @property
    def stable_text(self) -> str:
        """The remembered text that changes rarely and precedes the conversation."""
        return self._view().prefix

    @property
    def recalled_text(self) -> str:
        """The text found for the question, placed between the conversation and the question."""
        return self._view().suffix

    def to_openai(self, *, system: str = "", sources: Iterable[object] = ()) -> list[dict[str, Any]]:
        """Messages for any chat-completions API; your own `system` comes first, sources before what the question brought.

        Sources are texts, or objects with title and text. Neither they nor `system` count against the budget.
        """
        return rendering.openai(
            self._view(), system=_checked(system), sources=as_sources(parse_passages(sources))
        )

    def to_anthropic(self, *, system: str = "") -> dict[str, Any]:
        """`system` and `messages` for the Messages API, with cache breakpoints; your own `system` comes first."""
        return rendering.anthropic(self._view(), system=_checked(system))

    def to_text(self) -> str:
        """S1's memory text."""
        return rendering.text(self._view())

    def memory_block(self) -> str:
        """S3's block alone."""
        return rendering.memory_block(self.sections)

    def to_memory_context(self) -> dict[str, Any]:
        """S0's MemoryContext: three lists of records within the budget."""
        recent = [*self.tail, *([self.asked] if self.asked else [])]
        room = self.budget - sum(message.tokens for message in recent)
        pins: list[Pin] = []
        for pin in self.pins:
            if pin.tokens <= room:
                pins.append(pin)
                room -= pin.tokens
        summaries = _with_room(self.summaries, room)
        return {
            "recentMessages": [message.to_dict() for message in recent],
            "semanticPins": [pin.to_dict() for pin in pins],
            "summaries": [summary.to_dict() for summary in summaries],
            "totalTokens": sum(item.tokens for item in (*recent, *pins, *summaries)),
        }

    def to_dict(self) -> dict[str, Any]:
        """The wire format: S0's, plus the forms to send and the reasons."""
        return {
            **self.to_memory_context(),
            "text": self.to_text(),
            "messages": self.to_openai(),
            "sections": [section.to_dict() for section in self.sections],
            "dropped": [item.to_dict() for item in self.dropped],
            "chat_id": self.chat_id,
            "budget": self.budget,
            "tokens": self.tokens,
            "question": {"text": self.question, "message_id": self.asked.message_id if self.asked else None},
        }

    def explain(self) -> str:
        """Every line with its reason, sources and cost; then what was dropped, and why."""
        lines = [f"{self.tokens} of {self.budget} tokens"]
        for section in self.sections:
            lines += ["", f"{section.name.value} ({section.tokens} tokens)"]
            lines += [
                f"  {line.text}\n      {_reason(line.why, line.tokens, line.sources)}"
                for line in section.lines
            ]
        if self.dropped:
            lines += ["", f"dropped ({sum(item.tokens for item in self.dropped)} tokens)"]
        lines += [
            f"  {item.section.value}: {item.text}\n      {_reason(item.why, item.tokens, item.sources)}"
            for item in self.dropped
        ]
        return "\n".join(lines)

    def _view(self) -> View:
        return view_of(self.sections, self.tail, self.question)


def _checked(system: object) -> str:
    if not isinstance(system, str):
        raise InvalidInput(f"system must be text, not {type(system).__name__}.", field="system")
    return system


def _reason(why: str, tokens: int, sources: tuple[str, ...]) -> str:
    return f"{why} · {tokens} tokens" + (f" · from {', '.join(sources)}" if sources else "")


def _with_room(summaries: tuple[Summary, ...], room: int) -> list[Summary]:
    """All summaries if they fit, otherwise the few most important ones, in the order of the chat."""
    if sum(summary.tokens for summary in summaries) <= room:
        return list(summaries)
    notable = [summary for summary in summaries if summary.importance_score >= NOTABLE_SUMMARY]
    notable.sort(key=lambda summary: (summary.importance_score, summary.start_position), reverse=True)
    chosen: list[Summary] = []
    for summary in notable:
        if len(chosen) < TIGHT_SUMMARIES and summary.tokens <= room:
            chosen.append(summary)
            room -= summary.tokens
    return sorted(chosen, key=lambda summary: summary.start_position)
