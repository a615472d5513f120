"""The description of the service (`/openapi.json`): FastAPI's, without what is not so and with what stands around routes.

FastAPI describes routes. How one enters, that every write takes an `Idempotency-Key`, and that 422 is never answered, it
cannot know.
"""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from recollect.engine.idempotency import MAX_KEY
from recollect.server.answer import problems, with_nulls
from recollect.server.idempotency import takes_key

_TOKENS: Final = {
    "sessionToken": {"type": "apiKey", "in": "header", "name": "X-Session-Token"},
    "bearer": {"type": "http", "scheme": "bearer"},
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$"},
    "description": "The same key and request within 24 hours give the first answer again, and nothing is done twice.",
}


def described(app: FastAPI) -> dict[str, Any]:
    """The description, made once."""
    if app.openapi_schema is None:
        # The routes stand behind the switchboard.
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
    """A write takes a key, and answers 409 when the key was used otherwise."""
    named = operation.setdefault("parameters", [])
    if not any(item["name"].lower() == "idempotency-key" for item in named):
        named.append(_KEY)
    conflict = problems(409)[409]
    shape = {"$ref": "#/components/schemas/ErrorShape"}
    operation["responses"].setdefault(
        "409", {"description": conflict["description"], "content": {"application/json": {"schema": shape}}}
    )
