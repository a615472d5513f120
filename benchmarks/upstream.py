"""A model that costs nothing: it streams tokens that tell when they were sent.

python -m benchmarks.upstream    prints its port when it is ready, and serves until it is ended

Each token is the moment at which it was written, in nanoseconds of the machine's monotonic clock, which all processes
share: whoever receives it knows how long it was on the way. `model` says how it talks: `fast` as fast as it can, `paced`
with a pause before each token, `slow` not at all for seconds (a summariser). `GET /slow` tells how often that was asked.
"""

import asyncio
import json
import time
from typing import Any

import uvloop

#: Tokens of one answer, by model.
TOKENS = {"fast": 500, "paced": 100}
#: Seconds before each token of `paced`.
PACE = 0.005
#: Seconds that `slow` takes.
SLOW = 3.0
_SUMMARY = "The user talks about walks, shelves and a book. Nothing is decided yet."


def now() -> int:
    """Nanoseconds, comparable between processes."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class _Model:
    def __init__(self) -> None:
        self.slow = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET"):
            _whole(writer, {"slow": self.slow})
            return True
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        asked = json.loads(await reader.readexactly(length))
        if asked.get("stream"):
            await _stream(writer, asked["model"])
        else:
            self.slow += 1
            await asyncio.sleep(SLOW)
            message = {"role": "assistant", "content": _SUMMARY}
            _whole(writer, {"model": asked["model"], "choices": [{"index": 0, "message": message}]})
        return True


def _whole(writer: asyncio.StreamWriter, content: object) -> None:
    body = json.dumps(content).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)


async def _stream(writer: asyncio.StreamWriter, model: str) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    )
    for _ in range(TOKENS[model]):
        if model == "paced":
            await asyncio.sleep(PACE)
        _event(writer, model, {"content": f"{now()} "}, None)
        await writer.drain()
    _event(writer, model, {}, "stop")
    _chunk(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _event(writer: asyncio.StreamWriter, model: str, delta: dict[str, Any], finish: str | None) -> None:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    event = {"id": "c", "object": "chat.completion.chunk", "model": model, "choices": [choice]}
    _chunk(writer, f"data: {json.dumps(event)}\n\n".encode())


def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


async def main() -> None:
    server = await asyncio.start_server(_Model().connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
