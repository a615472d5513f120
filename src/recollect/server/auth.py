"""Sessions: a service makes a token with which one of its users enters, and ends it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect.errors import InvalidInput
from recollect.records.cursor import place
from recollect.records.token import TokenKind
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import READ, WRITE, Caller, Known, Operator
from recollect.server.errors import forbidden
from recollect.server.paging import Cursor, Limit, page, wanted
from recollect.server.served import TheMemory

router = APIRouter(tags=["sessions of users"])

_SESSION = {
    "id": "5f0c2d9be1a74c36",
    "kind": "session",
    "user_id": "alice@example.com",
    "scopes": ["read", "write"],
    "label": "phone",
    "created_at": "2026-01-28T10:30:45.000Z",
    "expires_at": "2026-01-28T11:30:45.000Z",
    "revoked_at": None,
}


class NewSession(Body):
    """Who may enter, for how long, to do what."""

    user_id: str
    ttl_seconds: int | None = None
    scopes: list[str] | None = None
    label: str = ""


class StartedSessionShape(BaseModel):
    """A session that was just made; its token is shown here and never again."""

    session_token: str
    user_id: str
    expires_at: str
    session_id: str
    scopes: list[str]
    label: str
    created_at: str


class TokenShape(BaseModel):
    """A session, without its secret."""

    id: str
    kind: str
    user_id: str | None
    scopes: list[str]
    label: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class TokensShape(BaseModel):
    """Sessions, newest first."""

    sessions: list[TokenShape]
    next_cursor: str | None


class DoneShape(BaseModel):
    """It is done."""

    success: bool


@router.post(
    "/auth/sessions",
    status_code=201,
    response_model=StartedSessionShape,
    responses=problems()
    | example(
        {
            "session_token": "rs_5f0c2d9be1a74c36_…",
            "user_id": "alice@example.com",
            "expires_at": "2026-01-28T11:30:45.000Z",
            "session_id": "5f0c2d9be1a74c36",
            "scopes": ["read", "write"],
            "label": "phone",
            "created_at": "2026-01-28T10:30:45.000Z",
        },
        201,
    ),
)
async def start_session(body: NewSession, caller: Operator, memory: TheMemory) -> Json:
    """Make a token with which one user enters; it may do no more than the key that makes it."""
    _check_reach(caller, body.user_id)
    made = await memory.create_token(
        user=body.user_id,
        scopes=_scopes(caller, body.scopes),
        ttl_seconds=body.ttl_seconds,
        label=body.label,
    )
    known = made.token.to_dict()
    shown = {name: known[name] for name in ("user_id", "expires_at", "scopes", "label", "created_at")}
    return Json({"session_token": made.text, "session_id": known["id"], **shown}, 201)


@router.get(
    "/auth/sessions",
    response_model=TokensShape,
    responses=problems() | example({"sessions": [_SESSION], "next_cursor": None}),
)
async def list_sessions(
    caller: Operator,
    memory: TheMemory,
    user_id: Annotated[str | None, Query(description="Only sessions of this user.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Json:
    """List sessions, newest first; those that ended more than a day ago are gone."""
    rows = await memory.tokens(
        user=user_id, kind=TokenKind.SESSION, limit=wanted(limit), before=place(cursor, (str, str))
    )
    return Json(page("sessions", rows, limit, lambda token: token.cursor))


@router.delete("/auth/sessions", response_model=DoneShape, responses=problems() | example({"success": True}))
async def end_own_session(caller: Known, memory: TheMemory) -> Json:
    """Revoke the token that this request shows."""
    if caller.token_id is None:
        raise InvalidInput(
            "There is no token to revoke: this request shows none, or the key of the service's settings."
        )
    await memory.revoke_token(caller.token_id)
    return Json({"success": True})


@router.delete(
    "/auth/sessions/{session_id}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def end_session(
    session_id: Annotated[str, Path(description="The session.")], caller: Operator, memory: TheMemory
) -> Json:
    """Revoke another's token by its id."""
    await memory.revoke_token(session_id)
    return Json({"success": True})


def _check_reach(caller: Caller, user_id: str) -> None:
    """Local mode knows one user; a session of another would outlive it."""
    if caller.local and user_id != caller.user_id:
        raise forbidden(
            f"Without a service key there are sessions of the user {caller.user_id!r} only."
            " `recollect token create --service` makes a key."
        )


def _scopes(caller: Caller, asked: list[str] | None) -> list[str]:
    """What the session may do: what was asked for, or else all that the key itself may do for a user."""
    own = [scope.value for scope in (READ, WRITE) if scope in caller.scopes]
    beyond = [scope for scope in asked or () if scope in (READ, WRITE) and scope not in own]
    if beyond:
        raise forbidden(f"This key may not {beyond[0]}, so a session that it makes may not either.")
    return own if asked is None else asked
