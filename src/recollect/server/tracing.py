"""Optional OpenTelemetry tracing: one span per request.

Tracing is off, at no cost, unless the application is created with a tracer. `recollect serve` creates one if the standard
variables name a collector and the extra `telemetry` is installed. A span contains the route and the status, never a user's
text, and continues the caller's trace (`traceparent`).
"""

from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect import __version__
from recollect.server.request_log import template_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer


def exporting() -> "TracerProvider | None":
    """The exporter that the standard variables configure; None when the packages are not installed."""
    try:
        # Deferred: optional and heavy.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # Deferred, as above.
    except ModuleNotFoundError:
        return None
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    named = Resource.create({SERVICE_NAME: "recollect"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=named)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def tracer_of(provider: "TracerProvider") -> "Tracer":
    """Our tracer from a provider."""
    return provider.get_tracer("recollect", __version__)


class Tracing:
    """Creates a span for every request."""

    def __init__(self, app: ASGIApp, tracer: "Tracer") -> None:
        from opentelemetry.propagate import extract  # Deferred: optional.
        from opentelemetry.trace import SpanKind, StatusCode  # Deferred: optional.

        self._app = app
        self._tracer = tracer
        self._extract = extract
        self._server = SpanKind.SERVER
        self._error = StatusCode.ERROR

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        method: str = scope["method"]
        with self._tracer.start_as_current_span(
            method,
            context=self._extract(headers),
            kind=self._server,
            # An error message may quote a user.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            async def marking(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(self._error)
                await send(message)

            try:
                await self._app(scope, receive, marking)
            except Exception:
                span.set_status(self._error)
                raise
            finally:
                route = template_of(scope)
                span.update_name(f"{method} {route}")
                span.set_attributes({"http.request.method": method, "http.route": route})
