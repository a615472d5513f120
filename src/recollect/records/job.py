"""A job: work that follows from what was recorded, written in the same transaction and done later.

The record and its rules: lanes, retries, giving up. Jobs hold ids, never what was said. `worker/handlers` knows what each kind does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from recollect.records.moment import iso

#: How long a worker holds a job without a sign of life. 20 s are promised for resuming a killed worker's job, so the
#: next worker has five seconds to notice.
LEASE = timedelta(seconds=15)
#: After so many failures a job is dead: visible, and revivable by hand.
MAX_ATTEMPTS = 8
#: A job whose worker died so often while it ran is begun only when nothing else runs, and nothing else beside it.
ALONE_AFTER = 2
#: A job that was running alone when its worker died is quarantined after so many times: dead, until somebody revives it.
MAX_DEATHS = 3
#: The wait doubles with each failure: 1, 2, 4 … 64 s.
FIRST_WAIT = timedelta(seconds=1)
#: Characters of an error that are stored with its job.
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
    #: None: at once.
    run_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A stored job."""

    user_id: str
    job_id: str
    #: A `JobKind`; plain text for a kind that another version of the package wrote and this one does not know.
    kind: JobKind | str
    lane: str
    subject: str
    payload: Mapping[str, Any]
    status: JobStatus
    #: How often it failed.
    attempts: int
    #: How often it was begun since it last came to an end, and how often of these while nothing else ran in its worker.
    #: Before it is begun again, these are the times that its worker died.
    begun: int = 0
    begun_alone: int = 0
    run_at: datetime
    leased_until: datetime | None = None
    #: Identifies the holder of the lease: only the holder may finish the job.
    lease: str | None = None
    last_error: str | None = None
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
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
    """When to try again after so many failures; None: it is dead."""
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
    """The lane for judging a chat, separate so that a slow model does not delay changes of the chat."""
    return f"judge:{chat_id}"
