"""Reads a chat completion while its bytes are relayed: the text, the model, the tokens and the tool calls.

It never stops the relay: bytes that it cannot read are passed on and noted. Only the first choice counts; a client that
asks for several picks one, and does not tell us which. It keeps no more text than a message may have.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from recollect.models.reply import storable
from recollect.records.message import MAX_TEXT

_DATA = b"data:"
_DONE = b"[DONE]"


@dataclass(slots=True, kw_only=True)
class Call:
    """A tool call that the model asks for."""

    call_id: str = ""
    name: str = ""
    arguments: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The call as part of an assistant's message."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.call_id, "type": "function", "function": function}


@dataclass(slots=True, kw_only=True)
class Heard:
    """What was read of one answer so far."""

    words: list[str] = field(default_factory=list[str])
    #: Characters of the whole text.
    length: int = 0
    #: The model as its server names it; empty if it does not.
    model: str = ""
    #: Tokens of question and answer; None if the server does not report them.
    tokens: int | None = None
    #: A choice has arrived.
    begun: bool = False
    #: Something was unreadable or an error: the answer is incomplete.
    broken: bool = False
    #: The model has finished its answer.
    finished: bool = False
    #: Nothing follows.
    done: bool = False
    #: By their index in the answer.
    calls: dict[int, Call] = field(default_factory=dict[int, Call])

    @property
    def text(self) -> str:
        """The model's text, storable in a database."""
        return storable("".join(self.words))

    @property
    def too_long(self) -> bool:
        """Whether the text is longer than a message may be."""
        return self.length > MAX_TEXT

    def line(self, line: bytes) -> None:
        """Read one line of a stream."""
        self.event(event_of(line), line)

    def event(self, event: Mapping[str, Any] | None, line: bytes) -> None:
        """Read the event in a line of a stream; None if the line holds no readable one."""
        if event is not None:
            self._hear(event)
        elif is_done(line):
            self.finished = self.done = True
        elif line.startswith(_DATA) and line[len(_DATA) :].strip():
            self.broken = True

    def _hear(self, event: Mapping[str, Any]) -> None:
        self._about(event)
        self.begun = self.begun or bool(event.get("choices"))
        self.broken = self.broken or bool(event.get("error"))
        choice = first_choice(event)
        delta = _object(choice.get("delta"))
        self._say(delta.get("content"))
        for entry in calls_in(delta):
            call = self.calls.setdefault(place_of(entry), Call())
            function = _object(entry.get("function"))
            call.call_id = call.call_id or _text(entry.get("id"))
            call.name = call.name or _text(function.get("name"))
            if len(call.arguments) <= MAX_TEXT:
                call.arguments += _text(function.get("arguments"))
        self.finished = self.finished or bool(choice.get("finish_reason"))

    def whole(self, content: bytes) -> dict[str, Any]:
        """Read an answer that was not streamed and return it as JSON; empty if unreadable."""
        try:
            answer = _object(json.loads(content))
        except (ValueError, RecursionError):
            return {}
        self._about(answer)
        message = _object(first_choice(answer).get("message"))
        self._say(message.get("content"))
        for place, entry in enumerate(calls_in(message)):
            function = _object(entry.get("function"))
            self.calls[place] = Call(
                call_id=_text(entry.get("id")),
                name=_text(function.get("name")),
                arguments=_text(function.get("arguments")),
            )
        self.finished = bool(message)
        return answer

    def _say(self, words: object) -> None:
        if isinstance(words, str):
            if not self.too_long:
                self.words.append(words)
            self.length += len(words)

    def _about(self, answer: Mapping[str, Any]) -> None:
        self.model = _text(answer.get("model")) or self.model
        tokens = _object(answer.get("usage")).get("total_tokens")
        if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0:
            self.tokens = tokens


def is_done(line: bytes) -> bool:
    """Whether a line ends the stream."""
    return line.startswith(_DATA) and line[len(_DATA) :].strip() == _DONE


def event_of(line: bytes) -> dict[str, Any] | None:
    """The event in a line of a stream; None if the line holds no readable one."""
    if not line.startswith(_DATA):
        return None
    try:
        event: object = json.loads(line[len(_DATA) :])
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", event) if isinstance(event, dict) else None


def first_choice(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The first choice of an answer or an event; empty when it has none."""
    choices = answer.get("choices")
    found = [_object(choice) for choice in cast("list[object]", choices)] if isinstance(choices, list) else []
    first = [choice for choice in found if choice.get("index", 0) == 0]
    return first[0] if first else {}


def calls_in(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tool calls in a message or a delta, or pieces of them."""
    calls = message.get("tool_calls")
    return [_object(call) for call in cast("list[object]", calls)] if isinstance(calls, list) else []


def place_of(entry: Mapping[str, Any]) -> int:
    """The index of the tool call that a piece belongs to."""
    place = entry.get("index")
    return place if isinstance(place, int) else 0


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
