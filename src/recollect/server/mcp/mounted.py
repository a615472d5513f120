"""MCP over HTTP, at `/mcp` of the service: streamable HTTP behind the same gate and with the same tokens as every route.

The gate lets a request in before the SDK sees it; the user travels in the request's scope, where no client can write.
No sessions are kept: each POST is answered by itself, so any number of processes can serve one client, and there is
nothing to listen to with GET. The SDK's checks of Host and Origin are off: the gate has its own, which know the mode.

The SDK is loaded when the first client comes, because it would delay every start of the service by half a second.
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

#: Where both spellings are served, without a redirect that clients would have to follow with their token.
_PATHS: Final = ("/mcp", "/mcp/")
#: Where the asking of a request is, in its scope.
_ASKING: Final = "recollect.asking"
_NOT_INSTALLED: Final = f"MCP is not installed here: {how_to_install('mcp')}, then start the service again."


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
        """Where the application serves this."""
        return [Route(path, endpoint=self, include_in_schema=False) for path in _PATHS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the caller in, then let the SDK answer."""
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
            raise Problem(405, "MCP takes POST only here, because there are no sessions.", {"Allow": "POST"})
        manager = await self._opened()
        await manager.handle_request({**scope, _ASKING: asking}, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """As long as the application lives; whatever the SDK runs ends with it."""
        try:
            yield
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """End what the first client has started."""
        self._stop.set()
        if self._serving is not None:
            await self._serving

    async def _opened(self) -> "StreamableHTTPSessionManager":
        """What serves requests; the first one starts it."""
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_future()
            self._serving = asyncio.create_task(self._serve(self._opening))
        return await asyncio.shield(self._opening)

    async def _serve(self, opening: "asyncio.Future[StreamableHTTPSessionManager]") -> None:
        """Everything of the SDK lives in this task: it must be ended where it was started."""
        try:
            manager = await asyncio.to_thread(_made, self._memory)
            async with manager.run():
                opening.set_result(manager)
                await self._stop.wait()
        except Exception as error:
            if opening.done():
                raise
            # The waiting caller gets it, and the next one tries again.
            self._opening = None
            opening.set_exception(error)


def _made(memory: AsyncMemory) -> "StreamableHTTPSessionManager":
    # Deferred: the SDK is heavy, and an extra.
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from recollect.server.mcp.server import create_mcp

    return StreamableHTTPSessionManager(
        create_mcp(memory, _who), json_response=True, stateless=True, max_request_body_size=MAX_BODY
    )


def _who(request: Any) -> Asking:
    return request.scope[_ASKING]
