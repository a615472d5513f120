"""A load client: raw keep-alive sockets that read a status and a length and nothing else.

python -m benchmarks.load    reads orders from standard input, one JSON a line, and answers each with a line

It runs in a process of its own. Python's HTTP libraries need longer for a request than the service does, so that they
would be what is measured. What it cannot do (redirects, compression, answers without a length) the service's JSON routes
do not need: an answer that is not understood ends the run, and so does a status that was not expected.
"""

import asyncio
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, cast

import uvloop

#: Seconds for the last answers; one that does not come ends the run.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request, as often as it is sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: str = ""
    status: int = 200

    def to_bytes(self, host: str) -> bytes:
        """The request as it goes over the wire."""
        body = self.body.encode()
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {host}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What one run gave."""

    #: Requests a second.
    rate: float
    #: Seconds.
    p50: float
    p99: float

    @classmethod
    def median(cls, runs: Sequence["Rate"]) -> "Rate":
        """The median of each number over several runs."""
        return cls(
            rate=statistics.median(run.rate for run in runs),
            p50=statistics.median(run.p50 for run in runs),
            p99=statistics.median(run.p99 for run in runs),
        )


def announced(head: bytes) -> int:
    """The length of a body, as the lines before it say."""
    _, found, rest = head.lower().partition(b"\r\ncontent-length:")
    if not found:
        raise ValueError(f"an answer without a length: {head!r}")
    return int(rest.partition(b"\r\n")[0])


class _Connection(asyncio.Protocol):
    """Sends a request, waits for the whole answer, notes the time, and sends the next."""

    def __init__(self, requests: Iterator[tuple[bytes, int]], until: float, taken: list[float]) -> None:
        self._requests, self._until, self._taken = requests, until, taken
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = b""
        self._length = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not of asyncio's classes.
        self._transport = cast("asyncio.Transport", transport)
        self._send()

    def _send(self) -> None:
        request, self._expected = next(self._requests)
        self._started = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if self._length < 0:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            try:
                self._length = end + 4 + self._checked(self._buffer[:end])
            except ValueError as error:
                self._fail(error)
                return
        if len(self._buffer) < self._length:
            return
        now = time.perf_counter()
        self._taken.append(now - self._started)
        self._buffer, self._length = b"", -1
        if now < self._until:
            self._send()
        else:
            self._transport.close()
            self.done.set_result(None)

    def _checked(self, head: bytes) -> int:
        """The length of the answer's body, if it is the answer that was expected."""
        status = int(head[9:12])
        if status != self._expected:
            raise ValueError(f"{status} instead of {self._expected}: {self._buffer[:500]!r}")
        return announced(head)

    def _fail(self, error: Exception) -> None:
        self._transport.abort()
        if not self.done.done():
            self.done.set_exception(error)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server hung up"))


async def load(port: int, asks: Sequence[Ask], *, connections: int, seconds: float) -> Rate:
    """So many connections ask one after the other, all at once, for so long."""
    prepared = itertools.cycle([(ask.to_bytes(f"127.0.0.1:{port}"), ask.status) for ask in asks])
    loop, taken = asyncio.get_running_loop(), list[float]()
    start = time.perf_counter()
    made = [
        await loop.create_connection(lambda: _Connection(prepared, start + seconds, taken), "127.0.0.1", port)
        for _ in range(connections)
    ]
    async with asyncio.timeout(seconds + _PATIENCE):
        await asyncio.gather(*(connection.done for _, connection in made))
    passed = time.perf_counter() - start
    taken.sort()
    return Rate(
        rate=len(taken) / passed,
        p50=taken[len(taken) // 2],
        p99=taken[min(len(taken) - 1, int(len(taken) * 0.99))],
    )


class LoadClient:
    """The other side of the pipe: orders to the process that makes the load."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, port: int, asks: Sequence[Ask], *, connections: int, seconds: float) -> Rate:
        """What a load of this kind gives."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {
            "port": port,
            "asks": [asdict(ask) for ask in asks],
            "connections": connections,
            "seconds": seconds,
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(
            self._process.stdout.readline() or '{"error": "the load client died"}'
        )
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return Rate(**answer)


@contextmanager
def load_client() -> Generator[LoadClient]:
    """A process that makes load, ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.load"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield LoadClient(process)
    finally:
        process.kill()
        process.communicate()


def _serve_orders() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        asks = [Ask(**ask) for ask in order.pop("asks")]
        try:
            answer = asdict(uvloop.run(load(asks=asks, **order)))
        except (OSError, ValueError) as error:
            answer = {"error": f"{asks[0].method} {asks[0].path}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve_orders()
