"""Code shared by all routes: reading bodies, writing responses and pages, and describing them in OpenAPI.

Endpoints return `Json` directly, because FastAPI's response models would check and copy every record again. A route's
`response_model` only describes its response in OpenAPI; the tests check every response against that description.
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

#: The pydantic error type for errors whose text follows an object's name.
SENTENCE_KIND: Final = "sentence"
#: Maximum characters of an unknown name repeated in an error.
_NAMED: Final = 60


class Json(Response):
    """A JSON response."""

    media_type = "application/json"

    def __init__(
        self, content: object, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(content, status_code, headers)

    def render(self, content: object) -> bytes:
        return orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)


def sentence(words: str, *, field: str) -> PydanticCustomError:
    """An error from a body's own check, and the field concerned."""
    return PydanticCustomError(SENTENCE_KIND, "{words}", {"words": words, "field": field})


class Body(BaseModel):
    """A request body: exact types, no unknown fields. The engine checks the values."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, given: Any) -> Any:
        """Suggest the field that an unknown field was probably meant to be."""
        if isinstance(given, dict):
            known = [name for field in cls.model_fields.items() for name in _names(*field)]
            for name in cast("dict[str, Any]", given):
                if name not in known:
                    raise sentence(cls.unknown(name[:_NAMED], known), field=name)
        return cast("Any", given)

    @classmethod
    def unknown(cls, name: str, known: Sequence[str]) -> str:
        """The error text for an unknown field."""
        near = get_close_matches(name, known, 1)
        return f"has no field {name!r}; " + (
            f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}."
        )


def _names(name: str, field: Any) -> list[str]:
    """A field's name in JSON."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [str(choice) for choice in alias.choices]
    return [alias or name]


class ErrorShape(BaseModel):
    """An error, in one sentence."""

    error: str


class DoneShape(BaseModel):
    """Success, without further data."""

    success: bool


_ERRORS = {
    400: "Invalid input; the error names the field.",
    401: "Missing or invalid token.",
    403: "Not allowed.",
    404: "Not found for this user.",
    409: "The change conflicts with the current state.",
    413: "Too large.",
    429: "Too many requests; retry after the seconds in `Retry-After`.",
    500: "Internal error; find the details in the log under the ID in the error.",
    502: "The model failed.",
    503: "The database is unavailable.",
    504: "The model did not answer in time.",
}
#: Errors that any request may get.
_ALWAYS = (400, 401, 403, 413, 429, 500, 503)
#: A placeholder for null in examples, because FastAPI drops nulls when it describes the routes.
_NULL: Final = "\x00null"


def problems(*own: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses` for a route: its own errors (404, 409, …) and those that any request may get."""
    return {
        status: {"model": ErrorShape, "description": _ERRORS[status]} for status in sorted({*_ALWAYS, *own})
    }


def example(value: object, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses` entry for a successful response; combine it with `problems` using `|`."""
    return {status: {"content": {"application/json": {"example": _replaced(value, None, _NULL)}}}}


def with_nulls(described: Any) -> Any:
    """The description with nulls restored in its examples."""
    return _replaced(described, _NULL, None)


def _replaced(value: Any, old: object, new: object) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(item, old, new) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_replaced(item, old, new) for item in cast("list[Any]", value)]
    return new if value == old else value


Limit = Annotated[int, Query(description="Maximum number of results per page.", ge=1, le=MAX_PAGE)]
Cursor = Annotated[
    str | None, Query(description="`next_cursor` from the previous page; omit it for the first page.")
]


def page(name: str, rows: Page[Any]) -> Json:
    """The response for a list."""
    return Json({name: [row.to_dict() for row in rows], "next_cursor": rows.next_cursor})


class Shown(Protocol):
    """A record that has a shape on the wire."""

    def to_dict(self) -> dict[str, Any]: ...


def with_revisions(shown: dict[str, Any], revisions: Iterable[Shown], wanted: bool) -> Json:
    """The response with one record, and its revisions if requested."""
    return Json({**shown, "revisions": [one.to_dict() for one in revisions]} if wanted else shown)
