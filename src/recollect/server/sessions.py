"""Sessions, the state per persona, and the spine, all derived from conversations over time (S4).

A session here is S4's, a period of activity. S0's "session" is a chat.
"""

# ruff: noqa: N815 (the names in the shapes are S4's)

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect.records.spine import no_spine
from recollect.server.caller import Reader, TheMemory
from recollect.server.chats import Persona
from recollect.server.wire import Cursor, Json, Limit, example, page, problems, with_revisions

router = APIRouter(tags=["sessions"])

WithWhom = Annotated[
    str | None,
    Query(alias="persona_id", description="The persona; default: talks without a persona."),
]
Revisions = Annotated[bool, Query(description="Include every revision, oldest first.")]


class DigestShape(BaseModel):
    """A session's digest."""

    one_liner: str
    what_mattered: list[str]
    open_loops: list[str]
    commitments: list[str]
    people: list[str]
    tone: str


class SessionSummaryShape(BaseModel):
    """One revision of a session's summary; a new one is written each time the session closes."""

    revision: int
    summary: DigestShape
    written_by: str
    session_at: str | None
    created_at: str


class SessionShape(BaseModel):
    """A period of activity between a user and a persona."""

    id: str
    persona_id: str | None
    startedAt: str
    lastActivityAt: str
    endedAt: str | None
    turnCount: int
    summary: DigestShape | None
    #: The same summary, with its author and time.
    summarised: SessionSummaryShape | None


class SessionsShape(BaseModel):
    """Sessions, most recently started first."""

    sessions: list[SessionShape]
    next_cursor: str | None


class SessionChatShape(BaseModel):
    """A chat in a session, and its first message in that session."""

    chat_id: str
    title: str | None
    first_message_id: str
    message_count: int


class WholeSessionShape(SessionShape):
    """A session with its chats; with `revisions=true`, also every revision of its summary, oldest first."""

    chats: list[SessionChatShape]
    revisions: list[SessionSummaryShape] = []


class CuratorStateShape(BaseModel):
    """The time of the last consolidation, and the number of memories then."""

    lastRunAt: str | None
    lastMemoryCountAtRun: int


class RollingErrorShape(BaseModel):
    """Why the last rolling summary could not be written."""

    reason: str
    detail: str


class InnerStateShape(BaseModel):
    """Counters and the user's last message."""

    messageCount: int
    lastInteraction: str | None
    lastUserMessage: str
    curator: CuratorStateShape
    lastRollingAttemptAt: str | None
    lastRollingSuccessAt: str | None
    lastRollingError: RollingErrorShape | None
    lastUserMessageId: str | None


class RollingSummaryShape(BaseModel):
    """One revision of a persona's rolling summary."""

    persona_id: str | None
    revision: int
    summary: str
    from_message_at: str
    until_message_at: str
    written_by: str
    created_at: str


class StateShape(BaseModel):
    """Counters, last message and rolling summary for a user and a persona, and the user's personas."""

    state: InnerStateShape
    rollingSummary: str
    persona_id: str | None
    rolling: RollingSummaryShape | None
    #: Every persona that the user has talked to.
    personas: list[str]
    #: With `revisions=true`, every revision of the rolling summary, oldest first.
    revisions: list[RollingSummaryShape] = []


class SpineContentShape(BaseModel):
    """Four short texts, one statement per line."""

    PROFILE: str
    PROJECTS: str
    PEOPLE: str
    OPEN_LOOPS: str


class SpineShape(BaseModel):
    """One version of the long view of a user; until the first is written, an empty version 0."""

    version: int
    content: SpineContentShape
    messageCount: int
    created_at: str | None
    #: The summariser that wrote it.
    written_by: str


class SpineRevisionsShape(SpineShape):
    """A spine; with `revisions=true`, also every version, oldest first."""

    revisions: list[SpineShape] = []


_DIGEST = {
    "one_liner": "Brief session description",
    "what_mattered": ["key topic 1", "key topic 2"],
    "open_loops": ["unresolved item"],
    "commitments": ["promised action"],
    "people": ["mentioned people"],
    "tone": "emotional quality",
}
_REVISION = {
    "revision": 1,
    "summary": _DIGEST,
    "written_by": "offline",
    "session_at": None,
    "created_at": "2025-10-28T11:28:02.000Z",
}
_SESSION = {
    "id": "1761647445123-8c11d0aa",
    "persona_id": "coach",
    "startedAt": "2025-10-28T10:30:45.123Z",
    "lastActivityAt": "2025-10-28T10:58:02.000Z",
    "endedAt": "2025-10-28T11:28:02.000Z",
    "turnCount": 12,
    "summary": _DIGEST,
    "summarised": _REVISION,
}
_SESSION_CHAT = {
    "chat_id": "session-456",
    "title": "Walking",
    "first_message_id": "1761647445123-3f9a2c41",
    "message_count": 24,
}
_ROLLING = {
    "persona_id": "coach",
    "revision": 12,
    "summary": "The user wants to walk every day and has begun with short rounds.",
    "from_message_at": "2025-10-28T10:30:45.123Z",
    "until_message_at": "2025-10-28T10:58:02.000Z",
    "written_by": "offline",
    "created_at": "2025-10-28T10:58:03.000Z",
}
_STATE: dict[str, Any] = {
    "state": {
        "messageCount": 48,
        "lastInteraction": "2025-10-28T10:58:02.000Z",
        "lastUserMessage": "I'll go for a walk tomorrow",
        "curator": {"lastRunAt": None, "lastMemoryCountAtRun": 0},
        "lastRollingAttemptAt": "2025-10-28T10:58:03.000Z",
        "lastRollingSuccessAt": "2025-10-28T10:58:03.000Z",
        "lastRollingError": None,
        "lastUserMessageId": "1761649082000-3f9a2c41",
    },
    "rollingSummary": _ROLLING["summary"],
    "persona_id": "coach",
    "rolling": _ROLLING,
    "personas": ["coach"],
}
_SPINE = {
    "version": 3,
    "content": {
        "PROFILE": "Lives in Austin, Texas",
        "PROJECTS": "Dashboard redesign, beta next month",
        "PEOPLE": "John, cofounder, backend",
        "OPEN_LOOPS": "Walk every day",
    },
    "messageCount": 20,
    "created_at": "2025-10-28T10:58:03.000Z",
    "written_by": "offline",
}


@router.get(
    "/v1/sessions",
    response_model=SessionsShape,
    responses=problems() | example({"sessions": [_SESSION], "next_cursor": None}),
)
async def list_sessions(
    caller: Reader, memory: TheMemory, persona: Persona = None, limit: Limit = 50, cursor: Cursor = None
) -> Json:
    """List sessions with their summaries, most recently started first."""
    return page(
        "sessions", await memory.sessions(user=caller.user, persona=persona, limit=limit, cursor=cursor)
    )


@router.get(
    "/v1/sessions/{session_id}",
    response_model=WholeSessionShape,
    responses=problems(404) | example(_SESSION | {"chats": [_SESSION_CHAT], "revisions": [_REVISION]}),
)
async def get_session(
    session_id: Annotated[str, Path(description="The session's ID.")],
    caller: Reader,
    memory: TheMemory,
    revisions: Revisions = False,
) -> Json:
    """Show one session with its chats."""
    (past,) = await memory.sessions(user=caller.user, session=session_id, revisions=revisions)
    shown = {**past.to_dict(), "chats": [chat.to_dict() for chat in past.chats]}
    return with_revisions(shown, past.summaries, revisions)


@router.get("/v1/state", response_model=StateShape, responses=problems() | example(_STATE))
async def get_state(
    caller: Reader, memory: TheMemory, persona: WithWhom = None, revisions: Revisions = False
) -> Json:
    """Show the state for a user and a persona: counters, last message and rolling summary; empty before the first message."""
    state = await memory.state(user=caller.user, persona=persona, revisions=revisions)
    return with_revisions(state.to_dict(), state.rolling_summaries, revisions)


@router.get("/v1/spine", response_model=SpineRevisionsShape, responses=problems(404) | example(_SPINE))
async def get_spine(
    caller: Reader,
    memory: TheMemory,
    version: Annotated[int | None, Query(description="An older version; default: the newest.")] = None,
    revisions: Revisions = False,
) -> Json:
    """Show the long view of a user across all chats; until the first is written, it is empty, with version 0."""
    spine = await memory.spine(user=caller.user, version=version, revisions=revisions)
    if spine is None:
        return with_revisions(no_spine(), (), revisions)
    return with_revisions(spine.to_dict(), spine.revisions, revisions)
