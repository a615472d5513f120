"""A tool: what a model can call, which arguments it takes, and how its arguments are read.

One list of parameters is both the schema that a model is shown (`tool_schema`) and the check of what it sends, so the
two cannot drift apart. Arguments come from a model: anything may be wrong with them, and each error is a sentence that
it can act on. What a value means (which categories there are, how long a text may be) is not known here; the records
say it. Guessing what was meant ("5" for 5) was rejected: a model that is told corrects itself, and a wrong guess is kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.memory import check_text

#: Characters of somebody else's word that an error repeats.
_SHOWN = 40
#: Entries of a list; a model that sends more has lost its way.
_MAX_ENTRIES = 1000


class Kind(StrEnum):
    """What a parameter is, in the words of JSON Schema."""

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
    #: Values that are offered; what else is taken, the records say.
    choices: tuple[str, ...] = ()
    #: The smallest and largest number; of a text the characters, which only the schema tells: the records check them.
    lowest: int | None = None
    highest: int | None = None
    #: What each object of a list holds; empty: the list holds texts.
    entries: tuple["Parameter", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What a model can call."""

    name: str
    #: What a person reads.
    title: str
    #: What it does, when to call it and when not: what a model reads.
    description: str
    parameters: tuple[Parameter, ...]
    #: It changes nothing.
    only_reads: bool = False
    #: What it takes away cannot be had back.
    destroys: bool = False
    #: Calling it twice is the same as calling it once.
    repeatable: bool = False


def read_arguments(tool: Tool, given: object) -> dict[str, Any]:
    """The arguments of a call by name, each of its kind; what was not given is left out.

    `given` is an object, or its JSON text as OpenAI hands it out.
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
    """The values of an object; an error names the field and what there is."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in known:
            raise InvalidInput(
                f"{_shown(name)} is no argument of {where}. It takes {_told(parameters)}.", field=_shown(name)
            )
    found: dict[str, Any] = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is not None:
            found[name] = _value(parameter, value, prefix + name)
        elif parameter.required:
            raise InvalidInput(
                f"{prefix}{name} required. {where} takes {_told(parameters)}.", field=prefix + name
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
    # Not "too small or too large": a number that is none is neither.
    if (lowest is None or lowest <= value) and (highest is None or value <= highest):
        return value
    allowed = f"from {lowest} to {highest}" if highest is not None else f"of at least {lowest}"
    raise InvalidInput(
        f"{field} must be {_MUST_BE[parameter.kind]} {allowed}, not {_number(value)}.", field=field
    )


def _number(value: float) -> str:
    """A number as an error shows it; one of a million digits cannot even be written."""
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
                    f"{field} must be a list of texts, not of {_kind_of(value)}s.", field=field
                )
        return [check_text(value, field=field) for value in values]
    found: list[dict[str, Any]] = []
    for number, value in enumerate(values):
        if not isinstance(value, Mapping):
            raise InvalidInput(
                f"{field} must be a list of objects with {_told(parameter.entries)}.", field=field
            )
        entry = cast("Mapping[str, object]", value)
        found.append(
            _read(parameter.entries, entry, where=f"{field}[{number}]", prefix=f"{field}[{number}].")
        )
    return found


def _told(parameters: tuple[Parameter, ...]) -> str:
    """`content, category and importance; tags if wanted`."""
    needed = [parameter.name for parameter in parameters if parameter.required]
    others = [parameter.name for parameter in parameters if not parameter.required]
    parts = [_listed(needed)] if needed else []
    parts += [f"{_listed(others)} if wanted"] if others else []
    return "; ".join(parts) or "nothing"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _kind_of(value: object) -> str:
    """What a value is, in words for somebody who knows JSON."""
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
    """Somebody else's word, short and printable."""
    return repr(str(name)[:_SHOWN])
