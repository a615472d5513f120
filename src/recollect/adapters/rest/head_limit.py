"""How long the head of a request may be: its first line and its headers.

uvicorn's fast parser has no limit (its other one stops at 64 kB), and joins the pieces of a header again and again: one
header without end would take the memory and the time of the whole process, before anybody is asked for a token. Bodies are
`limits.py`'s business. A layer of the application was rejected: it only sees heads that are complete.
"""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Bytes of a head that comes in several pieces, at most. What comes in one piece is as small as the socket's buffer.
MAX_HEAD: Final = 64 * 2**10
_REFUSAL: Final = b'{"error":"The headers are too long."}'
_ANSWER: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: application/json\r\n"
    b"content-length: %d\r\n"
    b"connection: close\r\n\r\n%s" % (len(_REFUSAL), _REFUSAL)
)


class BoundedHead(HttpToolsProtocol):
    """uvicorn's protocol, which gives up on heads that do not end."""

    _reading_head = False
    _seen = 0

    def data_received(self, data: bytes) -> None:
        begun = self._reading_head
        super().data_received(data)
        if begun and self._reading_head:
            self._seen += len(data)
            if self._seen > MAX_HEAD and not self.transport.is_closing():
                self.transport.write(_ANSWER)
                self.transport.close()

    def on_message_begin(self) -> None:
        self._reading_head, self._seen = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._reading_head = False
        super().on_headers_complete()
