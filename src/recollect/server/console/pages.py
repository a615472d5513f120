"""`/` and `/assets/…`: the console's page and its files, with a policy that allows it to load nothing else.

Each request gets a page with a new nonce; only styles with it apply, which include those that the component library writes at
run time. There are no inline scripts. The page also says whether the service is in local mode, so that a console that needs
a token asks for one instead of being refused first. The console's own pages come after `#` in the URL, so the service needs
no rules for them.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from recollect.server.caller import served_by
from recollect.server.console.built import INDEX, BuiltFile, built_files
from recollect.server.errors import Problem

#: The built page's placeholders for the nonce and the mode.
_NONCE: Final = "{{nonce}}"
_MODE: Final = "{{mode}}"
#: A name that contains a hash of its content, so the content never changes.
_HASHED: Final = re.compile(r"-[\w-]{8}\.\w+")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_STYLE: Final = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1.5rem;color-scheme:light dark}"
    "code{background:#8882;padding:.15em .4em;border-radius:.3em}"
)


def pages(files: Mapping[str, BuiltFile] | None = None) -> APIRouter:
    """The console's routes; if it was not built, `/` explains how to build it."""
    shown = _Pages(built_files() if files is None else files)
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/", shown.index)
    router.add_api_route("/assets/{name}", shown.asset)
    return router


class _Pages:
    """One built console."""

    def __init__(self, files: Mapping[str, BuiltFile]) -> None:
        self._files = files

    async def index(self, request: Request) -> Response:
        """The start page."""
        nonce = secrets.token_urlsafe(16)
        file = self._files.get(INDEX)
        page = _how_to_build() if file is None else file.content.decode()
        mode = "local" if served_by(request).gate.local else "keys"
        return HTMLResponse(
            page.replace(_NONCE, nonce).replace(_MODE, mode),
            headers={"Content-Security-Policy": _policy(nonce), "Cache-Control": "no-store"},
        )

    async def asset(self, name: str, request: Request) -> Response:
        """A file that the page loads, compressed for clients that accept it."""
        file = self._files.get(f"assets/{name}")
        if file is None:
            raise Problem(404, f"There is no file {name[:60]!r}.")
        headers = {"Cache-Control": _FOREVER if _HASHED.search(name) else _ASK_AGAIN}
        content = file.content
        if file.compressed is not None:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("accept-encoding", ""):
                headers["Content-Encoding"] = "gzip"
                content = file.compressed
        return Response(content, media_type=file.media_type, headers=headers)


def _how_to_build() -> str:
    """The page of a checkout whose console is not built."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recollect</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style nonce="{_NONCE}">{_STYLE}</style></head><body><main><h1>Recollect is running.</h1>'
        "<p>The console was not built. To build it, run <code>make console</code> in a checkout of the repository (it needs "
        "Node.js 20.19 or newer); then reinstall the checkout and restart the service. A package that is built after "
        "that includes it.</p>"
        '<p>The API works without it: <a href="/docs">see every route</a>.</p></main></body></html>'
    )


def _policy(nonce: str) -> str:
    return (
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"style-src 'self' 'nonce-{nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
