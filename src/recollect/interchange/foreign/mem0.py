"""mem0: a list of memories, alone or as `results` or `memories` of an object, as `get_all` and the platform return it.

The text of `memory` becomes a memory with the day of its last change; categories become tags. Relations of the graph,
metadata, agents and runs are skipped. A file of several users is read as one of them, because people are not merged.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign.piece import (
    Fact,
    Format,
    Piece,
    Skipped,
    fact,
    moment_of,
    name_of,
    objects,
)

#: The fields of an object that hold memories.
HOLDERS = ("results", "memories")
#: Users that a refusal names.
_NAMED = 5


def is_memory(value: Mapping[str, Any]) -> bool:
    """Whether an object is a memory of mem0."""
    return isinstance(value.get("memory"), str) and "role" not in value


def read(
    entries: Sequence[object], relations: object, user_id: str, now: datetime, format: Format = Format.MEM0
) -> Iterator[Piece]:
    """The memories of a list."""
    users = users_of(entries)
    check_users(users, user_id)
    for entry in objects(entries):
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield memory(*entry, format=format, user_id=user_id if len(users) > 1 else None, now=now)
    if isinstance(relations, list) and relations:
        count = len(cast("list[object]", relations))
        yield Skipped(
            line=1,
            reason=f"relations: {count} of the graph are not read; the memories state them in words.",
        )


def memory(
    line: int,
    values: Mapping[str, Any],
    *,
    format: Format,
    user_id: str | None,
    now: datetime,
    missing: datetime | None = None,
) -> Fact | Skipped:
    """One memory; with a `user_id` it must belong to that user, and `missing` replaces a missing time."""
    try:
        owner = values.get("user_id")
        if user_id is not None and isinstance(owner, str) and owner != user_id:
            raise InvalidInput(f"it belongs to user {owner[:60]!r}.", field="user_id")
        words = next(
            (values[name] for name in ("memory", "content", "text") if values.get(name) is not None), None
        )
        if words is None:
            raise InvalidInput("memory is missing.", field="memory")
        at = _time(values, now) or missing
        if at is None:
            raise InvalidInput("it has no time.", field="created_at")
        known = values.get("id")
        return fact(
            line,
            words,
            format=format,
            source=(name_of(known, "id"),) if known is not None else (),
            at=at,
            category=values.get("category"),
            tags=_tags(values),
        )
    except InvalidInput as error:
        return Skipped(line=line, reason=error.message)


def users_of(entries: Sequence[object]) -> set[str]:
    """The users that the entries name."""
    given = (cast("Mapping[str, Any]", entry) for entry in entries if isinstance(entry, Mapping))
    return {user for values in given if isinstance(user := values.get("user_id"), str)}


def check_users(users: set[str], user_id: str) -> None:
    """Refuse a file of several users that does not include this one."""
    if len(users) > 1 and user_id not in users:
        named = ", ".join(repr(user[:60]) for user in sorted(users)[:_NAMED])
        raise InvalidInput(
            f"This file holds memories of several users ({named}{', …' if len(users) > _NAMED else ''})."
            " Import it as one of them.",
            field="user_id",
        )


def _time(values: Mapping[str, Any], now: datetime) -> datetime | None:
    """The time of the last change: the text need not have been true before."""
    return moment_of(values.get("updated_at"), "updated_at", now) or moment_of(
        values.get("created_at"), "created_at", now
    )


def _tags(values: Mapping[str, Any]) -> list[str]:
    given = [values.get("categories"), values.get("tags")]
    lists = [cast("list[object]", item) for item in given if isinstance(item, list)]
    return [tag for tags in lists for tag in tags if isinstance(tag, str) and tag.strip()]
