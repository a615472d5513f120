"""The exchange: one request of an OpenAI client on its way to the model and back, and what is kept of it.

The model's server is read in a task of its own, so that a client who leaves loses nothing. Its bytes pass as they are,
line by line; only the end of a stream waits until the reply is stored, so that a client who goes on at once finds it there.
A success that holds no answer becomes an error, and so does a stream of which a part could not be read. When the model
calls tools of ours it is asked again, and the client sees one answer. It does not know where memory comes from, and
decides nothing about it but whether the server takes it where it usually stands.
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

#: Statuses with which servers refuse the order of messages.
_REFUSED_ORDER = (400, 422, 500)
#: Bytes of one line of a stream; a picture that a model draws comes in one.
_MAX_LINE = 8_000_000
#: The line that ends a stream.
_END = re.compile(rb"^data:[ \t]*\[DONE\][ \t\r]*$", re.MULTILINE)
#: How a stream begins that its server does not call one.
_STREAMED = (b"data:", b"event:", b":")
NO_SENSE = (
    "The model's server gave an answer that makes no sense. The operator should check that"
    " OPENAI_BASE_URL is the address of a server that speaks OpenAI's protocol."
)
_STOPPING = "The service stopped before the answer was whole."
_BUG = "Something went wrong here; the log tells more."


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one exchange is about."""

    user_id: str
    chat_id: str
    request: CompletionRequest
    #: The request as it came, to be passed on where nothing is added.
    content: bytes
    #: As the client, or the settings, call it.
    model: str
    #: The last message that was recorded for this request.
    said: Message | None
    #: What is remembered: what changes rarely, and what the question brings.
    stable: str
    recalled: str
    #: None: no memory tools are offered.
    tools: OfferedTools | None


class Exchange:
    """One request, with as many questions as our tools need."""

    def __init__(self, parts: Parts, turn: Turn) -> None:
        self._parts = parts
        self._turn = turn
        #: What our tools and the model said to each other.
        self._aside: list[Mapping[str, Any]] = []
        self._began = time.monotonic()
        #: Streamed before the model called a tool of ours.
        self._earlier: list[str] = []
        self._heard = Heard()
        self._tokens: int | None = None
        #: The client reads no more.
        self._left = False
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        #: The end of a stream, which waits until the reply is stored.
        self._end = b""
        #: How the answer begins, or why there is none.
        self.head: asyncio.Future[Relayed] = asyncio.get_running_loop().create_future()
        # A client who leaves before the answer begins never asks why there is none.
        self.head.add_done_callback(lambda head: head.cancelled() or head.exception())

    async def passed(self) -> AsyncGenerator[bytes, None]:
        """The pieces of a stream as they come."""
        try:
            while (piece := await self._pieces.get()) is not None:
                yield piece
        finally:
            # Nothing is kept for somebody who has left.
            self._left, self._pieces = True, asyncio.Queue()

    async def run(self) -> None:
        """Ask, pass on, record; whatever happens, the client is told how it ended."""
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
        """Ask until the model calls none of our tools any more; its last answer."""
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
                    "The model's server began with a stream and went on without one."
                    if answer.status == 200
                    else f"The model's server refused to go on, with status {answer.status}."
                )
            else:
                answer = self._read_whole(answer)
            if self._heard.tokens is not None:
                self._tokens = (self._tokens or 0) + self._heard.tokens
            if tools is None or not tools.ours(self._heard):
                return answer
            if number >= MAX_ROUNDS:
                raise ModelError(f"The model called tools {MAX_ROUNDS} times in a row and did not answer.")
            results = await tools.carried_out(self._heard, number)
            if tools.theirs(self._heard):
                # The client must be heard first.
                return answer
            self._aside += results
            self._earlier += self._heard.words if answer.content is None else []
            number += 1

    async def _asked(self, *, last: bool) -> Relayed:
        """Ask once; in another order of messages, if the server refuses ours."""
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
        """What is left for an answer at once, however often the model is asked for it; None: it is a stream."""
        if self._turn.request.stream:
            return None
        whole = self._parts.relay.whole_seconds
        left = whole - (time.monotonic() - self._began)
        if left <= 0:
            raise Silent(f"The model's server did not come to an answer within {whole:g} s.")
        return left

    def _body(self, placing: Placing, *, last: bool) -> bytes:
        """The request as it is passed on: as it came, if nothing has to be added."""
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
        """Hear an answer that came at once, and take our calls out of it."""
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
        """Hear a stream that came under another name; anything else is no answer."""
        if not (self._turn.request.stream and content.lstrip().startswith(_STREAMED)):
            raise ModelError(NO_SENSE)
        for line in content.splitlines():
            self._heard.line(line)
        self._check_heard()

    async def _check_streamed(self, chunks: AsyncGenerator[bytes, None]) -> None:
        """A client that wants all at once cannot be shown a stream whose calls of our tools are taken out."""
        if self._turn.tools and not self._turn.request.stream:
            async with aclosing(chunks):
                # Only what has begun to be read is also closed.
                await anext(chunks, None)
            raise ModelError(
                "The model's server streams although it was not asked to. Ask for a stream, or leave our tools out."
            )

    async def _pass_on(self, pieces: AsyncGenerator[bytes, None]) -> None:
        """Pass a stream on by whole lines: what breaks off in the middle of one could not be read."""
        sieve = Sieve(names=self._turn.tools.names) if self._turn.tools else None
        lines = Lines(_MAX_LINE)
        async with aclosing(pieces) as chunks:
            async for chunk in chunks:
                if whole := lines.whole(chunk):
                    self._pass_lines(whole, sieve)
                # Work behind gives way as long as words come.
                self._parts.presence.noticed()
                if self._heard.done:
                    break
                if self._left and self._heard.too_long:
                    raise Endless("The client has left, and no message could hold more of the answer.")
        if lines.rest:
            self._pass_lines(lines.rest, sieve)
        self._check_heard()

    def _check_heard(self) -> None:
        """A stream must have begun, be readable, and have come to its end."""
        if self._heard.broken:
            raise ModelError("A part of the model's answer is an error or could not be read.")
        if not self._heard.begun:
            raise ModelError("The model's server gave an empty answer.")
        if not self._heard.finished:
            raise ModelError("The model broke off in the middle of its answer.")

    def _hand_on(self, piece: bytes) -> None:
        if not self._left:
            self._pieces.put_nowait(piece)

    def _pass_lines(self, lines: bytes, sieve: Sieve | None) -> None:
        """Hand whole lines on, then hear them: no word waits until it is understood."""
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
        """Hand one line on, without what is ours."""
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
        """Store what the model said, if it said anything; a reply that cannot be stored is passed on all the same."""
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
        """Keep what has come, and tell the client in the way that is still open."""
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
    """Where the end of a stream begins in whole lines; a model may say these words itself, inside of a line."""
    found = _END.search(lines)
    return found.start() if found else len(lines)


def _refuses_order(answer: Relayed) -> bool:
    return (
        answer.status in _REFUSED_ORDER
        and answer.content is not None
        and about_roles(answer.content.decode("utf-8", "replace"))
    )


def _written(value: object) -> bytes:
    """JSON in UTF-8; broken letters travel as the escapes that they came as."""
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value).encode("utf-8")


def _as_name(model: str) -> str:
    """A model's name as a message keeps it."""
    return Heard(words=[model]).text[:MAX_NAME].strip() or "unknown"
