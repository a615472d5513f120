"""MCP over standard input and output: one client and one user, until the client disconnects or a signal arrives.

A daemon thread reads the input, because the SDK's own reading cannot be interrupted until the client sends something, so a
signal would hang. When the client or a signal ends the session, reading stops, open requests are answered, and the process
ends. Standard output is reserved for the protocol; other output goes to standard error.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

from mcp.server.stdio import stdio_server

from recollect.api.memory import AsyncMemory
from recollect.server.mcp.asking import Asking
from recollect.server.mcp.server import create_mcp

#: Maximum bytes per read.
_PIECE: Final = 65536
#: Seconds to finish answers after the client has closed its end.
_LAST_ANSWERS: Final = 30.0


async def serve(memory: AsyncMemory, asking: Asking, stop: asyncio.Event) -> None:
    """Answer the client on standard input until it disconnects or `stop` is set."""
    server = create_mcp(memory, lambda request: asking)
    with _own_output() as target:
        wire = Wire(0, target)
        wire.listen()
        stopping = asyncio.create_task(_end_at(wire, stop))
        # The SDK reads and writes lines, whatever their source.
        ends = cast("Any", wire)
        async with stdio_server(ends, ends) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        stopping.cancel()


async def _end_at(wire: "Wire", stop: asyncio.Event) -> None:
    await stop.wait()
    wire.end(answer=False)


@contextmanager
def _own_output() -> Generator[int]:
    """The client's file descriptor; meanwhile, standard output is redirected to standard error."""
    sys.stdout.flush()
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        yield wire
    finally:
        sys.stdout.flush()
        os.dup2(wire, 1)
        os.close(wire)


class Wire:
    """Two file descriptors as line streams; tracks requests until they are answered."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._loop = asyncio.get_running_loop()
        #: Lines as received; None means the end.
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        #: IDs of unanswered requests, as JSON.
        self._asked: set[str] = set()
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    def listen(self) -> None:
        """Start reading."""
        threading.Thread(target=self._read, name="mcp-stdin", daemon=True).start()

    def end(self, *, answer: bool) -> None:
        """Stop reading; without `answer`, abandon open requests."""
        if not answer:
            self._asked.clear()
            self._all_answered.set()
        self._lines.put_nowait(None)

    def __aiter__(self) -> "Wire":
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            # The SDK drops running requests at the end of its input.
            with suppress(TimeoutError):
                async with asyncio.timeout(_LAST_ANSWERS):
                    await self._all_answered.wait()
            raise StopAsyncIteration
        self._note(line, asking=True)
        return line

    async def write(self, text: str) -> None:
        """Send an answer to the client."""
        try:
            await asyncio.to_thread(self._write, text.encode("utf-8"))
        except OSError:
            # The client is gone, so its requests no longer matter.
            self.end(answer=False)
        self._note(text, asking=False)

    async def flush(self) -> None:
        """Do nothing, because writes are not buffered."""

    def _read(self) -> None:
        """Read lines, in the thread. Not from `sys.stdin`, because the thread would still hold its lock when the process ends."""
        rest = b""
        while piece := self._piece():
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                self._hand_on(line)
        if rest.strip():
            self._hand_on(rest)
        self._tell(lambda: self.end(answer=True))

    def _piece(self) -> bytes:
        try:
            return os.read(self._source, _PIECE)
        except OSError:
            return b""

    def _hand_on(self, line: bytes) -> None:
        text = line.decode("utf-8", errors="replace")
        self._tell(lambda: self._lines.put_nowait(text))

    def _tell(self, act: Callable[[], None]) -> None:
        # The loop is closed already.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._target, data) :]

    def _note(self, line: str, *, asking: bool) -> None:
        """Track which requests await an answer."""
        try:
            message: object = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict):
            return
        known = cast("dict[str, Any]", message)
        if asking and "method" in known and known.get("id") is not None:
            self._asked.add(json.dumps(known["id"]))
        elif asking and known.get("method") == "notifications/cancelled":
            params = known.get("params")
            # Cancelled requests get no answer.
            self._asked.discard(json.dumps(params.get("requestId") if isinstance(params, dict) else None))
        elif not asking and "method" not in known:
            self._asked.discard(json.dumps(known.get("id")))
        if self._asked:
            self._all_answered.clear()
        else:
            self._all_answered.set()
