"""What an error is over HTTP: the one table from error to status, and the one shape of a body that says what is wrong.

Errors of the engine know nothing of HTTP. What only HTTP can do wrong (no token, too many requests, a body that is too
large) is a `Problem`. What nobody foresaw becomes a 500 with an id; the trace is in the log under that id, never in the answer.
"""

import logging
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.adapters.rest.answer import Json
from recollect.errors import (
    Conflict,
    InvalidInput,
    ModelError,
    NotFound,
    RecollectError,
    StoreError,
)

log = logging.getLogger(__name__)

#: The first that fits counts: special errors stand before general ones.
BY_ERROR: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInput, 400),
    (NotFound, 404),
    (Conflict, 409),
    (StoreError, 503),
    (ModelError, 502),
    (RecollectError, 500),
)

#: How a wrong type is named, by pydantic's word for it.
_MUST_BE: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


class Problem(Exception):
    """Something that only HTTP can do wrong."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def unauthenticated(message: str = "Authentication required") -> Problem:
    """401: nobody known is asking."""
    return Problem(401, message, {"WWW-Authenticate": "Bearer"})


def forbidden(message: str) -> Problem:
    """403: known, but not theirs to do."""
    return Problem(403, message)


def too_many(seconds: int) -> Problem:
    """429: come back later."""
    return Problem(429, f"Too many requests. Try again in {seconds} s.", {"Retry-After": str(seconds)})


def status_of(error: RecollectError) -> int:
    """The status of an error."""
    return next(status for kind, status in BY_ERROR if isinstance(error, kind))


def validation_sentence(errors: Iterable[Mapping[str, Any]]) -> str:
    """The first thing that is wrong with a request, in a sentence that names the field."""
    error = next(iter(errors))
    place: tuple[object, ...] = tuple(error.get("loc", ()))[1:]
    field = ".".join(str(part) for part in place) or "body"
    kind = str(error.get("type", ""))
    if kind == "missing":
        return f"{field} required"
    if kind == "extra_forbidden":
        return f"{field} is no field of this request; remove it."
    if kind == "json_invalid":
        return "The body is not valid JSON."
    if kind in _MUST_BE:
        return f"{field} must be {_MUST_BE[kind]}."
    return f"{field}: {error.get('msg', 'is not valid')}."


def install(app: FastAPI) -> None:
    """Let every error of this application end as `{"error": "…"}`."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RecollectError, _foreseen)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unforeseen)


async def _problem(request: Request, error: Exception) -> Response:
    problem = cast("Problem", error)
    return Json({"error": problem.message}, problem.status, problem.headers)


async def _foreseen(request: Request, error: Exception) -> Response:
    known = cast("RecollectError", error)
    return Json({"error": known.message}, status_of(known))


async def _invalid(request: Request, error: Exception) -> Response:
    invalid = cast("RequestValidationError", error)
    return Json({"error": validation_sentence(invalid.errors())}, 400)


async def _http(request: Request, error: Exception) -> Response:
    """Starlette's own: no such route, no such method."""
    known = cast("HTTPException", error)
    sentences = {
        404: f"There is no {request.url.path} here; /docs lists what there is.",
        405: f"{request.method} is not possible at {request.url.path}; /docs lists what is.",
        400: "The body is not valid JSON.",
    }
    message = sentences.get(known.status_code, str(known.detail))
    return Json({"error": message}, known.status_code, dict(known.headers or {}))


async def _unforeseen(request: Request, error: Exception) -> Response:
    incident = secrets.token_hex(6)
    log.error(
        "http.failed incident=%s method=%s path=%s",
        incident,
        request.method,
        request.url.path,
        exc_info=error,
    )
    return Json({"error": f"Something went wrong here. The log tells more under {incident}."}, 500)
