"""Pages of a list: what a request says of them, and how one is answered.

One row more than a page holds is asked for: it tells whether another page follows, so that the last one says so itself.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Protocol, TypeVar

from fastapi import Query

from recollect.adapters.rest.cursor import cursor

#: Rows of one page; whoever asks for more gets so many. The faces allow 1000, and one row more must fit.
LARGEST_PAGE: Final = 500

Limit = Annotated[
    int,
    Query(
        description=f"How many, at most {LARGEST_PAGE}.",
        json_schema_extra={"minimum": 1},
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
    """How many rows to ask for; nonsense is handed on, for the engine refuses it."""
    return min(limit, LARGEST_PAGE) + 1 if limit > 0 else limit


def page(
    name: str, rows: Sequence[Row], limit: int, place_of: Callable[[Row], Sequence[str | int]]
) -> dict[str, Any]:
    """The answer to a list: so many of the rows, and where the next page starts, if there is one."""
    size = min(limit, LARGEST_PAGE)
    shown = rows[:size]
    following = cursor(*place_of(shown[-1])) if len(rows) > size else None
    return {name: [row.to_dict() for row in shown], "next_cursor": following}
