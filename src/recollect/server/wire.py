"""What every route shares: how bodies are read, how answers and pages are written, and how OpenAPI describes them.

Endpoints return `Json` themselves: FastAPI's way over a response model would check and copy every record again. A route's
`response_model` only describes its answer in OpenAPI, and the tests check every answer against that description.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Final, Protocol, cast

import orjson
from fastapi import Query
from pydantic import AliasChoices, BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from recollect.records.cursor import MAX_PAGE, Page

#: Pydantic's name for an error that says what is wrong with an object, after its name.
SENTENCE_KIND: Final = "sentence"
#: Characters of an unknown name that an error repeats.
_NAMED: Final = 60


class Json(Response):
    """A JSON answer."""

    media_type = "application/json"

    def __init__(
        self, content: object, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(content, status_code, headers)

    def render(self, content: object) -> bytes:
        return orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)


def sentence(words: str, *, field: str) -> PydanticCustomError:
    """What a body's own check says of that body, and the field that it is about."""
    return PydanticCustomError(SENTENCE_KIND, "{words}", {"words": words, "field": field})


class Body(BaseModel):
    """A request body: exact types, no unknown fields. What the values must be, the engine says."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, given: Any) -> Any:
        """Name the field that was probably meant by an unknown one."""
        if isinstance(given, dict):
            known = [name for field in cls.model_fields.items() for name in _names(*field)]
            for name in cast("dict[str, Any]", given):
                if name not in known:
                    raise sentence(cls.unknown(name[:_NAMED], known), field=name)
        return cast("Any", given)

    @classmethod
    def unknown(cls, name: str, known: Sequence[str]) -> str:
        """What is said of a field that this body does not have."""
        near = get_close_matches(name, known, 1)
        return f"has no field {name!r}; " + (
            f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}."
        )


def _names(name: str, field: Any) -> list[str]:
    """How a field is spelled in JSON."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [str(choice) for choice in alias.choices]
    return [alias or name]


class ErrorShape(BaseModel):
    """What is wrong, in one sentence."""

    error: str


class DoneShape(BaseModel):
    """Done; there is nothing more to say."""

    success: bool


_ERRORS = {
    400: "Bad input; the sentence names the field.",
    401: "No token, or one that is not valid.",
    403: "Not yours to do.",
    404: "There is no such thing of this user.",
    409: "The change does not fit the present state.",
    413: "Too large.",
    429: "Too many requests; `Retry-After` says when.",
    500: "A bug; the log has more under the id in the sentence.",
    502: "The model failed.",
    503: "The database cannot serve.",
    504: "The model did not answer in time.",
}
#: What any request may be answered with.
_ALWAYS = (400, 401, 403, 413, 429, 500, 503)
#: Stands for null in an example while FastAPI describes the routes: it drops every null on its way.
_NULL: Final = "\x00null"


def problems(*own: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses` of a route: its own errors (404, 409, …) and those that any request may meet."""
    return {
        status: {"model": ErrorShape, "description": _ERRORS[status]} for status in sorted({*_ALWAYS, *own})
    }


def example(value: object, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses` entry that shows a good answer; joined with `problems` by `|`."""
    return {status: {"content": {"application/json": {"example": _replaced(value, None, _NULL)}}}}


def with_nulls(described: Any) -> Any:
    """A description whose examples show their nulls."""
    return _replaced(described, _NULL, None)


def _replaced(value: Any, old: object, new: object) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(item, old, new) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_replaced(item, old, new) for item in cast("list[Any]", value)]
    return new if value == old else value


Limit = Annotated[int, Query(description="How many.", ge=1, le=MAX_PAGE)]
Cursor = Annotated[
    str | None, Query(description="`next_cursor` of the previous page; the first page without it.")
]


def page(name: str, rows: Page[Any]) -> Json:
    """The answer to a list."""
    return Json({name: [row.to_dict() for row in rows], "next_cursor": rows.next_cursor})


class Shown(Protocol):
    """A record that has a shape on the wire."""

    def to_dict(self) -> dict[str, Any]: ...


def with_revisions(shown: dict[str, Any], revisions: Iterable[Shown], wanted: bool) -> Json:
    """The answer with one record, and its revisions if they are wanted."""
    return Json({**shown, "revisions": [one.to_dict() for one in revisions]} if wanted else shown)
