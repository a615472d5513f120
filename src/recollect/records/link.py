"""A link: how one memory relates to another.

Links say something about two memories without changing either. Supersession and folding are part of the
record itself; a link is what people and the curator add beside it.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.moment import iso


class LinkKind(StrEnum):
    """What the first memory is to the second."""

    RELATED = "related"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    PART_OF = "part_of"
    CAUSED_BY = "caused_by"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One memory's relation to another of the same user."""

    from_id: str
    kind: LinkKind
    to_id: str
    #: When it was first made; None before it is stored. The same relation made twice is one, so it is not compared.
    created_at: datetime | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "from": self.from_id,
            "to": self.to_id,
            "kind": self.kind.value,
            "created_at": iso(self.created_at) if self.created_at else None,
        }


def make_link(from_id: str, to_id: str, kind: str) -> Link:
    """A link between two different memories."""
    for name, memory_id in (("from_id", from_id), ("to_id", to_id)):
        check_text(memory_id, field=name)
    if from_id == to_id:
        raise InvalidInput("A memory cannot be linked to itself.", field="to_id")
    try:
        return Link(from_id=from_id, kind=LinkKind(kind), to_id=to_id)
    except (ValueError, TypeError):
        allowed = ", ".join(item.value for item in LinkKind)
        raise InvalidInput(f"Unknown kind of link {kind!r}. Allowed: {allowed}.", field="kind") from None
