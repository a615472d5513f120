"""The names in an OpenAPI description and in the reference pages, as flat sets that can be compared.

A route is `GET /memories/{}` (the names of path variables do not matter), a parameter `GET /memories query limit`, a field
`POST /memories request.content` or `GET /memories 200.memories[].content`. Statuses above 299 count as one, `error`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
FIXTURES = Path(__file__).parent / "fixtures"

Json = dict[str, Any]

#: A row of a table whose first cell is a name and whose second lists fields or labels.
_ROW = re.compile(r"^\| `([\w.]+)` \| ((?:`\w+`(?:, )?)*) ?\|", re.MULTILINE)


def read(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text("utf-8"))


def operations(api: Json) -> Iterator[tuple[str, Json]]:
    """Every route and its operation."""
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            yield route(method, path), operation


def route(method: str, path: str) -> str:
    """The name of a route."""
    return f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}"


def parameters(name: str, operation: Json) -> Iterator[str]:
    """Query and header parameters; header names in lower case."""
    for given in operation.get("parameters", []):
        if given["in"] != "path":
            shown = given["name"].lower() if given["in"] == "header" else given["name"]
            yield f"{name} {given['in']} {shown}"


def fields(name: str, operation: Json, api: Json) -> Iterator[str]:
    """Every field of the request and response bodies."""
    bodies = [("request", operation.get("requestBody", {}))]
    bodies += [(key if key < "3" else "error", said) for key, said in operation["responses"].items()]
    for part, body in bodies:
        for content in body.get("content", {}).values():
            yield from _walk(content.get("schema", {}), f"{name} {part}", api, ())


def _walk(schema: Json, path: str, api: Json, inside: tuple[str, ...]) -> Iterator[str]:
    if reference := schema.get("$ref"):
        if reference not in inside:
            named = api["components"]["schemas"][reference.rpartition("/")[2]]
            yield from _walk(named, path, api, (*inside, reference))
        return
    for kind in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(kind, []):
            yield from _walk(part, path, api, inside)
    for field, part in schema.get("properties", {}).items():
        yield f"{path}.{field}"
        yield from _walk(part, f"{path}.{field}", api, inside)
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"], f"{path}[]", api, inside)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _walk(schema["additionalProperties"], f"{path}.*", api, inside)


def documented(page: str) -> dict[str, list[str]]:
    """The names in the tables of a reference page, each with its fields or labels."""
    text = (REFERENCE / page).read_text("utf-8")
    return {name: re.findall(r"\w+", listed) for name, listed in _ROW.findall(text)}
