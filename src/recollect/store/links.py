"""The memory_links table: contradictions between memories, found by the engine. Users cannot create links."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.records.memory import MemoryRecord
from recollect.records.moment import iso
from recollect.store.database import Connection
from recollect.store.id_lists import id_lists

#: The one kind of link.
CONTRADICTS: Final = "contradicts"


def contradicts(tx: Connection, user_id: str, newer: str, older: str, now: datetime) -> None:
    """Note that two memories cannot both be true; doing it twice changes nothing."""
    tx.run(
        """
        INSERT INTO memory_links (user_id, from_id, kind, to_id, created_at)
        VALUES (:user_id, :newer, :kind, :older, :now)
        ON CONFLICT (user_id, from_id, kind, to_id) DO NOTHING
        """,
        {"user_id": user_id, "newer": newer, "older": older, "kind": CONTRADICTS, "now": iso(now)},
    )


def carry_over(tx: Connection, user_id: str, originals: Sequence[str], fold: str, now: datetime) -> None:
    """A fold contradicts what its originals contradict."""
    for newer, older in _pairs(tx, user_id, originals):
        if newer not in originals or older not in originals:
            ends = (fold, older) if newer in originals else (newer, fold)
            contradicts(tx, user_id, *ends, now)


def with_contradictions(tx: Connection, user_id: str, records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """The memories, each with the ids of those that it contradicts."""
    known = list(records)
    others: dict[str, set[str]] = {}
    for newer, older in _pairs(tx, user_id, [record.memory_id for record in known]):
        others.setdefault(newer, set()).add(older)
        others.setdefault(older, set()).add(newer)
    return [
        replace(record, contradicts=tuple(sorted(others[record.memory_id])))
        if record.memory_id in others
        else record
        for record in known
    ]


def of_user(tx: Connection, user_id: str) -> list[tuple[str, str]]:
    """All pairs of a user, the newer memory first."""
    rows = tx.all(
        "SELECT from_id, to_id FROM memory_links WHERE user_id = :user_id ORDER BY from_id, to_id",
        {"user_id": user_id},
    )
    return [(row[0], row[1]) for row in rows]


def _pairs(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for names, params in id_lists(memory_ids):
        for end in ("from_id", "to_id"):
            rows = tx.all(
                f"SELECT from_id, to_id FROM memory_links WHERE user_id = :user_id AND {end} IN ({names})",
                {"user_id": user_id, **params},
            )
            found |= {(row[0], row[1]) for row in rows}
    return found
