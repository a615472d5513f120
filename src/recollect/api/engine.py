"""What a memory stands on: the services of its engine, prepared on first use, and the worker of this process."""

import asyncio

from recollect.api.calls import Explained
from recollect.engine.parts import Parts
from recollect.records.memory import check_user_id
from recollect.worker.worker import Worker


class Engine:
    """Opens and prepares its database when the first method needs it."""

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
        """The services, for calls that cause background work: it runs in this process unless the settings turn that off."""
        parts = await self.prepared()
        if parts.settings.worker == "on":
            self.worker.start()
        return parts

    async def close(self) -> None:
        """Write what is open and let go of the database and the models; answers on their way are finished first."""
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
    """Methods that work on an engine."""

    _engine: Engine

    async def _for(self, user: str) -> tuple[Parts, str]:
        """The services and the checked id of the user whom a method serves."""
        return await self._engine.prepared(), check_user_id(user)

    async def _for_work(self, user: str) -> tuple[Parts, str]:
        """The same, for methods that cause background work."""
        return await self._engine.with_worker(), check_user_id(user)


def engine_of(memory: OnEngine) -> Engine:
    """The engine under a memory, for the modules beside it."""
    return memory._engine  # pyright: ignore[reportPrivateUsage]
