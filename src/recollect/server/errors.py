"""Errors over HTTP: the one table from error to status, and the one shape of a body that says what is wrong.

Errors of the engine know nothing of HTTP. What can only go wrong over HTTP (no token, too many requests, a body that is too
large) is a `Problem`. An unforeseen error becomes a 500 with an id; the trace is in the log under that id, never in the answer.
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

#: The first that fits counts: special errors stand before general ones.
BY_ERROR: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInput, 400),
    (NotFound, 404),
    (Conflict, 409),
    (StoreError, 503),
    (Silent, 504),
    (ModelError, 502),
    (RecollectError, 500),
)

#: The second word of the paths at which OpenAI's clients ask, under `/v1`: they read errors in OpenAI's form only.
_OPENAI_WORDS: Final = frozenset(
    "chat embeddings models"  # Served here; the others are the model's business.
    " assistants audio batches completions containers conversations evals files fine_tuning images moderations realtime"
    " responses threads uploads vector_stores videos".split()
)

#: Where a client asks whose base_url lacks its `/v1`.
_WITHOUT_V1: Final = ("/chat/completions/", "/embeddings/", "/models/", "/responses/")

#: How a wrong type is named, by pydantic's word for it.
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

#: How a value out of bounds is named, and which bound is meant, by pydantic's word for it.
_BOUNDS: Final = {
    "greater_than_equal": ("must be at least {}", "ge"),
    "less_than_equal": ("must be at most {}", "le"),
    "too_long": ("must have at most {} entries", "max_length"),
}
#: What to do about a value that is missing, by its part of the request.
_GIVE: Final = {"body": "put it in the JSON body", "query": "add it to the address: ?{}=…"}
#: Characters of a field's name or an id in a header.
_MARKED: Final = 300
#: Characters of a sentence, at most, and of a wrong value in it.
_SENTENCE: Final = 400
_SHOWN: Final = 40


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


def validation_sentence(found: Sequence[Mapping[str, Any]]) -> str:
    """The first thing that is wrong with a request, in a sentence that names the field."""
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
    """The value that was given, where it is short enough to show."""
    if isinstance(given, list | dict):
        shown = "a list" if isinstance(given, list) else "an object"
    else:
        shown = repr(given) if isinstance(given, str) else json.dumps(given, default=lambda _: "")
    return f", not {shown}" if len(shown) <= _SHOWN else ""


def _place(error: Mapping[str, Any]) -> list[str]:
    """Where in the request something is wrong."""
    return [str(part) for part in tuple(error.get("loc", ()))[1:]]


def marks(error: RecollectError) -> dict[str, str]:
    """Headers that name an error for programs: its kind, and the field or the id that it is about."""
    named = {
        "X-Error-Kind": type(error).__name__,
        "X-Error-Field": error.field if isinstance(error, InvalidInput) else "",
        "X-Error-Id": error.id if isinstance(error, NotFound) else "",
    }
    # Somebody's words: encoded, and not without end.
    return {name: quote(text[:_MARKED], errors="replace") for name, text in named.items() if text}


def of_openai(path: str) -> bool:
    """Whether a path is one of OpenAI's protocol, served here or not."""
    words = path.split("/", 3)
    return len(words) > 2 and words[1] == "v1" and words[2] in _OPENAI_WORDS


def lacks_v1(path: str) -> bool:
    """Whether the base_url of a client of OpenAI's protocol lacks its `/v1`: the commonest mistake."""
    return f"{path.rstrip('/')}/".startswith(_WITHOUT_V1)


def refusal(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> Json:
    """An error in the form that clients of this path read."""
    words = _short(message)
    shape = error_of(status, words) if of_openai(path) or lacks_v1(path) else {"error": words}
    return Json(shape, status, headers)


def answer_to(error: Problem | RecollectError, path: str = "") -> Response:
    """The answer for an error; middleware, which must answer by itself, uses it too."""
    if isinstance(error, Problem):
        return refusal(path, error.status, error.message, error.headers)
    return refusal(path, status_of(error), public_message(error), marks(error))


def _short(sentence: str) -> str:
    """A sentence may repeat what was sent, but not all of it."""
    return sentence if len(sentence) <= _SENTENCE else f"{sentence[:_SENTENCE]}…"


def answer_to_unforeseen(error: Exception, *, method: str, path: str) -> Response:
    """A 500 with an id under which the log has the trace; `path` is the route's template, without anybody's words."""
    incident = secrets.token_hex(6)
    log.error("http.failed incident=%s method=%s path=%s", incident, method, path, exc_info=error)
    return refusal(path, 500, f"Something went wrong; the log has more under {incident}.")


def install(app: FastAPI) -> None:
    """Turn every error of the routes into `{"error": "…"}`; the unforeseen ones are `request_log`'s."""
    app.add_exception_handler(Problem, _foreseen)
    app.add_exception_handler(RecollectError, _foreseen)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def misspelled(error: RequestValidationError) -> InvalidInput:
    """A request that FastAPI cannot read, as bad input like any other."""
    found = error.errors()
    # By the name that the engine would use; the sentence says which of several it is.
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
    """Starlette's own: no such route, no such method."""
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
    """The sentence for a client of OpenAI's protocol with a wrong address; None for any other client."""
    asked = f"There is no route {path[:_MARKED]}"
    if lacks_v1(path) and not path.startswith("/responses"):
        return f"{asked}: the base_url ends in /v1, as in http://127.0.0.1:8765/v1."
    if lacks_v1(path) or of_openai(path):
        return (
            f"{asked}: of OpenAI's protocol, /v1/chat/completions, /v1/embeddings and /v1/models are served."
            " Ask the model's own address for the rest."
        )
    return None
