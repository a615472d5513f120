"""A card: the few best facts about one entity (S4).

Given the facts that mention an entity it decides which make the card and how the line reads. It does not
know how they were found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recollect.records.memory import MemoryRecord
from recollect.records.quotation import as_data

FACTS_PER_CARD = 3
#: S4: below level 2 a fact is too small for a card, unless pinned. Level 2 starts at importance 7.
MIN_IMPORTANCE = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The best facts about one entity, best first."""

    entity: str
    label: str
    #: Ready to be put in front of a model.
    facts: tuple[str, ...]
    memory_ids: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """`[person:john]: fact1; fact2; fact3`."""
        return f"[{self.entity}]: " + "; ".join(self.facts)

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "entity": self.entity,
            "label": self.label,
            "facts": list(self.facts),
            "text": self.text,
            "memory_ids": list(self.memory_ids),
        }


def belongs_on_card(memory: MemoryRecord) -> bool:
    """Level 2 or higher, or pinned."""
    return memory.pinned or memory.importance >= MIN_IMPORTANCE


def make_card(entity: str, label: str, facts: Sequence[MemoryRecord]) -> Card | None:
    """Pinned first, then importance, then newest; None when no fact is good enough."""
    best = sorted(
        (fact for fact in facts if belongs_on_card(fact)),
        key=lambda fact: (fact.pinned, fact.importance, fact.created_at, fact.memory_id),
        reverse=True,
    )[:FACTS_PER_CARD]
    if not best:
        return None
    return Card(
        entity=entity,
        label=label,
        facts=tuple(as_data(fact.content, flagged=fact.flagged) for fact in best),
        memory_ids=tuple(fact.memory_id for fact in best),
    )
