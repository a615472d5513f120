"""MCP over streamable HTTP, at the service's `/mcp`, with the same gate and tokens as every route.

The gate checks a request before the SDK sees it; the user is passed in the request's scope, which clients cannot write.
There are no sessions: each POST is independent, so any number of processes can serve one client, and GET has nothing to
stream. The SDK's Host and Origin checks are off, because the service has its own, which depend on the mode.

The SDK is loaded for the first client, because it would delay every start of the service by half a second.
"""

import asyncio
import importlib.util
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from recollect.api.memory import AsyncMemory
from recollect.errors import how_to_install
from recollect.records.message import check_name
from recollect.server.caller import READ, WRITE, Served, admitted
from recollect.server.errors import Problem
from recollect.server.limits import MAX_BODY
from recollect.server.mcp.asking import Asking

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

#: Both spellings of the path are served, so that clients need not follow a redirect with their token.
_PATHS: Final = ("/mcp", "/mcp/")
#: The scope key for a request's `Asking`.
_ASKING: Final = "recollect.asking"
_NOT_INSTALLED: Final = f"MCP is not installed: {how_to_install('mcp')}, then restart the service."


class McpEndpoint:
    """An ASGI application for one path."""

    def __init__(self, served: Served) -> None:
        self._memory = served.memory
        self._installed = importlib.util.find_spec("mcp") is not None
        self._opening: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    @property
    def routes(self) -> list[Route]:
        """Whether a path belongs to this application."""
        return [Route(path, endpoint=self, include_in_schema=False) for path in _PATHS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the caller, then pass the request to the SDK."""
        request = Request(scope, receive)
        caller = await admitted(request)
        caller.need(READ)
        persona = request.query_params.get("persona_id")
        asking = Asking(
            user=caller.user,
            persona=None if persona is None else check_name(persona, field="persona_id"),
            may_write=WRITE in caller.scopes,
        )
        if not self._installed:
            raise Problem(404, _NOT_INSTALLED)
        if request.method != "POST":
            raise Problem(405, "Use POST: MCP has no sessions here.", {"Allow": "POST"})
        manager = await self._opened()
        await manager.handle_request({**scope, _ASKING: asking}, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep the SDK running for the application's lifetime."""
        try:
            yield
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Stop the SDK if a client has started it."""
        self._stop.set()
        if self._serving is not None:
            await self._serving

    async def _opened(self) -> "StreamableHTTPSessionManager":
        """The request handler; the first request starts it."""
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_future()
            self._serving = asyncio.create_task(self._serve(self._opening))
        return await asyncio.shield(self._opening)

    async def _serve(self, opening: "asyncio.Future[StreamableHTTPSessionManager]") -> None:
        """Run the SDK in this task, because it must be stopped in the task that started it."""
        try:
            manager = await asyncio.to_thread(_made, self._memory)
            async with manager.run():
                opening.set_result(manager)
                await self._stop.wait()
        except Exception as error:
            if opening.done():
                raise
            # The waiting caller gets the error, and the next one tries again.
            self._opening = None
            opening.set_exception(error)


def _made(memory: AsyncMemory) -> "StreamableHTTPSessionManager":
    # Deferred: the SDK is heavy and optional.
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from recollect.server.mcp.server import create_mcp

    return StreamableHTTPSessionManager(
        create_mcp(memory, _who), json_response=True, stateless=True, max_request_body_size=MAX_BODY
    )


def _who(request: Any) -> Asking:
    return request.scope[_ASKING]
