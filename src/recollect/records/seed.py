"""The seed: what a product knows about a user before the first message (S4's UserSeed).

Its facts become memories with the source `seeded_profile`; its notes are shown to the model unchanged.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.memory import check_text

#: Facts of one seed, and characters of its notes.
MAX_FACTS = 200
MAX_NOTES = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """Facts as given, and notes."""

    user_id: str
    #: Each with `content` and optionally `category`, `importance`, `tags`, …, as for `add`.
    facts: tuple[Mapping[str, Any], ...] = ()
    notes: str = ""
    #: Fingerprints of forgotten facts, which a later seed does not bring back.
    forgotten: tuple[str, ...] = ()
    updated_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {"facts": [dict(fact) for fact in self.facts], "notes": self.notes}


def check_facts(values: object) -> tuple[Mapping[str, Any], ...]:
    """Check that facts are a list of objects; their fields are checked when they become memories."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput("facts must be a list of objects, each with a content.", field="facts")
    facts = list(cast("Iterable[object]", values))
    if len(facts) > MAX_FACTS:
        raise InvalidInput(f"facts: {len(facts)} given (maximum {MAX_FACTS}).", field="facts")
    for number, fact in enumerate(facts, 1):
        if not isinstance(fact, Mapping) or "content" not in fact:
            raise InvalidInput(f"facts: number {number} must be an object with a content.", field="facts")
    return tuple(dict(cast("Mapping[str, Any]", fact)) for fact in facts)


def check_notes(value: object) -> str:
    """Free text."""
    text = check_text(value, field="notes").strip()
    if len(text) > MAX_NOTES:
        raise InvalidInput(f"notes have {len(text)} characters (maximum {MAX_NOTES}).", field="notes")
    return text
