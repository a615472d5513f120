"""What every part of the face stands on: the parts of an engine, opened on first use, and arguments made values.

It knows no verb. The classes beside it add them; `AsyncMemory` is all of them together.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.records.memory import check_text, check_user_id
from recollect.records.moment import iso, parse
from recollect.worker.worker import Worker

#: Beyond this, whole numbers are a mistake, and no database takes them.
LARGEST = 2**53
#: Whose memory it is when nobody says.
LOCAL_USER = "local"


class Opened:
    """An engine that opens and prepares its database when the first verb needs it."""

    def __init__(self, parts: Parts, worker: Worker) -> None:
        self._parts = parts
        self._worker = worker
        self._prepared = False
        self._preparing = asyncio.Lock()

    async def _for(self, user: str) -> tuple[Parts, str]:
        """The parts and the checked id of the user whom a verb serves."""
        return await self._ready(), check_user_id(user)

    async def _working(self) -> Parts:
        """The parts, for verbs that leave work behind: somebody in this process does it, unless told not to."""
        parts = await self._ready()
        if parts.settings.worker == "on":
            self._worker.start()
        return parts

    async def _ready(self) -> Parts:
        """Open and prepare the database on first use."""
        if not self._prepared:
            async with self._preparing:
                if not self._prepared:
                    await self._parts.database.prepare()
                    self._prepared = True
        self._parts.presence.noticed()
        return self._parts

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._parts.database.name!r})"


def as_moment(value: datetime | str | None, field: str) -> datetime | None:
    return None if value is None else _moment(value, field)


def _moment(value: datetime | str, field: str) -> datetime:
    if isinstance(value, datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return parse(value, field=field)


def as_milliseconds(value: datetime | str | None, field: str) -> float | None:
    found = as_moment(value, field)
    return found.timestamp() * 1000 if found else None


def as_text(value: str | None, field: str) -> str | None:
    return None if value is None else check_text(value, field=field)


def as_place(last_id: str | None, field: str) -> str | None:
    """Where the page before ended: an id, which need not be there any more; rows after it follow in the order of ids."""
    if last_id is not None and not check_text(last_id, field=field).strip():
        raise InvalidInput(
            f"{field} is empty; give the id of the last row of the page before, or leave it out.", field=field
        )
    return last_id


def as_cursor(before: tuple[datetime | str, str] | None) -> tuple[str, str] | None:
    """Where the page before ended, spelled as the store spells it: any other spelling would repeat rows or miss some."""
    if before is None:
        return None
    given: object = before
    if not isinstance(given, tuple | list) or len(cast("Sequence[object]", given)) != 2:
        raise InvalidInput(
            "before must be a time and an id: the `cursor` of the last row of the page before.",
            field="before",
        )
    at, last_id = before
    return iso(_moment(at, "before")), check_text(last_id, field="before")


def as_limit(limit: int, field: str = "limit", *, least: int = 1) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or not least <= limit < LARGEST:
        raise InvalidInput(
            f"{field} must be a whole number of at least {least}, not {str(limit)[:40]}.", field=field
        )
    return limit


def as_count(count: int, field: str) -> int:
    """A number that may be 0."""
    return as_limit(count, field, least=0)


def as_zone(name: str) -> ZoneInfo:
    """A time zone by its name in the IANA list."""
    try:
        return ZoneInfo(check_text(name, field="zone"))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"zone: {name[:60]!r} is no time zone; use a name such as Europe/Berlin.", field="zone"
        ) from error
