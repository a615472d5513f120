"""Requests byte by byte: what no HTTP library would send. The answer is read by Python's own client.

exchange(service.url, request("GET", "/memories?limit=%zz", {"X-User-Id": "alice"}))
"""

import http.client
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from urllib.parse import urlsplit

import httpx2
from patience import LIMIT

Headers = Mapping[str, str] | Iterable[tuple[str, str]]


def request(
    method: str, target: str, headers: Headers = (), body: bytes = b"", *, length: bool = True
) -> bytes:
    """A request as it goes over the wire; names, values and the target are not looked at."""
    given = list(headers.items() if isinstance(headers, Mapping) else headers)
    if length and body:
        given.append(("Content-Length", str(len(body))))
    lines = [
        f"{method} {target} HTTP/1.1",
        "Connection: close",
        *(f"{name}: {value}" for name, value in given),
    ]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + body


def chunked(body: bytes, size: int = 65536) -> bytes:
    """A body in chunks, whose length nobody says beforehand."""
    pieces = [body[first : first + size] for first in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def exchange(url: str, data: bytes) -> httpx2.Response:
    """The answer to these bytes."""
    address = urlsplit(url)
    method, target = data.split(b" ", 2)[:2]
    with socket.create_connection((address.hostname, address.port), timeout=LIMIT) as connection:
        # Whoever refuses early need not hear the rest.
        with suppress(ConnectionError):
            connection.sendall(data)
        answer = http.client.HTTPResponse(connection, method=method.decode())
        answer.begin()
        content = answer.read()
    path = target.decode("utf-8", "replace").partition("?")[0]
    asked = httpx2.Request(method.decode(), url + (path if path.startswith("/") else "/"))
    return httpx2.Response(answer.status, headers=answer.getheaders(), content=content, request=asked)
