"""As many rows of a list as a person asked for, however many pages of the engine that takes."""

from collections.abc import Callable
from typing import TypeVar

Row = TypeVar("Row")
Cursor = TypeVar("Cursor")

#: Rows asked of the engine at a time; its own pages hold no more.
_PAGE = 1000


def listed(
    fetch: Callable[[int, Cursor | None], list[Row]], limit: int, cursor: Callable[[Row], Cursor]
) -> tuple[list[Row], bool]:
    """The rows, and whether there are more; `fetch` takes a size and where to go on, which `cursor` reads from a row."""
    found: list[Row] = []
    after: Cursor | None = None
    while True:
        # One more than wanted tells whether another page follows.
        size = min(limit + 1 - len(found), _PAGE) if limit > 0 else limit
        got = fetch(size, after)
        found += got
        if len(got) < size or len(found) > limit:
            return found[:limit], len(found) > limit
        after = cursor(got[-1])
