"""The prompt at the end of `recollect demo`: what is typed is said in a chat and judged, a question is answered from memory.

It only decides what a typed line means; the engine does the work, `noted` and `rendering` show it.
"""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from recollect.cli import chats, facts, options, rendering
from recollect.cli.noted import look, noted, noted_lines
from recollect.cli.output import Output, may_style
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.index.recall import Hit
    from recollect.records.memory import MemoryRecord

#: Hits of one answer: what fits a glance.
_HITS = 3
#: Memories that `/list` shows.
_LISTED = 50
#: Who types this asks, with or without a question mark.
_ASKING = frozenset(("who", "whom", "whose", "what", "when", "where", "which", "why", "how"))
#: Below this score an answer has nothing to do with the question.
_FAINT = 0.1
#: A command, and what it does.
HELP = (
    ("any text", "is said in a chat, and you see what was noted: I play the cello on Sundays"),
    ("a question?", "is answered from memory; so is ?cello"),
    ("forget that …", "erases what says so"),
    ("/list", "what is remembered"),
    ("/why N", "why the Nth answer was found, or the history of the Nth in the list"),
    ("/forget N", "erase the Nth of what was shown last"),
    ("/stats", "the numbers"),
    ("/help", "this"),
    ("/quit", "leave; so does Ctrl-D"),
)


class Conversation:
    """One person, one memory, one line at a time."""

    def __init__(self, memory: "Memory", out: Output) -> None:
        self._memory = memory
        self._out = out
        self._chat = memory.chat("you")
        #: What `/why N` and `/forget N` count in.
        self._shown: list[MemoryRecord] = []
        self._hits: list[Hit] = []

    def run(self, read: Callable[[], str]) -> None:
        """Until the person leaves (or `read` raises); an error is told and the conversation goes on."""
        while True:
            line = read().strip()
            if line.lower() in ("/quit", "/q", "/exit", "quit", "exit"):
                return
            try:
                self._answer(line)
            except RecollectError as error:
                self._out.line((error.message, "yellow"))

    def _answer(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                return
            case "/help" | "/h" | "/?":
                help_lines(self._out)
            case "/list" | "/l":
                self._list()
            case "/stats":
                facts.stats_lines(self._out, self._memory.stats(), options.LOCAL_USER)
            case "/why":
                self._why(rest)
            case "/forget":
                self._forget(rest)
            case _ if word.startswith("/"):
                self._out.line((f"There is no {word}; /help shows what there is.", "yellow"))
            case _ if line.startswith("?"):
                self._recall(line.lstrip("?").strip())
            case _:
                asks = line.endswith("?") or word.lower() in _ASKING
                self._hear(line, asks=asks)
                if asks:
                    self._recall(line)

    def _hear(self, line: str, *, asks: bool) -> None:
        """Record it, let it be judged, and show what was noted; of a mere question nothing need be said."""
        before = look(self._memory)
        done = self._chat.add(user=line)
        in_time = self._memory.drain()
        found = noted(self._memory, before, done.messages)
        if not in_time:
            self._out.line(("It is still being read; /list shows later what came of it.", "yellow"))
        elif found or not asks:
            noted_lines(self._out, found, self._memory)
        chats.pinned_lines(self._out, done)

    def _recall(self, query: str) -> None:
        found = self._memory.recall(query, limit=_HITS)
        self._hits = [hit for hit in found.hits if hit.score >= _FAINT]
        self._shown = [hit.memory for hit in self._hits]
        for card in found.cards:
            rendering.card_line(self._out, card)
        for place, hit in enumerate(self._hits, 1):
            rendering.hit_lines(self._out, hit, place, explain=False)
        if not self._hits:
            self._out.line(("Nothing found.", "dim"))

    def _list(self) -> None:
        self._hits = []
        self._shown = self._memory.memories(limit=_LISTED)
        for place, memory in enumerate(self._shown, 1):
            rendering.memory_lines(self._out, memory, lead=(f"{place:>2}. ", "green"))
        if not self._shown:
            self._out.line(("Nothing is remembered yet.", "dim"))

    def _why(self, number: str) -> None:
        place = self._place(number)
        if place is None:
            return
        if self._hits:
            rendering.hit_lines(self._out, self._hits[place], place + 1, explain=True)
        else:
            memory = self._shown[place]
            rendering.memory_lines(self._out, memory, lead=(f"{place + 1:>2}. ", "green"))
            for entry in self._memory.history(memory.memory_id):
                rendering.history_lines(self._out, entry, indent=4)

    def _forget(self, number: str) -> None:
        place = self._place(number)
        if place is None:
            return
        gone = self._shown.pop(place)
        self._hits = self._hits[:place] + self._hits[place + 1 :]
        self._out.line((gone.content, "dim"))
        rendering.receipt_line(self._out, self._memory.forget(gone.memory_id))

    def _place(self, number: str) -> int | None:
        """The index that the person means; says so when there is none."""
        if number.strip().isdecimal() and 1 <= int(number) <= len(self._shown):
            return int(number) - 1
        hint = (
            f"a number from 1 to {len(self._shown)}" if self._shown else "ask something or type /list first"
        )
        self._out.line((f"Which one? {hint}", "yellow"))
        return None


def help_lines(out: Output) -> None:
    """What one can type."""
    out.table([((name, "cyan"), meaning) for name, meaning in HELP], indent=2)


def typed_line(out: Output, prompt: str) -> str:
    """One line from the terminal, behind an empty one; with editing keys where control codes are welcome."""
    out.line()
    if may_style(out.stream):
        # Deferred: `input` edits lines with it as soon as it is loaded; some Pythons come without.
        with suppress(ImportError):
            import_module("readline")
    return input(prompt)
