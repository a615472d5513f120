"""`recollect serve`: the service over HTTP.

How it lives is `server/serve.py`'s business; here are its options, and what is missing to run it.
"""

import os
from dataclasses import replace
from typing import Annotated

import typer

from recollect.cli import options
from recollect.cli.opening import settings_for
from recollect.cli.output import Output
from recollect.errors import InvalidInput, RecollectError, how_to_install
from recollect.server.console.built import HOW_TO_BUILD, is_built

#: The variables of OpenTelemetry that name a collector.
_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
#: Packages of the extra, by the names that Python knows them by.
_EXTRA = ("fastapi", "starlette", "pydantic", "uvicorn", "orjson", "prometheus_client")


def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="Where to listen; beyond loopback it needs a key.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", help="0 takes a free one.", min=0, max=65535)
    ] = 8765,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave background work to others.")] = False,
    no_console: Annotated[bool, typer.Option("--no-console", help="Show no pages at /.")] = False,
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Serve the memory and its console over HTTP until Ctrl-C."""
    if not host.strip():
        raise InvalidInput("--host is empty. Name an address, or leave it out.", field="host")
    try:
        # Deferred: the server is an extra, and heavy.
        from recollect.server.serve import Options
        from recollect.server.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise RecollectError(
            f"The service needs further packages ({error.name}): {how_to_install('server')}"
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
    """Where it is, and what there is to see; of a console that is wanted but not built, how to build it."""
    shown = wanted and built
    if out.as_json:
        out.json({"address": address, "console": "/" if shown else None, "docs": "/docs"})
        return
    # On the one line of standard output: standard error is the log, which may be JSON.
    pages = "console: /, docs: /docs" if shown else "docs: /docs"
    missing = f"; the console is not built: {HOW_TO_BUILD}" if wanted and not built else ""
    out.line(f"Recollect is ready at {address} ({pages}{missing})")
