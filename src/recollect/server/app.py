"""The application: every router, what surrounds them, and the description of it all (`/openapi.json`).

It is made for one memory that somebody else opens and closes. Order matters only in what surrounds the routes.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from fastapi import FastAPI

from recollect import __version__
from recollect.api.memory import AsyncMemory
from recollect.errors import RecollectError
from recollect.server import (
    auth,
    chats,
    contexts,
    docs_page,
    entities,
    errors,
    forgetting,
    jobs,
    links,
    memories,
    messages,
    operations,
    pins,
    portable,
    remember,
    search,
    seeds,
    sessions,
    store,
    summaries,
    talking,
    todos,
    tools,
    upkeep,
    whoami,
)
from recollect.server.console.pages import pages
from recollect.server.description import described
from recollect.server.gate import Gate
from recollect.server.mcp.mounted import McpEndpoint
from recollect.server.proxy import completions
from recollect.server.served import Served
from recollect.server.surroundings import surround
from recollect.server.switchboard import Switchboard
from recollect.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

#: `search` and `upkeep` before `memories`, whose `/memories/{memory_id}` would take their paths.
_ROUTERS = (
    operations.router,
    docs_page.router,
    auth.router,
    whoami.router,
    remember.router,
    search.router,
    portable.router,
    upkeep.router,
    memories.router,
    links.router,
    entities.router,
    chats.router,
    messages.router,
    pins.router,
    summaries.router,
    contexts.router,
    sessions.router,
    todos.router,
    seeds.router,
    forgetting.router,
    jobs.router,
    store.router,
    tools.router,
    talking.router,
    completions.router,
)

#: Seconds between two looks for kept answers that no longer count.
_PRUNED_EVERY = 3600.0


def create_app(
    memory: AsyncMemory,
    settings: Settings,
    *,
    local: bool,
    console: bool = True,
    tracer: "Tracer | None" = None,
) -> FastAPI:
    """The application over a memory; `local`: whoever asks without a token is the user `local`."""
    app = FastAPI(
        title="Recollect",
        version=__version__,
        description="Long-term memory for AI assistants.",
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_living,
    )
    gate = Gate(
        memory,
        service_key=settings.service_key,
        local=local,
        requests_per_minute=settings.requests_per_minute,
    )
    served = app.state.served = Served(memory=memory, settings=settings, gate=gate)
    errors.install(app)
    surround(app, served, local=local, tracer=tracer)
    app.state.mcp = McpEndpoint(served)
    routers = (*_ROUTERS, *((pages(),) if console else ()))
    app.router.routes.append(
        Switchboard([*(route for router in routers for route in router.routes), *app.state.mcp.routes])
    )
    app.openapi = lambda: described(app)
    return app


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncGenerator[None]:
    """What runs beside the requests, as long as they are served."""
    served: Served = app.state.served
    await served.memory.running.start()
    pruning = asyncio.create_task(_prune(served.memory))
    try:
        async with app.state.mcp.running():
            yield
    finally:
        pruning.cancel()


async def _prune(memory: AsyncMemory) -> None:
    """Let go of kept answers in time, also of users who never come back."""
    while True:
        with suppress(RecollectError):  # The next round may do better.
            await memory.running.prune()
        await asyncio.sleep(_PRUNED_EVERY)
