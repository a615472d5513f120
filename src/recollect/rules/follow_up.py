"""Follow-ups: the jobs that events leave behind, each with its lane and the subject that makes it unique, and when they run.

Rules cost next to nothing, so they judge each turn; a model is billed per call and understands a sentence better with its
neighbours, so it waits for more messages, but not for long, because the user may start another chat. Pending jobs of one chat
are merged, so a burst of messages is judged once. The curator comes at once after 25 new memories, else within a day of the
first change; a fixed hour would bring all users at the same time.
"""

from datetime import datetime, timedelta

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
    """Update the memories that came from an edited message."""
    return NewJob(kind=JobKind.REDERIVE, lane=chat_lane(chat_id), subject=message_id)


def index_messages() -> NewJob:
    """Embed the user's new messages, so that they are found by meaning."""
    return NewJob(kind=JobKind.INDEX_MESSAGES, lane="index", subject="messages")


def judge_chat(chat_id: str, at: datetime | None = None) -> NewJob:
    """Judge the new messages of a chat, at once or later."""
    return NewJob(kind=JobKind.JUDGE, lane=judge_lane(chat_id), subject=chat_id, run_at=at)


def curate(at: datetime | None = None) -> NewJob:
    """Run the curator on the user's memories, at once or later."""
    return NewJob(kind=JobKind.CURATE, lane="curator", subject="memories", run_at=at)


#: How long a model waits after the first unread message: about the pause between two turns of an attentive user.
WAIT = timedelta(seconds=60)
#: Tokens that justify a call: the fixed part of the prompt has about 1,000, so at most a third of the cost is overhead.
ENOUGH_TOKENS = 2_000
#: Messages that justify a call, whatever their size; no more are counted.
ENOUGH_MESSAGES = 40


def judged_at(now: datetime, *, by_rules: bool, messages: int, tokens: int) -> datetime:
    """When to judge this many unread messages."""
    if by_rules or messages >= ENOUGH_MESSAGES or tokens >= ENOUGH_TOKENS:
        return now
    return now + WAIT


#: New or changed memories that start a run at once.
ENOUGH_NEW = 25
#: The longest wait for fewer.
DAILY = timedelta(days=1)


def due_at(new: int, now: datetime) -> datetime:
    """When to run the curator, given the number of new or changed memories since the last run."""
    return now if new >= ENOUGH_NEW else now + DAILY
