"""Reads memories and their histories from JSON.

A file may contain anything, so every value is checked. `portable_chat` and `portable_session` read conversations,
`portable_value` single values.
"""

from collections.abc import Mapping
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import identifier, listed, number, text, truth, whole
from recollect.records.category import type_of
from recollect.records.entity import parse_entity_key
from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import (
    FIELDS,
    MAX_REASONING,
    MAX_SOURCE_CONTEXT,
    MemoryRecord,
    Origin,
    check_content,
    check_importance,
    check_tags,
    check_text,
)
from recollect.records.moment import parse
from recollect.rules.trust import hides_text, instructs_model

#: Characters of short texts: ids, labels, keys.
_SHORT = 1000
_LONGEST = {"content": 500, "source_context": MAX_SOURCE_CONTEXT, "reasoning": MAX_REASONING}


def memory_from(values: Mapping[str, Any], *, user_id: str) -> MemoryRecord:
    """A memory from its JSON values; missing fields take their defaults, and a missing origin is an import."""
    for name in ("memory_id", "content", "category", "created_at"):
        if values.get(name) in (None, ""):
            raise InvalidInput(f"{name} is missing.", field=name)
    created = _read("updated_at", values["created_at"], field="created_at")
    given = {**values, **_subtype(values.get("subtype"))}
    fields: dict[str, Any] = {"updated_at": created, "valid_from": created, "origin": Origin.IMPORT}
    fields |= {name: _read(name, given[name]) for name in FIELDS if given.get(name) is not None}
    fields.setdefault("type", type_of(fields["category"]))
    hidden = hides_text(fields["content"])
    fields["content"] = check_content(fields["content"])
    fields["importance"] = check_importance(values.get("importance", 5))
    fields["tags"] = check_tags(fields.get("tags", ()))
    fields["entity_refs"] = tuple(str(parse_entity_key(ref)) for ref in fields.get("entity_refs", ()))
    fields["flagged"] = hidden or instructs_model(fields["content"])
    if not 0 <= fields.get("confidence", 1.0) <= 1:
        raise InvalidInput("confidence must be a number from 0 to 1.", field="confidence")
    accessed = values.get("last_accessed")
    return MemoryRecord(
        user_id=user_id,
        memory_id=identifier(values["memory_id"], "memory_id"),
        created_at=created,
        last_accessed=_read("updated_at", accessed, field="last_accessed") if accessed is not None else None,
        access_count=whole(values.get("access_count", 0), "access_count"),
        mention_count=whole(values.get("mention_count", 1), "mention_count"),
        **fields,
    )


def history_from(values: object, *, memory_id: str, entry: int) -> HistoryEntry:
    """A history entry from its JSON values; refuses values that could not be read later."""
    try:
        given = cast("Mapping[str, Any]", values)
        return HistoryEntry(
            memory_id=memory_id,
            entry=entry,
            at=parse(given["at"], field="history.at"),
            by=check_text(given["by"], field="history.by"),
            change=ChangeKind(given["change"]),
            old=_changed(given["old"]),
            new=_changed(given["new"]),
            reason=check_text(given.get("reason", ""), field="history.reason"),
        )
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"history of {memory_id}: an entry cannot be read ({error}).", field="history"
        ) from error


def _changed(values: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in values.items() if name in FIELDS}
    for name, value in known.items():
        if value is not None:
            _read(name, value, field=f"history.{name}")
    return known


def _subtype(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput("subtype must be an object.", field="subtype")
    subtype = cast("Mapping[str, Any]", value)
    return {"entity_type": subtype.get("entityType"), "fact_type": subtype.get("factType")}


def _read(name: str, value: Any, *, field: str = "") -> Any:
    """The value of a field; refuses a JSON value of the wrong type."""
    field = field or name
    read: Any = FIELDS[name]
    longest = _LONGEST.get(name, _SHORT)
    if read is tuple:
        return tuple(text(item, field, longest) for item in listed(value, field))
    if read is bool:
        return truth(value, field)
    if read is int:
        return whole(value, field)
    if read is float:
        return number(value, field)
    checked = text(value, field, longest)
    try:
        return read(checked)
    except ValueError as error:
        raise InvalidInput(f"{field} cannot be {checked[:40]!r}.", field=field) from error
