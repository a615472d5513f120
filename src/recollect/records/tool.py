"""Tools that a model can call: their parameters, their schemas in three formats, and reading the arguments of a call.

One list of parameters is both the schema and the check, so the two always agree. Arguments come from a model: anything may be
wrong with them, and each error is a sentence that the model can act on. Values are not guessed ("5" for 5), because a model
corrects itself after an error, while a wrong guess is stored. Which categories exist and how long a text may be is checked
by the records.

OpenAI and Anthropic take JSON Schema in different envelopes. Gemini takes part of OpenAPI's schema: types in capitals, no
`additionalProperties`, and no lengths, because its API reads them as text.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.memory import check_text, one_of

#: Maximum characters of a given name repeated in an error.
_SHOWN = 40
#: Maximum entries of a list.
_MAX_ENTRIES = 1000


class Kind(StrEnum):
    """The type of a parameter, as in JSON Schema."""

    TEXT = "string"
    WHOLE = "integer"
    NUMBER = "number"
    LIST = "array"


_MUST_BE = {
    Kind.TEXT: "text",
    Kind.WHOLE: "a whole number",
    Kind.NUMBER: "a number",
    Kind.LIST: "a list",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    #: Values that the schema offers; the records may accept others.
    choices: tuple[str, ...] = ()
    #: The smallest and largest number; for a text its length, which only the schema states and the records check.
    lowest: int | None = None
    highest: int | None = None
    #: The fields of each object in a list; empty: a list of texts.
    entries: tuple["Parameter", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    name: str
    #: For people.
    title: str
    #: For the model: what it does, when to call it and when not.
    description: str
    parameters: tuple[Parameter, ...]
    #: Whether it only reads.
    only_reads: bool = False
    #: Whether it deletes permanently.
    destroys: bool = False
    #: Whether calling it twice has the same effect as calling it once.
    repeatable: bool = False


def read_arguments(tool: Tool, given: object) -> dict[str, Any]:
    """The arguments of a call by name, type-checked; missing optional ones are left out.

    `given` is an object, or its JSON text as OpenAI sends it.
    """
    values = _as_object(tool, given)
    return _read(tool.parameters, values, where=tool.name, prefix="")


def _as_object(tool: Tool, given: object) -> Mapping[str, object]:
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError):
            raise InvalidInput(
                f"The arguments of {tool.name} are not valid JSON. Send one JSON object.", field="arguments"
            ) from None
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidInput(f"The arguments of {tool.name} must be one JSON object.", field="arguments")
    return cast("Mapping[str, object]", given)


def _read(
    parameters: tuple[Parameter, ...], values: Mapping[str, object], *, where: str, prefix: str
) -> dict[str, Any]:
    """The values of an object; an error names the field and the known fields."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in known:
            raise InvalidInput(
                f"{_shown(name)} is not an argument of {where}. It takes {_described(parameters)}.",
                field=_shown(name),
            )
    found: dict[str, Any] = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is not None:
            found[name] = _value(parameter, value, prefix + name)
        elif parameter.required:
            raise InvalidInput(
                f"{prefix}{name} required. {where} takes {_described(parameters)}.", field=prefix + name
            )
    return found


def _value(parameter: Parameter, value: object, field: str) -> Any:
    match parameter.kind:
        case Kind.TEXT:
            if isinstance(value, str):
                return check_text(value, field=field)
        case Kind.WHOLE:
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool):
                return _in_range(parameter, value, field)
        case Kind.NUMBER:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return _in_range(parameter, value, field)
        case Kind.LIST:
            if isinstance(value, list | tuple):
                return _entries(parameter, cast("list[object]", list(cast("Any", value))), field)
    raise InvalidInput(
        f"{field} must be {_MUST_BE[parameter.kind]}, not {_kind_of(value)}: {parameter.description}",
        field=field,
    )


def _in_range(parameter: Parameter, value: float, field: str) -> float:
    lowest, highest = parameter.lowest, parameter.highest
    # Written this way because NaN compares false with everything.
    if (lowest is None or lowest <= value) and (highest is None or value <= highest):
        return value
    allowed = f"from {lowest} to {highest}" if highest is not None else f"of at least {lowest}"
    raise InvalidInput(
        f"{field} must be {_MUST_BE[parameter.kind]} {allowed}, not {_number(value)}.", field=field
    )


def _number(value: float) -> str:
    """A number for an error message; one of a million digits cannot be formatted."""
    try:
        return f"{value:g}"
    except OverflowError:
        return "that"


def _entries(parameter: Parameter, values: list[object], field: str) -> list[Any]:
    if len(values) > _MAX_ENTRIES:
        raise InvalidInput(f"{field} has {len(values)} entries (maximum {_MAX_ENTRIES}).", field=field)
    if not parameter.entries:
        for value in values:
            if not isinstance(value, str):
                raise InvalidInput(
                    f"{field} must be a list of strings, not of {_kind_of(value)}s.", field=field
                )
        return [check_text(value, field=field) for value in values]
    found: list[dict[str, Any]] = []
    for number, value in enumerate(values):
        if not isinstance(value, Mapping):
            raise InvalidInput(
                f"{field} must be a list of objects with {_described(parameter.entries)}.", field=field
            )
        entry = cast("Mapping[str, object]", value)
        found.append(
            _read(parameter.entries, entry, where=f"{field}[{number}]", prefix=f"{field}[{number}].")
        )
    return found


def _described(parameters: tuple[Parameter, ...]) -> str:
    """`content, category and importance; tags if wanted`."""
    needed = [parameter.name for parameter in parameters if parameter.required]
    others = [parameter.name for parameter in parameters if not parameter.required]
    parts = [_listed(needed)] if needed else []
    parts += [f"{_listed(others)} if wanted"] if others else []
    return "; ".join(parts) or "nothing"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _kind_of(value: object) -> str:
    """The JSON type of a value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "number"
    if value is None:
        return "null"
    return "object" if isinstance(value, Mapping) else "list"


def _shown(name: object) -> str:
    """A given name, short and printable."""
    return repr(str(name)[:_SHOWN])


class ToolFormat(StrEnum):
    """The provider's format."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


def parse_format(value: object) -> ToolFormat:
    """Read a format from a caller."""
    return one_of(ToolFormat, value, field="format")


def in_format(tools: Iterable[Tool], format: ToolFormat) -> list[dict[str, Any]]:
    """Tools in a provider's format."""
    schema = {ToolFormat.OPENAI: openai, ToolFormat.ANTHROPIC: anthropic, ToolFormat.GEMINI: gemini}[format]
    return [schema(tool) for tool in tools]


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
    # Gemini refuses an empty list of required fields.
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
