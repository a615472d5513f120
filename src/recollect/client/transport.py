"""The HTTP connection to one service: credentials, requests, answers and retries.

A server error (5xx) or connection error is retried after 1, 2 and 4 seconds (S3) and then raised. This is safe for writes
too, because all attempts have the same `Idempotency-Key`. A refusal (4xx) is raised at once, including 429, whose error says
when to retry. This module knows neither routes nor records. Errors are those of `Memory`, so a program that moves from its
own file to a service keeps its `except` clauses.

The environment is not read, not even for proxies: arguments alone determine each request.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, cast

import httpx2

from recollect.api.arguments import LOCAL_USER
from recollect.client.refusal import error_of
from recollect.client.spelling import header_value, query_values
from recollect.errors import InvalidInput, RecollectError, StoreClosed, StoreUnavailable
from recollect.records.memory import check_user_id
from recollect.records.message import check_name

#: The default address of `recollect serve`.
DEFAULT_ADDRESS: Final = "http://127.0.0.1:8765"
#: Seconds between attempts (S3).
RETRY_WAITS: Final = (1.0, 2.0, 4.0)
#: Timeout in seconds for long work: imports, exports, judging, tidying.
LONG_SECONDS: Final = 600.0
_READING: Final = frozenset(("GET", "HEAD"))


class Nobody(Enum):
    """Stands for no user, in requests about the whole database; callers cannot pass it by mistake."""

    NOBODY = "nobody"


NOBODY: Final = Nobody.NOBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request, which is the same for each attempt."""

    method: str
    path: str
    #: The user whose memory it concerns.
    user: str | Nobody = LOCAL_USER
    query: Mapping[str, object] | None = None
    body: object = None
    #: A body that is not JSON is sent unchanged.
    media_type: str = "application/json"
    headers: Mapping[str, str] | None = None
    #: The caller's key; without it, a write gets a generated key for all attempts.
    key: str | None = None
    #: Safe to repeat although it is not a GET request.
    harmless: bool = False
    #: Timeout in seconds per attempt; None for the default.
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A successful answer."""

    status: int
    headers: Mapping[str, str]
    #: As JSON values.
    body: Any


class Transport:
    """The HTTP connection to one service."""

    def __init__(
        self,
        base_url: str,
        *,
        token: str | None = None,
        service_key: str | None = None,
        timeout_seconds: float = 30.0,
        retry_waits: Sequence[float] = RETRY_WAITS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.address = _checked_address(base_url)
        if token and service_key:
            raise InvalidInput("Give a token or a service key, not both.", field="service_key")
        self._shown = _checked_secret(token, "token") or _checked_secret(service_key, "service_key")
        self._acts_for_others = bool(service_key)
        self._seconds = timeout_seconds
        self._waits = tuple(retry_waits)
        self._sleep = sleep
        self._client: httpx2.AsyncClient | None = None
        self._closed = False

    async def get(self, path: str, *, user: str | Nobody = LOCAL_USER, **query: object) -> Any:
        """Send a GET request; return the JSON answer."""
        return (await self.ask(Asked(method="GET", path=path, user=user, query=query))).body

    async def send(
        self, method: str, path: str, body: object = None, *, user: str | Nobody = LOCAL_USER, **query: object
    ) -> Any:
        """Send a write; return the JSON answer."""
        return (await self.ask(Asked(method=method, path=path, user=user, query=query, body=body))).body

    async def ask(self, asked: Asked) -> Answer:
        """Send a request with retries; return the answer."""
        request = self._request(asked)
        waits = iter(self._waits)
        repeated = False
        while True:
            try:
                answer = await self._tried(request, asked)
            except StoreUnavailable as error:
                failure: RecollectError = error
            else:
                under_way = repeated and answer.status_code == 409 and "retry-after" in answer.headers
                if answer.status_code < 500 and not under_way:
                    return _accepted(answer)
                failure = error_of(answer)
            wait = next(waits, None)
            if wait is None or self._closed:
                raise failure
            await self._sleep(wait)
            repeated = True

    @asynccontextmanager
    async def stream(self, asked: Asked) -> AsyncGenerator[httpx2.Response]:
        """Stream an answer. There are no retries, because a stream that has begun cannot be restarted."""
        client = self._connected()
        try:
            response = await client.send(self._request(asked), stream=True)
            try:
                if response.status_code >= 400:
                    await response.aread()
                    raise error_of(response)
                yield response
            finally:
                await response.aclose()
        except httpx2.HTTPError as error:
            raise self._silence(error) from error

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    # -- inside ---------------------------------------------------------------------------------------

    async def _tried(self, request: httpx2.Request, asked: Asked) -> httpx2.Response:
        seconds = self._seconds if asked.seconds is None else max(asked.seconds, self._seconds)
        client = self._connected()
        try:
            async with asyncio.timeout(seconds):
                return await client.send(request)
        except TimeoutError as error:
            raise StoreUnavailable(
                f"The service at {self.address} did not answer within {seconds:g} s. Check that it is not overloaded,"
                " or increase timeout_seconds."
            ) from error
        except httpx2.HTTPError as error:
            raise self._silence(error) from error
        except RuntimeError as error:
            # Another task closed the client during the request.
            if self._closed:
                raise StoreClosed("This client was closed during the request.") from error
            raise

    def _silence(self, error: httpx2.HTTPError) -> StoreUnavailable:
        return StoreUnavailable(
            f"The service at {self.address} cannot be reached ({type(error).__name__}: {error})."
            " Check the address and the network, and that `recollect serve` is running there."
        )

    def _request(self, asked: Asked) -> httpx2.Request:
        headers: dict[str, str | bytes] = {"Accept": "application/json", **(asked.headers or {})}
        if self._shown:
            headers["Authorization"] = f"Bearer {self._shown}"
        named = self._user_named(asked.user)
        if named is not None:
            headers["X-User-Id"] = named
        if asked.method not in _READING and not asked.harmless:
            key = (
                secrets.token_hex(16) if asked.key is None else check_name(asked.key, field="idempotency_key")
            )
            headers["Idempotency-Key"] = header_value(key, "idempotency_key")
        content = None
        if asked.body is not None:
            headers["Content-Type"] = asked.media_type
            is_json = asked.media_type == "application/json"
            content = _written(asked.body) if is_json else _encoded(str(asked.body))
        return self._connected().build_request(
            asked.method,
            f"{self.address}{asked.path}",
            params=tuple(query_values(asked.query or {})),
            headers=cast("dict[str, str]", headers),
            content=content,
        )

    def _user_named(self, user: str | Nobody) -> bytes | None:
        """The user for the header; None for the default user with a session token, which identifies its own user."""
        if user is NOBODY:
            return None
        checked = header_value(check_user_id(user), "user_id")
        return None if user == LOCAL_USER and not self._acts_for_others else checked

    def _connected(self) -> httpx2.AsyncClient:
        if self._closed:
            raise StoreClosed("This client is closed.")
        if self._client is None:
            # No timeout here: each attempt as a whole has one, which also covers answers that trickle in.
            self._client = httpx2.AsyncClient(
                timeout=None, trust_env=False, verify=self.address.startswith("https:")
            )
        return self._client


def _written(body: object) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"This cannot be sent as JSON: {str(error)[:200]}.") from error


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("This text contains a lone surrogate (broken UTF-16). Remove it.") from error


def _accepted(response: httpx2.Response) -> Answer:
    if response.status_code >= 300:
        raise error_of(response)
    try:
        body = response.json() if response.content else None
    except ValueError as error:
        raise RecollectError(
            f"The answer from {response.url.host} is not JSON: {response.text[:80]!r}. Check the address."
        ) from error
    return Answer(status=response.status_code, headers=response.headers, body=body)


def _checked_address(base_url: str) -> str:
    try:
        url = httpx2.URL(base_url)
    except (httpx2.InvalidURL, TypeError) as error:
        raise InvalidInput(
            f"base_url: {str(base_url)[:100]!r} is not a valid address.", field="base_url"
        ) from error
    if url.scheme not in ("http", "https") or not url.host:
        raise InvalidInput(
            f"base_url: {str(base_url)[:100]!r} is not a service address. Use http://… or https://….",
            field="base_url",
        )
    if url.userinfo:
        raise InvalidInput(
            "base_url contains a username or password. Use a token or a service key instead.",
            field="base_url",
        )
    return base_url.rstrip("/")


def _checked_secret(value: str | None, field: str) -> str:
    if value and not (value.isascii() and value.isprintable() and value == value.strip()):
        raise InvalidInput(f"{field} contains invalid characters.", field=field)
    return value or ""
