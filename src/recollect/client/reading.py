"""Reads JSON into the engine's dataclasses, field by field, by type.

`read(kind, values)` creates a record; `wire_names` maps fields with other names or places. A missing field takes its default,
so older services work; unknown fields are ignored, so newer ones do too. The service has validated the values, so a value of
the wrong type is an error. A hand-written reader per record was rejected: thirty readers would have to follow every new field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from recollect.client.wire_names import fields_of
from recollect.errors import RecollectError
from recollect.records.moment import stored

T = TypeVar("T")


def read(kind: type[T], values: object, *, user: str, **known: object) -> T:
    """A record of this kind; `user` is its user if the wire has none, and `known` are fields that the wire never has."""
    try:
        return cast("T", _record(kind, values, user, known))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecollectError(
            f"The service's answer cannot be read as {kind.__name__} ({type(error).__name__}: {error})."
            " The service and this client may have different versions."
        ) from error


def read_all(kind: type[T], values: object, *, user: str) -> list[T]:
    """Records of one kind."""
    return [read(kind, item, user=user) for item in cast("Sequence[object]", values)]


def _record(kind: type[Any], values: object, user: str, known: Mapping[str, object]) -> object:
    if not isinstance(values, Mapping):
        raise TypeError(f"an object is expected, not {type(values).__name__}")
    there = {**fields_of(kind, cast("Mapping[str, Any]", values)), **known}
    made: dict[str, object] = {}
    for field, hint in _fields(kind):
        if field.name in known:
            made[field.name] = known[field.name]
        elif field.name in there:
            made[field.name] = _value(hint, there[field.name], user)
        elif field.name == "user_id":
            made["user_id"] = user
        elif field.default is MISSING and field.default_factory is MISSING:
            raise KeyError(field.name)
    return kind(**made)


@cache
def _fields(kind: type[Any]) -> list[tuple[Field[Any], Any]]:
    hints = get_type_hints(kind)
    return [(field, hints[field.name]) for field in fields(kind) if field.init]


def _value(hint: Any, value: Any, user: str) -> Any:
    """A JSON value converted to its field's type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return None if value is None else _first_that_fits(inner, value, user)
    if origin is tuple:
        return _several(inner, value, user)
    if origin is frozenset:
        return frozenset(_value(inner[0], item, user) for item in value)
    if origin is not None:
        # A mapping or list of plain values.
        return value
    if is_dataclass(hint):
        return _record(cast("type[Any]", hint), value, user, {})
    return _plain(hint, value)


def _several(inner: tuple[Any, ...], value: Sequence[Any], user: str) -> tuple[Any, ...]:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_value(inner[0], item, user) for item in value)
    return tuple(_value(hint, item, user) for hint, item in zip(inner, value, strict=True))


def _first_that_fits(kinds: tuple[Any, ...], value: Any, user: str) -> Any:
    """`X | None` is read as X, other unions as the first type that fits."""
    wanted = [kind for kind in kinds if kind is not type(None)]
    for kind in wanted[:-1]:
        try:
            return _value(kind, value, user)
        except (KeyError, TypeError, ValueError):
            continue
    return _value(wanted[-1], value, user)


def _plain(kind: Any, value: Any) -> Any:
    if kind is datetime:
        return stored(value)
    if kind is date:
        return date.fromisoformat(value)
    if kind is Any or kind is object:
        return value
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} is expected, not {type(value).__name__}")
    return value
