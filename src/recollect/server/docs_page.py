"""The service's API description: `/openapi.json` for programs, and `/docs`, generated from it, with every route on one page.

FastAPI describes routes, but not how to log in, that every write takes an `Idempotency-Key`, or that 422 is never
returned; this module adds that.

The page is plain HTML with a style sheet, without scripts or external resources, so it works offline and under the strictest
policy. FastAPI's own page was rejected because it loads its scripts from a CDN, and Swagger's bundle because it is 2.6 MB
for a page that is only read; `curl` can try a route just as well.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib import resources
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import HTMLResponse, Response

from recollect.engine.idempotency import MAX_KEY
from recollect.server.idempotency import takes_key
from recollect.server.wire import Json, problems, with_nulls

router = APIRouter(include_in_schema=False)

_TOKENS: Final = {
    "sessionToken": {"type": "apiKey", "in": "header", "name": "X-Session-Token"},
    "bearer": {"type": "http", "scheme": "bearer"},
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$"},
    "description": "Repeating a request with the same key within 24 hours returns the first response and does nothing again.",
}

_STYLE: Final = resources.files("recollect.server").joinpath("docs_page.css").read_text("utf-8")
_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS: Final = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'",
    "Cache-Control": "no-cache",
}
#: Maximum levels of body fields that the page lists.
_LEVELS: Final = 3
#: Tags shown last, because most readers look for something else.
_LAST: Final = ("sessions of users", "operations")
#: The meaning of each error status, unless a route says otherwise.
_MEANINGS: Final = {
    str(status): str(answer["description"]) for status, answer in problems(404, 409, 502, 504).items()
}
_HOST: Final = re.compile(r"[\w.-]+(?::\d+)?|\[[0-9a-fA-F:.]+\](?::\d+)?")
#: An example value for each type.
_LEAST: Final[Mapping[str, Any]] = {"string": "…", "integer": 1, "number": 1.0, "boolean": True}
Schema = Mapping[str, Any]


def described(app: FastAPI) -> dict[str, Any]:
    """The description, generated once."""
    if app.openapi_schema is None:
        # The routes are inside our router.
        routes = [inner for route in app.routes for inner in getattr(route, "routes", (route,))]
        schema: dict[str, Any] = with_nulls(
            get_openapi(title=app.title, version=app.version, description=app.description, routes=routes)
        )
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                operation["responses"].pop("422", None)
                if takes_key(method.upper(), path):
                    _add_key(operation)
        parts = schema.setdefault("components", {})
        for name in ("HTTPValidationError", "ValidationError"):
            parts.get("schemas", {}).pop(name, None)
        parts["securitySchemes"] = _TOKENS
        schema["security"] = [{name: []} for name in _TOKENS]
        app.openapi_schema = schema
    return app.openapi_schema


def _add_key(operation: dict[str, Any]) -> None:
    """Add the key to a write, and the 409 for a key used with another request."""
    named = operation.setdefault("parameters", [])
    if not any(item["name"].lower() == "idempotency-key" for item in named):
        named.append(_KEY)
    conflict = problems(409)[409]
    shape = {"$ref": "#/components/schemas/ErrorShape"}
    operation["responses"].setdefault(
        "409", {"description": conflict["description"], "content": {"application/json": {"schema": shape}}}
    )


@router.get("/openapi.json")
async def openapi(request: Request) -> Json:
    """Return this service's description for programs."""
    return Json(request.app.openapi(), headers={"Cache-Control": "no-cache"})


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Return this service's description for people."""
    host = request.headers.get("host", "")
    address = f"{request.scope['scheme']}://{host if _HOST.fullmatch(host) else 'localhost'}"
    return HTMLResponse(page(request.app.openapi(), address), headers=_HEADERS)


def page(schema: Schema, address: str) -> str:
    """The whole page."""
    by_tag: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            by_tag.setdefault(next(iter(operation.get("tags", ())), "other"), []).append(
                (method.upper(), path, operation)
            )
    by_tag = dict(sorted(by_tag.items(), key=lambda item: item[0] in _LAST))
    shown = _Shown(schema.get("components", {}).get("schemas", {}), address)
    title = f"{escape(schema['info']['title'])} <small>{escape(schema['info']['version'])}</small>"
    links = "".join(_links(tag, found) for tag, found in by_tag.items())
    sections = "".join(
        f'<section id="{_anchor(tag)}"><h2>{escape(tag)}</h2>'
        + "".join(shown.operation(*operation) for operation in found)
        + "</section>"
        for tag, found in by_tag.items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recollect: every route</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><nav><h1>{title}</h1>{links}</nav><main><header>"
        f"<p>{escape(schema['info'].get('description', ''))}</p>"
        "<p>The API uses JSON in UTF-8 and times in ISO-8601 UTC. Send the token in <code>X-Session-Token</code> or "
        "<code>Authorization: Bearer</code>; with a service key, name the user in <code>X-User-Id</code>; local mode needs no "
        "token. Errors are <code>{&quot;error&quot;: &quot;…&quot;}</code>. If <code>POST /memories</code> refuses a "
        "fact, <code>&quot;success&quot;: false</code> precedes it; OpenAI's paths use OpenAI's error format. Every write accepts an "
        '<code>Idempotency-Key</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{_legend()}</header>{sections}</main></body></html>"
    )


def _legend() -> str:
    rows = "".join(
        f'<tr class="bad"><td>{status}</td><td>{_text(meaning)}</td></tr>'
        for status, meaning in _MEANINGS.items()
    )
    return f"<details><summary>Error statuses</summary><table>{rows}</table></details>"


def _links(tag: str, found: list[tuple[str, str, Schema]]) -> str:
    inner = "".join(
        f'<a href="#{_anchor(method, path)}"><b class="{method.lower()}">{method}</b> <span>{escape(path)}</span></a>'
        for method, path, _ in found
    )
    return f'<h3><a href="#{_anchor(tag)}">{escape(tag)}</a></h3>{inner}'


def _anchor(*words: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in "-".join(words)).strip("-").lower()


class _Shown:
    """Renders operations as HTML, resolving the shapes they name."""

    def __init__(self, shapes: Mapping[str, Schema], address: str) -> None:
        self._shapes = shapes
        self._address = address

    def operation(self, method: str, path: str, operation: Schema) -> str:
        said = operation.get("description") or operation.get("summary", "")
        first, _, rest = said.partition("\n\n")
        parameters = [
            (item["name"], item["in"], self._type(item["schema"]), item.get("required"), _words(item))
            for item in operation.get("parameters", ())
            if item["name"] != "Idempotency-Key"
        ]
        body = self._body(operation)
        parts = [f"<p>{_text(rest)}</p>" if rest else ""]
        parts += [_table("Parameters", parameters)] if parameters else []
        parts += [_table("Body", list(self._fields(body)))] if body else []
        parts += [self._answers(operation), self._curl(method, path, operation, body)]
        return (
            f'<article id="{_anchor(method, path)}"><h4><b class="{method.lower()}">{method}</b> '
            f"<code>{escape(path)}</code></h4><p>{_text(first)}</p>"
            f"<details><summary>Details</summary>{''.join(parts)}</details></article>"
        )

    def _body(self, operation: Schema) -> Schema | None:
        content = operation.get("requestBody", {}).get("content", {})
        return (
            self._resolved(content["application/json"]["schema"]) if "application/json" in content else None
        )

    def _resolved(self, schema: Schema) -> Schema:
        """Resolve a named shape, or pick the non-null one of several."""
        if "$ref" in schema:
            return self._shapes.get(schema["$ref"].rpartition("/")[2], {})
        chosen = [item for item in schema.get("anyOf", ()) if item.get("type") != "null"]
        return self._resolved(chosen[0]) if len(chosen) == 1 else schema

    def _type(self, schema: Schema) -> str:
        if "anyOf" in schema:
            kinds = [self._type(item) for item in schema["anyOf"] if item.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
        if "$ref" in schema:
            return "object"
        if schema.get("type") == "array":
            return f"array of {self._type(schema.get('items', {}))}"
        return str(schema.get("const") or schema.get("type", "anything"))

    def _fields(self, schema: Schema, before: str = "", level: int = 1) -> Iterator[tuple[Any, ...]]:
        """The fields of an object, each followed by its own fields."""
        for name, field in schema.get("properties", {}).items():
            needed = name in schema.get("required", ())
            yield before + name, "", self._type(field), needed, _words(field)
            inner = self._resolved(field)
            each = self._resolved(inner.get("items", {})) if inner.get("type") == "array" else inner
            if level < _LEVELS and "properties" in each:
                mark = "[]." if each is not inner else "."
                yield from self._fields(each, f"{before}{name}{mark}", level + 1)

    def _answers(self, operation: Schema) -> str:
        rows, usual = "", list[str]()
        for status, answer in sorted(operation["responses"].items()):
            good, words = status.startswith("2"), str(answer.get("description", ""))
            if words == _MEANINGS.get(status):
                usual.append(status)
                continue
            example = next((kind.get("example") for kind in answer.get("content", {}).values()), None)
            shown = _text(words) if example is None else f"<pre>{escape(_pretty(example))}</pre>"
            rows += f'<tr class="{"good" if good else "bad"}"><td>{status}</td><td>{shown}</td></tr>'
        also = f"<p>Errors: {', '.join(usual)}.</p>" if usual else ""
        return f"<h5>Answers</h5><table>{rows}</table>{also}"

    def _curl(self, method: str, path: str, operation: Schema, body: Schema | None) -> str:
        needed = [
            f"{item['name']}=…"
            for item in operation.get("parameters", ())
            if item["in"] == "query" and item.get("required")
        ]
        line = f"curl -s{'' if method == 'GET' else f' -X {method}'} '{self._address}{path}{'?' if needed else ''}{'&'.join(needed)}'"
        if operation.get("security") != []:
            line += ' \\\n  -H "X-Session-Token: $TOKEN"'
        if body is not None:
            line += f" \\\n  -H 'Content-Type: application/json' \\\n  -d '{json.dumps(self._sample(body), ensure_ascii=False)}'"
        return f"<h5>Try it</h5><pre>{escape(line)}</pre>"

    def _sample(self, schema: Schema, level: int = 1) -> Any:
        """A sample value for a shape: its own example, or its required fields."""
        known = self._resolved(schema)
        if "example" in known or known.get("examples"):
            return known["example"] if "example" in known else known["examples"][0]
        if "properties" in known and level <= _LEVELS:
            names = known.get("required") or list(known["properties"])[:1]
            return {name: self._sample(known["properties"][name], level + 1) for name in names}
        if known.get("type") == "array":
            return [self._sample(known.get("items", {}), level + 1)]
        return _LEAST.get(str(known.get("type")), {})


def _words(item: Schema) -> str:
    """A field's description and default."""
    schema = item.get("schema", item)
    default = schema.get("default")
    said = item.get("description") or schema.get("description", "")
    return f"{said} Default: {json.dumps(default)}." if default not in (None, "") else said


def _table(title: str, rows: list[tuple[Any, ...]]) -> str:
    body = "".join(
        f"<tr><td><code>{escape(name)}</code>{'<i>required</i>' if needed else ''}</td>"
        f"<td>{escape(', '.join(filter(None, (kind, place))))}</td><td>{_text(words)}</td></tr>"
        for name, place, kind, needed, words in rows
    )
    return f"<h5>{title}</h5><table>{body}</table>"


def _text(words: str) -> str:
    """Text in which `backticks` mark code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words))


def _pretty(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
