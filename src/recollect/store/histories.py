"""The memory_history table: every change of every memory, appended and never rewritten."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.moment import iso, parse
from recollect.store.database import Connection, Row
from recollect.store.json_text import json_text

#: Mentions that are counted, the last ones.
_MOST_MENTIONS = 10_000
_SELECT = "SELECT memory_id, entry, at, changed_by, change, old, new, reason FROM memory_history"


def append(tx: Connection, user_id: str, entries: Iterable[HistoryEntry]) -> None:
    """Record a change."""
    tx.many(
        """
        INSERT INTO memory_history (user_id, memory_id, entry, at, changed_by, change, old, new, reason)
        VALUES (:user_id, :memory_id, :entry, :at, :by, :change, :old, :new, :reason)
        """,
        [
            {
                "user_id": user_id,
                "memory_id": entry.memory_id,
                "entry": entry.entry,
                "at": iso(entry.at),
                "by": entry.by,
                "change": entry.change.value,
                "old": json_text(dict(entry.old)),
                "new": json_text(dict(entry.new)),
                "reason": entry.reason,
            }
            for entry in entries
        ],
    )


def of_memory(tx: Connection, user_id: str, memory_id: str) -> list[HistoryEntry]:
    """One memory's history, oldest first."""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND memory_id = :memory_id ORDER BY entry",
        {"user_id": user_id, "memory_id": memory_id},
    )
    return [_from_row(row) for row in rows]


def of_user(tx: Connection, user_id: str) -> list[HistoryEntry]:
    """The full history of a user's memories, oldest first."""
    return [
        _from_row(row)
        for row in tx.all(f"{_SELECT} WHERE user_id = :user_id ORDER BY entry", {"user_id": user_id})
    ]


def mentioned_since(tx: Connection, user_id: str, moment: datetime, limit: int) -> list[str]:
    """The memories that were said again most often since a moment."""
    # Counted here: asked to group, SQLite walks the user's whole history instead of what is new.
    rows = tx.all(
        """
        SELECT memory_id FROM memory_history WHERE user_id = :user_id AND at > :at AND change = 'mentioned'
        ORDER BY at DESC LIMIT :most
        """,
        {"user_id": user_id, "at": iso(moment), "most": _MOST_MENTIONS},
    )
    return [memory_id for memory_id, _ in Counter(row[0] for row in rows).most_common(limit)]


def restored_by_people(tx: Connection, user_id: str) -> list[str]:
    """The memories that a person brought back, and not the curator or the forgetting of another; there are few."""
    rows = tx.all(
        """
        SELECT DISTINCT memory_id FROM memory_history
        WHERE user_id = :user_id AND change = 'restored' AND changed_by NOT IN ('curator', 'forget') ORDER BY memory_id
        """,
        {"user_id": user_id},
    )
    return [row[0] for row in rows]


def since(
    tx: Connection, user_id: str, moment: datetime, *, not_by: Sequence[str] = ()
) -> list[HistoryEntry]:
    """Everything that happened to a user's memories after a moment; what some authors did is left out."""
    authors = {f"author{number}": name for number, name in enumerate(not_by)}
    others = f" AND changed_by NOT IN ({', '.join(f':{name}' for name in authors)})" if authors else ""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND at > :at{others} ORDER BY entry",
        {"user_id": user_id, "at": iso(moment), **authors},
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> HistoryEntry:
    return HistoryEntry(
        memory_id=row[0],
        entry=row[1],
        at=parse(row[2]),
        by=row[3],
        change=ChangeKind(row[4]),
        old=json.loads(row[5]),
        new=json.loads(row[6]),
        reason=row[7],
    )
