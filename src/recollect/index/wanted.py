"""Which memories a search may return: what a caller filters by, as the index understands it."""

from dataclasses import dataclass

from recollect.records.category import Category, MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a search may return; None means any."""

    category: Category | None = None
    type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    entity: str | None = None
    #: None: only what all personas share.
    persona_id: str | None = None
    any_persona: bool = False
    #: Milliseconds since 1970: created in this stretch.
    since: float | None = None
    until: float | None = None
