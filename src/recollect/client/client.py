"""`AsyncClient`: the whole client. `Client`, the synchronous one, is generated from it."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any

from recollect.api.facts import MAX_PAGE
from recollect.api.opened import LOCAL_USER, as_limit
from recollect.api.tool_functions import ToolFunctions
from recollect.client.access import Access
from recollect.client.conversations import Conversations
from recollect.client.facts import Facts
from recollect.client.reading import read
from recollect.client.spelling import given
from recollect.client.talking import Talking
from recollect.client.transport import DEFAULT_ADDRESS, LONG_SECONDS, NOBODY, RETRY_WAITS, Asked, Transport
from recollect.client.upkeep import Upkeep
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.report import Stats, StoreInfo
from recollect.errors import InvalidInput
from recollect.interchange.foreign import AUTO
from recollect.interchange.load import Loaded
from recollect.records.cursor import cursor


class AsyncClient(ToolFunctions, Facts, Talking, Conversations, Upkeep, Access):
    """A service that remembers, with the methods of `AsyncMemory`.

    >>> memory = AsyncClient("https://memory.example.com", service_key="rk_…")
    >>> await memory.remember("I prefer dark mode", user="alice")
    >>> found = await memory.recall("Which colours should the editor have?", user="alice")
    >>> found.hits[0].memory.content
    'User prefers dark mode'

    With a `service_key` each call says by `user` whom it acts for; with a session's `token` it is the token's user, and
    without either the service must run in local mode. One try takes at most `timeout_seconds`, work that takes as long as
    there is of it (imports, forgetting, judging) up to ten minutes; `retry_waits` are the seconds between tries.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_ADDRESS,
        *,
        token: str | None = None,
        service_key: str | None = None,
        timeout_seconds: float = 30.0,
        retry_waits: Sequence[float] = RETRY_WAITS,
    ) -> None:
        super().__init__(
            Transport(
                base_url,
                token=token,
                service_key=service_key,
                timeout_seconds=timeout_seconds,
                retry_waits=retry_waits,
            )
        )

    # -- the whole ------------------------------------------------------------------------------------

    async def stats(self, *, user: str = LOCAL_USER) -> Stats:
        """What is remembered of a user, in numbers."""
        return read(Stats, await self._transport.get("/memories/stats", user=user), user=user)

    async def export(self, *, user: str = LOCAL_USER, include: Iterable[str] | None = None) -> dict[str, Any]:
        """Everything of a user as a JSON document that `load` reads again.

        `include` names the parts that are wanted: memories, entities, chats, todos, sessions, seed; the others are empty.
        """
        asked = Asked(
            method="POST",
            path="/memories/export",
            user=user,
            body={"format": "json", **given(include=include)},
            harmless=True,
            seconds=LONG_SECONDS,
        )
        return (await self._transport.ask(asked)).body

    async def load(
        self,
        document: Mapping[str, Any] | Sequence[Any] | str,
        *,
        user: str = LOCAL_USER,
        format: str = AUTO,
        progress: Progress = no_progress,
    ) -> Loaded:
        """Read an export; twice is the same as once.

        The document is Recollect's own, the `conversations.json` of ChatGPT or Claude, memories of mem0, or messages and
        memories in a list; a text is read as JSON or as JSON lines. Which one it is, its content says, unless `format` does.
        Over HTTP it may have 8 MB (`recollect import` takes any), and `progress` hears of the end only.
        """
        if not isinstance(document, Mapping | Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("An export is a JSON object, a list or a text.", field="document")
        # It may be sent twice: it says itself which rows it has.
        asked = Asked(
            method="POST",
            path="/memories/import",
            user=user,
            query={"format": format} if format != AUTO else None,
            body=document,
            media_type="application/x-ndjson" if isinstance(document, str) else "application/json",
            harmless=True,
            seconds=LONG_SECONDS,
        )
        loaded = read(Loaded, (await self._transport.ask(asked)).body, user=user)
        total = loaded.imported + loaded.duplicates
        progress(total, total)
        return loaded

    async def users(self, *, limit: int | None = None, after: str = "") -> list[str]:
        """The ids of everybody who has a memory here, for whoever runs the store, in the order of names.

        With a `limit` so many of them; `after` is the last name of the page before.
        """
        size = MAX_PAGE if limit is None else min(as_limit(limit), MAX_PAGE)
        found: list[str] = []
        at = cursor(after) if after else None
        while True:
            page = await self._transport.get("/v1/users", user=NOBODY, limit=size, cursor=at)
            found += page["users"]
            at = page["next_cursor"]
            if at is None or limit is not None:
                return found

    async def info(self) -> StoreInfo:
        """Where the store is, how large, and which models serve how many users."""
        return read(StoreInfo, await self._transport.get("/v1/info", user=NOBODY), user="")

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._transport.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
