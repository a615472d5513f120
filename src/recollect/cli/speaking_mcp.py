"""The life of `recollect mcp`: open the memory, answer the client, and leave when it does or when a signal comes.

The command imports this module when it runs, because the engine and the SDK take long to load.
"""

import asyncio
from contextlib import suppress
from typing import Final

from recollect.api.memory import AsyncMemory
from recollect.cli.working import ending_signals
from recollect.records.memory import check_user_id
from recollect.records.message import check_name
from recollect.server.mcp.asking import Asking
from recollect.server.mcp.stdio import serve
from recollect.settings import Settings

#: Seconds that open work gets when the client has left: rules take milliseconds, a model goes on next time. Clients of the
#: SDK wait two seconds before they send a signal.
_DRAIN_SECONDS: Final = 1.5


def speak(settings: Settings, *, user: str, persona: str | None) -> None:
    """Answer one client until it leaves, or until SIGINT or SIGTERM."""
    asking = Asking(
        user=check_user_id(user),
        persona=None if persona is None else check_name(persona, field="persona"),
    )
    asyncio.run(_speak(settings, asking))


async def _speak(settings: Settings, asking: Asking) -> None:
    stop = asyncio.Event()
    with ending_signals(stop):
        async with AsyncMemory(settings=settings) as memory:
            await serve(memory, asking, stop)
            if settings.worker == "on" and not stop.is_set():
                await _finish(memory, asking.user, stop)


async def _finish(memory: AsyncMemory, user: str, stop: asyncio.Event) -> None:
    """Give open work a moment; what is left is kept, and done next time."""
    if not await memory.jobs(user=user):
        return
    draining = asyncio.create_task(memory.drain(user=user, seconds=_DRAIN_SECONDS))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([draining, stopped], return_when=asyncio.FIRST_COMPLETED)
    for task in (draining, stopped):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
