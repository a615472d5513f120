"""Follow-ups: the jobs that things which happen leave behind, each with the lane it waits in and what makes it unique."""

from datetime import datetime

from recollect.records.job import JobKind, NewJob, chat_lane, judge_lane


def fold_chat(chat_id: str) -> NewJob:
    """Fold a chat."""
    return NewJob(kind=JobKind.FOLD, lane=chat_lane(chat_id), subject=chat_id)


def roll(persona_id: str | None) -> NewJob:
    """Refresh the rolling summary of a persona."""
    name = persona_id or ""
    return NewJob(
        kind=JobKind.ROLLING_SUMMARY, lane=f"persona:{name}", subject=name, payload={"persona_id": persona_id}
    )


def close_session(session_id: str, at: datetime) -> NewJob:
    """Close a session when it has been idle long enough."""
    return NewJob(kind=JobKind.CLOSE_SESSION, lane=f"close:{session_id}", subject=session_id, run_at=at)


def summarise_session(session_id: str) -> NewJob:
    """Summarise a closed session."""
    return NewJob(kind=JobKind.SUMMARISE_SESSION, lane=f"session:{session_id}", subject=session_id)


def grow_spine() -> NewJob:
    """Write a new version of the spine."""
    return NewJob(kind=JobKind.SPINE, lane="spine", subject="spine")


def rederive(chat_id: str, message_id: str) -> NewJob:
    """Bring the memories that came from an edited message up to date."""
    return NewJob(kind=JobKind.REDERIVE, lane=chat_lane(chat_id), subject=message_id)


def index_messages() -> NewJob:
    """Make the user's new messages findable by their meaning."""
    return NewJob(kind=JobKind.INDEX_MESSAGES, lane="index", subject="messages")


def judge_chat(chat_id: str, at: datetime | None = None) -> NewJob:
    """Read what is new in a chat for memories, at once or when enough may have come together."""
    return NewJob(kind=JobKind.JUDGE, lane=judge_lane(chat_id), subject=chat_id, run_at=at)


def curate(at: datetime | None = None) -> NewJob:
    """Tidy the user's memories, at once or at the latest then."""
    return NewJob(kind=JobKind.CURATE, lane="curator", subject="memories", run_at=at)
