"""The schema of a tool, in the three formats that providers take.

OpenAI and Anthropic take JSON Schema and differ in the envelope. Gemini takes a part of OpenAPI's schema: types in
capitals, no `additionalProperties`, and lengths that its API counts as text and therefore are left out. Nothing here
knows which tools there are.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.tool import Kind, Parameter, Tool


class ToolFormat(StrEnum):
    """Whose format."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


def parse_format(value: object) -> ToolFormat:
    """One of the three."""
    try:
        return ToolFormat(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"format must be one of {', '.join(ToolFormat)}, not {str(value)[:40]!r}.", field="format"
        ) from None


def in_format(tools: Iterable[Tool], format: ToolFormat) -> list[dict[str, Any]]:
    """Tools as a provider takes them."""
    match format:
        case ToolFormat.OPENAI:
            return [openai(tool) for tool in tools]
        case ToolFormat.ANTHROPIC:
            return [anthropic(tool) for tool in tools]
        case ToolFormat.GEMINI:
            return [gemini(tool) for tool in tools]


def openai(tool: Tool) -> dict[str, Any]:
    """An entry of `tools` of chat completions."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": json_schema(tool)},
    }


def anthropic(tool: Tool) -> dict[str, Any]:
    """An entry of `tools` of the Messages API."""
    return {"name": tool.name, "description": tool.description, "input_schema": json_schema(tool)}


def gemini(tool: Tool) -> dict[str, Any]:
    """An entry of `functionDeclarations`."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": _gemini_object(tool.parameters),
    }


def json_schema(tool: Tool) -> dict[str, Any]:
    """The arguments of a tool as JSON Schema."""
    return _object(tool.parameters)


def _object(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"type": parameter.kind.value, "description": parameter.description}
    if parameter.choices:
        found["enum"] = list(parameter.choices)
    lowest, highest = ("minLength", "maxLength") if parameter.kind is Kind.TEXT else ("minimum", "maximum")
    if parameter.lowest is not None:
        found[lowest] = parameter.lowest
    if parameter.highest is not None:
        found[highest] = parameter.highest
    if parameter.kind is Kind.LIST:
        found["items"] = _object(parameter.entries) if parameter.entries else {"type": Kind.TEXT.value}
    return found


def _gemini_object(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "OBJECT",
        "properties": {parameter.name: _gemini_property(parameter) for parameter in parameters},
    }
    required = [parameter.name for parameter in parameters if parameter.required]
    # An empty list of required fields is refused.
    return {**found, "required": required} if required else found


def _gemini_property(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"type": parameter.kind.value.upper(), "description": parameter.description}
    if parameter.choices:
        found["enum"] = list(parameter.choices)
    if parameter.kind in (Kind.WHOLE, Kind.NUMBER):
        if parameter.lowest is not None:
            found["minimum"] = parameter.lowest
        if parameter.highest is not None:
            found["maximum"] = parameter.highest
    if parameter.kind is Kind.LIST:
        found["items"] = _gemini_object(parameter.entries) if parameter.entries else {"type": "STRING"}
    return found
