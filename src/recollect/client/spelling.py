"""The wire format of arguments: times as text, collections as lists, ids as one path segment.

Values that HTTP or JSON cannot represent (lone surrogates, NaN, bytes) are refused here with the field's name, as the engine
would. The service validates everything else.
"""

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import cast
from urllib.parse import quote

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.message import check_name


def segment(value: object, field: str) -> str:
    """An id as one path segment. Slashes are escaped; `.` and `..` are refused, because they mean folders even if escaped."""
    name = check_name(value, field=field)
    if name in (".", ".."):
        raise InvalidInput(
            f"{field}: {name[:60]!r} cannot be used as an id over HTTP.",
            field=field,
        )
    return quote(name, safe="")


def header_value(text: str, field: str) -> bytes:
    """A checked text as a header value: HTTP strips spaces at its ends, and a line break would start another header."""
    if text != text.strip() or not text.isprintable():
        raise InvalidInput(
            f"{field} must not begin or end with a space, or contain characters that are invalid in HTTP headers.",
            field=field,
        )
    return text.encode()


def json_value(value: object, field: str) -> object:
    """A value in JSON's types."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return check_text(value, field=field)
        case float():
            if not math.isfinite(value):
                raise InvalidInput(f"{field} must be a finite number.", field=field)
            return value
        case datetime():
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {check_text(name, field=field): json_value(item, field) for name, item in items}
        case bytes() | bytearray():
            raise InvalidInput(f"{field} must be text, not bytes.", field=field)
        case Iterable():
            return [json_value(item, field) for item in cast("Iterable[object]", value)]
        case _:
            raise InvalidInput(f"{field} cannot be a {type(value).__name__}.", field=field)


def body_of(**values: object) -> dict[str, object]:
    """A request body with these fields."""
    return {name: json_value(value, name) for name, value in values.items()}


def given(**values: object) -> dict[str, object]:
    """A request body with the fields that are not None; others stay unchanged, or are determined by rules."""
    return body_of(**{name: value for name, value in values.items() if value is not None})


def query_values(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Query parameters; None is omitted, and a list repeats its name."""
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        spelled = json_value(value, name)
        for item in cast("list[object]", spelled) if isinstance(spelled, list) else [spelled]:
            if item is not None:
                found.append((name, str(item).lower() if isinstance(item, bool) else str(item)))
    return found
