"""The store as a whole, for whoever runs it: who is in it, where it is, how large."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from recollect.records.cursor import cursor as cursor_at
from recollect.records.cursor import place
from recollect.server.answer import Json, example, problems
from recollect.server.caller import Operator
from recollect.server.paging import LARGEST_PAGE, Cursor, Limit, more, wanted
from recollect.server.served import TheMemory

router = APIRouter(tags=["store"])


class UsersShape(BaseModel):
    """The ids of users, in their order."""

    users: list[str]
    next_cursor: str | None


class InfoShape(BaseModel):
    """A store in numbers, and how many users each embedding model serves."""

    database: str
    size_bytes: int
    #: The number of its newest migration.
    schema_version: int = Field(alias="schema")
    models: dict[str, int]
    users: int


@router.get(
    "/v1/users",
    response_model=UsersShape,
    responses=problems() | example({"users": ["alice@example.com"], "next_cursor": None}),
)
async def list_users(
    caller: Operator, memory: TheMemory, limit: Limit = LARGEST_PAGE, cursor: Cursor = None
) -> Json:
    """Everybody who has a memory here."""
    (after,) = place(cursor, (str,)) or ("",)
    found = await memory.users(limit=wanted(limit), after=after)
    shown = found[:limit]
    following = cursor_at(shown[-1]) if more(len(found), limit) else None
    return Json({"users": shown, "next_cursor": following})


@router.get(
    "/v1/info",
    response_model=InfoShape,
    responses=problems()
    | example(
        {
            "database": "recollect.db",
            "size_bytes": 4_194_304,
            "schema": 10,
            "models": {"all-MiniLM-L6-v2": 3},
            "users": 3,
        }
    ),
)
async def get_info(caller: Operator, memory: TheMemory) -> Json:
    """Where the store is, how large, and which models serve how many users."""
    return Json((await memory.info()).to_dict())
