"""The numbers for operators, in the text form of Prometheus.

Requests are counted as they come; what the store knows (jobs, memories, tokens spent) is asked when somebody looks.
Labels are routes, methods, statuses, kinds of jobs and names of events: a few hundred series, whatever users do. Every
application has a registry of its own. Counting the log's events was chosen over a counter in each verb: the engine stays
free of metrics, and every event that is documented can be watched.
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

#: Seconds for which the count of all rows is believed: it reads whole tables.
_COUNTED_EVERY: Final = 60.0
#: Seconds. From a lookup in memory to a model that takes its time.
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: Methods that have a series of their own.
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """What one application counts."""

    def __init__(self) -> None:
        # When each series was made is a second series for each, which nobody reads.
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
            "Seconds until an answer began.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.in_flight = Gauge(
            "recollect_http_in_flight", "Requests that are being served.", registry=self.registry
        )
        self.streams = Gauge("recollect_streams_open", "Event streams that are open.", registry=self.registry)
        events = Counter("recollect_events", "Events of the log by name.", ("event",), registry=self.registry)
        #: Counts what is logged; the server adds it to the logger.
        self.events: logging.Handler = _Events(events)
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._stored: tuple[float, Stored] | None = None

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method, route, status)
        known = self._children.get(key)
        if known is None:
            name = method if method in _METHODS else "other"
            # Looking a series up by its labels takes longer than counting.
            known = self._requests.labels(name, route, status), self._seconds.labels(name, route)
            if name == method:
                self._children[key] = known
        known[0].inc()
        known[1].observe(seconds)

    async def text(self, service: Service) -> bytes:
        """Everything, as Prometheus reads it."""
        if self._stored is None or time.monotonic() - self._stored[0] > _COUNTED_EVERY:
            self._stored = time.monotonic(), await service.stored()
        now = CollectorRegistry()
        now.register(_Snapshot(await service.figures(), self._stored[1], service.worker))
        return generate_latest(self.registry) + generate_latest(now)


class _Events(logging.Handler):
    """Counts events by their names, which stand in the source: nobody can make more of them."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.INFO)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        event = str(record.msg).partition(" ")[0]
        self._counter.labels(event if "%" not in event else record.getMessage().partition(" ")[0]).inc()


class _Snapshot:
    """What the store says at one moment."""

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
        yield _gauge("recollect_jobs_scheduled", "Pending jobs that are for later.", figures.scheduled)
        yield _gauge(
            "recollect_jobs_lag_seconds", "How late the oldest due job is, in seconds.", figures.lag_seconds
        )
        yield _gauge("recollect_worker_running", "Jobs that this process carries out.", self._worker.running)
        ended = CounterMetricFamily(
            "recollect_worker_jobs", "Jobs that this process has ended, by outcome.", labels=("outcome",)
        )
        for outcome in ("done", "retried", "dead", "quarantined"):
            ended.add_metric((outcome,), getattr(self._worker, outcome))
        yield ended

    def _of_models(self) -> Iterator[Metric]:
        spent = self._figures.spent
        yield _gauge(
            "recollect_model_tokens_today", "Tokens that the judge's model cost today.", spent.tokens
        )
        yield _gauge("recollect_model_tokens_cap", "Tokens that it may cost a day; 0: no limit.", spent.cap)
        yield _gauge("recollect_model_calls_today", "Calls of the judge's model today.", spent.calls)
        yield _gauge("recollect_model_failures_today", "Those of them that failed.", spent.failures)

    def _of_the_store(self) -> Iterator[Metric]:
        held = GaugeMetricFamily("recollect_memories", "Memories by status.", labels=("status",))
        for status, count in self._stored.memories.items():
            held.add_metric((status.lower(),), count)
        yield held
        yield _gauge("recollect_users", "Users.", self._stored.users)
        yield _gauge("recollect_chats", "Chats.", self._stored.chats)
        yield _gauge("recollect_messages", "Messages.", self._stored.messages)
        yield _gauge("recollect_database_bytes", "What the data takes on disk.", self._stored.size_bytes)
        yield _gauge(
            "recollect_index_bytes", "Search indexes in this process's memory.", self._figures.index_bytes
        )
        yield _gauge("recollect_index_limit_bytes", "What they may take.", self._figures.index_limit_bytes)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
