"""A job: background work on a record, stored in the same transaction as the record and executed later.

The record and its rules: lanes, retries, giving up. Jobs contain IDs, never users' text. `worker/handlers` defines what each kind does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from recollect.records.moment import iso

#: How long a worker's lease lasts without renewal. A killed worker's job is guaranteed to resume within 20 s, so the next
#: worker has five seconds to notice.
LEASE = timedelta(seconds=15)
#: Failures after which a job is dead: still visible, and it can be retried manually.
MAX_ATTEMPTS = 8
#: If a job's worker died this often while running it, the job is then run only alone.
ALONE_AFTER = 2
#: A job whose worker died this often while running it alone is quarantined: dead until it is retried manually.
MAX_DEATHS = 3
#: The wait doubles with each failure: 1, 2, 4 … 64 s.
FIRST_WAIT = timedelta(seconds=1)
#: Maximum characters of an error stored with its job.
MAX_ERROR = 500


class JobKind(StrEnum):
    """The kind of work."""

    FOLD = "fold"
    REDERIVE = "rederive"
    CLOSE_SESSION = "close_session"
    SUMMARISE_SESSION = "summarise_session"
    ROLLING_SUMMARY = "rolling_summary"
    SPINE = "spine"
    INDEX_MESSAGES = "index_messages"
    JUDGE = "judge"
    CURATE = "curate"


class JobStatus(StrEnum):
    """The state of a job; finished jobs are deleted."""

    PENDING = "pending"
    RUNNING = "running"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to store."""

    kind: JobKind
    #: Jobs of one lane run one at a time, first in, first out.
    lane: str
    #: Pending jobs of one kind and subject are merged.
    subject: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    #: None: immediately.
    run_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A stored job."""

    user_id: str
    job_id: str
    #: A `JobKind`, or plain text for an unknown kind written by another version of the package.
    kind: JobKind | str
    lane: str
    subject: str
    payload: Mapping[str, Any]
    status: JobStatus
    #: The number of failures.
    attempts: int
    #: How often it was started since it last finished, and how often of these while it ran alone in its worker.
    #: Before the next start, these count how often its worker died.
    begun: int = 0
    begun_alone: int = 0
    run_at: datetime
    leased_until: datetime | None = None
    #: Identifies the holder of the lease: only the holder may finish the job.
    lease: str | None = None
    last_error: str | None = None
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "id": self.job_id,
            "user_id": self.user_id,
            "kind": str(self.kind),
            "subject": self.subject,
            "status": self.status.value,
            "attempts": self.attempts,
            "run_at": iso(self.run_at),
            "last_error": self.last_error,
            "created_at": iso(self.created_at),
            "lane": self.lane,
            "payload": dict(self.payload),
            "leased_until": iso(self.leased_until) if self.leased_until else None,
        }


def next_try(failures: int, now: datetime) -> datetime | None:
    """When to retry after this many failures; None if the job is dead."""
    if failures >= MAX_ATTEMPTS:
        return None
    return now + FIRST_WAIT * 2 ** (failures - 1)


def kept_error(text: str) -> str:
    """An error text that both databases can store: short, without NUL and lone surrogates."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")[:MAX_ERROR]


def chat_lane(chat_id: str) -> str:
    """The lane of jobs that change one chat."""
    return f"chat:{chat_id}"


def judge_lane(chat_id: str) -> str:
    """The lane for judging a chat, separate so that a slow model does not delay changes to the chat."""
    return f"judge:{chat_id}"
