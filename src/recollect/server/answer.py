"""How an answer leaves: JSON in UTF-8, written by orjson, and how it is described in OpenAPI.

Endpoints return `Json` themselves: FastAPI's way over a response model would check and copy every record again. A route's
`response_model` only describes its answer in OpenAPI, and the tests check every answer against that description.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

import orjson
from pydantic import BaseModel
from starlette.responses import Response


class Json(Response):
    """A JSON answer."""

    media_type = "application/json"

    def __init__(
        self, content: object, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(content, status_code, headers)

    def render(self, content: object) -> bytes:
        return orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)


class ErrorShape(BaseModel):
    """What is wrong, in one sentence."""

    error: str


class DoneShape(BaseModel):
    """It is done, and there is nothing more to say."""

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
    """OpenAPI's `responses` of a route: the errors of its own (404, 409, …) and those that any request may meet."""
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
