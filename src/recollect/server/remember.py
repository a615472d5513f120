"""Storing memories: `POST /memories` and many at once.

Both answer in S2's shapes, also when they refuse: whoever calls for a model hands the answer on as it is. So what
FastAPI says of a malformed body is put into that shape here, and nowhere else.
"""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.engine.remember import Refused, Remembered
from recollect.errors import InvalidInput
from recollect.rules import draft
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Writer
from recollect.server.errors import marks, misspelled
from recollect.server.served import TheMemory

#: RFC 7240: whoever prefers it gets the memories themselves beside S2's shapes, which are for models.
Prefer = Annotated[
    str, Header(description="`return=representation`: answer with the memories themselves, too.")
]
#: Statements of one request.
_MOST = 1000


class _Route(APIRoute):
    """A route that refuses in S2's shape."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except RequestValidationError as error:
                refused = misspelled(error)
            except HTTPException as error:
                if error.status_code != 400:
                    raise
                refused = InvalidInput("The body is not valid JSON.")
            except InvalidInput as error:
                refused = error
            return Json(Refused(error=refused).to_dict(), 400, marks(refused))

        return answered


router = APIRouter(tags=["memories"], route_class=_Route)


class Statement(Body):
    """A fact about the user. What is not given is found by rules."""

    content: str = Field(description="10-500 characters; the first person is rewritten to the third.")
    category: str | None = Field(
        default=None,
        description="identity, preference, relationship, project, skill, fact or context.",
    )
    importance: float | None = Field(default=None, description="0-10.")
    tags: list[str] = Field(default=[], description="Words to filter by.")
    reasoning: str | None = Field(
        default=None, description="Why it is worth remembering, in 10-200 characters."
    )
    persona_id: str | None = Field(default=None, description="Keeps it from other personas.")
    pinned: bool = Field(default=False, description="Enters every context.")
    entity_refs: list[str] = Field(default=[], description="Whom it is about: `person:john_doe`.")
    entity_label: str | None = Field(default=None, description="How the first of them is written.")
    subtype: dict[str, Any] | None = Field(default=None, description="`entityType` and `factType`.")
    source_message_ids: list[str] = Field(default=[], description="The messages that say so.")
    type: str | None = Field(default=None, description="PROFILE, PEOPLE or PROJECT.")
    attribute: str | None = Field(
        default=None, description="What it is about, where a subject has several of the kind: `editor`."
    )
    source: str = Field(default="manual", description="The way it came: manual, tool, import, …")
    origin: str = Field(default="user", description="Who said it: user, assistant, tool, system, import.")
    source_context: str | None = Field(default=None, description="The words that it was taken from.")
    confidence: float = Field(default=1.0, description="0-1.")

    def request(self) -> draft.Request:
        """What the engine is asked."""
        return draft.Request(**{name: getattr(self, name) for name in Statement.model_fields})


class NewMemory(Statement):
    """A fact, and who asks to store it."""

    by: str = Field(default="user", description="Who asks to store it; the history says so.")


class NewMemories(Body):
    """Facts, and who asks to store them."""

    memories: Annotated[list[Statement], Field(max_length=_MOST)]
    by: str = Field(default="user", description="Who asks to store them; the history says so.")


class SavedShape(BaseModel):
    """It is stored: as something new, or as the new value of a known fact."""

    success: bool
    message: str
    memoryId: str  # noqa: N815 (S2)
    content: str
    category: str


class DuplicateShape(BaseModel):
    """It was known already."""

    success: bool
    duplicate: bool
    message: str
    existingContent: str  # noqa: N815 (S2)
    memoryId: str  # noqa: N815 (S2)


class RefusedShape(BaseModel):
    """It was not stored, and why."""

    success: bool = False
    error: str


class ResultsShape(BaseModel):
    """What became of each statement, in their order."""

    results: list[SavedShape | DuplicateShape | RefusedShape]


_SAVED = {
    "success": True,
    "message": "Memory saved successfully",
    "memoryId": "2026-01-28T10:30:45.123Z#a1b2c3d4",
    "content": "User prefers TypeScript over JavaScript",
    "category": "preference",
}
_DUPLICATE = {
    "success": False,
    "duplicate": True,
    "message": "Similar memory already exists",
    "existingContent": "User prefers TypeScript",
    "memoryId": "2026-01-28T10:30:45.123Z#a1b2c3d4",
}
_REFUSED = {"success": False, "error": "Content too short (minimum 10 characters)"}
_REFUSAL: dict[int | str, dict[str, Any]] = {
    400: {
        "model": RefusedShape,
        "description": "Not stored; the sentence says why.",
        "content": {"application/json": {"example": _REFUSED}},
    }
}
_KNOWN: dict[int | str, dict[str, Any]] = {
    200: {
        "model": DuplicateShape,
        "description": "It was known already; nothing new is stored.",
        "content": {"application/json": {"example": _DUPLICATE}},
    }
}


@router.post(
    "/memories",
    status_code=201,
    response_model=SavedShape,
    responses=problems(502, 504) | _REFUSAL | _KNOWN | example(_SAVED, 201),
)
async def remember(body: NewMemory, caller: Writer, memory: TheMemory, prefer: Prefer = "") -> Json:
    """Store a fact: new, known already, or the new value of a known one."""
    (result,) = await memory.remember_many([body.request()], user=caller.user, by=body.by)
    if isinstance(result, Refused):
        return Json(result.to_dict(), 400, marks(result.error))
    return Json(_told(result, prefer), 201 if result.stored else 200)


@router.post(
    "/memories/batch",
    response_model=ResultsShape,
    responses=problems(502, 504) | _REFUSAL | example({"results": [_SAVED, _DUPLICATE, _REFUSED]}),
)
async def remember_many(body: NewMemories, caller: Writer, memory: TheMemory, prefer: Prefer = "") -> Json:
    """Store up to a thousand facts in one transaction; each that cannot be stored says why."""
    results = await memory.remember_many(
        [statement.request() for statement in body.memories], user=caller.user, by=body.by
    )
    return Json({"results": [_told(result, prefer) for result in results]})


def _told(result: Remembered | Refused, prefer: str) -> dict[str, Any]:
    whole = "return=representation" in prefer.replace(" ", "").lower()
    return result.to_whole_dict() if whole else result.to_dict()
