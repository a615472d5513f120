"""A job: work that follows from what was recorded, written in the same transaction and done later.

The record and its rules: who waits for whom, when to try again, when to give up. Jobs hold ids, never what was said. It
does not know what any kind of job does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from recollect.records.moment import iso

#: How long a worker holds a job without a sign of life. A killed worker's job is taken up after that; 20 s are
#: promised, so the next worker has five to notice.
LEASE = timedelta(seconds=15)
#: After so many tries a job is dead: visible, and revivable by hand.
MAX_ATTEMPTS = 8
#: The wait doubles with each try: 1, 2, 4 … 64 s.
FIRST_WAIT = timedelta(seconds=1)
#: Characters of an error that are kept with its job.
MAX_ERROR = 500


class JobKind(StrEnum):
    """What is to be done."""

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
    """Where a job stands; what is done is gone."""

    PENDING = "pending"
    RUNNING = "running"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """Work to be written down."""

    kind: JobKind
    #: Jobs of one lane run one at a time, first in, first out.
    lane: str
    #: Two pending jobs of one kind and subject are one job.
    subject: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    #: None: at once.
    run_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work."""

    user_id: str
    job_id: str
    #: A `JobKind`; plain text when another version of the package wrote a kind that this one does not know.
    kind: JobKind | str
    lane: str
    subject: str
    payload: Mapping[str, Any]
    status: JobStatus
    #: How often it was begun.
    attempts: int
    run_at: datetime
    leased_until: datetime | None = None
    #: Whose lease it is: only the holder may finish it.
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


def next_try(attempts: int, now: datetime) -> datetime | None:
    """When to try again after so many attempts; None: it is dead."""
    if attempts >= MAX_ATTEMPTS:
        return None
    return now + FIRST_WAIT * 2 ** (attempts - 1)


def worn_out(job: Job) -> bool:
    """Whether it was begun more often than it may fail: then its workers died of it, each time, without a word."""
    return job.attempts > MAX_ATTEMPTS


def kept_error(text: str) -> str:
    """An error as both databases can keep it: short, and without what is no text."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")[:MAX_ERROR]


def chat_lane(chat_id: str) -> str:
    """The lane of everything that changes one chat."""
    return f"chat:{chat_id}"


def judge_lane(chat_id: str) -> str:
    """The lane of whoever reads a chat for memories: a slow model must not hold up what changes the chat."""
    return f"judge:{chat_id}"
