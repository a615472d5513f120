"""Pages of a list: what a request says of them, and how one is answered.

One row more than a page holds is asked for: it tells whether another page follows, so that the last one says so itself.
Only a page of the largest size cannot: what follows it may be an empty one.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Protocol, TypeVar

from fastapi import Query

from recollect.records.cursor import cursor

#: Rows of one page, at most, as the faces have it.
LARGEST_PAGE: Final = 1000

Limit = Annotated[
    int,
    Query(
        description="How many.",
        ge=1,
        le=LARGEST_PAGE,
    ),
]
Cursor = Annotated[
    str | None, Query(description="The `next_cursor` of the page before; the first without it.")
]


class Shown(Protocol):
    """A record that has a shape on the wire."""

    def to_dict(self) -> dict[str, Any]: ...


Row = TypeVar("Row", bound=Shown)


def wanted(limit: int) -> int:
    """How many rows to ask for."""
    return min(limit + 1, LARGEST_PAGE)


def more(found: int, limit: int) -> bool:
    """Whether more may follow a page, when so many rows were found."""
    return found > limit or found == LARGEST_PAGE


def page(
    name: str, rows: Sequence[Row], limit: int, place_of: Callable[[Row], Sequence[str | int]]
) -> dict[str, Any]:
    """The answer to a list: so many of the rows, and where the next page starts, if there is one."""
    shown = rows[:limit]
    following = cursor(*place_of(shown[-1])) if more(len(rows), limit) else None
    return {name: [row.to_dict() for row in shown], "next_cursor": following}
