"""How long the head of a request may be, and how long a request may take to come.

uvicorn waits for ever, and its fast parser has no limit (its other one stops at 64 kB): one header without end would take
the memory of the whole process, and sockets that say half a sentence all of its connections, before anybody is asked for a
token. What a whole request may hold is `limits.py`'s business, and how long its answer takes is nobody's here: streams go
on. A layer of the application was rejected: it only sees heads that are complete.
"""

import asyncio
import logging
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

log = logging.getLogger(__name__)

#: Bytes of a head that comes in several pieces, at most. What comes in one piece is as small as the socket's buffer.
MAX_HEAD: Final = 64 * 2**10
#: Seconds for a head: from the connection on, or from its first byte on a connection that was kept. A slow phone needs one.
HEAD_SECONDS = 20.0
#: Seconds that a body may be silent: longer than a phone is without a network between two cells.
SILENT_SECONDS = 20.0
#: Seconds for a whole body: 8 MB at 14 kB a second. Without it, a byte now and then would hold a connection for days.
BODY_SECONDS = 600.0


def _answer(status: bytes, sentence: bytes) -> bytes:
    body = b'{"error":"%s"}' % sentence
    return (
        b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
        % (status, len(body), body)
    )


_TOO_LONG: Final = _answer(
    b"431 Request Header Fields Too Large", b"The headers are longer than 64 KB; send shorter ones."
)
_TOO_SLOW: Final = _answer(b"408 Request Timeout", b"The request was not complete in time; send it again.")


class BoundedRequest(HttpToolsProtocol):
    """uvicorn's protocol, which gives up on requests that do not end."""

    #: A request has begun to come; its head is not whole.
    _coming = False
    _reading_head = False
    _seen = 0
    #: When a head, or a body, must be there (the loop's seconds).
    _due = 0.0
    #: When something came last.
    _heard = 0.0
    #: One a connection, and only while something is waited for: most requests come in one piece.
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._due = self.loop.time() + HEAD_SECONDS
        self._timer = self.loop.call_at(self._due, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        begun = self._reading_head
        super().data_received(data)
        if self.transport.is_closing() or not self._coming:
            self._rest()
            return
        self._heard = self.loop.time()
        if self._timer is None:
            self._timer = self.loop.call_at(self._deadline(), self._look)
        if begun and self._reading_head:
            self._seen += len(data)
            if self._seen > MAX_HEAD:
                self._drop(_TOO_LONG, "head")

    def on_message_begin(self) -> None:
        if self.cycle:
            # The first request of a connection has been waited for since the connection.
            self._due = self.loop.time() + HEAD_SECONDS
        self._coming, self._reading_head, self._seen = True, True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._reading_head = False
        self._due = self.loop.time() + BODY_SECONDS
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._coming = False
        super().on_message_complete()

    def shutdown(self) -> None:
        """The service ends: what has not come whole by now is not waited for."""
        if self._coming and not self._reading_head and not self._answering():
            self._drop(b"", "body")
        else:
            super().shutdown()

    def _deadline(self) -> float:
        return self._due if self._reading_head else min(self._due, self._heard + SILENT_SECONDS)

    def _look(self) -> None:
        """The time may be over: it is not while more has come since, while we do not read, or while we answer."""
        self._timer = None
        if self.transport.is_closing():
            return
        now = self.loop.time()
        if self.flow.read_paused or self._answering():
            self._timer = self.loop.call_at(now + SILENT_SECONDS, self._look)
        elif self._coming and self._deadline() > now:
            self._timer = self.loop.call_at(self._deadline(), self._look)
        elif self._coming:
            self._drop(_TOO_SLOW, "head" if self._reading_head else "body")
        else:
            # A client that sent nothing gets no answer: browsers connect before they need to.
            self._drop(b"", "head")

    def _answering(self) -> bool:
        """Whether an answer is under way on this connection: to an earlier request, or before the whole of this came."""
        if not self.cycle or self.cycle.response_complete:
            return False
        return self._reading_head or self.cycle.response_started or bool(self.pipeline)

    def _drop(self, answer: bytes, waiting_for: str) -> None:
        log.info("http.dropped waiting_for=%s", waiting_for)
        self._rest()
        if answer and not self._answering() and (self._reading_head or not self.cycle.response_complete):
            self.transport.write(answer)
        self.transport.close()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
