"""Schemas of tools: what each provider takes, and that they admit exactly what is read."""

import re
from typing import Any

import jsonschema_rs
import pytest

from recollect.errors import InvalidInput
from recollect.records.tool import Tool, read_arguments
from recollect.records.tool_catalogue import DELETE_MEMORY, SEARCH_MEMORIES, STORE_MEMORY, TOOLS
from recollect.records.tool_schema import (
    ToolFormat,
    anthropic,
    gemini,
    in_format,
    json_schema,
    openai,
    parse_format,
)

#: The fields of a Gemini `Schema` that we use; `additionalProperties`, for one, is refused there.
_GEMINI_FIELDS = {"type", "description", "enum", "items", "properties", "required", "minimum", "maximum"}
_GEMINI_TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}


def test_openai_takes_functions() -> None:
    """The envelope of chat completions, with JSON Schema inside."""
    assert openai(DELETE_MEMORY) == {
        "type": "function",
        "function": {
            "name": "delete_memory",
            "description": DELETE_MEMORY.description,
            "parameters": {
                "type": "object",
                "properties": {
                    "memory_id": {
                        "type": "string",
                        "description": "The ID of the memory, exactly as search_memories or list_memories shows it.",
                    }
                },
                "required": ["memory_id"],
                "additionalProperties": False,
            },
        },
    }


def test_anthropic_takes_an_input_schema() -> None:
    """The envelope of the Messages API, with the same schema inside."""
    assert anthropic(DELETE_MEMORY) == {
        "name": "delete_memory",
        "description": DELETE_MEMORY.description,
        "input_schema": json_schema(DELETE_MEMORY),
    }


def test_gemini_takes_a_part_of_it() -> None:
    """A function declaration: types in capitals, and only what Gemini knows."""
    assert gemini(SEARCH_MEMORIES) == {
        "name": "search_memories",
        "description": SEARCH_MEMORIES.description,
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "query": {
                    "type": "STRING",
                    "description": "Keywords or a question: 'python', 'How does the user test?'.",
                },
                "category": {
                    "type": "STRING",
                    "description": "Only memories of this category.",
                    "enum": [
                        "identity",
                        "preference",
                        "relationship",
                        "project",
                        "skill",
                        "fact",
                        "context",
                    ],
                },
                "limit": {
                    "type": "INTEGER",
                    "description": "The most memories to return; 5 if left out.",
                    "minimum": 1,
                    "maximum": 100,
                },
            },
            "required": ["query"],
        },
    }


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_a_schema(tool: Tool) -> None:
    """The schemas are valid JSON Schema, and the names are names that providers take."""
    jsonschema_rs.meta.validate(json_schema(tool))
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_gemini_knows_every_word(tool: Tool) -> None:
    """No field of a declaration is one that Gemini refuses."""

    def check(schema: dict[str, Any]) -> None:
        assert set(schema) <= _GEMINI_FIELDS
        assert schema["type"] in _GEMINI_TYPES
        assert schema.get("required") != []
        for part in (
            *schema.get("properties", {}).values(),
            *([schema["items"]] if "items" in schema else []),
        ):
            check(part)

    declared = gemini(tool)
    assert set(declared) == {"name", "description", "parameters"}
    check(declared["parameters"])


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"content": "User prefers tea", "category": "preference", "importance": 7},
        {"content": "User prefers tea", "category": "preference", "importance": 7, "tags": ["tea"]},
        {"content": "User prefers tea", "category": "preference", "importance": 7, "tags": "tea"},
        {"content": "User prefers tea", "category": "preference", "importance": "7"},
        {"content": "User prefers tea", "category": "preference", "importance": 70},
        {"content": "User prefers tea", "category": "preference", "importance": 7, "more": 1},
        {"content": 5, "category": "preference", "importance": 7},
    ],
    ids=str,
)
def test_the_schema_and_the_reading_agree(arguments: dict[str, Any]) -> None:
    """What the schema admits is read, and what it does not admit is refused."""
    try:
        read_arguments(STORE_MEMORY, arguments)
        read = True
    except InvalidInput:
        read = False
    assert jsonschema_rs.is_valid(json_schema(STORE_MEMORY), arguments) is read


def test_the_three_formats_by_name() -> None:
    """Each name gives all tools in its format."""
    assert in_format(TOOLS, parse_format("openai")) == [openai(tool) for tool in TOOLS]
    assert in_format(TOOLS, parse_format("anthropic")) == [anthropic(tool) for tool in TOOLS]
    assert in_format(TOOLS, parse_format("gemini")) == [gemini(tool) for tool in TOOLS]


@pytest.mark.parametrize("name", ["", "OpenAI", "mistral", None, 5, "\ud800"])
def test_another_format_is_refused(name: object) -> None:
    """The error lists the formats there are."""
    with pytest.raises(InvalidInput, match="openai, anthropic, gemini") as refused:
        parse_format(name)
    assert refused.value.field == "format"
    refused.value.message.encode("utf-8")


def test_formats_are_three() -> None:
    """Nobody adds one without a test above."""
    assert len(ToolFormat) == 3
