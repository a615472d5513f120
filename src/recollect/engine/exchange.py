"""The exchange: pass an OpenAI client's request to the model, pass the answer back and store it.

The model's server is read in a separate task, so that nothing is lost if the client disconnects. Its bytes are passed on
unchanged, line by line; only the end of a stream waits until the reply is stored, so that the client's next request finds
it. A successful response without an answer becomes an error, as does a stream with an unreadable part. If the model calls
our tools, it is asked again, and the client sees a single answer. This module does not know where memory comes from; it
only decides whether the server accepts memory in its usual position.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from recollect.engine.offered_tools import MAX_ROUNDS, OfferedTools, Sieve, without_ours
from recollect.engine.parts import Parts
from recollect.engine.record import record
from recollect.errors import ModelError, RecollectError
from recollect.models.endpoint import Endless, Lines, Silent
from recollect.models.heard import Heard, event_of, is_done
from recollect.models.relay import Relayed
from recollect.records.message import MAX_NAME, Message, Role, Utterance
from recollect.records.talk import kept_reply
from recollect.rules.completion import CompletionRequest, Placing, about_roles, error_event, placed

log = logging.getLogger(__name__)

#: Statuses with which servers reject an order of messages.
_REFUSED_ORDER = (400, 422, 500)
#: Maximum bytes in one line of a stream; a generated image arrives in one line.
_MAX_LINE = 8_000_000
#: The line that ends a stream.
_END = re.compile(rb"^data:[ \t]*\[DONE\][ \t\r]*$", re.MULTILINE)
#: The beginning of a stream whose server does not declare it as one.
_STREAMED = (b"data:", b"event:", b":")
NO_SENSE = (
    "The model's server gave an answer that makes no sense. The operator should check that"
    " OPENAI_BASE_URL is the address of a server that speaks OpenAI's protocol."
)
_STOPPING = "The service stopped before the answer was whole."
_BUG = "Something went wrong here; the log tells more."


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The input of one exchange."""

    user_id: str
    chat_id: str
    request: CompletionRequest
    #: The request as received, passed on if nothing is added.
    content: bytes
    #: As named by the client or the settings.
    model: str
    #: The last message that was recorded for this request.
    said: Message | None
    #: The memory to add: the part that rarely changes, and the part found for the question.
    stable: str
    recalled: str
    #: None offers no memory tools.
    tools: OfferedTools | None


class Exchange:
    """One request, with as many model calls as our tools need."""

    def __init__(self, parts: Parts, turn: Turn) -> None:
        self._parts = parts
        self._turn = turn
        #: The messages between our tools and the model.
        self._aside: list[Mapping[str, Any]] = []
        self._began = time.monotonic()
        #: Text streamed before the model called one of our tools.
        self._earlier: list[str] = []
        self._heard = Heard()
        self._tokens: int | None = None
        #: The client has stopped reading.
        self._left = False
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        #: The end of a stream, held back until the reply is stored.
        self._end = b""
        #: The beginning of the answer, or the reason that there is none.
        self.head: asyncio.Future[Relayed] = asyncio.get_running_loop().create_future()
        # A client that disconnects before the answer begins never retrieves the error.
        self.head.add_done_callback(lambda head: head.cancelled() or head.exception())

    async def passed(self) -> AsyncGenerator[bytes, None]:
        """The chunks of a stream as they arrive."""
        try:
            while (piece := await self._pieces.get()) is not None:
                yield piece
        finally:
            # Buffer nothing for a client that has disconnected.
            self._left, self._pieces = True, asyncio.Queue()

    async def run(self) -> None:
        """Ask, pass on and record; the client always learns how it ended."""
        try:
            answer = await self._rounds()
            await self._keep(whole=True)
            self._tell()
            if not self.head.done():
                self.head.set_result(answer)
            elif self._end:
                self._hand_on(self._end)
        except asyncio.CancelledError as cancelled:
            await self._break_off(ModelError(_STOPPING), cancelled)
        except RecollectError as error:
            await self._break_off(error, error)
        except Exception as error:
            self._log_bug()
            await self._break_off(RecollectError(_BUG), error)
        finally:
            self._pieces.put_nowait(None)

    # -- asking ---------------------------------------------------------------------------------------------

    async def _rounds(self) -> Relayed:
        """Ask until the model no longer calls our tools; return its last answer."""
        tools, number = self._turn.tools, 0
        while True:
            self._heard = Heard()
            answer = await self._asked(last=number >= MAX_ROUNDS)
            if answer.chunks is not None:
                await self._check_streamed(answer.chunks)
                if not self.head.done():
                    self.head.set_result(answer)
                await self._pass_on(answer.chunks)
            elif self.head.done():
                raise ModelError(
                    "The model's server started with a stream but continued without one."
                    if answer.status == 200
                    else f"The model's server refused to continue, with status {answer.status}."
                )
            else:
                answer = self._read_whole(answer)
            if self._heard.tokens is not None:
                self._tokens = (self._tokens or 0) + self._heard.tokens
            if tools is None or not tools.ours(self._heard):
                return answer
            if number >= MAX_ROUNDS:
                raise ModelError(f"The model called tools {MAX_ROUNDS} times in a row without answering.")
            results = await tools.carried_out(self._heard, number)
            if tools.theirs(self._heard):
                # The client's calls must be answered first.
                return answer
            self._aside += results
            self._earlier += self._heard.words if answer.content is None else []
            number += 1

    async def _asked(self, *, last: bool) -> Relayed:
        """Ask once; if the server rejects our order of messages, try another."""
        relay, turn = self._parts.relay, self._turn
        usual = relay.placings.get(turn.model, Placing.AROUND)
        stream = turn.request.stream
        answer = await relay.ask(self._body(usual, last=last), stream=stream, left=self._left_seconds())
        has_memory = bool(turn.stable or turn.recalled)
        if not has_memory or usual is Placing.FRONT or not _refuses_order(answer):
            return answer
        body = self._body(Placing.FRONT, last=last)
        again = await relay.ask(body, stream=stream, left=self._left_seconds())
        if again.status != 200:
            return answer
        relay.placings[turn.model] = Placing.FRONT
        return again

    def _left_seconds(self) -> float | None:
        """The time left for a non-streamed answer across all model calls; None for a stream."""
        if self._turn.request.stream:
            return None
        whole = self._parts.relay.whole_seconds
        left = whole - (time.monotonic() - self._began)
        if left <= 0:
            raise Silent(f"The model's server did not answer within {whole:g} s.")
        return left

    def _body(self, placing: Placing, *, last: bool) -> bytes:
        """The request to pass on, unchanged if nothing is added."""
        turn, request = self._turn, self._turn.request
        if not (turn.stable or turn.recalled or turn.tools) and request.model:
            return turn.content
        messages = placed(request.messages, turn.stable, turn.recalled, placing)
        body = {**request.body, "model": turn.model, "messages": [*messages, *self._aside]}
        if turn.tools:
            body = turn.tools.added(body, last=last)
        return _written(body)

    # -- passing on -----------------------------------------------------------------------------------------

    def _read_whole(self, answer: Relayed) -> Relayed:
        """Process a non-streamed answer and remove our tool calls from it."""
        assert answer.content is not None
        if answer.status != 200:
            return answer
        said = self._heard.whole(answer.content)
        if said.get("error"):
            return replace(answer, status=502)
        if not isinstance(said.get("choices"), list):
            self._read_unnamed_stream(answer.content)
            return answer
        tools = self._turn.tools
        if tools and tools.ours(self._heard) and tools.theirs(self._heard):
            return replace(answer, content=_written(without_ours(said, tools.names)))
        return answer

    def _read_unnamed_stream(self, content: bytes) -> None:
        """Process a stream that was not declared as one; anything else is not an answer."""
        if not (self._turn.request.stream and content.lstrip().startswith(_STREAMED)):
            raise ModelError(NO_SENSE)
        for line in content.splitlines():
            self._heard.line(line)
        self._check_heard()

    async def _check_streamed(self, chunks: AsyncGenerator[bytes, None]) -> None:
        """Refuse a stream for a client that did not request one, because our tool calls cannot be removed from it."""
        if self._turn.tools and not self._turn.request.stream:
            async with aclosing(chunks):
                # A generator is closed only if reading has begun.
                await anext(chunks, None)
            raise ModelError(
                "The model's server sent a stream that was not requested. Request a stream, or omit our tools."
            )

    async def _pass_on(self, pieces: AsyncGenerator[bytes, None]) -> None:
        """Pass a stream on in whole lines, because a partial line could not be read."""
        sieve = Sieve(names=self._turn.tools.names) if self._turn.tools else None
        lines = Lines(_MAX_LINE)
        async with aclosing(pieces) as chunks:
            async for chunk in chunks:
                if whole := lines.whole(chunk):
                    self._pass_lines(whole, sieve)
                # Background work waits while text is arriving.
                self._parts.presence.noticed()
                if self._heard.done:
                    break
                if self._left and self._heard.too_long:
                    raise Endless(
                        "The client disconnected, and the answer has reached the maximum length of a message."
                    )
        if lines.rest:
            self._pass_lines(lines.rest, sieve)
        self._check_heard()

    def _check_heard(self) -> None:
        """Check that a stream began, was readable and ended properly."""
        if self._heard.broken:
            raise ModelError("A part of the model's answer is an error or could not be read.")
        if not self._heard.begun:
            raise ModelError("The model's server gave an empty answer.")
        if not self._heard.finished:
            raise ModelError("The model stopped in the middle of its answer.")

    def _hand_on(self, piece: bytes) -> None:
        if not self._left:
            self._pieces.put_nowait(piece)

    def _pass_lines(self, lines: bytes, sieve: Sieve | None) -> None:
        """Pass whole lines on before processing them, so that no text waits for processing."""
        if sieve is not None:
            for line in lines.splitlines(keepends=True):
                self._sift(line, sieve)
            return
        end = 0 if self._end else _before_end(lines)
        if end:
            self._hand_on(lines[:end])
        self._end += lines[end:]
        for line in lines.splitlines():
            self._heard.line(line)

    def _sift(self, line: bytes, sieve: Sieve) -> None:
        """Pass one line on without our tool calls."""
        if self._end or is_done(line):
            self._heard.line(line)
            self._end += b"" if sieve.only_ours else line
            return
        event = event_of(line)
        shown = sieve.sifted(event) if event is not None else None
        if shown is event:
            self._hand_on(line)
        elif shown is not None:
            self._hand_on(b"data: " + _written(shown) + b"\n")
        self._heard.event(event, line)

    # -- the end --------------------------------------------------------------------------------------------

    async def _keep(self, *, whole: bool) -> Message | None:
        """Store the model's reply, if any; a reply that cannot be stored is still passed on."""
        turn = self._turn
        spoken = Heard(words=[*self._earlier, *self._heard.words]).text
        if not spoken.strip():
            return None
        reply = Utterance(
            role=Role.ASSISTANT,
            text=kept_reply(spoken, whole=whole),
            model_id=_as_name(self._heard.model or turn.model),
            model_variant=_as_name(turn.model),
            token_usage=self._tokens,
        )
        answers = turn.said.message_id if turn.said else None
        try:
            recorded = await record(self._parts, turn.user_id, turn.chat_id, [reply], answers=answers)
        except RecollectError as error:
            log.error(
                "completion.not_stored user=%s chat=%s error=%s",
                turn.user_id,
                turn.chat_id,
                type(error).__name__,
            )
            return None
        return recorded.messages[0]

    async def _break_off(self, told: RecollectError, error: BaseException) -> None:
        """Store what has arrived, and report the error to the client if possible."""
        kept: Message | None = None
        if self.head.done():
            try:
                kept = await self._keep(whole=False)
            except Exception:
                self._log_bug()
        log.warning(
            "completion.broke_off user=%s chat=%s model=%s kept=%d error=%s address=%s",
            self._turn.user_id,
            self._turn.chat_id,
            self._turn.model,
            kept is not None,
            type(error).__name__,
            told.address if isinstance(told, ModelError) else "",
        )
        if self.head.done():
            status = 504 if isinstance(told, Silent) else 502
            self._hand_on(b"\n" + error_event(status, told.public_message))
        else:
            self.head.set_exception(told)

    def _log_bug(self) -> None:
        log.exception(
            "completion.failed user=%s chat=%s model=%s",
            self._turn.user_id,
            self._turn.chat_id,
            self._turn.model,
        )

    def _tell(self) -> None:
        log.info(
            "completion.answered user=%s chat=%s model=%s memory=%d rounds=%d seconds=%.3f",
            self._turn.user_id,
            self._turn.chat_id,
            self._turn.model,
            bool(self._turn.stable or self._turn.recalled),
            sum(message["role"] == "assistant" for message in self._aside) + 1,
            time.monotonic() - self._began,
        )


def _before_end(lines: bytes) -> int:
    """Where the end of a stream begins, matched as a whole line because the text may also contain these words."""
    found = _END.search(lines)
    return found.start() if found else len(lines)


def _refuses_order(answer: Relayed) -> bool:
    return (
        answer.status in _REFUSED_ORDER
        and answer.content is not None
        and about_roles(answer.content.decode("utf-8", "replace"))
    )


def _written(value: object) -> bytes:
    """JSON in UTF-8; invalid characters are passed on as the original escapes."""
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value).encode("utf-8")


def _as_name(model: str) -> str:
    """A model's name in the form stored with a message."""
    return Heard(words=[model]).text[:MAX_NAME].strip() or "unknown"
