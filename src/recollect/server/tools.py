"""Tools for models: their schemas, and one route that carries a call out.

A tool that refuses is no error of HTTP: the model must read why, so it is a 200 with `is_error`.
"""

from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from recollect.records.tool_catalogue import TOOLS
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import WRITE, Reader
from recollect.server.errors import sentence
from recollect.server.served import TheMemory

router = APIRouter(tags=["tools"])

#: Characters of somebody else's word that an error repeats.
_SHOWN = 40
_READING = frozenset(tool.name for tool in TOOLS if tool.only_reads)


class ToolsShape(BaseModel):
    """Tools in a provider's format."""

    tools: list[dict[str, Any]]


class ToolReplyShape(BaseModel):
    """What a tool answers."""

    text: str
    result: dict[str, Any]
    is_error: bool


class ToolCall(Body):
    """A call as a model makes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"arguments": {"content": "User prefers Python 3.12+", "category": "preference"}}]
        }
    )

    arguments: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        description="What the tool takes, as its schema in `GET /v1/tools` says.",
    )
    persona_id: str | None = None
    chat_id: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _nested(cls, given: Any) -> Any:
        """Whoever sends what the tool takes as fields of the request is told where it belongs."""
        if not isinstance(given, dict):
            return given
        sent = cast("dict[str, Any]", given)
        flat = next((name for name in sent if name not in cls.model_fields), None)
        if flat is not None and "arguments" not in sent:
            named = flat[:_SHOWN]
            raise sentence(
                f'{named} is no field of this request. What the tool takes goes into "arguments": '
                f'{{"arguments": {{"{named}": …}}}}.',
                field=flat,
            )
        return sent


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
    """The schemas of the memory tools, for OpenAI, Anthropic or Gemini."""
    return Json({"tools": await memory.tools(format)})


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
    name: Annotated[str, Path(description="The tool, as `GET /v1/tools` names it.")],
    body: ToolCall,
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """Carry out a model's call of a tool, and answer with the text that the model should read."""
    if name not in _READING:
        caller.need(WRITE)
    reply = await memory.call_tool(
        name, body.arguments, user=caller.user, persona=body.persona_id, chat=body.chat_id
    )
    return Json(reply.to_dict())
