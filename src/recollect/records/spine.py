"""The spine: the long view of a user over all chats and personas, in four sections (S4). A new version every 20 messages.

An open loop of a version may be done before the next version is written. The rules copy the open loops from todos word for
word, so that a context can leave out the ones that are closed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from recollect.language.sentence import shorten
from recollect.records.moment import iso

#: The user's messages between two versions.
EVERY = 20
#: Characters of one section.
MAX_SECTION = 1200
SECTIONS = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")
_BULLET = "- "
#: Characters of one line, so that a section holds at least five statements.
_LONGEST = 220
#: The author of versions whose open loops are copied from todos; models write their own wording.
_BY_RULES = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpineContent:
    """Four short texts, one statement per line."""

    profile: str = ""
    projects: str = ""
    people: str = ""
    open_loops: str = ""

    def to_dict(self) -> dict[str, str]:
        """S4's names."""
        return {
            "PROFILE": self.profile,
            "PROJECTS": self.projects,
            "PEOPLE": self.people,
            "OPEN_LOOPS": self.open_loops,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    """One version."""

    user_id: str
    version: int
    content: SpineContent
    #: The user's messages since the previous version.
    message_count: int
    written_by: str = ""
    created_at: datetime
    #: Every version, oldest first, if requested.
    revisions: tuple["Spine", ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.content.to_dict().items() if text)

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "version": self.version,
            "content": self.content.to_dict(),
            "messageCount": self.message_count,
            "created_at": iso(self.created_at),
            "written_by": self.written_by,
        }


def no_spine() -> dict[str, Any]:
    """The wire format before the first version."""
    return {
        "version": 0,
        "content": SpineContent().to_dict(),
        "messageCount": 0,
        "created_at": None,
        "written_by": "",
    }


def statement(text: str) -> str:
    """A line of a section as the rules write it; empty for an empty text."""
    text = " ".join(text.split()).removeprefix(_BULLET)
    return _BULLET + shorten(text, _LONGEST - len(_BULLET)) if text else ""


def stale_loops(spine: Spine, todos: Iterable[str], *, every: bool) -> frozenset[str]:
    """The lines of OPEN_LOOPS that match none of these todos, if those are `every` open one and rules wrote the spine."""
    if not every or spine.written_by != _BY_RULES:
        return frozenset()
    return frozenset(spine.content.open_loops.splitlines()) - {statement(text) for text in todos}


def spine_due(before: int, after: int) -> bool:
    """Whether these user messages require a new version."""
    return after // EVERY > before // EVERY


def content_from(values: Mapping[str, Any]) -> SpineContent:
    """Read S4's JSON; a ValueError says what is wrong."""
    texts: dict[str, str] = {}
    for name in SECTIONS:
        value = values.get(name) or ""
        if isinstance(value, list):
            value = "\n".join(str(item) for item in cast("list[object]", value))
        if not isinstance(value, str):
            raise ValueError(f"{name} must be text")
        texts[name.lower()] = value.strip()[:MAX_SECTION].rstrip()
    return SpineContent(**texts)
