"""Errors over HTTP: the table that maps errors to statuses, and the shape of error bodies.

The engine's errors are independent of HTTP. Errors that only HTTP can have (no token, too many requests, a body that is too
large) are a `Problem`. An unexpected error becomes a 500 with an ID; the traceback is logged under it, never returned.
"""

import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.api.hosting import public_message
from recollect.errors import (
    Conflict,
    InvalidInput,
    ModelError,
    NotFound,
    RecollectError,
    StoreError,
)
from recollect.models.endpoint import Silent
from recollect.rules.completion import error_of
from recollect.server.wire import SENTENCE_KIND, Json

log = logging.getLogger(__name__)

#: The first match counts, so specific errors come before general ones.
BY_ERROR: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInput, 400),
    (NotFound, 404),
    (Conflict, 409),
    (StoreError, 503),
    (Silent, 504),
    (ModelError, 502),
    (RecollectError, 500),
)

#: The second path segment, after `/v1`, of OpenAI's routes: their clients understand only OpenAI's error format.
_OPENAI_WORDS: Final = frozenset(
    "chat embeddings models"  # Served here; the others belong to the model's server.
    " assistants audio batches completions containers conversations evals files fine_tuning images moderations realtime"
    " responses threads uploads vector_stores videos".split()
)

#: Paths that a client requests if its base_url lacks `/v1`.
_WITHOUT_V1: Final = ("/chat/completions/", "/embeddings/", "/models/", "/responses/")

#: The expected type in words, by pydantic's error type.
_MUST_BE: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
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

#: The wording for a value out of bounds and the name of the bound, by pydantic's error type.
_BOUNDS: Final = {
    "greater_than_equal": ("must be at least {}", "ge"),
    "less_than_equal": ("must be at most {}", "le"),
    "too_long": ("must have at most {} entries", "max_length"),
}
#: How to supply a missing value, by its part of the request.
_GIVE: Final = {"body": "put it in the JSON body", "query": "add it to the address: ?{}=…"}
#: Maximum characters of a field name or ID in a header.
_MARKED: Final = 300
#: Maximum characters of a message, and of an invalid value in it.
_SENTENCE: Final = 400
_SHOWN: Final = 40


class Problem(Exception):
    """An error that only HTTP can have."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def unauthenticated(message: str = "Authentication required") -> Problem:
    """401: the caller is unknown."""
    return Problem(401, message, {"WWW-Authenticate": "Bearer"})


def forbidden(message: str) -> Problem:
    """403: the caller is known but not allowed to do this."""
    return Problem(403, message)


def too_many(seconds: int) -> Problem:
    """429: the caller must wait."""
    return Problem(429, f"Too many requests. Try again in {seconds} s.", {"Retry-After": str(seconds)})


def status_of(error: RecollectError) -> int:
    """The HTTP status for an error."""
    return next(status for kind, status in BY_ERROR if isinstance(error, kind))


def validation_sentence(found: Sequence[Mapping[str, Any]]) -> str:
    """The first error in a request, in a sentence that names the field."""
    error = found[0]
    place = _place(error)
    field = ".".join(place) or "body"
    kind = str(error.get("type", ""))
    if kind == SENTENCE_KIND:
        return f"{field if place else 'The body'} {error['ctx']['words']}"
    if kind == "missing":
        give = _GIVE.get(str(error["loc"][0]))
        return f"{field} is required{f'; {give.format(field)}' if give and place else ''}."
    if kind == "extra_forbidden":
        return f"The body has no field {field!r}; remove it."
    if kind == "json_invalid":
        return "The body is not valid JSON."
    if not place and isinstance(error.get("input"), bytes):
        return "The body must be JSON, sent with Content-Type: application/json."
    if kind in _MUST_BE:
        return f"{field} must be {_MUST_BE[kind]}{_instead(error.get('input'))}."
    bounds: Mapping[str, Any] = error.get("ctx") or {}
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"{field} {words.format(bounds[bound])}{_instead(error.get('input'))}."
    return f"{field}: {error.get('msg', 'is not valid')}."


def _instead(given: object) -> str:
    """The given value, if it is short enough to show."""
    if isinstance(given, list | dict):
        shown = "a list" if isinstance(given, list) else "an object"
    else:
        shown = repr(given) if isinstance(given, str) else json.dumps(given, default=lambda _: "")
    return f", not {shown}" if len(shown) <= _SHOWN else ""


def _place(error: Mapping[str, Any]) -> list[str]:
    """The place of an error in the request."""
    return [str(part) for part in tuple(error.get("loc", ()))[1:]]


def marks(error: RecollectError) -> dict[str, str]:
    """Headers that identify an error for programs: its kind, and the field or ID concerned."""
    named = {
        "X-Error-Kind": type(error).__name__,
        "X-Error-Field": error.field if isinstance(error, InvalidInput) else "",
        "X-Error-Id": error.id if isinstance(error, NotFound) else "",
    }
    # User input: encoded and limited in length.
    return {name: quote(text[:_MARKED], errors="replace") for name, text in named.items() if text}


def of_openai(path: str) -> bool:
    """Whether a path belongs to OpenAI's protocol, served here or not."""
    words = path.split("/", 3)
    return len(words) > 2 and words[1] == "v1" and words[2] in _OPENAI_WORDS


def lacks_v1(path: str) -> bool:
    """Whether an OpenAI client's base_url lacks `/v1`, the most common mistake."""
    return f"{path.rstrip('/')}/".startswith(_WITHOUT_V1)


def refusal(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> Json:
    """An error in the format that this path's clients expect."""
    words = _short(message)
    shape = error_of(status, words) if of_openai(path) or lacks_v1(path) else {"error": words}
    return Json(shape, status, headers)


def answer_to(error: Problem | RecollectError, path: str = "") -> Response:
    """The response for an error; also used by middleware, which must respond by itself."""
    if isinstance(error, Problem):
        return refusal(path, error.status, error.message, error.headers)
    return refusal(path, status_of(error), public_message(error), marks(error))


def _short(sentence: str) -> str:
    """Shorten a message that quotes the request."""
    return sentence if len(sentence) <= _SENTENCE else f"{sentence[:_SENTENCE]}…"


def answer_to_unforeseen(error: Exception, *, method: str, path: str) -> Response:
    """Return a 500 with the ID of the logged traceback; `path` is the route's template, without user data."""
    incident = secrets.token_hex(6)
    log.error("http.failed incident=%s method=%s path=%s", incident, method, path, exc_info=error)
    return refusal(path, 500, f"Internal error; see {incident} in the service's log.")


def install(app: FastAPI) -> None:
    """Turn every route error into `{"error": "…"}`; `request_log` handles unexpected ones."""
    app.add_exception_handler(Problem, _foreseen)
    app.add_exception_handler(RecollectError, _foreseen)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def misspelled(error: RequestValidationError) -> InvalidInput:
    """Treat a request that FastAPI cannot read as bad input."""
    found = error.errors()
    # The engine's name for the field; the message says which of several items is meant.
    named = [part for part in _place(found[0]) if not part.isdecimal()]
    if found[0].get("type") == SENTENCE_KIND:
        named = [found[0]["ctx"]["field"]]
    return InvalidInput(validation_sentence(found), field=named[-1] if named else "")


async def _foreseen(request: Request, error: Exception) -> Response:
    return answer_to(cast("Problem | RecollectError", error), request.scope["path"])


async def _invalid(request: Request, error: Exception) -> Response:
    invalid = cast("RequestValidationError", error)
    return answer_to(misspelled(invalid))


async def _http(request: Request, error: Exception) -> Response:
    """Handle Starlette's own errors: unknown route or method."""
    known = cast("HTTPException", error)
    sentences = {
        404: f"There is no route {request.url.path}; /docs lists all of them.",
        405: f"{request.method} is not possible at {request.url.path}; use {(known.headers or {}).get('Allow', '')}.",
        400: "The body is not valid JSON.",
    }
    message = sentences.get(known.status_code, str(known.detail))
    if known.status_code == 404:
        message = _not_served(request.url.path) or message
    return refusal(request.scope["path"], known.status_code, message, known.headers)


def _not_served(path: str) -> str | None:
    """The message for an OpenAI client with a wrong address; None for other clients."""
    asked = f"There is no route {path[:_MARKED]}"
    if lacks_v1(path) and not path.startswith("/responses"):
        return f"{asked}: base_url must end in /v1, as in http://127.0.0.1:8765/v1."
    if lacks_v1(path) or of_openai(path):
        return (
            f"{asked}: this service offers only /v1/chat/completions, /v1/embeddings and /v1/models of OpenAI's protocol."
            " Send other requests to the model's server."
        )
    return None
