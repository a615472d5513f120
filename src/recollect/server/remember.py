"""Storing memories: `POST /memories`, one or a list.

Responses have S2's shapes, even for refusals, because code that calls this for a model passes the response on unchanged.
Therefore FastAPI's errors for malformed bodies are converted to that shape, only here.
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

#: RFC 7240: returns the memories themselves on request, because S2's shapes are for models.
Prefer = Annotated[str, Header(description="`return=representation`: also return the memories themselves.")]
#: Maximum memories in one request.
_MOST = 1000
#: Tags for the two forms of a body; error messages omit them.
_ONE, _MANY = "one", "many"


class _Route(APIRoute):
    """A route whose refusals have S2's shape."""

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
    """A fact about the user. Rules fill in omitted fields."""

    content: str = Field(description="10-500 characters; first person is rewritten to third.")
    category: str | None = Field(
        default=None,
        description="identity, preference, relationship, project, skill, fact or context.",
    )
    importance: float | None = Field(default=None, description="0-10.")
    tags: list[str] = Field(default=[], description="Words for filtering.")
    reasoning: str | None = Field(
        default=None, description="Why it is worth remembering, in 10-200 characters."
    )
    persona_id: str | None = Field(
        default=None, description="The only persona that may use it; default: all personas."
    )
    pinned: bool = Field(default=False, description="Whether to include it in every context.")
    entity_refs: list[str] = Field(
        default=[], description="The entities it is about, such as `person:john_doe`."
    )
    entity_label: str | None = Field(default=None, description="The first entity's name as written.")
    subtype: dict[str, Any] | None = Field(default=None, description="`entityType` and `factType`.")
    source_message_ids: list[str] = Field(default=[], description="IDs of the messages that state it.")
    type: str | None = Field(default=None, description="PROFILE, PEOPLE or PROJECT.")
    attribute: str | None = Field(
        default=None, description="Its topic, if a subject has several facts of this kind, such as `editor`."
    )
    source: str = Field(default="manual", description="How it was created: manual, tool, import, …")
    origin: str = Field(default="user", description="Who said it: user, assistant, tool, system, import.")
    source_context: str | None = Field(default=None, description="The text it was taken from.")
    confidence: float = Field(default=1.0, description="0-1.")

    def value(self) -> NewMemory:
        """The same memory as a Python value."""
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
    """Stored as a new fact, or as the new value of a known fact."""

    success: bool
    message: str
    memoryId: str  # noqa: N815 (S2)
    content: str
    category: str


class DuplicateShape(BaseModel):
    """Already known."""

    success: bool
    duplicate: bool
    message: str
    existingContent: str  # noqa: N815 (S2)
    memoryId: str  # noqa: N815 (S2)


class RefusedShape(BaseModel):
    """Not stored, with the reason."""

    success: bool = False
    error: str


class ResultsShape(BaseModel):
    """The result for each memory in a list, in the same order."""

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
        "description": "Not stored; the error says why.",
        "content": {"application/json": {"example": _REFUSED}},
    }
}
_KNOWN: dict[int | str, dict[str, Any]] = {
    200: {
        "model": DuplicateShape | ResultsShape,
        "description": "Already known, so nothing was stored; or the results for a list.",
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
    """Store a fact; it may be new, already known, or the new value of a known fact.

    A list stores up to a thousand facts in one transaction and returns a result for each, with the reason for each refusal.
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
    """The error, without the tag of the body's form."""
    found = [
        {**item, "loc": tuple(part for part in item["loc"] if part not in (_ONE, _MANY))}
        for item in error.errors()
    ]
    return RequestValidationError(found, body=error.body)
