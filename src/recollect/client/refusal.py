"""Converts the service's error answers to the errors that `Memory` would have raised.

The service sends the error's kind and field in headers. If they are missing (an older service, or a proxy in between), the
status determines the closest error.
"""

from typing import Any, Final
from urllib.parse import unquote

import httpx2

from recollect import errors
from recollect.errors import (
    Conflict,
    InvalidInput,
    ModelError,
    NotAllowed,
    NotFound,
    RecollectError,
    StoreUnavailable,
    TooManyRequests,
)

_BY_STATUS: Final[dict[int, type[RecollectError]]] = {
    400: InvalidInput,
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    413: InvalidInput,
    422: InvalidInput,
    429: TooManyRequests,
    502: ModelError,
    503: StoreUnavailable,
    504: ModelError,
}


def error_of(response: httpx2.Response) -> RecollectError:
    """The error for a response."""
    said = response.headers
    message = _sentence(response)
    kind = _kind(said.get("x-error-kind", ""), response.status_code)
    if issubclass(kind, InvalidInput):
        return kind(message, field=unquote(said.get("x-error-field", "")))
    if issubclass(kind, NotFound):
        return kind(message, id=unquote(said.get("x-error-id", "")))
    if issubclass(kind, TooManyRequests):
        return kind(message, seconds=_seconds(said.get("retry-after", "")))
    return kind(message)


def refused(kind: str, message: str, field: str) -> InvalidInput:
    """The error for one of many statements."""
    found = _kind(kind, 400)
    return (found if issubclass(found, InvalidInput) else InvalidInput)(message, field=field)


def _kind(name: str, status: int) -> type[RecollectError]:
    known: Any = getattr(errors, name, None)
    if isinstance(known, type) and issubclass(known, RecollectError):
        return known
    return _BY_STATUS.get(status, RecollectError)


def _sentence(response: httpx2.Response) -> str:
    try:
        said: Any = response.json()["error"]
        return said if isinstance(said, str) else str(said["message"])
    except (ValueError, TypeError, KeyError):
        return f"The service answered with status {response.status_code}: {response.text[:200]!r}"


def _seconds(text: str) -> float | None:
    return float(text) if text.isdecimal() else None
