"""Metrics for operators, in Prometheus's text format.

Requests are counted as they arrive; the store's figures (jobs, memories, tokens spent) are read when the metrics are
requested. Labels are routes, methods, statuses, job kinds and event names: a few hundred series, whatever users do. Each
application has its own registry. Log events are counted, rather than adding counters to engine functions, so the engine
stays free of metrics and every documented event can be monitored.
"""

import logging
import time
from collections.abc import Iterator
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from recollect.api.hosting import Service
from recollect.engine.figures import Figures, Stored
from recollect.worker.worker import Worker

#: Seconds for which the row counts are cached, because counting reads whole tables.
_COUNTED_EVERY: Final = 60.0
#: Seconds, from an in-memory lookup to a slow model.
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: Methods with their own series.
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """One application's counters."""

    def __init__(self) -> None:
        # Otherwise each series gets a second one with only its creation time.
        disable_created_metrics()
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "recollect_http_requests",
            "Requests by route, method and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "recollect_http_seconds",
            "Seconds until the first byte of an answer.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.in_flight = Gauge("recollect_http_in_flight", "Requests in progress.", registry=self.registry)
        self.streams = Gauge("recollect_streams_open", "Open event streams.", registry=self.registry)
        events = Counter("recollect_events", "Log events by name.", ("event",), registry=self.registry)
        #: Counts log events; the server adds it to the logger.
        self.events: logging.Handler = _Events(events)
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._stored: tuple[float, Stored] | None = None

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method, route, status)
        known = self._children.get(key)
        if known is None:
            name = method if method in _METHODS else "other"
            # Looking up a series by its labels takes longer than counting.
            known = self._requests.labels(name, route, status), self._seconds.labels(name, route)
            if name == method:
                self._children[key] = known
        known[0].inc()
        known[1].observe(seconds)

    async def text(self, service: Service) -> bytes:
        """All metrics in Prometheus's format."""
        if self._stored is None or time.monotonic() - self._stored[0] > _COUNTED_EVERY:
            self._stored = time.monotonic(), await service.stored()
        now = CollectorRegistry()
        now.register(_Snapshot(await service.figures(), self._stored[1], service.worker))
        return generate_latest(self.registry) + generate_latest(now)


class _Events(logging.Handler):
    """Counts events by name; names are constants in the source, so users cannot add any."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.INFO)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        event = str(record.msg).partition(" ")[0]
        self._counter.labels(event if "%" not in event else record.getMessage().partition(" ")[0]).inc()


class _Snapshot:
    """The store's figures at one moment."""

    def __init__(self, figures: Figures, stored: Stored, worker: Worker) -> None:
        self._figures = figures
        self._stored = stored
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        yield from self._of_jobs()
        yield from self._of_models()
        yield from self._of_the_store()

    def _of_jobs(self) -> Iterator[Metric]:
        figures = self._figures.jobs
        jobs = GaugeMetricFamily("recollect_jobs", "Jobs by status and kind.", labels=("status", "kind"))
        for status, kinds in figures.counts.items():
            for kind, count in kinds.items():
                jobs.add_metric((status, kind), count)
        yield jobs
        yield _gauge("recollect_jobs_scheduled", "Pending jobs scheduled for later.", figures.scheduled)
        yield _gauge(
            "recollect_jobs_lag_seconds", "Seconds by which the oldest due job is late.", figures.lag_seconds
        )
        yield _gauge("recollect_worker_running", "Jobs that this process is running.", self._worker.running)
        ended = CounterMetricFamily(
            "recollect_worker_jobs", "Jobs that this process has ended, by outcome.", labels=("outcome",)
        )
        for outcome in ("done", "retried", "dead", "quarantined"):
            ended.add_metric((outcome,), getattr(self._worker, outcome))
        yield ended

    def _of_models(self) -> Iterator[Metric]:
        spent = self._figures.spent
        yield _gauge("recollect_model_tokens_today", "Tokens used by the judge model today.", spent.tokens)
        yield _gauge(
            "recollect_model_tokens_cap", "The judge model's daily token limit; 0 means no limit.", spent.cap
        )
        yield _gauge("recollect_model_calls_today", "Calls to the judge model today.", spent.calls)
        yield _gauge(
            "recollect_model_failures_today", "Failed calls to the judge model today.", spent.failures
        )

    def _of_the_store(self) -> Iterator[Metric]:
        held = GaugeMetricFamily("recollect_memories", "Memories by status.", labels=("status",))
        for status, count in self._stored.memories.items():
            held.add_metric((status.lower(),), count)
        yield held
        yield _gauge("recollect_users", "Users.", self._stored.users)
        yield _gauge("recollect_chats", "Chats.", self._stored.chats)
        yield _gauge("recollect_messages", "Messages.", self._stored.messages)
        yield _gauge("recollect_database_bytes", "Size of the data on disk.", self._stored.size_bytes)
        yield _gauge(
            "recollect_index_bytes",
            "Size of the search indexes in this process's memory.",
            self._figures.index_bytes,
        )
        yield _gauge(
            "recollect_index_limit_bytes", "Size limit for these indexes.", self._figures.index_limit_bytes
        )


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
