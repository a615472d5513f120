"""Pages of a list, and opaque cursors that mark their ends: callers return them unchanged, so their content may change."""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from recollect.errors import InvalidInput

T = TypeVar("T")

#: Maximum rows on a page.
MAX_PAGE = 1000
#: The largest position; larger numbers fit no database.
LARGEST = 2**53


class Page(list[T]):
    """Rows of a list; `next_cursor` is the `cursor=` of the next page, or None after the last."""

    def __init__(self, rows: Iterable[T] = (), next_cursor: str | None = None) -> None:
        super().__init__(rows)
        self.next_cursor = next_cursor

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def page_of(rows: Sequence[T], limit: int, place_of: Callable[[T], Sequence[str | int]]) -> Page[T]:
    """A page of at most `limit` rows; the extra row requested shows whether another page follows."""
    shown = rows[:limit]
    return Page(shown, cursor(*place_of(shown[-1])) if len(rows) > limit else None)


def cursor(*place: str | int) -> str:
    """The cursor for a place in a list."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def place(cursor: str | None, kinds: Sequence[type]) -> tuple[Any, ...] | None:
    """The place that a cursor marks; None means the beginning."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found: object = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, TypeError, ValueError, RecursionError):
        found = None
    values = cast("list[object]", found) if isinstance(found, list) else []
    if len(values) != len(kinds) or any(
        type(value) is not kind or (isinstance(value, int) and abs(value) > LARGEST)
        for value, kind in zip(values, kinds, strict=True)
    ):
        raise InvalidInput("Invalid cursor. Use next_cursor from the previous page.", field="cursor")
    return tuple(values)
