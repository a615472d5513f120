"""Routes whose errors have OpenAI's form, whatever went wrong: clients of that protocol read no other.

The status of an error is the one that it has everywhere. What the model's server itself answers is not touched here.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.errors import RecollectError
from recollect.server.errors import Problem, answer_to, answer_to_unforeseen, misspelled, refusal


class OpenAIErrorDetail(BaseModel):
    """What is wrong, as OpenAI's clients read it."""

    model_config = ConfigDict(extra="allow")

    message: str
    type: str | None = None
    param: Any = None
    code: str | int | None = None


class OpenAIErrorShape(BaseModel):
    """An error of ours, or of the model's server, which may have a form of its own."""

    model_config = ConfigDict(extra="allow")

    error: OpenAIErrorDetail | str | None = None


#: What this service or the model's server may answer with; other statuses of a server pass as well.
_STATUSES = (400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529)


def openai_problems() -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses`: the errors, in OpenAI's form."""
    described = "An error in OpenAI's form: of this service, or of the model's server as it is."
    return {status: {"model": OpenAIErrorShape, "description": described} for status in _STATUSES}


class OpenAIRoute(APIRoute):
    """A route of OpenAI's protocol."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except (Problem, RecollectError) as known:
                return answer_to(known, self.path)
            except RequestValidationError as invalid:
                return answer_to(misspelled(invalid), self.path)
            except HTTPException as refused:
                return refusal(self.path, refused.status_code, str(refused.detail), refused.headers)
            except Exception as error:
                return answer_to_unforeseen(error, method=request.method, path=self.path)

        return answered
