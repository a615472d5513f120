"""Heads of requests: long ones are read, endless ones are not."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from patience import LIMIT

from recollect.adapters.rest.head_limit import MAX_HEAD

from .processes import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The real command: only there the limit is in place."""
    folder: Path = tmp_path_factory.mktemp("heads")
    with served(folder / "memory.db", "--no-worker") as running:
        yield running


def first_answer(server: Served, beginning: bytes, piece: bytes, pieces: int) -> bytes:
    """What is answered to a head that goes on and on, until the server has enough."""
    address = urlsplit(server.url)
    answer = b""
    with socket.create_connection((address.hostname, address.port), timeout=LIMIT) as connection:
        try:
            connection.sendall(beginning)
            for _ in range(pieces):
                connection.sendall(piece)
            answer = connection.recv(4096)
        except ConnectionError:
            # It hung up while we were talking.
            return b"closed"
    return answer


@pytest.mark.parametrize(
    ("beginning", "piece"),
    [
        (b"GET /health HTTP/1.1\r\nX-Filler: ", b"a" * 16384),
        (b"GET /health HTTP/1.1\r\n", b"X-Filler: aaaaaaaaaaaaaaaaaaaa\r\n" * 500),
        (b"GET /", b"a" * 16384),
    ],
    ids=["a header", "headers", "an address"],
)
def test_an_endless_head_is_given_up(server: Served, beginning: bytes, piece: bytes) -> None:
    """One header, many headers or an address without end is refused long before it fills the memory."""
    answer = first_answer(server, beginning, piece, 2000)
    assert answer == b"closed" or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
    assert httpx2.get(f"{server.url}/health", timeout=LIMIT).status_code == 200


def test_a_long_head_is_read(server: Served) -> None:
    """Half of the limit is no matter, also when it comes in pieces and twice on one connection."""
    with httpx2.Client(timeout=LIMIT) as client:
        for _ in range(2):
            answer = client.get(f"{server.url}/health", headers={"X-Filler": "a" * (MAX_HEAD // 2)})
            assert answer.status_code == 200
