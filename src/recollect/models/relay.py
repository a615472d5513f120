"""The relay: requests of somebody else's client go to the model's server, and what comes back is passed on as it is.

Bytes in, bytes out, whatever their status: it asks once, reads nothing and changes nothing. Two things it keeps back: our
own key, should a server repeat it, and a refusal of that key, which is no business of the client. How a server takes
messages is remembered for each model.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from recollect.errors import ModelError
from recollect.models.endpoint import Endpoint
from recollect.rules.completion_memory import Placing
from recollect.settings import Settings

_COMPLETIONS = "/chat/completions"
_EMBEDDINGS = "/embeddings"
_MODELS = "/models"
_STREAM = "text/event-stream"
#: A whole answer has no words between which to be silent, so that it gets so many times as long, from the question to its
#: last byte.
_WHOLE_ANSWER = 4
#: Headers of an answer that are passed on.
_PASSED = ("content-type", "retry-after", "retry-after-ms", "openai-processing-ms", "openai-version")
_PASSED_PREFIX = "x-ratelimit-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    #: The whole of it; None: it is a stream.
    content: bytes | None
    #: Its pieces as they come; they end in an error when the server breaks off, or does not end. None: it is whole.
    chunks: AsyncGenerator[bytes, None] | None = None


class Relay:
    """The model's server, for those who speak its protocol themselves."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        #: How a model's server wants memory among the messages, where it is not the usual way.
        self.placings: dict[str, Placing] = {}

    @property
    def whole_seconds(self) -> float:
        """How long an answer at once may take in all."""
        return self._endpoint.timeout_seconds * _WHOLE_ANSWER

    async def ask(self, body: bytes, *, stream: bool, left: float | None = None) -> Relayed:
        """Ask for a chat completion; `left`: seconds that remain for an answer at once, where others were asked for before it."""
        seconds = self._endpoint.timeout_seconds if stream else left or self.whole_seconds
        return await self._passed("POST", _COMPLETIONS, body, seconds, left=left, may_stream=True)

    async def embed(self, body: bytes) -> Relayed:
        """Ask for embeddings."""
        return await self._passed("POST", _EMBEDDINGS, body, self.whole_seconds)

    async def models(self) -> Relayed:
        """Which models there are."""
        return await self._passed("GET", _MODELS, None, self._endpoint.timeout_seconds)

    async def aclose(self) -> None:
        """Give the connections back; may be called twice."""
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
                f"{self._endpoint.named(path)} refused the key of this service, not yours."
                " Whoever runs it should check OPENAI_API_KEY."
            )
        if response.status_code != 200:
            content = self._endpoint.hide_key(content.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        return Relayed(status=response.status_code, headers=headers, content=content)


def relay_for(settings: Settings) -> Relay:
    """The relay to the server of the settings; nothing is asked before somebody does."""
    return Relay(
        Endpoint(
            kind="model server",
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            timeout_seconds=settings.model_timeout_seconds,
        )
    )
