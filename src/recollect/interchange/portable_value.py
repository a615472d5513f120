"""Values of somebody's file: each is checked before a record is made of it.

Small readers that answer with a value of the right kind or raise `InvalidInput` with the field's name. They know no record.
Converting what almost fits ("5" for 5) was rejected: a file that is wrong in one place may be wrong in the next.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.moment import parse

#: What JSON readers of other languages can hold.
LARGEST = 2**53
#: A counter of things that people said; sums of many stay within what databases hold.
MOST = 10**9
#: Moments after this cannot be calculated with: a day later there may be no calendar.
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
#: A file may come from a machine whose clock is ahead.
CLOCKS_DIFFER = timedelta(days=1)
#: Levels of objects and lists within free JSON.
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
    """An id: short, without blanks and without what would have to be escaped."""
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
    """A moment that can be calculated with."""
    at = parse(value, field=field)  # type: ignore[arg-type]
    if at >= _LATEST:
        raise InvalidInput(f"{field} lies too far in the future.", field=field)
    return at


def past(value: object, field: str, now: datetime) -> datetime:
    """A moment that has been: a file cannot tell of tomorrow, and forgetting goes by times."""
    at = moment(value, field)
    if at > now + CLOCKS_DIFFER:
        raise InvalidInput(f"{field} lies in the future.", field=field)
    # A clock that is a little ahead: what is dated after the summaries that tell of it could not be forgotten with them.
    return min(at, now)


def free(value: object, field: str, depth: int = 0) -> None:
    """Any JSON, if both databases can keep it and any reader can read it."""
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
