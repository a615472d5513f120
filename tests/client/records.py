"""Any record, made from the types of its fields: what reading must give back as it was."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

#: What any database and JSON can hold, and never empty: an empty model on the wire is none.
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
#: Exact with two digits, which the wire keeps of averages.
NUMBERS = st.integers(0, 400).map(lambda number: number / 4)
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000, fold=0, tzinfo=UTC)
)
JSON = st.none() | st.booleans() | st.integers(-9, 9) | TEXTS | st.lists(TEXTS, max_size=2)


def records(kind: type[Any], **fixed: Any) -> st.SearchStrategy[Any]:
    """Records of a kind that belong to Ann; `fixed` are fields that are not free."""
    hints = get_type_hints(kind)
    chosen = {field.name: _values(hints[field.name]) for field in fields(kind) if field.name not in fixed}
    if "user_id" in chosen:
        chosen["user_id"] = st.just("ann")
    given = {
        name: value if isinstance(value, st.SearchStrategy) else st.just(value)
        for name, value in fixed.items()
    }
    return st.builds(kind, **chosen, **given)


def _values(hint: Any) -> st.SearchStrategy[Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return st.one_of(*(st.none() if kind is type(None) else _values(kind) for kind in inner))
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(_values(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_values, inner))
    if origin is frozenset:
        return st.frozensets(_values(inner[0]), min_size=1)
    if origin in (dict, Mapping):
        return st.dictionaries(TEXTS, _values(inner[1]), max_size=2)
    if is_dataclass(hint):
        return records(hint)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXTS,
        int: st.integers(0, 2**53),
        float: NUMBERS,
        bool: st.booleans(),
        datetime: MOMENTS,
        date: st.dates(),
        Any: JSON,
    }
    return plain[hint]
