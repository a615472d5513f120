"""The summary of a session, in S4's six fields; each close writes a revision of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from recollect.records.moment import iso

#: Items of each list, and characters of each text: more is a transcript.
MAX_ITEMS = 7
MAX_ITEM = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDigest:
    """What a session was about."""

    one_liner: str
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = "neutral"

    def to_dict(self) -> dict[str, Any]:
        """S4's JSON."""
        return {
            "one_liner": self.one_liner,
            "what_mattered": list(self.what_mattered),
            "open_loops": list(self.open_loops),
            "commitments": list(self.commitments),
            "people": list(self.people),
            "tone": self.tone,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """One revision of a session's digest."""

    user_id: str
    session_id: str
    revision: int
    digest: SessionDigest
    #: When the session ended; known where the summary was found by its session.
    session_at: datetime | None = None
    written_by: str = ""
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire: S4's fields, and about them what a list of revisions needs."""
        return {
            "revision": self.revision,
            "summary": self.digest.to_dict(),
            "written_by": self.written_by,
            "session_at": iso(self.session_at) if self.session_at else None,
            "created_at": iso(self.created_at),
        }


def digest_from(values: Mapping[str, Any]) -> SessionDigest:
    """Read S4's JSON; a ValueError says what is wrong, whoever wrote it."""
    return SessionDigest(
        one_liner=_item(values.get("one_liner"), "one_liner"),
        tone=_item(values.get("tone") or "neutral", "tone"),
        **{
            name: _items(values.get(name) or [], name)
            for name in ("what_mattered", "open_loops", "commitments", "people")
        },
    )


def _items(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list")
    texts = [_item(item, name) for item in cast("list[object]", value)]
    return tuple(dict.fromkeys(text for text in texts if text))[:MAX_ITEMS]


def _item(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text")
    return " ".join(value.split())[:MAX_ITEM].rstrip()
