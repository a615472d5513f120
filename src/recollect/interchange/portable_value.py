"""Checked values of a file: each reader returns a value of the right type or raises `InvalidInput` with the field's name.

Nothing is converted ("5" for 5): a file that is wrong in one place may be wrong in the next.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.moment import parse

#: The largest number that JSON readers in other languages can represent.
LARGEST = 2**53
#: The largest counter; sums of many stay within what databases can store.
MOST = 10**9
#: Later moments could overflow the calendar in calculations.
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
#: Tolerance for a machine with a fast clock.
CLOCKS_DIFFER = timedelta(days=1)
#: The deepest nesting of free JSON.
_DEEPEST = 16


def fields(value: object, field: str) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{field} must be an object.", field=field)
    return cast("Mapping[str, Any]", value)


def listed(value: object, field: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise InvalidInput(f"{field} must be a list.", field=field)
    return cast("list[Any]", value)


def text(value: object, field: str, longest: int) -> str:
    """A text of at most so many characters."""
    checked = check_text(value, field=field)
    if len(checked) > longest:
        raise InvalidInput(f"{field} is too long.", field=field)
    return checked


def identifier(value: object, field: str) -> str:
    """An id: short, without blanks and characters that need escaping."""
    checked = check_text(value, field=field)
    if not 1 <= len(checked) <= 100 or any(char in '%"\\' or char.isspace() for char in checked):
        raise InvalidInput(f"{field} {checked[:60]!r} is not an id.", field=field)
    return checked


def whole(value: object, field: str, *, least: int = 0, most: int = LARGEST) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < most:
        raise InvalidInput(f"{field} must be a whole number.", field=field)
    return value


def number(value: object, field: str) -> float:
    """A number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise InvalidInput(f"{field} must be a number.", field=field)
    return float(value)


def truth(value: object, field: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be true or false.", field=field)
    return value


def moment(value: object, field: str) -> datetime:
    """A moment within the calendar."""
    at = parse(value, field=field)  # type: ignore[arg-type]
    if at >= _LATEST:
        raise InvalidInput(f"{field} lies too far in the future.", field=field)
    return at


def past(value: object, field: str, now: datetime) -> datetime:
    """A moment in the past, because forgetting goes by times."""
    at = moment(value, field)
    if at > now + CLOCKS_DIFFER:
        raise InvalidInput(f"{field} lies in the future.", field=field)
    # A slightly fast clock: a message dated after the summaries derived from it could not be forgotten with them.
    return min(at, now)


def free(value: object, field: str, depth: int = 0) -> None:
    """Any JSON that both databases can store and every reader can read."""
    if depth > _DEEPEST:
        raise InvalidInput(f"{field} is nested too deeply.", field=field)
    if isinstance(value, Mapping):
        for name, item in cast("Mapping[object, object]", value).items():
            check_text(name, field=field)
            free(item, field, depth + 1)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            free(item, field, depth + 1)
    elif isinstance(value, str):
        check_text(value, field=field)
    elif isinstance(value, int | float):
        if not math.isfinite(value) if isinstance(value, float) else abs(value) >= LARGEST:
            raise InvalidInput(f"{field} holds a number that JSON cannot carry.", field=field)
    elif value is not None:
        raise InvalidInput(f"{field} holds a {type(value).__name__}, which is not JSON.", field=field)
