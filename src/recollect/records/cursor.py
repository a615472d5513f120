"""Where a page ended, as one opaque text: clients hand it back as it is, so that what it holds may change."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any, cast

from recollect.errors import InvalidInput


def cursor(*place: str | int) -> str:
    """The text that stands for a place in a list."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def place(cursor: str | None, kinds: Sequence[type]) -> tuple[Any, ...] | None:
    """The place that a cursor stands for; None: from the beginning."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found: object = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        found = None
    values = cast("list[object]", found) if isinstance(found, list) else []
    if len(values) != len(kinds) or any(
        type(value) is not kind for value, kind in zip(values, kinds, strict=True)
    ):
        raise InvalidInput("cursor is none of ours; use the next_cursor of the page before.", field="cursor")
    return tuple(values)
