"""The store as a whole, for whoever runs it: who is in it, where it is, how large."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from recollect.adapters.rest.answer import Json, example, problems
from recollect.adapters.rest.caller import Operator
from recollect.adapters.rest.served import TheMemory

router = APIRouter(tags=["store"])


class UsersShape(BaseModel):
    """The ids of users."""

    users: list[str]


class InfoShape(BaseModel):
    """A store in numbers, and how many users each embedding model serves."""

    database: str
    size_bytes: int
    #: The number of its newest migration.
    schema_version: int = Field(alias="schema")
    models: dict[str, int]
    users: int


@router.get(
    "/v1/users", response_model=UsersShape, responses=problems() | example({"users": ["alice@example.com"]})
)
async def list_users(caller: Operator, memory: TheMemory) -> Json:
    """Everybody who has a memory here."""
    return Json({"users": await memory.users()})


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
