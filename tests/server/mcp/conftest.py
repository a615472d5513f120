"""What tests of the protocol start from: the service of the REST tests, and the SDK's own client."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from patience import LIMIT
from serving import SERVICE_KEY, Service

from server.conftest import http, local_service, service, user

__all__ = ["http", "local_service", "service", "user"]


@asynccontextmanager
async def connected(
    service: Service, user: str | None = None, *, path: str = "/mcp", mode: str = "auto", **headers: str
) -> AsyncGenerator[Client]:
    """The SDK's client over real HTTP, for a user by the service key, or with headers of one's own."""
    given = {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user} if user else {}
    given |= {name.replace("_", "-"): text for name, text in headers.items()}
    async with httpx2.AsyncClient(headers=given, timeout=LIMIT, verify=False) as carrier:
        transport = streamable_http_client(f"{service.url}{path}", http_client=carrier)
        async with Client(transport, mode=mode) as client:
            yield client


def posted(service: Service, body: bytes, user: str | None = None, **headers: str) -> httpx2.Response:
    """What the address answers to a body, without the SDK; `/openapi.json` does not describe it."""
    given = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    given |= {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user} if user else {}
    given |= {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx2.post(f"{service.url}/mcp", content=body, headers=given, timeout=LIMIT, verify=False)


async def called(client: Client, name: str, arguments: dict[str, Any] | None = None) -> str:
    """The text of a tool's reply, which must be no error."""
    reply = await client.call_tool(name, arguments or {})
    assert not reply.is_error, reply
    return text_of(reply)


def text_of(reply: Any) -> str:
    """The one text of a reply."""
    (content,) = reply.content
    return content.text
