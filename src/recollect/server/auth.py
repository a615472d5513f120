"""Sessions: a service creates, lists and revokes tokens for its users; `/me` shows who a token belongs to."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect import __version__
from recollect.api.arguments import LOCAL_USER
from recollect.errors import InvalidInput
from recollect.records.token import TokenKind
from recollect.server.caller import READ, WRITE, Caller, Known, Operator, TheAdmin
from recollect.server.errors import forbidden
from recollect.server.wire import Body, Cursor, DoneShape, Json, Limit, example, page, problems

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
    """The user, lifetime and scopes of a session."""

    user_id: str
    ttl_seconds: int | None = None
    scopes: list[str] | None = None
    label: str = ""


class StartedSessionShape(BaseModel):
    """A new session; its token is shown only once, here."""

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


class WhoamiShape(BaseModel):
    """The caller; `user_id` is null for a service key sent without `X-User-Id`."""

    user_id: str | None
    scopes: list[str]
    #: Whether the caller was let in without a token, in local mode.
    local: bool
    version: str


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
async def start_session(body: NewSession, caller: Operator, admin: TheAdmin) -> Json:
    """Create a token for one user; it cannot have more scopes than the key that creates it."""
    if caller.local and body.user_id != LOCAL_USER:
        # The token would outlive local mode.
        raise forbidden(
            f"Without a service key, you can create sessions only for the user {LOCAL_USER!r}; create a key with"
            " `recollect token create --service`."
        )
    made = await admin.create_token(
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
    admin: TheAdmin,
    user_id: Annotated[str | None, Query(description="List only this user's sessions.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Json:
    """List sessions, newest first; sessions that ended more than a day ago are not listed."""
    rows = await admin.tokens(user=user_id, kind=TokenKind.SESSION, limit=limit, cursor=cursor)
    return page("sessions", rows)


@router.delete("/auth/sessions", response_model=DoneShape, responses=problems() | example({"success": True}))
async def end_own_session(caller: Known, admin: TheAdmin) -> Json:
    """Revoke the token sent with this request."""
    if caller.token_id is None:
        raise InvalidInput(
            "There is no token to revoke: the request has no token, or uses the key from the service's settings."
        )
    await admin.revoke_token(caller.token_id)
    return Json({"success": True})


@router.delete(
    "/auth/sessions/{session_id}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def end_session(
    session_id: Annotated[str, Path(description="The session.")], caller: Operator, admin: TheAdmin
) -> Json:
    """Revoke another token by ID."""
    await admin.revoke_token(session_id)
    return Json({"success": True})


@router.get(
    "/v1/whoami",
    response_model=WhoamiShape,
    responses=problems()
    | example(
        {"user_id": "alice@example.com", "scopes": ["read", "write"], "local": False, "version": "0.1.0"}
    ),
)
async def get_whoami(caller: Known) -> Json:
    """Show a token's user and scopes; returns 401 for an invalid token."""
    return Json(
        {
            "user_id": caller.user_id,
            "scopes": sorted(caller.scopes),
            "local": caller.local,
            "version": __version__,
        }
    )


def _scopes(caller: Caller, asked: list[str] | None) -> list[str]:
    """A session's scopes: those requested, or by default all user scopes of the key."""
    own = [scope.value for scope in (READ, WRITE) if scope in caller.scopes]
    beyond = [scope for scope in asked or () if scope in (READ, WRITE) and scope not in own]
    if beyond:
        raise forbidden(
            f"This key lacks the scope {beyond[0]}, so its sessions cannot have it either; request fewer scopes."
        )
    return own if asked is None else asked
