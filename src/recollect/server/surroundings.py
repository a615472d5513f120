"""What surrounds the routes, in order, from the outside in.

Each layer is plain ASGI and does one thing; none of them waits for a body unless it must. `BaseHTTPMiddleware` was
rejected: it runs every request in a further task.
"""

from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from recollect.server.idempotency import Idempotency
from recollect.server.limits import Limits
from recollect.server.local_only import LocalOnly
from recollect.server.request_log import RequestLog
from recollect.server.served import Served
from recollect.server.tracing import Tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

#: Bytes of an answer from which on compressing saves a packet, and how hard to try: 9 takes three times as long as 5 and
#: saves two in a hundred.
_WORTH_COMPRESSING = 1400
_COMPRESSION = 5


def surround(app: FastAPI, served: Served, *, local: bool, tracer: "Tracer | None" = None) -> None:
    """Put every layer around an application; what is added last stands outermost."""
    origins = [origin.strip() for origin in served.settings.cors_origins.split(",") if origin.strip()]
    app.add_middleware(Idempotency, running=served.memory.running)
    app.add_middleware(Limits)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING, compresslevel=_COMPRESSION)
    if local:
        app.add_middleware(LocalOnly, local=lambda: served.gate.local, origins=origins)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["X-Request-Id", "Retry-After", "Idempotent-Replay"],
        )
    if tracer is not None:
        app.add_middleware(Tracing, tracer=tracer)
    app.add_middleware(RequestLog, metrics=served.metrics)
