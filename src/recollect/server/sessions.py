"""Sessions, the state with a persona, rolling summaries, and the spine: what is made of conversations over time (S4).

A session here is S4's: a stretch of activity. What S0 calls a session is a chat.
"""

# ruff: noqa: N815 (the names in the shapes are S4's)

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect.records.cursor import place
from recollect.records.spine import no_spine
from recollect.server.answer import Json, example, problems
from recollect.server.caller import Reader
from recollect.server.chats import Persona
from recollect.server.paging import Cursor, Limit, page, wanted
from recollect.server.served import TheMemory

router = APIRouter(tags=["sessions"])

WithWhom = Annotated[
    str | None, Query(alias="persona_id", description="With which persona; without one, with none.")
]


class DigestShape(BaseModel):
    """What a session was about."""

    one_liner: str
    what_mattered: list[str]
    open_loops: list[str]
    commitments: list[str]
    people: list[str]
    tone: str


class SessionSummaryShape(BaseModel):
    """One revision of a session's summary; each close writes one."""

    revision: int
    summary: DigestShape
    written_by: str
    session_at: str | None
    created_at: str


class SessionShape(BaseModel):
    """A stretch of activity of a user with a persona."""

    id: str
    persona_id: str | None
    startedAt: str
    lastActivityAt: str
    endedAt: str | None
    turnCount: int
    summary: DigestShape | None
    #: The same, with who wrote it and when.
    summarised: SessionSummaryShape | None


class SessionsShape(BaseModel):
    """Sessions, last begun first."""

    sessions: list[SessionShape]
    next_cursor: str | None


class SessionChatShape(BaseModel):
    """A chat in which a session was talked, and the message in it that came first."""

    chat_id: str
    title: str | None
    first_message_id: str
    message_count: int


class WholeSessionShape(SessionShape):
    """A session with the chats that it was talked in, and every revision of its summary, oldest first."""

    chats: list[SessionChatShape]
    summaries: list[SessionSummaryShape]


class CuratorStateShape(BaseModel):
    """When memories were last tidied, and how many there were."""

    lastRunAt: str | None
    lastMemoryCountAtRun: int


class RollingErrorShape(BaseModel):
    """Why the last rolling summary could not be written."""

    reason: str
    detail: str


class InnerStateShape(BaseModel):
    """Counters and last words."""

    messageCount: int
    lastInteraction: str | None
    lastUserMessage: str
    curator: CuratorStateShape
    lastRollingAttemptAt: str | None
    lastRollingSuccessAt: str | None
    lastRollingError: RollingErrorShape | None
    lastUserMessageId: str | None


class RollingSummaryShape(BaseModel):
    """One revision of the rolling summary with a persona."""

    persona_id: str | None
    revision: int
    summary: str
    from_message_at: str
    until_message_at: str
    written_by: str
    created_at: str


class StateShape(BaseModel):
    """How a user stands with a persona: counters and last words, then whose it is and the whole rolling summary."""

    state: InnerStateShape
    rollingSummary: str
    persona_id: str | None
    rolling: RollingSummaryShape | None


class SpineContentShape(BaseModel):
    """Four short texts, one statement a line."""

    PROFILE: str
    PROJECTS: str
    PEOPLE: str
    OPEN_LOOPS: str


class SpineShape(BaseModel):
    """One version of the long view of a user; version 0 is empty: there is none yet."""

    version: int
    content: SpineContentShape
    messageCount: int
    created_at: str | None
    #: Which summariser wrote it.
    written_by: str


class SpinesShape(BaseModel):
    """Every version, oldest first."""

    spines: list[SpineShape]


class PersonasShape(BaseModel):
    """Names of personas."""

    personas: list[str]


class RollingSummariesShape(BaseModel):
    """Every revision, oldest first."""

    summaries: list[RollingSummaryShape]


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
    """Stretches of activity with their summaries, last begun first."""
    rows = await memory.sessions(
        user=caller.user, persona=persona, limit=wanted(limit), before=place(cursor, (str, str))
    )
    return Json(page("sessions", rows, limit, lambda past: past.cursor))


@router.get(
    "/v1/sessions/{session_id}",
    response_model=WholeSessionShape,
    responses=problems(404) | example(_SESSION | {"chats": [_SESSION_CHAT], "summaries": [_REVISION]}),
)
async def get_session(
    session_id: Annotated[str, Path(description="The session.")], caller: Reader, memory: TheMemory
) -> Json:
    """One session with the chats that it was talked in, and every revision of its summary, oldest first."""
    past = await memory.session(session_id, user=caller.user)
    every = await memory.session_summaries(session_id, user=caller.user)
    return Json(
        {
            **past.to_dict(),
            "chats": [chat.to_dict() for chat in past.chats],
            "summaries": [summary.to_dict() for summary in every],
        }
    )


@router.get("/v1/state", response_model=StateShape, responses=problems() | example(_STATE))
async def get_state(caller: Reader, memory: TheMemory, persona: WithWhom = None) -> Json:
    """How a user stands with a persona: counters, last words, the rolling summary; empty before the first word."""
    return Json((await memory.state(user=caller.user, persona=persona)).to_dict())


@router.get(
    "/v1/personas", response_model=PersonasShape, responses=problems() | example({"personas": ["coach"]})
)
async def list_personas(caller: Reader, memory: TheMemory) -> Json:
    """The personas that a user has talked with."""
    return Json({"personas": await memory.personas(user=caller.user)})


@router.get(
    "/v1/rolling-summaries",
    response_model=RollingSummariesShape,
    responses=problems() | example({"summaries": [_ROLLING]}),
)
async def list_rolling_summaries(caller: Reader, memory: TheMemory, persona: WithWhom = None) -> Json:
    """Every revision of the rolling summary with a persona, oldest first."""
    found = await memory.rolling_summaries(user=caller.user, persona=persona)
    return Json({"summaries": [summary.to_dict() for summary in found]})


@router.get("/v1/spine", response_model=SpineShape, responses=problems(404) | example(_SPINE))
async def get_spine(
    caller: Reader,
    memory: TheMemory,
    version: Annotated[int | None, Query(description="An older version; the newest without it.")] = None,
) -> Json:
    """The long view of a user over all chats; empty, with version 0, before there is any."""
    spine = await memory.spine(version, user=caller.user)
    return Json(spine.to_dict() if spine else no_spine())


@router.get("/v1/spines", response_model=SpinesShape, responses=problems() | example({"spines": [_SPINE]}))
async def list_spines(caller: Reader, memory: TheMemory) -> Json:
    """Every version of the spine, oldest first."""
    return Json({"spines": [spine.to_dict() for spine in await memory.spines(user=caller.user)]})
