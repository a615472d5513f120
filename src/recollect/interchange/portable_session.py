"""Sessions, states, rolling summaries, spines and the seed as an export holds them: written, read back, and joined with stored ones.

A file may be older or newer than the stored data, or from another history. So nothing stored is removed: counters do not decrease,
the later of two sessions or states wins, and revisions are taken only if they continue the stored ones. Histories of summaries
are not mixed, because each revision is written from the previous one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeVar

from recollect.errors import InvalidInput
from recollect.interchange.portable_chat import MAX_WRITER
from recollect.interchange.portable_value import (
    MOST,
    fields,
    free,
    identifier,
    listed,
    moment,
    past,
    text,
    whole,
)
from recollect.records.memory import check_text
from recollect.records.message import check_name
from recollect.records.moment import iso
from recollect.records.seed import Seed, check_facts, check_notes
from recollect.records.session import (
    MAX_ROLLING,
    RollingSummary,
    Session,
    SessionDigest,
    SessionState,
    SessionSummary,
    digest_from,
)
from recollect.records.spine import Spine, content_from

T = TypeVar("T")

#: Characters of a failure's reason and detail.
_MAX_ERROR = 500
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSession:
    """One session in a file."""

    session: Session
    #: Oldest first.
    summaries: tuple[SessionSummary, ...] = ()
    #: Why its summaries were skipped, if they were.
    skipped: str | None = None


# -- writing --------------------------------------------------------------------------------------------


def session_values(session: Session, summaries: Sequence[SessionSummary]) -> dict[str, Any]:
    """S4's session with all revisions of its summary."""
    return {
        **session.to_dict(),
        "summaries": [
            {
                "revision": summary.revision,
                "summary": summary.digest.to_dict(),
                "written_by": summary.written_by,
                "created_at": iso(summary.created_at),
            }
            for summary in summaries
        ],
    }


def state_values(state: SessionState) -> dict[str, Any]:
    """S4's state with its persona, without rolling summaries."""
    return {"persona_id": state.persona_id, "state": state.to_dict()["state"]}


# -- reading --------------------------------------------------------------------------------------------


def session_from(value: object, *, user_id: str, now: datetime) -> GivenSession:
    """A session from its JSON values; unreadable summaries are skipped."""
    values = fields(value, "session")
    ended = values.get("endedAt")
    session = Session(
        user_id=user_id,
        session_id=identifier(values.get("id"), "id"),
        persona_id=_persona(values),
        started_at=past(values.get("startedAt"), "startedAt", now),
        last_activity_at=past(values.get("lastActivityAt"), "lastActivityAt", now),
        ended_at=moment(ended, "endedAt") if ended is not None else None,
        turn_count=whole(values.get("turnCount", 0), "turnCount", most=MOST),
    )
    if not session.started_at <= session.last_activity_at <= (session.ended_at or session.last_activity_at):
        raise InvalidInput("startedAt, lastActivityAt and endedAt must be in order.", field="startedAt")
    try:
        summaries = [
            _session_summary(item, session) for item in listed(values.get("summaries", []), "summaries")
        ]
        check_growing([summary.revision for summary in summaries], "revision")
    except InvalidInput as error:
        return GivenSession(session=session, skipped=f"summaries: {error.message}")
    return GivenSession(session=session, summaries=tuple(summaries))


def _session_summary(value: object, session: Session) -> SessionSummary:
    values = fields(value, "summary")
    return SessionSummary(
        user_id=session.user_id,
        session_id=session.session_id,
        revision=whole(values.get("revision"), "revision", least=1),
        digest=_digest(fields(values.get("summary"), "summary")),
        written_by=text(values.get("written_by", ""), "written_by", MAX_WRITER),
        created_at=moment(values.get("created_at"), "created_at"),
    )


def _digest(values: Mapping[str, Any]) -> SessionDigest:
    try:
        digest = digest_from(values)
    except ValueError as error:
        raise InvalidInput(f"{error}.", field="summary") from error
    free(digest.to_dict(), "summary")
    return digest


def state_from(value: object, *, user_id: str, now: datetime) -> SessionState:
    """A state from its JSON values; the last words come later from the message that it names."""
    values = fields(value, "state")
    state = fields(values.get("state"), "state")
    curator = fields(state.get("curator") or {}, "curator")
    named, spoken = state.get("lastUserMessageId"), state.get("lastInteraction")
    return SessionState(
        user_id=user_id,
        persona_id=_persona(values),
        message_count=whole(state.get("messageCount", 0), "messageCount", most=MOST),
        last_interaction=past(spoken, "lastInteraction", now) if spoken is not None else None,
        last_user_message_id=identifier(named, "lastUserMessageId") if named is not None else None,
        last_rolling_attempt_at=_moment(state, "lastRollingAttemptAt"),
        last_rolling_success_at=_moment(state, "lastRollingSuccessAt"),
        last_rolling_error=_error(state.get("lastRollingError")),
        curator_last_run_at=_moment(curator, "lastRunAt"),
        curator_memory_count=whole(curator.get("lastMemoryCountAtRun", 0), "lastMemoryCountAtRun", most=MOST),
    )


def _error(value: object) -> tuple[str, str] | None:
    if value is None:
        return None
    values = fields(value, "lastRollingError")
    return (
        text(values.get("reason"), "lastRollingError.reason", _MAX_ERROR),
        text(values.get("detail"), "lastRollingError.detail", _MAX_ERROR),
    )


def rolling_from(value: object, *, user_id: str) -> RollingSummary:
    """A revision of a rolling summary from its JSON values."""
    values = fields(value, "rolling summary")
    return RollingSummary(
        user_id=user_id,
        persona_id=_persona(values),
        revision=whole(values.get("revision"), "revision", least=1),
        summary=text(values.get("summary"), "summary", MAX_ROLLING),
        from_message_at=moment(values.get("from_message_at"), "from_message_at"),
        until_message_at=moment(values.get("until_message_at"), "until_message_at"),
        written_by=text(values.get("written_by", ""), "written_by", MAX_WRITER),
        created_at=moment(values.get("created_at"), "created_at"),
    )


def spine_from(value: object, *, user_id: str) -> Spine:
    """A version of the spine from its JSON values."""
    values = fields(value, "spine")
    try:
        content = content_from(fields(values.get("content"), "content"))
    except ValueError as error:
        raise InvalidInput(f"{error}.", field="content") from error
    for section, words in content.to_dict().items():
        check_text(words, field=section)
    return Spine(
        user_id=user_id,
        version=whole(values.get("version"), "version", least=1),
        content=content,
        message_count=whole(values.get("messageCount", 0), "messageCount", most=MOST),
        written_by=text(values.get("written_by", ""), "written_by", MAX_WRITER),
        created_at=moment(values.get("created_at"), "created_at"),
    )


def seed_from(values: Mapping[str, Any], *, user_id: str, now: datetime) -> Seed | None:
    """A seed from its JSON values; None if it is empty."""
    facts = check_facts(values.get("facts", []))
    for fact in facts:
        free(fact, "facts")
    notes = check_notes(values.get("notes", ""))
    if not facts and not notes:
        return None
    return Seed(user_id=user_id, facts=facts, notes=notes, updated_at=now)


# -- joining --------------------------------------------------------------------------------------------


def continuation(known: Sequence[T], given: Sequence[T]) -> Sequence[T]:
    """The revisions that continue the known ones; none if the file has another history."""
    return given[len(known) :] if list(given[: len(known)]) == list(known) else ()


def joined_session(known: Session, given: Session, turns: int) -> Session:
    """A stored session joined with one from a file; `turns`: the number of its stored messages of the user."""
    later = given if given.last_activity_at > known.last_activity_at else known
    return replace(
        known,
        last_activity_at=later.last_activity_at,
        ended_at=later.ended_at,
        turn_count=max(known.turn_count, given.turn_count, turns),
    )


def joined_state(known: SessionState, given: SessionState) -> SessionState:
    """The later of two states in each respect, without the last words, which need the messages."""
    tried = max(known, given, key=lambda state: state.last_rolling_attempt_at or _NEVER)
    curated = max(known, given, key=lambda state: state.curator_last_run_at or _NEVER)
    spoken = max(known, given, key=lambda state: state.last_interaction or _NEVER)
    return replace(
        known,
        message_count=max(known.message_count, given.message_count),
        last_interaction=spoken.last_interaction,
        last_rolling_attempt_at=tried.last_rolling_attempt_at,
        last_rolling_success_at=tried.last_rolling_success_at,
        last_rolling_error=tried.last_rolling_error,
        curator_last_run_at=curated.curator_last_run_at,
        curator_memory_count=curated.curator_memory_count,
    )


def check_growing(numbers: Sequence[int], field: str) -> None:
    """Check that revisions are in order, each once."""
    if any(before >= after for before, after in pairwise(numbers)):
        raise InvalidInput(f"{field} must increase.", field=field)


def _persona(values: Mapping[str, Any]) -> str | None:
    persona = values.get("persona_id")
    return check_name(persona, field="persona_id") if persona is not None else None


def _moment(values: Mapping[str, Any], name: str) -> datetime | None:
    value = values.get(name)
    return moment(value, name) if value is not None else None
