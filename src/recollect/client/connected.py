"""What every part of the client stands on: the way to the service, and lists that come in pages. It knows no verb."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from recollect.api.opened import as_limit
from recollect.client.reading import read
from recollect.client.transport import Nobody, Transport

T = TypeVar("T")

#: The most rows that a list of `Memory` holds, and that one answer of the service does.
MAX_PAGE: Final = 1000
_AT_ONCE: Final = 500


class Connected:
    """A service that is asked when the first verb needs it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.address!r})"

    async def _list(
        self,
        record: type[T],
        path: str,
        /,
        *,
        user: str | Nobody,
        limit: int | None = None,
        cursor: str | None = None,
        known: Mapping[str, object] = {},
        **query: object,
    ) -> list[T]:
        """So many rows of a list, or all of it, in as many answers as that takes; `known` is what no row says."""
        name = path.rpartition("/")[2].replace("-", "_")
        wanted = None if limit is None else min(as_limit(limit), MAX_PAGE)
        found: list[T] = []
        while wanted is None or len(found) < wanted:
            size = _AT_ONCE if wanted is None else min(wanted - len(found), _AT_ONCE)
            page: Any = await self._transport.get(path, user=user, limit=size, cursor=cursor, **query)
            found += [
                read(record, row, user=user if isinstance(user, str) else "", **known) for row in page[name]
            ]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        return found
