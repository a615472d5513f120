"""The parts of an export: what somebody may ask for when they do not want everything.

A part is what belongs together: memories with their links, sessions with states, rolling summaries and spines.
"""

from enum import StrEnum

from recollect.errors import InvalidInput
from recollect.records.memory import check_list


class Part(StrEnum):
    """One part."""

    MEMORIES = "memories"
    ENTITIES = "entities"
    CHATS = "chats"
    TODOS = "todos"
    SESSIONS = "sessions"
    SEED = "seed"


def check_parts(names: object) -> frozenset[Part]:
    """The parts that a caller names; nobody naming any wants all."""
    if names is None:
        return frozenset(Part)
    try:
        chosen = frozenset(Part(name) for name in check_list(names, field="include"))
    except (ValueError, TypeError):
        raise InvalidInput(f"include: a part is one of {', '.join(Part)}.", field="include") from None
    if not chosen:
        raise InvalidInput(
            "include is empty; name what is wanted, or leave it out for everything.", field="include"
        )
    return chosen
