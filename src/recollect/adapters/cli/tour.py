"""The guided tour of `recollect demo`: seven beats, each showing the Python line that does it and what came of it.

Nothing is staged. A `Call` is printed and made from the same value, so the line on the screen is the line that ran, and
everything below it is read from the engine's answer. Running strings with `eval` would do the same less safely.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.adapters.cli import chats, context, rendering
from recollect.adapters.cli.output import Output

if TYPE_CHECKING:
    from recollect.face.blocking import Memory

T = TypeVar("T")

#: Called between two beats; False ends the tour early.
Pause = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the library."""

    verb: str
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict[str, Any])
    #: The variable that it is made on.
    on: str = "memory"

    @property
    def python(self) -> str:
        """The line that makes this call."""
        given = [_literal(value) for value in self.arguments]
        given += [f"{name}={_literal(value)}" for name, value in self.named.items()]
        return f"{self.on}.{self.verb}({', '.join(given)})"


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _plain(result: Any) -> Any:
    return [item.to_dict() for item in result] if isinstance(result, list) else result.to_dict()  # pyright: ignore


class Tour:
    """Walks through the beats on one memory: tells them to a person, and keeps them for JSON."""

    def __init__(self, memory: "Memory", file: Path, out: Output) -> None:
        self._memory = memory
        self._file = file
        self._out = out
        #: What was done, beat by beat: the title, and each call with its result.
        self.told: list[dict[str, Any]] = []

    def run(self, pause: Pause) -> None:
        """All beats, or as many as are wanted."""
        beats = (
            self._third_person,
            self._duplicate,
            self._new_value,
            self._recall,
            self._past,
            self._talk,
            self._forget,
        )
        for number, beat in enumerate(beats, 1):
            if number > 1 and not pause():
                return
            beat(f"{number}/{len(beats)}")

    # -- the beats ------------------------------------------------------------------------------------

    def _third_person(self, place: str) -> None:
        self._title(place, "Say it in your words. It is kept as a statement about the user.")
        rendering.outcome_lines(self._out, self._do("remember", "My wife is Jane"))

    def _duplicate(self, place: str) -> None:
        self._title(place, "Say it again, differently: it is recognised, not stored twice.")
        done = self._do("remember", "Jane is my wife")
        rendering.outcome_lines(self._out, done)
        self._out.line((f"mentioned {done.memory.mention_count} times by now", "dim"), indent=2)

    def _new_value(self, place: str) -> None:
        self._title(place, "A fact changes: the new value replaces the old, the history keeps both.")
        first = self._do("remember", "I live in Berlin")
        rendering.outcome_lines(self._out, first)
        # A pause that a clock of milliseconds can see: `as_of` needs a moment in between.
        sleep(0.01)
        self._before = f"{datetime.now(UTC).isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"
        sleep(0.01)
        rendering.outcome_lines(self._out, done := self._do("remember", "I moved to Lisbon"))
        self._out.line((f"the key they share: {done.memory.memory_key}", "dim"), indent=2)
        for entry in self._do("history", first.memory.memory_id):
            rendering.history_lines(self._out, entry, indent=2)

    def _recall(self, place: str) -> None:
        self._title(place, "Ask. Meaning counts as well as words, and every score is explained.")
        for text in ("My wife Jane is allergic to peanuts", "I prefer tea over coffee"):
            self._out.line((f"remembered: {self._do('remember', text).memory.content}", "dim"), indent=2)
        found = self._do("recall", "Which snacks are safe for Jane?", limit=2)
        for card in found.cards:
            rendering.card_line(self._out, card, indent=2)
        for number, hit in enumerate(found.hits, 1):
            rendering.hit_lines(self._out, hit, number, explain=number == 1)

    def _past(self, place: str) -> None:
        self._title(place, "Ask about now, and about a moment before the move.")
        for named in ({}, {"as_of": self._before}):
            for hit in self._do("recall", "Where do I live?", limit=1, **named).hits:
                rendering.hit_lines(self._out, hit, 1, explain=False)

    def _talk(self, place: str) -> None:
        self._title(place, "Talk. What must not be missed is pinned; a model gets all it needs, in a budget.")
        chat = self._memory.chat("health")
        self._out.line((">>> ", "dim"), ('chat = memory.chat("health")', "cyan"))
        said = Call(
            "add", named={"user": "My dad is allergic to penicillin", "assistant": "Noted."}, on="chat"
        )
        chats.pinned_lines(self._out, self._made(said, chat.add, chats.recorded_json))
        asked = Call("context", ("Which antibiotics can he take?",), {"budget": 1000}, on="chat")
        context.context_lines(self._out, self._made(asked, chat.context, context.to_json), explain=False)

    def _forget(self, place: str) -> None:
        self._title(place, "Forget a person: memories, vectors, history, down to the bytes on disk.")
        before = self._bytes_on_disk("peanuts")
        rendering.receipt_line(self._out, self._do("forget", entity="person:jane"))
        after = self._bytes_on_disk("peanuts")
        self._out.line((f'"peanuts" in the file: {before} times before, {after} times now', "dim"), indent=2)

    # -- telling --------------------------------------------------------------------------------------

    def _title(self, place: str, text: str) -> None:
        self.told.append({"title": text, "calls": []})
        self._out.line()
        self._out.line((f"{place}  ", "green"), (text, "bold"))

    def _do(self, verb: str, *arguments: Any, **named: Any) -> Any:
        return self._made(Call(verb, arguments, named), getattr(self._memory, verb), _plain)

    def _made(self, call: Call, verb: Callable[..., T], plain: Callable[[T], Any]) -> T:
        """Print the line, make the call, keep what came of it."""
        self._out.line((">>> ", "dim"), (call.python, "cyan"))
        result = verb(*call.arguments, **call.named)
        self.told[-1]["calls"].append({"python": call.python, "result": plain(result)})
        return result

    def _bytes_on_disk(self, word: str) -> int:
        """How often a word stands in the database file and its log."""
        files = (self._file, self._file.with_name(self._file.name + "-wal"))
        return sum(file.read_bytes().count(word.encode()) for file in files if file.exists())
