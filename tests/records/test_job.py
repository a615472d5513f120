"""Jobs: when to try again, when to give up, what is kept of an error."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from recollect.records.job import (
    MAX_ATTEMPTS,
    MAX_ERROR,
    Job,
    JobKind,
    JobStatus,
    kept_error,
    next_try,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def job(kind: JobKind | str = JobKind.FOLD, attempts: int = 1) -> Job:
    """A running job."""
    return Job(
        user_id="ann",
        job_id="1",
        kind=kind,
        lane="chat:1",
        subject="1",
        payload={},
        status=JobStatus.RUNNING,
        attempts=attempts,
        run_at=NOON,
        created_at=NOON,
    )


def test_waits_double_until_it_is_dead() -> None:
    """1, 2, 4 … 64 seconds, then never."""
    waits = [next_try(attempts, NOON) for attempts in range(1, MAX_ATTEMPTS + 1)]
    assert waits == [NOON + timedelta(seconds=2**power) for power in range(MAX_ATTEMPTS - 1)] + [None]


def test_the_wire_has_the_name_of_any_kind() -> None:
    """A kind of another version is shown as it is stored."""
    assert job().to_dict()["kind"] == "fold"
    assert job("dream").to_dict()["kind"] == "dream"


@given(st.text(alphabet=st.characters(), max_size=600))
def test_any_error_can_be_kept(text: str) -> None:
    """Whatever an error says, what is kept is short text that every database takes, and ordinary text is not changed."""
    kept = kept_error(text)
    assert len(kept) <= MAX_ERROR and "\x00" not in kept
    assert kept.encode("utf-8").decode("utf-8") == kept
    if text.isascii() and "\x00" not in text:
        assert kept == text[:MAX_ERROR]
