"""`AsyncClient` and `Client`: the methods of a memory, over HTTP."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from recollect.api.arguments import LOCAL_USER
from recollect.api.blocking import Memory
from recollect.api.loop_thread import Blocking, LoopThread
from recollect.client.conversations import Conversations
from recollect.client.facts import Facts
from recollect.client.reading import read
from recollect.client.spelling import given
from recollect.client.transport import DEFAULT_ADDRESS, LONG_SECONDS, RETRY_WAITS, Asked, Transport
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.report import Stats
from recollect.errors import InvalidInput
from recollect.interchange.foreign import AUTO
from recollect.interchange.load import Loaded


class AsyncClient(Facts, Conversations):
    """A service that remembers, with the methods of `AsyncMemory`.

    >>> memory = AsyncClient("https://memory.example.com", service_key="rk_…")
    >>> await memory.add("I'm vegan", user="alice")

    With a `service_key` each call says by `user` whom it acts for; with a session's `token` it is the token's user, and
    without either the service must run in local mode. One try takes at most `timeout_seconds`, work that takes as long as
    there is of it (imports, forgetting, tidying) up to ten minutes; `retry_waits` are the seconds between tries.
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

    def __repr__(self) -> str:
        return f"AsyncClient({self._transport.address!r})"

    async def stats(self, *, user: str = LOCAL_USER) -> Stats:
        return read(Stats, await self._transport.get("/memories/stats", user=user), user=user)

    async def export(self, *, user: str = LOCAL_USER, include: Iterable[str] | None = None) -> dict[str, Any]:
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
        /,
        *,
        user: str = LOCAL_USER,
        format: str = AUTO,
        progress: Progress = no_progress,
    ) -> Loaded:
        """Read an export; twice is the same as once.

        As `Memory.load`, but over HTTP the document may have 8 MB (`recollect import` takes any), and `progress` is called
        once, at the end.
        """
        if not isinstance(document, Mapping | Sequence):
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

    async def close(self) -> None:
        """Give the connections back."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self


class Client(Memory):
    """A service that remembers, with the methods of `Memory`; `AsyncClient` without `await`.

    >>> memory = Client()  # recollect serve, on this machine
    >>> memory.add("I'm vegan").memory.content
    'User is vegan'

    With a `service_key` each call says by `user` whom it acts for; with a session's `token` it is the token's user, and
    without either the service must run in local mode. One try takes at most `timeout_seconds`, work that takes as long as
    there is of it (imports, forgetting, tidying) up to ten minutes; `retry_waits` are the seconds between tries.
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
        client = AsyncClient(
            base_url,
            token=token,
            service_key=service_key,
            timeout_seconds=timeout_seconds,
            retry_waits=retry_waits,
        )
        Blocking.__init__(self, LoopThread(), client)
