"""Tools: whatever a model sends is either read, each argument of its kind, or refused in a sentence that it can act on."""

import json
import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput, NotFound
from recollect.records.tool import (
    Kind,
    Parameter,
    Tool,
    ToolFormat,
    anthropic,
    gemini,
    in_format,
    json_schema,
    openai,
    parse_format,
    read_arguments,
)
from recollect.records.tool_catalogue import (
    DELETE_MEMORY,
    LIST_MEMORIES,
    SAVE_MEMORY,
    SEARCH_MEMORIES,
    STORE_MEMORY,
    TOOLS,
    tool_named,
)

_TALK = Tool(
    name="talk",
    title="Talk",
    description="Say things.",
    parameters=(
        Parameter(
            name="messages",
            kind=Kind.LIST,
            description="What was said.",
            required=True,
            entries=(
                Parameter(name="role", kind=Kind.TEXT, description="Who.", required=True),
                Parameter(name="text", kind=Kind.TEXT, description="What.", required=True),
            ),
        ),
        Parameter(name="times", kind=Kind.WHOLE, description="How often.", lowest=1),
    ),
)
_GOOD: dict[str, Any] = {
    "content": "User prefers Python 3.12+",
    "category": "preference",
    "importance": 8,
    "tags": ["python", "coding_style"],
}


def test_good_arguments_are_read_as_they_are() -> None:
    """S3's example comes out as it went in."""
    assert read_arguments(STORE_MEMORY, _GOOD) == _GOOD


def test_the_json_text_of_an_object_is_an_object() -> None:
    """OpenAI hands arguments out as text; that text can be passed on."""
    assert read_arguments(STORE_MEMORY, json.dumps(_GOOD)) == _GOOD


@pytest.mark.parametrize("nothing", [None, {}, "", "{}", " "])
def test_no_arguments_are_fine_where_none_is_needed(nothing: object) -> None:
    """A call without arguments is a call."""
    assert read_arguments(LIST_MEMORIES, nothing) == {}


def test_null_means_not_given() -> None:
    """Models send null for what they leave out."""
    assert read_arguments(LIST_MEMORIES, {"category": None, "limit": None}) == {}


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """5.0 is 5, and stays a whole number."""
    assert read_arguments(LIST_MEMORIES, {"limit": 5.0}) == {"limit": 5}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"category": "fact", "importance": 5},
            "content required. store_memory takes content, category and importance; tags if wanted.",
        ),
        (
            {**_GOOD, "colour": "red"},
            "'colour' is not an argument of store_memory. It takes content, category and importance; tags if wanted.",
        ),
        (
            {**_GOOD, "importance": "8"},
            "importance must be a number, not text: How much it matters for later conversations: 1 is minor,"
            " 10 is critical.",
        ),
        ({**_GOOD, "importance": 0}, "importance must be a number from 1 to 10, not 0."),
        ({**_GOOD, "importance": 11}, "importance must be a number from 1 to 10, not 11."),
        ({**_GOOD, "importance": float("nan")}, "importance must be a number from 1 to 10, not nan."),
        ({**_GOOD, "importance": 10**400}, "importance must be a number from 1 to 10, not that."),
        ({**_GOOD, "tags": ["a", 1]}, "tags must be a list of strings, not of numbers."),
        ({**_GOOD, "content": "a\0b"}, "content contains a NUL character; remove it."),
        (
            {**_GOOD, "content": "\ud800"},
            "content contains a lone surrogate (broken UTF-16); repair the text.",
        ),
        ("{not json", "The arguments of store_memory are not valid JSON. Send one JSON object."),
        ("[1]", "The arguments of store_memory must be one JSON object."),
        ('"text"', "The arguments of store_memory must be one JSON object."),
        ([], "The arguments of store_memory must be one JSON object."),
        (5, "The arguments of store_memory must be one JSON object."),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(arguments: object, sentence: str) -> None:
    """Each mistake of a model has a sentence that names the argument and what it takes."""
    with pytest.raises(InvalidInput) as refused:
        read_arguments(STORE_MEMORY, arguments)
    assert refused.value.message == sentence


@pytest.mark.parametrize(
    ("value", "kind"),
    [(True, "boolean"), ("5", "text"), (1.5, "number"), ([5], "list"), ({}, "object")],
)
def test_a_value_of_another_kind_is_named(value: object, kind: str) -> None:
    """The sentence says what was sent instead of a whole number."""
    with pytest.raises(InvalidInput, match=f"limit must be a whole number, not {kind}"):
        read_arguments(LIST_MEMORIES, {"limit": value})


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ("hello", "messages must be a list, not text: What was said."),
        (["hello"], "messages must be a list of objects with role and text."),
        ([{"role": "user"}], "messages[0].text required. messages[0] takes role and text."),
        (
            [{"role": "user", "text": "a", "x": 1}],
            "'x' is not an argument of messages[0]. It takes role and text.",
        ),
        (
            [{"role": "user", "text": "a"}, {"role": 1, "text": "a"}],
            "messages[1].role must be text, not number: Who.",
        ),
        ([{}] * 1001, "messages has 1001 entries (maximum 1000)."),
    ],
    ids=str,
)
def test_entries_of_a_list_are_read_too(messages: object, sentence: str) -> None:
    """A mistake inside a list names its place."""
    with pytest.raises(InvalidInput) as refused:
        read_arguments(_TALK, {"messages": messages})
    assert refused.value.message == sentence


def test_a_number_without_an_upper_end() -> None:
    """A range may be open."""
    with pytest.raises(InvalidInput, match="times must be a whole number of at least 1, not 0"):
        read_arguments(_TALK, {"messages": [], "times": 0})


def test_json_that_is_too_deep_is_not_valid() -> None:
    """A million brackets are no argument, and no crash."""
    with pytest.raises(InvalidInput, match="not valid JSON"):
        read_arguments(STORE_MEMORY, "[" * 1_000_000)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NAMES = sorted({parameter.name for tool in TOOLS for parameter in tool.parameters})


@given(
    tool=st.sampled_from(TOOLS),
    arguments=_JSON | st.dictionaries(st.sampled_from(_NAMES) | st.text(max_size=8), _JSON, max_size=6),
)
def test_hostile_arguments_are_read_or_refused(tool: Tool, arguments: object) -> None:
    """Whatever is sent: known names with values of their kinds come out, or a sentence that can be written as UTF-8."""
    said, found = b"", None
    try:
        found = read_arguments(tool, arguments)
    except InvalidInput as refused:
        said = refused.message.encode("utf-8")
    if found is None:
        assert said
        return
    kinds = {Kind.TEXT: str, Kind.WHOLE: int, Kind.NUMBER: (int, float), Kind.LIST: list}
    by_name = {parameter.name: parameter for parameter in tool.parameters}
    assert all(isinstance(value, kinds[by_name[name].kind]) for name, value in found.items())  # type: ignore[arg-type]
    assert {parameter.name for parameter in tool.parameters if parameter.required} <= set(found)


def test_the_six_tools() -> None:
    """S3's five and S2's one, by their names."""
    assert [tool.name for tool in TOOLS] == [
        "store_memory",
        "search_memories",
        "list_memories",
        "update_memory",
        "delete_memory",
        "saveMemory",
    ]


@pytest.mark.parametrize("name", ["", "storeMemory", "STORE_MEMORY", "\ud800" * 50, "remember_conversation"])
def test_there_are_no_others(name: str) -> None:
    """Another name is an error that lists the names there are, in words that can be written."""
    with pytest.raises(NotFound) as missing:
        tool_named(name)
    assert "saveMemory" in missing.value.message
    missing.value.message.encode("utf-8")


def test_parameters_are_those_of_the_sources() -> None:
    """S3 needs an importance, S2 a reason; each offers the five categories of its source."""
    store = {parameter.name: parameter for parameter in STORE_MEMORY.parameters}
    assert [name for name, parameter in store.items() if parameter.required] == [
        "content",
        "category",
        "importance",
    ]
    assert store["category"].choices == ("preference", "fact", "context", "skill", "project")
    save = {parameter.name: parameter for parameter in SAVE_MEMORY.parameters}
    assert all(parameter.required for parameter in save.values())
    assert save["category"].choices == ("identity", "preference", "project", "context", "relationship")
    assert (save["content"].lowest, save["content"].highest) == (10, 500)
    assert (save["reasoning"].lowest, save["reasoning"].highest) == (10, 200)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_descriptions_say_when_to_call(tool: Tool) -> None:
    """A model must know when a tool is meant, and providers take at most 1024 characters."""
    assert "Call it" in tool.description
    assert len(tool.description) <= 1024


@pytest.mark.parametrize("tool", [STORE_MEMORY, SAVE_MEMORY], ids=lambda tool: tool.name)
def test_tools_that_store_say_what_not_to_store(tool: Tool) -> None:
    """S2's guidance: third person, and nothing vague, known, temporary or general."""
    for words in ("third person", "User's wife is named Jane", "Do not call it", "known already", "someday"):
        assert words in tool.description


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
