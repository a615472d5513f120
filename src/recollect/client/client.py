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
    """Access to a service with the methods of `AsyncMemory`.

    >>> memory = AsyncClient("https://memory.example.com", service_key="rk_…")
    >>> await memory.add("I'm vegan", user="alice")

    With a `service_key`, each call acts for its `user`. With a session `token`, it acts for the token's user. Without
    either, the service must run in local mode. Each attempt may take `timeout_seconds`, or ten minutes for long work
    (imports, forgetting, tidying). `retry_waits` are the seconds between attempts.
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
        """Import a document. Importing it twice has the same effect as once.

        Same as `Memory.load`, except that the document is limited to 8 MB (`recollect import` has no limit), and `progress`
        is called once, at the end.
        """
        if not isinstance(document, Mapping | Sequence):
            raise InvalidInput("document must be a JSON object, a list or text.", field="document")
        # Safe to send twice: duplicate rows are detected.
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
        """Close the connections."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self


class Client(Memory):
    """Access to a service with the methods of `Memory`; `AsyncClient` without `await`.

    >>> memory = Client()  # recollect serve, on this machine
    >>> memory.add("I'm vegan").memory.content
    'User is vegan'

    With a `service_key`, each call acts for its `user`. With a session `token`, it acts for the token's user. Without
    either, the service must run in local mode. Each attempt may take `timeout_seconds`, or ten minutes for long work
    (imports, forgetting, tidying). `retry_waits` are the seconds between attempts.
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
