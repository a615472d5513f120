"""The face for the process of a service: begin background work, be asked how things are, keep answers.

`AsyncMemory.running` hands it out. It stands apart from the verbs because a program that uses a memory inside itself
needs none of it, and the synchronous face has no twin of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from recollect.engine import figures, idempotency
from recollect.engine.figures import Figures, Stored
from recollect.engine.idempotency import Earlier
from recollect.engine.parts import Parts
from recollect.errors import StoreUnavailable
from recollect.interchange.export import Packed, export_packed
from recollect.interchange.portable_part import check_parts
from recollect.records.memory import check_user_id
from recollect.worker.worker import Worker

#: Seconds that the database gets to say that it lives.
_ANSWERS_WITHIN = 5.0
#: What is counted and embedded to have it done once.
_A_WORD = "warm"


class Running:
    """What the process of a service asks of a memory."""

    def __init__(
        self,
        ready: Callable[[], Awaitable[Parts]],
        working: Callable[[], Awaitable[Parts]],
        worker: Worker,
    ) -> None:
        self._ready = ready
        self._working = working
        self.worker = worker

    # -- how things are -------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the database, and begin with background work unless the settings leave it to others."""
        await self._working()

    async def warm(self) -> None:
        """Load what the first request would wait for: the vocabulary of tokens, the embedder if it is in the package."""
        parts = await self._ready()
        await parts.count([_A_WORD])
        if not parts.settings.embedding_model:
            await parts.embed(parts.embedders.default, [_A_WORD])

    async def check(self) -> None:
        """Return when the database answers."""
        parts = await self._ready()
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                await parts.database.schema_version()
        except TimeoutError as error:
            raise StoreUnavailable("The database does not answer.") from error

    async def works(self) -> bool:
        """Whether the worker answers, if there should be one here."""
        return (await self._ready()).settings.worker != "on" or self.worker.answers

    async def figures(self) -> Figures:
        """How work, models and indexes do now."""
        return await figures.figures(await self._ready())

    async def stored(self) -> Stored:
        """How much there is of everything; it reads whole tables."""
        return await figures.stored(await self._ready())

    async def finish_talks(self, seconds: float) -> None:
        """Let answers on their way come to their end; what is late then is stored as far as it has come."""
        await (await self._ready()).talks.aclose(seconds)

    async def export(self, user: str, include: Iterable[str] | None) -> Packed:
        """What `AsyncMemory.export` gives, as text that takes little room."""
        chosen = check_parts(include)
        return await export_packed(await self._ready(), check_user_id(user), include=chosen)

    # -- requests that may come twice -----------------------------------------------------------------------

    async def begin(self, user_id: str, key: str, request_hash: str) -> Earlier | None:
        """Take a key for a request; if it is taken, what is known of the earlier request."""
        return await idempotency.begin(await self._ready(), user_id, key, request_hash)

    async def keep(self, user_id: str, key: str, request_hash: str, answer: str) -> None:
        """Keep the answer of a request that was begun."""
        await idempotency.keep(await self._ready(), user_id, key, request_hash, answer)

    async def renew(self, user_id: str, key: str, request_hash: str) -> None:
        """Say that a request is still under way."""
        await idempotency.renew(await self._ready(), user_id, key, request_hash)

    async def release(self, user_id: str, key: str, request_hash: str) -> None:
        """Let the key of a request that has no answer to keep be free again."""
        await idempotency.release(await self._ready(), user_id, key, request_hash)

    async def prune(self) -> int:
        """Everybody's kept answers that no longer count; how many went."""
        return await idempotency.prune(await self._ready())
