"""Limits the size of a request's head and the time a request may take to arrive.

uvicorn waits forever, and its fast parser has no limit (its other one stops at 64 kB). Before any token is checked, one
endless header could use up the process's memory, and half-sent requests all its connections. `limits.py` limits whole
requests. Nothing limits how long a response takes, because streams may continue. Middleware was rejected because it sees
only complete heads.
"""

import asyncio
import logging
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

log = logging.getLogger(__name__)

#: Maximum bytes of a head that arrives in several pieces. One that arrives in a single piece fits the socket's buffer.
MAX_HEAD: Final = 64 * 2**10
#: Seconds for a head, from the connection, or from the first byte on a kept connection. A slow phone needs one second.
HEAD_SECONDS = 20.0
#: Seconds that a body may pause: longer than a phone is offline between two cells.
SILENT_SECONDS = 20.0
#: Seconds for a whole body: 8 MB at 14 kB per second. Without it, an occasional byte could hold a connection for days.
BODY_SECONDS = 600.0


def _answer(status: bytes, sentence: bytes) -> bytes:
    body = b'{"error":"%s"}' % sentence
    return (
        b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
        % (status, len(body), body)
    )


_TOO_LONG: Final = _answer(b"431 Request Header Fields Too Large", b"The headers exceed 64 KB; shorten them.")
_TOO_SLOW: Final = _answer(b"408 Request Timeout", b"The request did not arrive in time; send it again.")


class BoundedRequest(HttpToolsProtocol):
    """uvicorn's protocol, but it drops requests that never end."""

    #: Whether part of a head has arrived.
    _coming = False
    _reading_head = False
    _seen = 0
    #: The deadline for a head or a body, in the loop's seconds.
    _due = 0.0
    #: When data last arrived.
    _heard = 0.0
    #: One per connection, and only while waiting: most requests come in one piece.
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
            # The deadline for the first request was set when the connection opened.
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
        """Drop incomplete requests, because the service is stopping."""
        if self._coming and not self._reading_head and not self._answering():
            self._drop(b"", "body")
        else:
            super().shutdown()

    def _deadline(self) -> float:
        return self._due if self._reading_head else min(self._due, self._heard + SILENT_SECONDS)

    def _look(self) -> None:
        """Check the deadline: it does not apply if data has arrived since, reading is paused, or a response is in progress."""
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
            # A client that sent nothing gets no response, because browsers open connections early.
            self._drop(b"", "head")

    def _answering(self) -> bool:
        """Whether a response is in progress on this connection, to an earlier request or an incomplete one."""
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
