"""HTTP to a server that speaks OpenAI's protocol: JSON out, bytes or lines back.

Every network failure becomes a `ModelError` that says what to check: silence, a refusal, a busy server, a broken connection,
an endless answer. A busy or silent server is asked again after the wait that it names; relayed requests (`opened`) are sent
once and returned whatever their status. The API key is never written anywhere. The `openai` package was rejected: 27 MB and
a second of import time for three requests.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from recollect.errors import ModelError

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

T = TypeVar("T")

#: Longest wait before another try (seconds), whatever Retry-After says.
MAX_WAIT_SECONDS = 60.0
#: The same when a person waits for the answer.
HURRIED_WAIT_SECONDS = 2.0
#: Characters of a server's complaint that an error repeats.
MAX_COMPLAINT = 300
#: Bytes of a refusal that are read.
_MAX_REFUSAL = 100_000
#: Idle connections that are kept open; the number of active ones is not limited.
_KEPT_CONNECTIONS = 100
#: Seconds for reading the unused rest of an answer, so that its connection can be reused.
_LAST_BYTES_SECONDS = 0.05

#: User name and password in an address.
_LOGIN = re.compile(r"(?<=//)[^/@]*@")


class Refused(ModelError):
    """The server refused the request; `status` and the whole `complaint` say why."""

    def __init__(self, message: str, *, status: int, complaint: str) -> None:
        super().__init__(message)
        self.status = status
        self.complaint = complaint


class Silent(ModelError):
    """The server did not answer in time."""


class Endless(ModelError):
    """The server's answer exceeds a limit of size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits that end an endless answer."""

    #: Length of a stream, in timeouts: a server may send a word now and then forever.
    times_silence: float = 20.0
    #: Bytes of an answer that is not streamed: 64 vectors of 4,096 numbers are 6 MB, a picture some more.
    body: int = 16_000_000
    #: Bytes of a stream: 128,000 tokens of 250 bytes each are half of it.
    stream: int = 64_000_000
    #: Bytes of one line of a stream.
    line: int = 1_000_000


class Lines:
    """Joins the pieces of a stream into whole lines; looks at each byte once, however small the pieces are."""

    def __init__(self, limit: int) -> None:
        """`limit`: bytes of an unfinished line."""
        self._limit = limit
        self._begun = bytearray()

    def whole(self, piece: bytes) -> bytes:
        """The lines that this piece completes, with their line ends; empty if it completes none."""
        cut = piece.rfind(b"\n") + 1
        lines = bytes(self._begun) + piece[:cut] if cut else b""
        if cut:
            self._begun.clear()
        self._begun += piece[cut:]
        if len(self._begun) > self._limit:
            raise Endless(f"The model's answer has a line of more than {self._limit} bytes.")
        return lines

    @property
    def rest(self) -> bytes:
        """The unfinished last line."""
        return bytes(self._begun)


class _Busy(Exception):
    """The server may answer later; `wait`: the seconds that it asked for."""

    def __init__(self, reason: str, wait: float | None = None, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.silent = silent


class Endpoint:
    """One server."""

    def __init__(
        self,
        *,
        kind: str,
        base_url: str,
        api_key: str | None,
        timeout_seconds: float,
        max_retries: int = 3,
        hurried: bool = False,
        limits: Limits | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`kind` names the server in errors, such as "model server".

        `hurried`: a person waits. A silent server is not asked again, and waits between tries are short.
        """
        self._kind = kind
        self._base_url = base_url.rstrip("/")
        self._api_key = (api_key or "").strip()
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        self._hurried = hurried
        self._limits = limits or Limits()
        self._sleep = sleep
        self._client: AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def named(self, path: str) -> str:
        """The server's name in errors, without a password in its address."""
        return f"The {self._kind} at {_LOGIN.sub('', self._base_url)}{path}"

    @property
    def timeout_seconds(self) -> float:
        """Seconds that the server may be silent."""
        return self._timeout_seconds

    async def post(self, path: str, body: Mapping[str, Any], *, wanted: str) -> bytes:
        """The body of a successful answer, after several tries; `wanted` names the model in errors."""
        return await self._tried(path, lambda: self._exchanged(path, body, wanted))

    async def lines(self, path: str, body: Mapping[str, Any], *, wanted: str) -> AsyncGenerator[str, None]:
        """The lines of an answer as they arrive; a server that falls silent or hangs up is an error."""
        response = await self._tried(path, lambda: self._opened(path, body, wanted))
        lines = Lines(self._limits.line)
        async with aclosing(self.chunks(path, response)) as chunks:
            async for chunk in chunks:
                # Split by hand: `splitlines` also breaks at characters that JSON may contain.
                for line in lines.whole(chunk).split(b"\n")[:-1]:
                    yield line.rstrip(b"\r").decode("utf-8", "replace")
            if lines.rest:
                yield lines.rest.decode("utf-8", "replace")

    async def opened(self, method: str, path: str, content: bytes | None, *, seconds: float) -> "Response":
        """A response that has begun, whatever its status; asked once, because the client may retry.

        `chunks` gives its bytes. The server is asked not to compress them, so they are passed on as they are.
        """
        try:
            return await self._in_time(path, self._sent(path, content, method=method, plain=True), seconds)
        except _Busy as busy:
            kind = Silent if busy.silent else ModelError
            raise kind(f"{self.named(path)} did not answer: {busy}.") from busy

    async def whole(self, path: str, response: "Response", *, asked: float, seconds: float) -> bytes:
        """All bytes of a response that has begun, within so many seconds after `asked`, on the loop's clock."""
        chunks = self.chunks(path, response, most=self._limits.body, asked=asked, seconds=seconds)
        return b"".join([chunk async for chunk in chunks])

    async def chunks(
        self,
        path: str,
        response: "Response",
        *,
        most: int | None = None,
        asked: float | None = None,
        seconds: float | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """The bytes of a response as they arrive; silence and an endless answer are errors. Closes the response."""
        left = self._limits.stream if most is None else most
        began = asyncio.get_running_loop().time()
        longest = self._limits.times_silence * self._timeout_seconds
        if asked is not None and seconds is not None:
            began, longest = asked, min(longest, seconds)
        pieces = response.aiter_bytes()
        try:
            while (piece := await self._next(path, pieces, began + longest, longest)) is not None:
                left -= len(piece)
                if left < 0:
                    raise self._endless(path)
                yield piece
        except GeneratorExit:
            # A caller that has seen enough leaves before the last bytes; a connection read to its end can be reused.
            with suppress(Exception):
                async with asyncio.timeout(_LAST_BYTES_SECONDS):
                    async for _ in pieces:
                        pass
            raise
        finally:
            await response.aclose()

    def hide_key(self, message: str) -> str:
        """The message without our key: servers repeat it when they refuse it."""
        return message.replace(self._api_key, "***") if self._api_key else message

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _tried(self, path: str, ask: Callable[[], Awaitable[T]]) -> T:
        """The result of the first successful try."""
        for attempt in range(self._max_retries + 1):
            try:
                return await ask()
            except _Busy as busy:
                if attempt == self._max_retries or (busy.silent and self._hurried):
                    tries = "1 try" if attempt == 0 else f"{attempt + 1} tries"
                    kind = Silent if busy.silent else ModelError
                    raise kind(
                        f"{self.named(path)} did not answer after {tries}:"
                        f" {busy}. Check that it is running and not overloaded, and check the timeout."
                    ) from busy
                wait = busy.wait if busy.wait is not None else 2.0**attempt
                await self._sleep(min(wait, HURRIED_WAIT_SECONDS if self._hurried else MAX_WAIT_SECONDS))
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _exchanged(self, path: str, body: Mapping[str, Any], wanted: str) -> bytes:
        """One request and its whole answer within the timeout: a trickle of bytes is as slow as silence."""

        async def exchange() -> "tuple[Response, bytes]":
            response = await self._sent(path, _written(body))
            return response, await self._read(path, response)

        response, content = await self._in_time(path, exchange())
        self._accept(path, response, content, wanted)
        return content

    async def _opened(self, path: str, body: Mapping[str, Any], wanted: str) -> "Response":
        """A successful response that has begun; a refusal is read to its end."""

        async def begin() -> "tuple[Response, bytes]":
            response = await self._sent(path, _written(body))
            return response, b"" if response.status_code == 200 else await self._read(path, response)

        response, refusal = await self._in_time(path, begin())
        self._accept(path, response, refusal, wanted)
        return response

    async def _read(self, path: str, response: "Response") -> bytes:
        """The whole body, unless it is too large."""
        content = bytearray()
        try:
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > self._limits.body:
                    raise self._endless(path)
        finally:
            await response.aclose()
        return bytes(content)

    def _endless(self, path: str) -> Endless:
        return Endless(f"{self.named(path)} sent an answer over the size limit, so it was stopped.")

    async def _sent(
        self, path: str, content: bytes | None, *, method: str = "POST", plain: bool = False
    ) -> "Response":
        if not (self._api_key.isascii() and self._api_key.isprintable()):
            raise ModelError("The API key contains characters that are not printable ASCII. Check the key.")
        headers = {"Content-Type": "application/json"} if content is not None else {}
        if plain:
            headers["Accept-Encoding"] = "identity"
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        client = self._connected()
        request = client.build_request(method, f"{self._base_url}{path}", content=content, headers=headers)
        return await client.send(request, stream=True)

    async def _in_time(self, path: str, work: Awaitable[T], seconds: float | None = None) -> T:
        """The result of an exchange; every failure becomes `_Busy` or `ModelError`."""
        # Deferred: httpx2 is heavy, and a process without remote models never needs it.
        import httpx2

        allowed = self._timeout_seconds if seconds is None else seconds
        try:
            async with asyncio.timeout(allowed):
                return await work
        except (TimeoutError, httpx2.TimeoutException) as cause:
            raise _Busy(f"no answer within {allowed:g} s", silent=True) from cause
        except (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError) as cause:
            raise _Busy(f"the connection broke ({type(cause).__name__})") from cause
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as cause:
            raise ModelError(
                f"{self.named(path)} cannot be reached: {self.hide_key(str(cause))}."
                " Check the address, the key and the network."
            ) from cause

    async def _next(
        self, path: str, chunks: AsyncIterator[bytes], end: float, longest: float
    ) -> bytes | None:
        """The next piece of a stream, None at its end; once a stream has begun, nothing is retried."""
        clock = asyncio.get_running_loop().time
        allowed = min(self._timeout_seconds, max(0.0, end - clock()))
        try:
            return await self._in_time(path, anext(chunks, None), allowed)
        except _Busy as busy:
            if busy.silent and clock() >= end:
                raise Silent(
                    f"{self.named(path)} did not finish its answer within {longest:.3g} s, so it was stopped."
                ) from busy
            kind = Silent if busy.silent else ModelError
            raise kind(f"{self.named(path)} stopped in the middle of its answer: {busy}.") from busy

    def _accept(self, path: str, response: "Response", content: bytes, wanted: str) -> None:
        """Return if the status is 200; otherwise raise an error that says what to check."""
        status = response.status_code
        if status == 200:
            return
        complaint = self.hide_key(content[:_MAX_REFUSAL].decode("utf-8", "replace"))
        shown = complaint_in(complaint)[:MAX_COMPLAINT]
        if status == 429 or status >= 500:
            raise _Busy(f"status {status}: {shown}", _asked_wait(response.headers.get("retry-after")))
        check = {
            401: "Check the API key.",
            403: "Check the API key and its permissions.",
            404: f"Check the address (it usually ends in /v1) and that it serves {wanted}.",
        }.get(status, f"Check the address, {wanted} and the length of the texts.")
        raise Refused(
            f"{self.named(path)} refused with status {status}: {shown.rstrip('.')}. {check}",
            status=status,
            complaint=complaint,
        )

    def _connected(self) -> "AsyncClient":
        """The HTTP client of this event loop; connections cannot move to another."""
        import httpx2  # deferred, as above

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=_KEPT_CONNECTIONS)
            self._client, self._loop = httpx2.AsyncClient(timeout=None, limits=limits), loop
        return self._client


def _written(body: Mapping[str, Any]) -> bytes:
    # Lone surrogates cannot be encoded.
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def complaint_in(text: str) -> str:
    """The message in OpenAI's error format; any other text unchanged."""
    try:
        error = cast("dict[str, Any]", json.loads(text))["error"]
        message = error if isinstance(error, str) else error["message"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return text
    return message if isinstance(message, str) else text


def _asked_wait(header: str | None) -> float | None:
    """Retry-After in seconds: a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
