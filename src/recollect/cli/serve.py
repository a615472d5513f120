"""`recollect serve`, the HTTP service, and `recollect mcp`, the memory for an MCP client that starts this command.

Both need extras and are slow to import, so they are imported when the command runs.
"""

import asyncio
import importlib.util
import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.cli import options
from recollect.cli.jobs import ending_signals
from recollect.cli.opening import settings_for
from recollect.cli.output import Output
from recollect.errors import InvalidInput, RecollectError, how_to_install
from recollect.server.console.built import HOW_TO_BUILD, is_built

if TYPE_CHECKING:
    from recollect import AsyncMemory
    from recollect.server.mcp.asking import Asking
    from recollect.settings import Settings

#: OpenTelemetry's variables for a collector's address.
_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
#: Import names of the packages in the server extra.
_EXTRA = ("fastapi", "starlette", "pydantic", "uvicorn", "orjson", "prometheus_client")
#: Seconds for open work after an MCP client has left. SDK clients wait two seconds before they send a signal.
_DRAIN_SECONDS: Final = 1.5


def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="HOST",
            help="Address to listen on. Addresses other than loopback require a service key.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", metavar="PORT", help="0 picks a free port.", min=0, max=65535),
    ] = 8765,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave background work to `recollect worker`.")
    ] = False,
    no_console: Annotated[bool, typer.Option("--no-console", help="Do not serve the console at /.")] = False,
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Serve the memory and its console over HTTP. To stop, press Ctrl-C."""
    if not host.strip():
        raise InvalidInput("--host is empty. Give an address or omit it.", field="host")
    try:
        from recollect.server.serve import Options  # Deferred: heavy, and an extra.
        from recollect.server.serve import serve as run  # Deferred: heavy, and an extra.
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise RecollectError(
            f"The service needs more packages ({error.name}): {how_to_install('server')}"
        ) from error
    settings = settings_for(db)
    out = Output(as_json=as_json)

    def ready(address: str) -> None:
        tell_ready(out, address, wanted=not no_console, built=is_built())

    chosen = Options(
        host=host,
        port=port,
        console=not no_console,
        debug=bool(os.environ.get("RECOLLECT_DEBUG")),
        trace=any(os.environ.get(name) for name in _COLLECTORS),
    )
    run(replace(settings, worker="off") if no_worker else settings, chosen, ready)


def tell_ready(out: Output, address: str, *, wanted: bool, built: bool) -> None:
    """Report the address, and the paths of the console and the docs."""
    shown = wanted and built
    if out.as_json:
        out.json({"address": address, "console": "/" if shown else None, "docs": "/docs"})
        return
    # One line on standard output: standard error is the log, which may be JSON.
    pages = "console: /, docs: /docs" if shown else "docs: /docs"
    missing = f"; the console is not built: {HOW_TO_BUILD}" if wanted and not built else ""
    out.line(f"Recollect is ready at {address} ({pages}{missing})")


# -- MCP ----------------------------------------------------------------------------------------------------


def mcp(
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Serve the memory to an MCP client on standard input and output."""
    if importlib.util.find_spec("mcp") is None:
        raise RecollectError(f"MCP is not installed: {how_to_install('mcp')}")
    from recollect.records.memory import check_user_id  # Deferred: --help must be instant.
    from recollect.records.message import check_name  # Deferred: --help must be instant.
    from recollect.server.mcp.asking import Asking  # Deferred: heavy, and an extra.

    asking = Asking(
        user=check_user_id(user), persona=None if persona is None else check_name(persona, field="persona")
    )
    asyncio.run(_speak(settings_for(db), asking))


async def _speak(settings: "Settings", asking: "Asking") -> None:
    """Serve one client until it leaves, or until SIGINT or SIGTERM."""
    from recollect import AsyncMemory  # Deferred: heavy.
    from recollect.server.mcp.stdio import serve as answer  # Deferred: heavy, and an extra.

    stop = asyncio.Event()
    with ending_signals(stop):
        async with AsyncMemory(settings=settings) as memory:
            await answer(memory, asking, stop)
            if settings.worker == "on" and not stop.is_set():
                await _finish(memory, asking.user, stop)


async def _finish(memory: "AsyncMemory", user: str, stop: asyncio.Event) -> None:
    """Give open work a moment to finish; the rest is done next time."""
    draining = asyncio.create_task(memory.drain(user=user, timeout=_DRAIN_SECONDS))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([draining, stopped], return_when=asyncio.FIRST_COMPLETED)
    for task in (draining, stopped):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
