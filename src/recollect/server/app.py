"""The application for one memory: its routes, middleware and lifespan. The caller opens and closes the memory."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from fastapi import FastAPI

from recollect import __version__
from recollect.admin import AsyncAdmin
from recollect.api.hosting import Service, service_of
from recollect.api.memory import AsyncMemory
from recollect.errors import RecollectError
from recollect.server import (
    auth,
    chat_memory,
    chats,
    contexts,
    docs_page,
    entities,
    errors,
    memories,
    messages,
    middleware,
    operations,
    portable,
    proxy,
    remember,
    search,
    sessions,
    talking,
    todos,
    tools,
    upkeep,
)
from recollect.server.caller import Served
from recollect.server.console.pages import pages
from recollect.server.gate import Gate
from recollect.server.mcp.mounted import McpEndpoint
from recollect.server.router import Router
from recollect.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

#: `search` and `upkeep` come before `memories`, because its `/memories/{memory_id}` would match their paths.
_ROUTERS = (
    operations.router,
    docs_page.router,
    auth.router,
    remember.router,
    search.router,
    portable.router,
    upkeep.router,
    memories.router,
    entities.router,
    chats.router,
    messages.router,
    chat_memory.pins,
    chat_memory.summaries,
    contexts.router,
    sessions.router,
    todos.router,
    upkeep.seeds,
    memories.forgetting,
    operations.jobs,
    tools.router,
    talking.router,
    proxy.router,
)

#: Seconds between two deletions of expired idempotency records.
_PRUNED_EVERY = 3600.0


def create_app(
    memory: AsyncMemory,
    settings: Settings,
    *,
    local: bool,
    console: bool = True,
    tracer: "Tracer | None" = None,
) -> FastAPI:
    """Create the application for a memory; with `local`, requests need no token and name their own user."""
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
    served = app.state.served = Served(
        memory=memory, admin=AsyncAdmin(memory), service=service_of(memory), settings=settings, gate=gate
    )
    errors.install(app)
    middleware.install(app, served, local=local, tracer=tracer)
    app.state.mcp = McpEndpoint(served)
    routers = (*_ROUTERS, *((pages(),) if console else ()))
    app.router.routes.append(
        Router([*(route for router in routers for route in router.routes), *app.state.mcp.routes])
    )
    app.openapi = lambda: docs_page.described(app)
    return app


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncGenerator[None]:
    """Run background work while requests are served."""
    served: Served = app.state.served
    await served.service.start()
    pruning = asyncio.create_task(_prune(served.service))
    try:
        async with app.state.mcp.running():
            yield
    finally:
        pruning.cancel()


async def _prune(service: Service) -> None:
    """Delete expired idempotency records, including those of users who never return."""
    while True:
        with suppress(RecollectError):  # Try again in the next round.
            await service.prune()
        await asyncio.sleep(_PRUNED_EVERY)
