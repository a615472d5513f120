"""The lines and sections of a context, and what was dropped, as `explain()` shows them.

Each line, and everything that was dropped or cut, has a reason, sources and a cost. `wording` turns records into lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

#: Characters of a dropped text in reports.
_SHORT = 120


class SectionName(StrEnum):
    """The sections, in the order in which a model reads them."""

    PINS = "pins"
    PROFILE = "profile"
    #: The spine, the last session's summary and open todos.
    SPINE = "spine"
    BRIEF = "brief"
    IMPORTANT = "important"
    TAIL = "tail"
    #: Cards, memories, episodes and the rolling summary: what depends on the query or the minute.
    RECALL = "recall"
    QUERY = "query"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """A line without its day, for use under a line with the day."""

    chat_id: str
    day: str
    text: str
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {"chat_id": self.chat_id, "day": self.day, "text": self.text, "tokens": self.tokens}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The text of one record for the model."""

    text: str
    tokens: int
    #: Why it is shown.
    why: str
    sources: tuple[str, ...] = ()
    #: The heading inside its section.
    group: str = ""
    #: Its form after another line from the same chat and day.
    undated: Undated | None = None

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "why": self.why,
            "sources": list(self.sources),
            "group": self.group,
            "undated": self.undated.to_dict() if self.undated else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Lines that belong together; never empty."""

    name: SectionName
    #: Lines and headings.
    tokens: int
    lines: tuple[Line, ...]

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "name": self.name.value,
            "tokens": self.tokens,
            "lines": [line.to_dict() for line in self.lines],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Text that was omitted or shortened."""

    section: SectionName
    #: Its beginning.
    text: str
    #: Tokens that are not shown.
    tokens: int
    why: str
    sources: tuple[str, ...] = ()
    #: Whether the rest of it is shown.
    cut: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "section": self.section.value,
            "text": self.text,
            "tokens": self.tokens,
            "why": self.why,
            "sources": list(self.sources),
            "cut": self.cut,
        }


def runs(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """Lines in order; adjacent lines from one chat and day are grouped under that day."""
    for talk, members in groupby(lines, key=_talk):
        together = list(members)
        if talk and len(together) > 1:
            yield talk[1], together
        else:
            for line in together:
                yield "", [line]


def cost_of(lines: Sequence[Line]) -> int:
    """The tokens of lines without their headings; a day above a run costs no more than it does in its first line."""
    tokens, before = 0, None
    for line in lines:
        talk = _talk(line)
        tokens += line.undated.tokens if line.undated and talk == before else line.tokens
        before = talk
    return tokens


def _talk(line: Line) -> tuple[str, str] | None:
    return (line.undated.chat_id, line.undated.day) if line.undated else None


def shortened(text: str) -> str:
    """Enough of a text to recognise it, on one line."""
    if len(text) <= _SHORT and text.isprintable():
        return text
    plain = " ".join(text[: 4 * _SHORT].split())
    return plain if len(plain) <= _SHORT and len(text) <= 4 * _SHORT else plain[:_SHORT].rstrip() + "…"
