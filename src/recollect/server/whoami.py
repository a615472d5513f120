"""Who am I: what the service made of the token that a request shows. The console asks it first, and so may any client."""

from fastapi import APIRouter
from pydantic import BaseModel

from recollect import __version__
from recollect.server.answer import Json, example, problems
from recollect.server.caller import Known

router = APIRouter(tags=["sessions of users"])


class WhoamiShape(BaseModel):
    """The caller; `user_id` is null for a service key that named nobody in `X-User-Id`."""

    user_id: str | None
    scopes: list[str]
    #: Let in without a token, in local mode.
    local: bool
    version: str


@router.get(
    "/v1/whoami",
    response_model=WhoamiShape,
    responses=problems()
    | example(
        {"user_id": "alice@example.com", "scopes": ["read", "write"], "local": False, "version": "0.1.0"}
    ),
)
async def get_whoami(caller: Known) -> Json:
    """Say whose memory a token opens and what it may do there; 401 for one that is not valid."""
    return Json(
        {
            "user_id": caller.user_id,
            "scopes": sorted(caller.scopes),
            "local": caller.local,
            "version": __version__,
        }
    )
