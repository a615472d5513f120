"""The relay: passes a client's requests to the model's server, and the answer back unchanged.

It asks once and returns the bytes whatever their status. Two exceptions: our API key is removed if a server repeats it, and a
refusal of that key becomes an error of this service, because the client cannot fix it. It remembers for each model where
memory may stand among the messages.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from recollect.errors import ModelError
from recollect.models.endpoint import Endpoint
from recollect.rules.completion import Placing
from recollect.settings import Settings

_COMPLETIONS = "/chat/completions"
_EMBEDDINGS = "/embeddings"
_MODELS = "/models"
_STREAM = "text/event-stream"
#: An answer that is not streamed may take this many timeouts, from the request to its last byte.
_WHOLE_ANSWER = 4
#: Response headers that are passed on.
_PASSED = ("content-type", "retry-after", "retry-after-ms", "openai-processing-ms", "openai-version")
_PASSED_PREFIX = "x-ratelimit-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """A response of the server."""

    status: int
    headers: Mapping[str, str]
    #: The whole body; None for a stream.
    content: bytes | None
    #: The pieces of a stream; they end in an error when the server breaks off or never ends. None for a whole body.
    chunks: AsyncGenerator[bytes, None] | None = None


class Relay:
    """The model's server, for clients that use its protocol directly."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        #: Where memory stands among the messages, for models that do not take it in the usual place.
        self.placings: dict[str, Placing] = {}

    @property
    def whole_seconds(self) -> float:
        """How long an answer that is not streamed may take."""
        return self._endpoint.timeout_seconds * _WHOLE_ANSWER

    async def ask(self, body: bytes, *, stream: bool, left: float | None = None) -> Relayed:
        """Ask for a chat completion; `left`: the seconds that remain, when earlier requests have used some of them."""
        seconds = self._endpoint.timeout_seconds if stream else left or self.whole_seconds
        return await self._passed("POST", _COMPLETIONS, body, seconds, left=left, may_stream=True)

    async def embed(self, body: bytes) -> Relayed:
        """Ask for embeddings."""
        return await self._passed("POST", _EMBEDDINGS, body, self.whole_seconds)

    async def models(self) -> Relayed:
        """List the models."""
        return await self._passed("GET", _MODELS, None, self._endpoint.timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections; may be called twice."""
        await self._endpoint.aclose()

    async def _passed(
        self,
        method: str,
        path: str,
        body: bytes | None,
        seconds: float,
        *,
        left: float | None = None,
        may_stream: bool = False,
    ) -> Relayed:
        asked = asyncio.get_running_loop().time()
        response = await self._endpoint.opened(method, path, body, seconds=seconds)
        headers = {
            name: value
            for name, value in response.headers.items()
            if name in _PASSED or name.startswith(_PASSED_PREFIX)
        }
        headers.setdefault("content-type", "application/json")
        if may_stream and response.status_code == 200 and headers["content-type"].startswith(_STREAM):
            chunks = self._endpoint.chunks(path, response)
            return Relayed(status=200, headers=headers, content=None, chunks=chunks)
        content = await self._endpoint.whole(path, response, asked=asked, seconds=left or self.whole_seconds)
        if response.status_code == 401:
            raise ModelError(
                f"{self._endpoint.named(path)} refused this service's API key, not yours."
                " Ask the service's operator to check OPENAI_API_KEY."
            )
        if response.status_code != 200:
            content = self._endpoint.hide_key(content.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        return Relayed(status=response.status_code, headers=headers, content=content)


def relay_for(settings: Settings) -> Relay:
    """The relay to the server in the settings; nothing is connected before the first request."""
    return Relay(
        Endpoint(
            kind="model server",
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            timeout_seconds=settings.model_timeout_seconds,
        )
    )
