"""Neighbours that cannot both be true, found while memories are compared anyway: something for a person to decide.

The judge proposes what it notices as it stores; what came in by other ways is noticed here. A fold says nothing that its
originals did not say, so it is not held against others again: nobody is asked twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.language.contradiction import CLOSE, contradiction
from recollect.records.memory import MemoryRecord
from recollect.rules.curator.plan import Looked
from recollect.rules.trust import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarrel:
    """Two memories that cannot both be true."""

    older: MemoryRecord
    newer: MemoryRecord
    reason: str

    @property
    def subject(self) -> str:
        """What makes it unique: the two ids, sorted."""
        return "|".join(sorted((self.older.memory_id, self.newer.memory_id)))


def quarrels(looked: Sequence[Looked]) -> list[Quarrel]:
    """Each pair once, in the order in which they were looked at."""
    return list({quarrel.subject: quarrel for quarrel in _found(looked)}.values())


def _found(looked: Sequence[Looked]) -> Iterator[Quarrel]:
    for each in looked:
        for other, cosine in each.neighbours:
            if cosine < CLOSE or Source.CURATED_FOLD in (each.memory.source, other.source):
                continue
            if not (each.memory.current and other.current):
                continue
            older, newer = sorted((each.memory, other), key=lambda item: (item.valid_from, item.memory_id))
            if reason := contradiction(newer.content, older.content):
                yield Quarrel(older=older, newer=newer, reason=reason)
