"""Storing memories: `POST /memories`, one or a list.

It answers in S2's shapes, also when it refuses: code that calls it for a model hands the answer on as it is. So FastAPI's
errors about a malformed body are put into that shape here, and nowhere else.
"""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Discriminator, Field, Tag
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.api.arguments import NewMemory
from recollect.engine.remember import Refused, Remembered
from recollect.errors import InvalidInput
from recollect.server.caller import TheMemory, Writer
from recollect.server.errors import marks, misspelled
from recollect.server.wire import Body, Json, example, problems

#: RFC 7240: the memories themselves on request; S2's shapes are for models.
Prefer = Annotated[
    str, Header(description="`return=representation`: answer with the memories themselves, too.")
]
#: Memories in one request.
_MOST = 1000
#: How a body's two forms are told apart; no part of an error.
_ONE, _MANY = "one", "many"


class _Route(APIRoute):
    """A route that refuses in S2's shape."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except RequestValidationError as error:
                refused = misspelled(_untagged(error))
            except HTTPException as error:
                if error.status_code != 400:
                    raise
                refused = InvalidInput("The body is not valid JSON.")
            except InvalidInput as error:
                refused = error
            return Json(Refused(error=refused).to_dict(), 400, marks(refused))

        return answered


router = APIRouter(tags=["memories"], route_class=_Route)


class NewMemoryBody(Body):
    """A fact about the user. Rules find what is not given."""

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
        default=None, description="Its topic, where a subject has several of the kind: `editor`."
    )
    source: str = Field(default="manual", description="How it came: manual, tool, import, …")
    origin: str = Field(default="user", description="Who said it: user, assistant, tool, system, import.")
    source_context: str | None = Field(default=None, description="The words it was taken from.")
    confidence: float = Field(default=1.0, description="0-1.")

    def value(self) -> NewMemory:
        """The same as Python has it."""
        given = {name: getattr(self, name) for name in NewMemoryBody.model_fields}
        return NewMemory(
            given.pop("content"), persona=given.pop("persona_id"), reason=given.pop("reasoning"), **given
        )


def _form(given: object) -> str:
    return _MANY if isinstance(given, list) else _ONE


OneOrMany = Annotated[
    Annotated[NewMemoryBody, Tag(_ONE)] | Annotated[list[NewMemoryBody], Field(max_length=_MOST), Tag(_MANY)],
    Discriminator(_form),
]


class SavedShape(BaseModel):
    """Stored: as something new, or as the new value of a known fact."""

    success: bool
    message: str
    memoryId: str  # noqa: N815 (S2)
    content: str
    category: str


class DuplicateShape(BaseModel):
    """Known already."""

    success: bool
    duplicate: bool
    message: str
    existingContent: str  # noqa: N815 (S2)
    memoryId: str  # noqa: N815 (S2)


class RefusedShape(BaseModel):
    """Not stored, and why."""

    success: bool = False
    error: str


class ResultsShape(BaseModel):
    """The result for each memory of a list, in its order."""

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
        "model": DuplicateShape | ResultsShape,
        "description": "Known already, so that nothing new is stored; or the results of a list.",
        "content": {"application/json": {"example": _DUPLICATE}},
    }
}


@router.post(
    "/memories",
    status_code=201,
    response_model=SavedShape,
    responses=problems(502, 504) | _REFUSAL | _KNOWN | example(_SAVED, 201),
)
async def add_memories(body: OneOrMany, caller: Writer, memory: TheMemory, prefer: Prefer = "") -> Json:
    """Store a fact: new, known already, or the new value of a known one.

    A list stores up to a thousand in one transaction and answers with their results; each that is refused says why.
    """
    many = isinstance(body, list)
    results = await memory.add_many([item.value() for item in (body if many else [body])], user=caller.user)
    shown = [_shown(result, prefer) for result in results]
    if many:
        return Json({"results": shown})
    (result,) = results
    if isinstance(result, Refused):
        return Json(shown[0], 400, marks(result.error))
    return Json(shown[0], 201 if result.stored else 200)


def _shown(result: Remembered | Refused, prefer: str) -> dict[str, Any]:
    whole = "return=representation" in prefer.replace(" ", "").lower()
    return result.to_whole_dict() if whole else result.to_dict()


def _untagged(error: RequestValidationError) -> RequestValidationError:
    """An error that does not mention which of the two forms the body has."""
    found = [
        {**item, "loc": tuple(part for part in item["loc"] if part not in (_ONE, _MANY))}
        for item in error.errors()
    ]
    return RequestValidationError(found, body=error.body)
