"""Tools for models: their schemas, and a route that executes calls.

A tool's refusal is not an HTTP error but a 200 with `is_error`, because the model must read the reason.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.records.tool_catalogue import TOOLS
from recollect.server.caller import WRITE, Reader, TheMemory
from recollect.server.wire import Body, Json, example, problems

router = APIRouter(tags=["tools"])

_READING = frozenset(tool.name for tool in TOOLS if tool.only_reads)


class ToolsShape(BaseModel):
    """Tools in a provider's format."""

    tools: list[dict[str, Any]]


class ToolReplyShape(BaseModel):
    """The result of a tool."""

    text: str
    result: dict[str, Any]
    is_error: bool


class ToolCall(Body):
    """A tool call from a model."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"arguments": {"content": "User prefers Python 3.12+", "category": "preference"}}]
        }
    )

    arguments: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        description="The tool's arguments, as described by its schema in `GET /v1/tools`.",
    )
    persona_id: str | None = None
    chat_id: str | None = None

    @classmethod
    def unknown(cls, name: str, known: Sequence[str]) -> str:
        """Explain where arguments belong if a caller sends them as top-level fields."""
        return f'has no field {name!r}; send the arguments as {{"arguments": {{"{name}": …}}}}.'


_MEMORY_ID = "2026-01-28T10:30:45.123Z#a1b2c3d4"


@router.get(
    "/v1/tools",
    response_model=ToolsShape,
    responses=problems()
    | example(
        {
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "delete_memory",
                        "description": "Erase a memory for good, with its history. …",
                        "parameters": {
                            "type": "object",
                            "properties": {"memory_id": {"type": "string"}},
                            "required": ["memory_id"],
                        },
                    },
                }
            ]
        }
    ),
)
async def list_tools(
    caller: Reader,
    memory: TheMemory,
    format: Annotated[str, Query(description="openai, anthropic or gemini.")] = "openai",
) -> Json:
    """List the memory tools' schemas for OpenAI, Anthropic or Gemini."""
    return Json({"tools": await memory.tools.schemas(format)})


@router.post(
    "/v1/tools/{name}",
    response_model=ToolReplyShape,
    responses=problems(404, 502)
    | example(
        {
            "text": f"✓ Memory stored (ID: {_MEMORY_ID})",
            "result": {
                "success": True,
                "message": "Memory saved successfully",
                "memoryId": _MEMORY_ID,
                "content": "User prefers Python 3.12+",
                "category": "preference",
                "memory_id": _MEMORY_ID,
            },
            "is_error": False,
        }
    ),
)
async def call_tool(
    name: Annotated[str, Path(description="The tool's name, as listed by `GET /v1/tools`.")],
    body: ToolCall,
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """Execute a model's tool call and return the text for the model."""
    if name not in _READING:
        caller.need(WRITE)
    reply = await memory.tools.call(
        name, body.arguments, user=caller.user, persona=body.persona_id, chat=body.chat_id
    )
    return Json(reply.to_dict())
