"""The base of a memory: its engine's services, prepared on first use, and this process's worker."""

import asyncio

from recollect.api.calls import Explained
from recollect.engine.parts import Parts
from recollect.records.memory import check_user_id
from recollect.worker.worker import Worker


class Engine:
    """Opens and prepares the database when a method first needs it."""

    def __init__(self, parts: Parts, worker: Worker) -> None:
        self.parts = parts
        self.worker = worker
        self._prepared = False
        self._preparing = asyncio.Lock()

    async def prepared(self) -> Parts:
        """The services, with the database open and prepared."""
        if not self._prepared:
            async with self._preparing:
                if not self._prepared:
                    await self.parts.database.prepare()
                    self._prepared = True
        self.parts.presence.noticed()
        return self.parts

    async def with_worker(self) -> Parts:
        """The services, for calls that create background work, which this process does unless the settings disable it."""
        parts = await self.prepared()
        if parts.settings.worker == "on":
            self.worker.start()
        return parts

    async def close(self) -> None:
        """Finish answers in progress, write pending data, and close the database and the models."""
        parts = self.parts
        await parts.talks.aclose()
        await self.worker.aclose()
        if self._prepared:
            await parts.accesses.aclose()
        await parts.database.aclose()
        await parts.embedders.aclose()
        await parts.writer.aclose()
        await parts.models.aclose()
        await parts.relay.aclose()
        if parts.judge is not None:
            await parts.judge.aclose()


class OnEngine(Explained):
    """Base class for methods that use an engine."""

    _engine: Engine

    async def _for(self, user: str) -> tuple[Parts, str]:
        """The services and the validated user id."""
        return await self._engine.prepared(), check_user_id(user)

    async def _for_work(self, user: str) -> tuple[Parts, str]:
        """The same, for methods that create background work."""
        return await self._engine.with_worker(), check_user_id(user)


def engine_of(memory: OnEngine) -> Engine:
    """A memory's engine, for the other modules of this package."""
    return memory._engine  # pyright: ignore[reportPrivateUsage]
