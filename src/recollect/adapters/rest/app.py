"""The application: every router, what surrounds them, and the description of it all (`/openapi.json`).

It is made for one memory that somebody else opens and closes. Order matters only in what surrounds the routes.
"""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from recollect import __version__
from recollect.adapters.rest import errors, operations
from recollect.adapters.rest.gate import Gate
from recollect.adapters.rest.served import Served
from recollect.face.memory import AsyncMemory
from recollect.settings import Settings

_ROUTERS = (operations.router,)

_TOKENS = {
    "sessionToken": {"type": "apiKey", "in": "header", "name": "X-Session-Token"},
    "bearer": {"type": "http", "scheme": "bearer"},
}


def create_app(memory: AsyncMemory, settings: Settings, *, local: bool) -> FastAPI:
    """The application over a memory; `local`: whoever asks without a token is the user `local`."""
    app = FastAPI(
        title="Recollect",
        version=__version__,
        description="Long-term memory for AI assistants.",
        docs_url=None,
        redoc_url=None,
    )
    gate = Gate(
        memory,
        service_key=settings.service_key,
        local=local,
        requests_per_minute=settings.requests_per_minute,
    )
    app.state.served = Served(memory=memory, settings=settings, gate=gate)
    errors.install(app)
    for router in _ROUTERS:
        app.include_router(router)
    app.openapi = lambda: _described(app)
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    """FastAPI's description, with how one enters and without its 422, which we never answer."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        for operations_of in schema["paths"].values():
            for operation in operations_of.values():
                operation["responses"].pop("422", None)
        parts = schema.setdefault("components", {})
        for name in ("HTTPValidationError", "ValidationError"):
            parts.get("schemas", {}).pop(name, None)
        parts["securitySchemes"] = _TOKENS
        schema["security"] = [{name: []} for name in _TOKENS]
        app.openapi_schema = schema
    return app.openapi_schema
