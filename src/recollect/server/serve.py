"""Runs `recollect serve`: one process and one event loop, with a memory and a server, until a signal arrives.

The first SIGTERM or SIGINT stops it gracefully. It accepts no new connections and waits up to 20 s for running requests and
streams; a model that is still answering is stopped after 15 s and its partial answer is stored. Then the memory is closed,
with 2 s for running jobs, whose leases are released. A second signal ends the process at once, without losing stored data.
Several processes may serve one database; uvicorn's own workers were rejected, because platforms already supervise processes.
"""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final, Literal

import uvicorn

from recollect.api.hosting import Service, service_of
from recollect.api.memory import AsyncMemory
from recollect.engine.talks import SETTLE_SECONDS
from recollect.errors import InvalidInput, RecollectError
from recollect.server import request_log, tracing
from recollect.server.app import create_app
from recollect.server.caller import Served
from recollect.settings import Settings

log = logging.getLogger(__name__)

#: Seconds for running requests and streams when the process is stopping.
GRACE_SECONDS: Final = 20
#: Seconds of these for models that are answering; the rest is for storing their answers and ending the streams.
_TALK_SECONDS: Final = GRACE_SECONDS - SETTLE_SECONDS
#: Seconds to keep an idle connection: longer than most clients do, so that the client closes it first.
_KEEP_ALIVE_SECONDS: Final = 75
#: Maximum connections waiting to be accepted.
_BACKLOG: Final = 2048
#: Seconds after which a background thread must let another one run (Python's own: 0.005). The event loop waits for its turn
#: several times for each word that it passes on. # measured: benchmarks/service.py
_TURN_SECONDS: Final = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The start options."""

    host: str
    #: 0: any free port.
    port: int
    console: bool = True
    debug: bool = False
    #: Whether to send spans as configured by OpenTelemetry's standard variables.
    trace: bool = False


def serve(settings: Settings, options: Options, ready: Callable[[str], None]) -> None:
    """Serve until a signal arrives; `ready` is called with the address once connections are accepted."""
    listening = listen(options.host, options.port)
    sys.setswitchinterval(_TURN_SECONDS)
    with listening, asyncio.Runner(loop_factory=_fastest_loop()) as runner:
        runner.run(_live(settings, options, listening, ready))


async def _live(
    settings: Settings, options: Options, listening: socket.socket, ready: Callable[[str], None]
) -> None:
    stop = asyncio.Event()
    spans = tracing.exporting() if options.trace else None
    with _signals(stop):
        async with AsyncMemory(settings=settings) as memory:
            service = service_of(memory)
            local = await _is_local(service, settings, listening)
            tracer = tracing.tracer_of(spans) if spans is not None else None
            app = create_app(memory, settings, local=local, console=options.console, tracer=tracer)
            served: Served = app.state.served
            request_log.configure(settings.log_format, debug=options.debug, also=served.metrics.events)
            name = (await served.admin.info()).database
            address = _address(options.host, listening)

            def begun() -> None:
                mode = "local" if local else "keys"
                log.info(
                    "serve.ready address=%s database=%s mode=%s worker=%s",
                    address,
                    name,
                    mode,
                    settings.worker,
                )
                ready(address)

            warming = asyncio.create_task(service.warm())
            await _run(
                _Server(_config(app), begun),
                listening,
                stop,
                lambda: service.finish_talks(_TALK_SECONDS),
            )
            log.info("serve.stopping address=%s", address)
            warming.cancel()
            await asyncio.wait([warming])
    if spans is not None:
        spans.shutdown()


async def _run(
    server: "_Server",
    listening: socket.socket,
    stop: asyncio.Event,
    finish_talks: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """Serve until `stop` is set and running requests have finished."""
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    stopped.cancel()
    finishing = asyncio.create_task(finish_talks())
    await serving
    await finishing


class _Server(uvicorn.Server):
    """uvicorn, but it reports when it accepts connections, and leaves signals to us so that the process exits with 0."""

    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._begun()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType]
        log_config=None,
        access_log=False,
        lifespan="on",
        http=_bounded_protocol(),
        ws="none",
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def _is_local(service: Service, settings: Settings, listening: socket.socket) -> bool:
    """Whether requests need no token, which requires a loopback address and no service keys."""
    if settings.service_key or await service.has_service_keys():
        return False
    host = listening.getsockname()[0]
    if ipaddress.ip_address(host).is_loopback:
        return True
    raise InvalidInput(
        f"Other machines can reach {host}, but there is no service key: create one with"
        " `recollect token create --service`, set RECOLLECT_SERVICE_KEY, or listen on 127.0.0.1.",
        field="host",
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; an unavailable address raises a clear error."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise InvalidInput(f"host {host!r} is not an address of this machine.", field="host") from error
    family, kind, protocol, _, address = sorted(found, key=lambda item: item[0] is not socket.AF_INET)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        # Lets a restart bind without waiting for old connections to expire.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            message = (
                f"Port {port} on {host} is already in use."
                " Choose another port with --port 8080 or make run PORT=8080."
            )
        else:
            message = f"Cannot listen on {host} port {port}: {error.strerror or error}."
        raise RecollectError(message) from error
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # Deferred: not available on every platform.
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop


def _bounded_protocol() -> type[asyncio.Protocol] | Literal["h11"]:
    try:
        from recollect.server.head_limit import BoundedRequest  # Deferred: not available on every platform.
    except ModuleNotFoundError:
        return "h11"  # Slower, but with its own limit.
    return BoundedRequest


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Generator[None]:
    """The first signal sets the event, the second ends the process; the previous handlers are restored afterwards."""
    loop = asyncio.get_running_loop()

    def leave(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        loop.call_soon_threadsafe(stop.set)

    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
