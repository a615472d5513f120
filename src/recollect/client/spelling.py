"""How arguments are spelled on the wire: moments as text, collections as lists, ids as one segment of a path.

What HTTP or JSON cannot carry (half a surrogate pair, NaN, bytes) is refused here, with the field's name, as the engine would
refuse it. What a value must be is the service's business.
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
    """An id as one segment of a path. A slash is spelled out; dots alone would be steps, however they are spelled."""
    name = check_name(value, field=field)
    if name in (".", ".."):
        raise InvalidInput(
            f"{field}: {name[:60]!r} cannot stand in an address; the service cannot be asked for it.",
            field=field,
        )
    return quote(name, safe="")


def header_value(text: str, field: str) -> bytes:
    """A checked text as a header holds it: HTTP cuts blanks at its ends, and line breaks would be another header."""
    if text != text.strip() or not text.isprintable():
        raise InvalidInput(
            f"{field} begins or ends with a blank, or has characters that no header of HTTP can hold.",
            field=field,
        )
    return text.encode()


def json_value(value: object, field: str) -> object:
    """A value as JSON has it."""
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
    """A body of these fields."""
    return {name: json_value(value, name) for name, value in values.items()}


def given(**values: object) -> dict[str, object]:
    """A body of those fields that are not None: what is left out stays, or is found by rules."""
    return body_of(**{name: value for name, value in values.items() if value is not None})


def query_values(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """The parameters of an address; None is left out, a list repeats its name."""
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        spelled = json_value(value, name)
        for item in cast("list[object]", spelled) if isinstance(spelled, list) else [spelled]:
            if item is not None:
                found.append((name, str(item).lower() if isinstance(item, bool) else str(item)))
    return found
