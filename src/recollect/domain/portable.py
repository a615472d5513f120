"""Reading records back from JSON: an export is somebody's file, so every value is checked before it is believed."""

from collections.abc import Mapping
from typing import Any, cast

from recollect.domain.entity import parse_entity_key
from recollect.domain.history import ChangeKind, HistoryEntry
from recollect.domain.memory import (
    FIELDS,
    MAX_REASONING,
    MAX_SOURCE_CONTEXT,
    MemoryRecord,
    check_content,
    check_importance,
    check_tags,
    check_text,
)
from recollect.domain.moment import parse
from recollect.errors import InvalidInput

#: Characters of any short text in a record: ids, labels, keys.
_SHORT = 1000
_LONGEST = {"content": 500, "source_context": MAX_SOURCE_CONTEXT, "reasoning": MAX_REASONING}


def memory_from(values: Mapping[str, Any], *, user_id: str) -> MemoryRecord:
    """A memory from its JSON values; a missing field takes its default."""
    created = parse(_required(values, "created_at"), field="created_at")
    given = dict(values)
    subtype: Any = given.get("subtype") or {}
    if not isinstance(subtype, Mapping):
        raise InvalidInput("subtype must be an object.", field="subtype")
    given |= {"entity_type": subtype.get("entityType"), "fact_type": subtype.get("factType")}
    fields: dict[str, Any] = {"updated_at": created, "valid_from": created}
    for name, read in FIELDS.items():
        if given.get(name) is not None:
            fields[name] = _read(read, given[name], name)
    for name in ("content", "category", "type"):
        _required(values, name)
    fields["content"] = check_content(fields["content"])
    fields["importance"] = check_importance(values.get("importance", 5))
    fields["tags"] = check_tags(fields.get("tags", ()))
    fields["entity_refs"] = tuple(str(parse_entity_key(ref)) for ref in fields.get("entity_refs", ()))
    accessed = values.get("last_accessed")
    return MemoryRecord(
        user_id=user_id,
        memory_id=_memory_id(_required(values, "memory_id")),
        created_at=created,
        last_accessed=parse(accessed, field="last_accessed") if accessed else None,
        access_count=_count(values, "access_count", 0),
        mention_count=_count(values, "mention_count", 1),
        **fields,
    )


def history_from(values: Mapping[str, Any], *, memory_id: str, entry: int) -> HistoryEntry:
    """One entry of a history from its JSON values."""
    try:
        return HistoryEntry(
            memory_id=memory_id,
            entry=entry,
            at=parse(values["at"], field="history.at"),
            by=check_text(values["by"], field="history.by"),
            change=ChangeKind(values["change"]),
            old={name: value for name, value in values["old"].items() if name in FIELDS},
            new={name: value for name, value in values["new"].items() if name in FIELDS},
            reason=check_text(values.get("reason", ""), field="history.reason"),
        )
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"history of {memory_id}: an entry cannot be read ({error}).", field="history"
        ) from error


def _required(values: Mapping[str, Any], name: str) -> Any:
    if values.get(name) in (None, ""):
        raise InvalidInput(f"{name} is missing.", field=name)
    return values[name]


def _memory_id(value: object) -> str:
    text = check_text(value, field="memory_id")
    if not 1 <= len(text) <= 100 or any(char in '%"\\' or char.isspace() for char in text):
        raise InvalidInput(f"memory_id {text[:60]!r} is not an id.", field="memory_id")
    return text


def _read(read: Any, value: Any, name: str) -> Any:
    texts = cast("list[Any]", value) if isinstance(value, list) else [value]
    is_list = texts is value
    if (read is tuple) != is_list or isinstance(value, Mapping):
        raise InvalidInput(f"{name} has the wrong type.", field=name)
    for text in texts:
        if isinstance(text, str) and len(check_text(text, field=name)) > _LONGEST.get(name, _SHORT):
            raise InvalidInput(f"{name} is too long.", field=name)
        if is_list and not isinstance(text, str):
            raise InvalidInput(f"{name} must be a list of texts.", field=name)
    if read is str and not isinstance(value, str):
        raise InvalidInput(f"{name} must be text.", field=name)
    try:
        return read(value)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"{name} cannot be {str(texts[0])[:40]!r}.", field=name) from error


def _count(values: Mapping[str, Any], name: str, default: int) -> int:
    value = values.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise InvalidInput(f"{name} must be a whole number.", field=name)
    return value
