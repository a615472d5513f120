"""`/v1/chat/completions`, `/v1/embeddings` and `/v1/models`: a client of OpenAI's protocol gains memory by changing its address.

The model's server decides what a request may hold; headers say what memory adds. Errors have OpenAI's form, because clients
of the protocol read no other; their status is the one that they have everywhere. What the model's server itself answers is
passed on unchanged.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from recollect.engine.accompany import Answered, read
from recollect.errors import InvalidInput, RecollectError
from recollect.server.caller import Reader, TheService, Writer
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


router = APIRouter(tags=["OpenAI's protocol"], route_class=OpenAIRoute)

#: No cache, no compression and no proxy may delay the stream.
_STREAMED: Final = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}

_BODY: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "title": "ChatCompletionRequest",
                "description": "OpenAI's request; fields that are not named here pass as they are.",
                "type": "object",
                "required": ["messages"],
                "properties": {
                    "model": {"type": "string", "description": "Without it RECOLLECT_CHAT_MODEL."},
                    "messages": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["role"],
                            "properties": {"role": {"type": "string"}},
                        },
                    },
                    "stream": {"type": "boolean", "default": False},
                    "user": {
                        "type": "string",
                        "description": "The user, in local mode or with a service key that names nobody; with the first message it names the chat.",
                    },
                },
            },
            "example": {
                "model": "gpt-5-mini",
                "messages": [{"role": "user", "content": "Where should I look for a flat?"}],
            },
        }
    },
}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The answer of the model's server as it is: one object, or a stream of events.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {
                    "object": "chat.completion",
                    "model": "gpt-5-mini",
                    "choices": [
                        {
                            "index": 0,
                            "message": {"role": "assistant", "content": "In Porto, near the river."},
                            "finish_reason": "stop",
                        }
                    ],
                },
            },
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'data: {"choices":[{"index":0,"delta":{"content":"In Porto"}}]}\n\ndata: [DONE]\n\n',
            },
        },
    }
}
_MODELS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The list of the model's server.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {"object": "list", "data": [{"id": "gpt-5-mini", "object": "model"}]},
            }
        },
    }
}
_TEXTS: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "title": "EmbeddingRequest",
                "description": "OpenAI's request; it passes as it is.",
                "type": "object",
            },
            "example": {"model": "text-embedding-3-small", "input": ["The user lives in Porto."]},
        }
    },
}
_VECTORS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The answer of the model's server as it is.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {
                    "object": "list",
                    "data": [{"object": "embedding", "index": 0, "embedding": [0.1, -0.2]}],
                    "model": "text-embedding-3-small",
                },
            }
        },
    }
}

ChatHeader = Annotated[str | None, Header(alias="X-Chat-Id", description="The chat.")]
PersonaHeader = Annotated[str | None, Header(alias="X-Persona-Id", description="The persona.")]
BudgetHeader = Annotated[
    int | None, Header(alias="X-Recollect-Budget", description="The most tokens of memory.")
]
MemoryHeader = Annotated[
    str, Header(alias="X-Recollect-Memory", description="`off`: add nothing; the turn is still recorded.")
]
ToolsHeader = Annotated[
    str,
    Header(alias="X-Recollect-Tools", description="`on`: offer the memory tools, and execute their calls."),
]


@router.post(
    "/v1/chat/completions",
    response_class=Response,
    responses=openai_problems() | _ANSWER,
    openapi_extra={"requestBody": _BODY},
)
async def chat_completions(
    request: Request,
    caller: Writer,
    service: TheService,
    chat_id: ChatHeader = None,
    persona_id: PersonaHeader = None,
    budget: BudgetHeader = None,
    with_memory: MemoryHeader = "on",
    with_tools: ToolsHeader = "off",
) -> Response:
    """Pass a chat completion on to your model with memory added, and record the turn.

    In local mode, and with a service key that names nobody, the field `user` names the user; otherwise it must agree.
    """
    content = await request.body()
    request.state.caller = caller.acting_for(read(content).user)
    return _response(
        await service.answer(
            content,
            user=request.state.caller.user,
            chat=_utf8(chat_id),
            persona=_utf8(persona_id),
            budget=budget,
            memory=_switch(with_memory, "X-Recollect-Memory"),
            tools=_switch(with_tools, "X-Recollect-Tools"),
        )
    )


@router.get("/v1/models", response_class=Response, responses=openai_problems() | _MODELS)
async def models(caller: Reader, service: TheService) -> Response:
    """List the models of your model's server."""
    return _response(await service.models())


@router.post(
    "/v1/embeddings",
    response_class=Response,
    responses=openai_problems() | _VECTORS,
    openapi_extra={"requestBody": _TEXTS},
)
async def embeddings(request: Request, caller: Writer, service: TheService) -> Response:
    """Pass a request for embeddings on to your model's server; nothing is added or kept."""
    return _response(await service.embeddings(await request.body()))


def _response(answered: Answered) -> Response:
    headers = dict(answered.headers)
    kind = headers.pop("content-type", None)
    if answered.content is None and answered.chunks is not None:
        return StreamingResponse(
            answered.chunks, answered.status, headers={**headers, **_STREAMED}, media_type=kind
        )
    return Response(answered.content, answered.status, headers=headers, media_type=kind)


def _switch(value: str, header: str) -> bool:
    """A header that says `on` or `off`."""
    word = value.strip().lower()
    if word not in ("on", "off"):
        raise InvalidInput(f"{header} must be on or off.", field=header)
    return word == "on"


def _utf8(value: str | None) -> str | None:
    """The text of a header: HTTP reads its bytes as Latin-1, but clients send UTF-8."""
    if value is None or value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
