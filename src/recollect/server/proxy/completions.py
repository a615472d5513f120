"""`/v1/chat/completions`, `/v1/embeddings` and `/v1/models`: a client of OpenAI's protocol gains memory by changing its address.

The body is not read here: what the protocol allows is for the model's server to say. Headers say how it is accompanied.
"""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Path, Request
from starlette.responses import Response, StreamingResponse

from recollect.engine.accompany import Answered
from recollect.errors import InvalidInput
from recollect.server.caller import Reader, Writer
from recollect.server.proxy.route import OpenAIRoute, openai_problems
from recollect.server.served import TheMemory

router = APIRouter(tags=["OpenAI's protocol"], route_class=OpenAIRoute)

#: No cache, no compression and no proxy may hold words back.
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
                    "user": {"type": "string", "description": "Names the chat, with the first message."},
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

_MODEL: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The model, as the list has it.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {"id": "gpt-5-mini", "object": "model", "created": 0, "owned_by": "openai"},
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

ChatHeader = Annotated[str | None, Header(alias="X-Chat-Id", description="Which chat this is.")]
PersonaHeader = Annotated[str | None, Header(alias="X-Persona-Id", description="Who talks with the user.")]
BudgetHeader = Annotated[
    int | None, Header(alias="X-Recollect-Budget", description="Tokens of memory, at most.")
]
MemoryHeader = Annotated[
    str, Header(alias="X-Recollect-Memory", description="`off`: add nothing; the turn is still recorded.")
]
ToolsHeader = Annotated[
    str,
    Header(alias="X-Recollect-Tools", description="`on`: offer the memory tools, and carry out their calls."),
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
    memory: TheMemory,
    chat_id: ChatHeader = None,
    persona_id: PersonaHeader = None,
    budget: BudgetHeader = None,
    with_memory: MemoryHeader = "on",
    with_tools: ToolsHeader = "off",
) -> Response:
    """Pass a chat completion on to your model with memory added, and record the turn."""
    return _response(
        await memory.completions.answer(
            await request.body(),
            user=caller.user,
            chat_id=_utf8(chat_id),
            persona=_utf8(persona_id),
            budget=budget,
            memory=_switch(with_memory, "X-Recollect-Memory"),
            tools=_switch(with_tools, "X-Recollect-Tools"),
        )
    )


@router.get("/v1/models", response_class=Response, responses=openai_problems() | _MODELS)
async def models(caller: Reader, memory: TheMemory) -> Response:
    """List the models of your model's server."""
    return _response(await memory.completions.models())


@router.get("/v1/models/{model:path}", response_class=Response, responses=openai_problems() | _MODEL)
async def model(
    model: Annotated[str, Path(description="Its name.")], caller: Reader, memory: TheMemory
) -> Response:
    """Show one model of your model's server."""
    return _response(await memory.completions.model(model))


@router.post(
    "/v1/embeddings",
    response_class=Response,
    responses=openai_problems() | _VECTORS,
    openapi_extra={"requestBody": _TEXTS},
)
async def embeddings(request: Request, caller: Writer, memory: TheMemory) -> Response:
    """Pass a request for embeddings on to your model's server; nothing is added or kept."""
    return _response(await memory.completions.embeddings(await request.body()))


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
    """A header's text: bytes are read as Latin-1, but whoever has such letters sends UTF-8."""
    if value is None or value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
