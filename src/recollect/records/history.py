"""The history of a memory.

Every change appends one entry with its author and the old and new values of each changed field. `rewind` applies the entries
backwards, so past states need no second copy of a memory. Counters (accesses, mentions) measure use, so they are not in the
history.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, StrEnum
from typing import Any

from recollect.records.memory import FIELDS, MemoryRecord
from recollect.records.moment import iso


class ChangeKind(StrEnum):
    """The kind of a change."""

    CREATED = "created"
    EDITED = "edited"
    MENTIONED = "mentioned"
    SUPERSEDED = "superseded"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    ARCHIVED = "archived"
    RESTORED = "restored"
    FOLDED = "folded"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One change of one memory."""

    memory_id: str
    #: Increases with each change to the user's memories; orders entries with the same time.
    entry: int
    at: datetime
    by: str
    change: ChangeKind
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    reason: str

    def __str__(self) -> str:
        changes = "; ".join(
            f"{name}: {f'{self.old[name]!r} → ' if name in self.old else ''}{value!r}"
            for name, value in self.new.items()
            if name != "updated_at"
        )
        return f"{iso(self.at)} {self.change.value} by {self.by}" + (f" ({changes})" if changes else "")

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "at": iso(self.at),
            "by": self.by,
            "change": self.change.value,
            "old": dict(self.old),
            "new": dict(self.new),
            "reason": self.reason,
        }


def _plain(value: object) -> Any:
    match value:
        case datetime():
            return iso(value)
        case Enum():
            return value.value
        case tuple():
            return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return value


def diff(before: MemoryRecord, after: MemoryRecord) -> tuple[dict[str, Any], dict[str, Any]]:
    """The changed fields with their old and new JSON values."""
    changed = [name for name in FIELDS if getattr(before, name) != getattr(after, name)]
    return (
        {name: _plain(getattr(before, name)) for name in changed},
        {name: _plain(getattr(after, name)) for name in changed},
    )


def rewind(record: MemoryRecord, entries: Iterable[HistoryEntry], moment: datetime) -> MemoryRecord | None:
    """The memory as it was at that moment; None if it did not exist yet."""
    if record.created_at > moment:
        return None
    for entry in sorted(entries, key=lambda item: item.entry, reverse=True):
        if entry.at <= moment:
            break
        values = {
            name: None if value is None else FIELDS[name](value)
            for name, value in entry.old.items()
            if name in FIELDS
        }
        record = replace(record, **values)
    return record
