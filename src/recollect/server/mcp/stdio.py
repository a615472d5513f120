"""MCP over standard input and output: one client, one user, until the client leaves or a signal comes.

The wire is read by a thread of its own, which nobody waits for: the SDK's way of reading could not be left before the
client says something, so a signal would hang. Both ends are the same here: no more is read, what was asked is answered,
and the process goes. Standard output belongs to the protocol; what anybody else prints goes to standard error.
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

#: Bytes that are read at once.
_PIECE: Final = 65536
#: Seconds that a client which said its last word is still answered.
_LAST_ANSWERS: Final = 30.0


async def serve(memory: AsyncMemory, asking: Asking, stop: asyncio.Event) -> None:
    """Answer the client on standard input until it leaves, or until `stop`."""
    server = create_mcp(memory, lambda request: asking)
    with _own_output() as target:
        wire = Wire(0, target)
        wire.listen()
        stopping = asyncio.create_task(_end_at(wire, stop))
        # The SDK reads lines and writes them, whatever they come from.
        ends = cast("Any", wire)
        async with stdio_server(ends, ends) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        stopping.cancel()


async def _end_at(wire: "Wire", stop: asyncio.Event) -> None:
    await stop.wait()
    wire.end(answer=False)


@contextmanager
def _own_output() -> Generator[int]:
    """The file descriptor that reaches the client; standard output itself is standard error meanwhile."""
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
    """Two file descriptors as lines: what is asked is noted until it is answered."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._loop = asyncio.get_running_loop()
        #: Lines as they came; None: no more will be read.
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        #: The ids of requests that are not answered yet, as JSON.
        self._asked: set[str] = set()
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    def listen(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="mcp-stdin", daemon=True).start()

    def end(self, *, answer: bool) -> None:
        """Read no more; without `answer`, what was asked is given up."""
        if not answer:
            self._asked.clear()
            self._all_answered.set()
        self._lines.put_nowait(None)

    def __aiter__(self) -> "Wire":
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            # The SDK drops whatever runs at the end of its input.
            with suppress(TimeoutError):
                async with asyncio.timeout(_LAST_ANSWERS):
                    await self._all_answered.wait()
            raise StopAsyncIteration
        self._note(line, asking=True)
        return line

    async def write(self, text: str) -> None:
        """Hand an answer to the client."""
        try:
            await asyncio.to_thread(self._write, text.encode("utf-8"))
        except OSError:
            # The client is gone, and so is whatever it waited for.
            self.end(answer=False)
        self._note(text, asking=False)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _read(self) -> None:
        """In the thread: lines as they come. Not by `sys.stdin`, whose lock this thread would take to its grave."""
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
        # A closed loop: nobody listens any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._target, data) :]

    def _note(self, line: str, *, asking: bool) -> None:
        """Keep count of who waits for an answer."""
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
            # Nobody answers what was called off.
            self._asked.discard(json.dumps(params.get("requestId") if isinstance(params, dict) else None))
        elif not asking and "method" not in known:
            self._asked.discard(json.dumps(known.get("id")))
        if self._asked:
            self._all_answered.clear()
        else:
            self._all_answered.set()
