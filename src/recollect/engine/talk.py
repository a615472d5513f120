"""Talk: store the user's message, build the context, ask a model, stream its answer and store the reply.

The message is durable before the model is asked. A separate task reads the model and passes text on through an unbounded
queue, so that a client that is slow or disconnects delays nothing. Memory work is left to jobs, as for every message. A
reply that breaks off, or exceeds the maximum length of a message, is stored with a mark. Asking the model from the
client's own generator was rejected, because the reply would be lost when the client disconnects.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from recollect.engine.assemble import assemble
from recollect.engine.parts import Parts
from recollect.engine.record import record
from recollect.errors import ModelError, NotFound, RecollectError
from recollect.models.endpoint import Endless
from recollect.records import talk as domain
from recollect.records.message import MAX_TEXT, Message, Role, Utterance, check_message_text
from recollect.records.talk import BROKEN_OFF, Passage, TalkEvent, kept_reply
from recollect.rules.budget import check_budget
from recollect.store import messages

log = logging.getLogger(__name__)

WITHOUT_MODEL = (
    "No model answers here: set RECOLLECT_CHAT_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL."
    " Everything else works without one."
)
_STOPPING = "The service stopped before the answer was whole."
_BUG = "Something went wrong here; the log tells more."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The user's message, and how to answer it."""

    text: str
    #: None creates a new chat.
    chat_id: str | None
    persona_id: str | None
    #: The model's name as given by the caller; None uses the configured one.
    model: str | None
    instructions: str
    sources: tuple[Passage, ...]
    budget: int
    #: With the same key and text, the message is stored only once within a day.
    key: str | None


async def talk(parts: Parts, user_id: str, asked: Asked) -> AsyncGenerator[TalkEvent, None]:
    """Store the user's message and answer it; an error before the first event means that nothing was stored."""
    check_budget(asked.budget)
    text = check_message_text(asked.text)
    model = asked.model or parts.settings.chat_model
    if not model or not parts.settings.reaches_models:
        raise ModelError(WITHOUT_MODEL)
    parts.talks.expect(user_id)
    recorded = await record(
        parts,
        user_id,
        asked.chat_id or _new_chat(parts, asked.key),
        [Utterance(role=Role.USER, text=text)],
        persona_id=asked.persona_id,
        key=asked.key,
    )
    if not recorded.messages:
        raise ModelError("This message has been forgotten; send it again with another key.")
    message = recorded.messages[0]
    answering = _Answering(parts, message, asked, model)
    known = await _answered(parts, message) if recorded.repeated else None
    # Started before the first event is read, so that the reply is stored even if the client disconnects at once.
    parts.talks.begin(answering.repeat(known) if known else answering.run(), user_id)
    try:
        while (event := await answering.events.get()) is not None:
            yield event
    finally:
        answering.left = True


def _new_chat(parts: Parts, key: str | None) -> str:
    """The id for a new chat; the same key always gives the same id, so that a retry finds the first attempt's chat."""
    if key is None:
        return parts.new_id(parts.now())
    return f"chat-{hashlib.sha256(key.encode()).hexdigest()[:24]}"


async def _answered(parts: Parts, message: Message) -> Message | None:
    """A message's existing complete reply."""
    following = await parts.database.read(
        message.user_id,
        lambda tx: messages.after(tx, message.user_id, message.chat_id, message.position, 1),
    )
    whole = [item for item in following if item.role is Role.ASSISTANT and not item.text.endswith(BROKEN_OFF)]
    return whole[0] if whole else None


class _Answering:
    """One reply in progress."""

    def __init__(self, parts: Parts, message: Message, asked: Asked, model: str) -> None:
        self._parts = parts
        self._message = message
        self._asked = asked
        self._model = model
        self._began = time.monotonic()
        self._first_word: float | None = None
        self._words: list[str] = []
        self._length = 0
        self._whole = False
        #: The model name reported by the server.
        self._model_id = ""
        self._tokens: int | None = None
        #: Nobody is listening any more, so nothing is queued.
        self.left = False
        #: Events in order; None marks the end.
        self.events: asyncio.Queue[TalkEvent | None] = asyncio.Queue()
        self.events.put_nowait(domain.begun(message))

    async def repeat(self, reply: Message) -> None:
        """Repeat the stored answer."""
        self.events.put_nowait(domain.spoken(reply.text))
        self.events.put_nowait(domain.completed(reply))
        self.events.put_nowait(None)

    async def run(self) -> None:
        """Answer; the client always learns how it ended."""
        try:
            await self._listen()
            self.events.put_nowait(domain.completed(await self._store()))
            self._tell()
        except asyncio.CancelledError as cancelled:
            await self._break_off(_STOPPING, cancelled)
        except RecollectError as error:
            await self._break_off(error.message, error)
        except Exception as error:
            log.exception(
                "talk.failed user=%s chat=%s model=%s",
                self._message.user_id,
                self._message.chat_id,
                self._model,
            )
            await self._break_off(_BUG, error)
        finally:
            self.events.put_nowait(None)

    async def _listen(self) -> None:
        """Ask the model, and pass its text on as it arrives."""
        asked = self._asked
        context = await assemble(
            self._parts,
            self._message.user_id,
            chat_id=self._message.chat_id,
            query=asked.text,
            budget=asked.budget,
        )
        sent = context.to_openai(system=asked.instructions, sources=asked.sources)
        async with aclosing(self._parts.models.speech(sent, model=self._model)) as events:
            async for event in events:
                if event.text:
                    self._hear(event.text)
                # Background work waits while text is arriving.
                self._parts.presence.noticed()
                self._model_id = event.model or self._model_id
                self._tokens = event.tokens if event.tokens is not None else self._tokens
        self._whole = True

    def _hear(self, words: str) -> None:
        if not self.left:
            self.events.put_nowait(domain.spoken(words))
        self._words.append(words)
        self._first_word = self._first_word or time.monotonic()
        self._length += len(words)
        if self._length > MAX_TEXT:
            raise Endless(
                f"The reply was cut off at the maximum length of a message ({MAX_TEXT} characters)."
            )

    async def _store(self) -> Message:
        """The reply as a message in the chat."""
        reply = Utterance(
            role=Role.ASSISTANT,
            text=kept_reply("".join(self._words), whole=self._whole),
            model_id=self._model_id or self._model,
            model_variant=self._model,
            token_usage=self._tokens,
        )
        asked = self._message
        recorded = await record(self._parts, asked.user_id, asked.chat_id, [reply], answers=asked.message_id)
        return recorded.messages[0]

    async def _break_off(self, why: str, error: BaseException) -> None:
        """Store the text received so far, and report the error to the client."""
        kept: Message | None = None
        # A message forgotten in the meantime gets no answer.
        if "".join(self._words).strip() and not isinstance(error, NotFound):
            try:
                kept = await self._store()
            except Exception:
                log.exception("talk.not_stored user=%s chat=%s", self._message.user_id, self._message.chat_id)
        log.warning(
            "talk.broke_off user=%s chat=%s model=%s kept=%d error=%s",
            self._message.user_id,
            self._message.chat_id,
            self._model,
            kept is not None,
            type(error).__name__,
        )
        cause = error if isinstance(error, RecollectError) else None
        self.events.put_nowait(domain.failed(why, kept, cause))

    def _tell(self) -> None:
        log.info(
            "talk.answered user=%s chat=%s model=%s first_word_seconds=%.3f seconds=%.3f pieces=%d",
            self._message.user_id,
            self._message.chat_id,
            self._model,
            (self._first_word or time.monotonic()) - self._began,
            time.monotonic() - self._began,
            len(self._words),
        )
