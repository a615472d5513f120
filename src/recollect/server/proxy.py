"""`/v1/chat/completions`, `/v1/embeddings` and `/v1/models`: a client of OpenAI's protocol gains memory by changing its address.

The model's server decides what a request may contain; headers control what memory adds. Errors use OpenAI's format, because
these clients read no other, with the same statuses as elsewhere. The model server's own responses are passed on unchanged.
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
    """The details of an error, as OpenAI's clients read them."""

    model_config = ConfigDict(extra="allow")

    message: str
    type: str | None = None
    param: Any = None
    code: str | int | None = None


class OpenAIErrorShape(BaseModel):
    """An error from this service, or from the model's server, which may use its own format."""

    model_config = ConfigDict(extra="allow")

    error: OpenAIErrorDetail | str | None = None


#: Error statuses of this service or the model's server; other statuses are passed on too.
_STATUSES = (400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529)


def openai_problems() -> dict[int | str, dict[str, Any]]:
    """OpenAPI's `responses` for the errors, in OpenAI's format."""
    described = "An error in OpenAI's format from this service, or the model server's error unchanged."
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
                "description": "OpenAI's request; fields not listed here are passed on unchanged.",
                "type": "object",
                "required": ["messages"],
                "properties": {
                    "model": {"type": "string", "description": "Default: RECOLLECT_CHAT_MODEL."},
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
                        "description": "The user, in local mode or with a service key without X-User-Id; together with the first message, it identifies the chat.",
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
        "description": "The model server's response, unchanged: one object, or a stream of events.",
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
        "description": "The model server's list.",
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
                "description": "OpenAI's request, passed on unchanged.",
                "type": "object",
            },
            "example": {"model": "text-embedding-3-small", "input": ["The user lives in Porto."]},
        }
    },
}
_VECTORS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The model server's response, unchanged.",
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

ChatHeader = Annotated[str | None, Header(alias="X-Chat-Id", description="The chat's ID.")]
PersonaHeader = Annotated[str | None, Header(alias="X-Persona-Id", description="The persona's ID.")]
BudgetHeader = Annotated[
    int | None, Header(alias="X-Recollect-Budget", description="Maximum tokens of memory.")
]
MemoryHeader = Annotated[
    str, Header(alias="X-Recollect-Memory", description="`off`: add no memory; the turn is still recorded.")
]
ToolsHeader = Annotated[
    str,
    Header(
        alias="X-Recollect-Tools",
        description="`on`: offer the memory tools to the model and execute its calls.",
    ),
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
    """Add memory to a chat completion, pass it on to your model, and record the turn.

    In local mode, and with a service key without `X-User-Id`, the field `user` names the user; otherwise it must agree.
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
    """List your model server's models."""
    return _response(await service.models())


@router.post(
    "/v1/embeddings",
    response_class=Response,
    responses=openai_problems() | _VECTORS,
    openapi_extra={"requestBody": _TEXTS},
)
async def embeddings(request: Request, caller: Writer, service: TheService) -> Response:
    """Pass an embeddings request on to your model's server; nothing is added or stored."""
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
    """Read a header whose value is `on` or `off`."""
    word = value.strip().lower()
    if word not in ("on", "off"):
        raise InvalidInput(f"{header} must be on or off.", field=header)
    return word == "on"


def _utf8(value: str | None) -> str | None:
    """Decode a header's text: HTTP reads its bytes as Latin-1, but clients send UTF-8."""
    if value is None or value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
