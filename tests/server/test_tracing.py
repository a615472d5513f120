"""OpenTelemetry: a span a request, and none where nobody asked for them."""

import time
from collections.abc import Iterator

import httpx2
import pytest
from conftest import FakeEmbedder
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from serving import Http, Service, serving

from recollect.server.tracing import exporting, tracer_of

from .test_request_log import add_routes

SPANS = InMemorySpanExporter()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose spans tests can read."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(SPANS))
    file = tmp_path_factory.mktemp("traced") / "memory.db"
    with serving(file, embedder=FakeEmbedder(), tracer=tracer_of(provider), extended=add_routes) as running:
        yield running


def ended(name: str) -> ReadableSpan:
    """The span of this name; it ends a moment after its answer was sent."""
    deadline = time.monotonic() + 60
    while not (found := [span for span in SPANS.get_finished_spans() if span.name == name]):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return found[-1]


def test_a_span_a_request(http: Http) -> None:
    """It has the route and the status, and no word of a user."""
    http.delete("/v1/todos/secret-word")
    span = ended("DELETE /v1/todos/{todo_id}")
    assert span.kind is SpanKind.SERVER
    assert dict(span.attributes or {}) == {
        "http.request.method": "DELETE",
        "http.route": "/v1/todos/{todo_id}",
        "http.response.status_code": 404,
    }
    assert span.status.status_code is StatusCode.UNSET
    assert "secret-word" not in span.to_json()


def test_it_continues_the_trace_of_who_asked(http: Http) -> None:
    """A `traceparent` makes ours a part of theirs."""
    http.get("/health", headers={"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
    span = ended("GET /health")
    assert span.context is not None
    assert format(span.context.trace_id, "032x") == "0af7651916cd43dd8448eb211c80319c"


def test_a_bug_is_an_error(service: Service) -> None:
    """A 500 marks its span, without the error's words."""
    assert httpx2.get(f"{service.url}/test/bug/secret-word", timeout=60).status_code == 500
    span = ended("GET /test/bug/{name}")
    assert span.status.status_code is StatusCode.ERROR
    assert "only the log may have" not in span.to_json()


def test_spans_are_sent_where_the_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider is named after us unless the standard variable says otherwise."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    provider = exporting()
    assert provider is not None
    assert provider.resource.attributes["service.name"] == "recollect"
    provider.shutdown()
    monkeypatch.setenv("OTEL_SERVICE_NAME", "memory-of-acme")
    provider = exporting()
    assert provider is not None
    assert provider.resource.attributes["service.name"] == "memory-of-acme"
    provider.shutdown()
