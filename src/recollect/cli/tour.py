"""The guided tour of `recollect demo`: seven beats, each showing the Python line that does it and what came of it.

Nothing is staged. A `Call` is printed and made from the same value, so the line on the screen is the line that ran, and
everything below it is read from the engine afterwards. Running strings with `eval` would do the same less safely.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.cli import chats, context, rendering
from recollect.cli.noted import Look, Noted, look, noted, noted_lines
from recollect.cli.output import Output

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.engine.record import Recorded
    from recollect.records.message import Message

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
            self._talk,
            self._change_of_mind,
            self._refused,
            self._recall,
            self._past,
            self._context,
            self._forget,
        )
        for number, beat in enumerate(beats, 1):
            if number > 1 and not pause():
                return
            beat(f"{number}/{len(beats)}")

    # -- the beats ------------------------------------------------------------------------------------

    def _talk(self, place: str) -> None:
        self._title(place, "Just talk. Rules read along, without a model: facts, todos and pins form behind.")
        self._home = self._memory.chat("home")
        self._out.line((">>> ", "dim"), ('chat = memory.chat("home")', "cyan"))
        self._hear(
            {"user": "I live in Berlin, and my wife Jane is allergic to peanuts."},
            {"user": "Remind me to renew my passport by Friday. How is the weather?"},
        )

    def _change_of_mind(self, place: str) -> None:
        self._title(place, "Change your mind: the new value replaces the old, the history keeps both.")
        # A pause that a clock of milliseconds can see: `as_of` needs a moment in between.
        sleep(0.01)
        self._before = f"{datetime.now(UTC).isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"
        sleep(0.01)
        heard = self._hear({"user": "We moved to Lisbon. It is sunny here."})
        for old in [old for _, old in heard.added if old is not None]:
            for entry in self._do("history", old.memory_id):
                rendering.history_lines(self._out, entry, indent=2)

    def _refused(self, place: str) -> None:
        self._title(place, "What is no fact of yours is left out: guesses, others' words, the assistant's.")
        self._hear(
            {"user": "I might learn the cello. My boss said: I live in Paris."},
            {"assistant": "You own a boat."},
        )

    def _recall(self, place: str) -> None:
        self._title(place, "Ask. Meaning counts as well as words, and every score is explained.")
        found = self._do("recall", "Which snacks are safe for my wife?", limit=1)
        for card in found.cards:
            rendering.card_line(self._out, card, indent=2)
        for hit in found.hits:
            rendering.hit_lines(self._out, hit, 1, explain=True)

    def _past(self, place: str) -> None:
        self._title(place, "Ask about now, and about a moment before the move.")
        for named in ({}, {"as_of": self._before}):
            for hit in self._do("recall", "Where do I live?", limit=1, **named).hits:
                rendering.hit_lines(self._out, hit, 1, explain=False)

    def _context(self, place: str) -> None:
        self._title(place, "A model gets all it needs, within a budget: pins, facts, todos, the last words.")
        asked = Call("context", ("What can I cook tonight?",), {"budget": 1000}, on="chat")
        built = self._made(asked, self._home.context, context.to_json)
        context.context_lines(self._out, built, explain=False)

    def _forget(self, place: str) -> None:
        self._title(place, "Forget: by saying so, and down to the bytes on disk.")
        self._hear({"user": "Forget that I moved to Lisbon."})
        before = self._bytes_on_disk("peanuts")
        forgetting = Call("forget", on="chat")
        rendering.receipt_line(self._out, self._made(forgetting, self._home.forget, _plain))
        after = self._bytes_on_disk("peanuts")
        self._out.line((f'"peanuts" in the file: {before} times before, {after} times now', "dim"), indent=2)

    # -- telling --------------------------------------------------------------------------------------

    def _title(self, place: str, text: str) -> None:
        self.told.append({"title": text, "calls": []})
        self._out.line()
        self._out.line((f"{place}  ", "green"), (text, "bold"))

    def _hear(self, *turns: dict[str, str]) -> Noted:
        """Say something in the first chat, let it be judged, and show what was noted."""
        before: Look = look(self._memory)
        said: list[Message] = []
        pinned: list[Recorded] = []
        for turn in turns:
            done = self._made(Call("add", named=turn, on="chat"), self._home.add, chats.recorded_json)
            said += done.messages
            pinned.append(done)
        self._made(Call("drain"), self._memory.drain, lambda drained: drained)
        heard = noted(self._memory, before, said)
        self.told[-1]["noted"] = heard.to_dict()
        noted_lines(self._out, heard, self._memory)
        for done in pinned:
            chats.pinned_lines(self._out, done)
        return heard

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
