"""A context: exactly what is put in front of a model, why, at what cost, and what was left out.

A frozen value with its forms. It does not know how its lines were chosen. `tokens` is counted when the context comes
near its budget; far below it is an estimate from stored counts, a little above the truth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from recollect.context import rendering
from recollect.context.line import Dropped, Section
from recollect.context.rendering import View, view_of
from recollect.records.message import Message
from recollect.records.passage import as_sources, parse_passages
from recollect.records.pin import Pin
from recollect.records.summary import Summary

#: S0's form, when tokens are tight: so many summaries, of at least this importance (design 11.3).
TIGHT_SUMMARIES = 3
NOTABLE_SUMMARY = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model will see."""

    chat_id: str | None
    budget: int
    #: Of the form that costs most.
    tokens: int
    sections: tuple[Section, ...]
    dropped: tuple[Dropped, ...]
    #: The messages that are shown, verbatim unless `dropped` says that they are cut.
    tail: tuple[Message, ...]
    #: What the user asks now; empty: nothing was asked.
    question: str
    #: The question, where it is recorded in the chat already.
    asked: Message | None
    #: All pins of the chat by importance, and its summaries in order: S0's form has room for more of them.
    pins: tuple[Pin, ...]
    summaries: tuple[Summary, ...]

    @property
    def stable_text(self) -> str:
        """What is remembered and changes rarely: what stands before the conversation."""
        return self._view().prefix

    @property
    def recalled_text(self) -> str:
        """What the question brought: what stands between the conversation and the question."""
        return self._view().suffix

    def to_openai(self, *, instructions: str = "", sources: Iterable[object] = ()) -> list[dict[str, Any]]:
        """Messages for any chat-completions API; instructions stand first, sources before what the question brought.

        Sources are texts, or objects with title and text. Neither they nor instructions count against the budget.
        """
        return rendering.openai(
            self._view(), instructions=instructions, sources=as_sources(parse_passages(sources))
        )

    def to_anthropic(self) -> dict[str, Any]:
        """`system` and `messages` for the Messages API, with cache breakpoints."""
        return rendering.anthropic(self._view())

    def to_text(self) -> str:
        """S1's memory text."""
        return rendering.text(self._view())

    def memory_block(self) -> str:
        """S3's block alone."""
        return rendering.memory_block(self.sections)

    def to_memory_context(self) -> dict[str, Any]:
        """S0's MemoryContext: three lists of records whose tokens keep to the budget."""
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
        """The shape on the wire: S0's, with what is sent and why."""
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
        """Every line with its reason, its sources and its cost; then what was left out, and why."""
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


def _reason(why: str, tokens: int, sources: tuple[str, ...]) -> str:
    return f"{why} · {tokens} tokens" + (f" · from {', '.join(sources)}" if sources else "")


def _with_room(summaries: tuple[Summary, ...], room: int) -> list[Summary]:
    """All with room for all, otherwise the few that matter most and fit; in the order of the chat."""
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
