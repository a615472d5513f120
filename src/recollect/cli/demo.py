"""`recollect demo`: a memory to try out. It shows a few examples, then a prompt for statements and questions.

The database is a temporary file, removed at the end, and the environment's settings are ignored, so the demo leaves nothing
behind and calls no model. Without a terminal, it runs the examples and exits.
"""

import io
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output, is_terminal, typed_line
from recollect.errors import NotFound, RecollectError
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect import Memory, MemoryRecord, Message, Todo
    from recollect.types import Hit, Proposal

_EXAMPLES = (
    "I live in Berlin, and my wife Jane is allergic to peanuts.",
    "Remind me to renew my passport by Friday.",
    "We moved to Lisbon. I might learn the cello.",
    "Which snacks are safe for Jane?",
    "Where do I live?",
)
#: Maximum hits per answer, and maximum memories that `/list` shows.
_HITS = 3
_LISTED = 50
#: Memories, todos and proposals to compare: more than anyone types in a demo.
_MOST = 1000
#: A line that starts with one of these is a question, with or without a question mark.
_ASKING = frozenset(("who", "whom", "whose", "what", "when", "where", "which", "why", "how"))
#: Below this score, a hit is not relevant to the question.
_FAINT = 0.1
#: Commands, and what they do.
HELP = (
    ("any text", "see what is remembered: I play the cello on Sundays"),
    ("a question?", "search the memory (or type ?cello)"),
    ("forget that …", "erase a fact"),
    ("/list", "show all memories"),
    ("/why N", "explain the Nth hit, or show the history of the Nth memory in the list"),
    ("/forget N", "erase the Nth item of the last list or answer"),
    ("/stats", "show statistics"),
    ("/help", "show this list"),
    ("/quit", "leave (or press Ctrl-D)"),
)


def demo(as_json: options.Json = False) -> None:
    """Try the memory in a temporary database."""
    out = Output(as_json=as_json)
    scratch = tempfile.TemporaryDirectory(prefix="recollect-demo-", ignore_cleanup_errors=True)
    with _orderly_end(), scratch as folder:
        settings = Settings(database_url=str(Path(folder) / "demo.db"))
        with opened(None, settings, working=True) as memory:
            if as_json:
                out.json({"turns": list(_examples(memory, Output(stream=io.StringIO())))})
                return
            out.line(("Recollect", "bold green"), ": long-term memory for AI assistants.")
            out.line(
                ("This demo runs on this machine in a temporary file. It needs no key and no network.", "dim")
            )
            for _ in _examples(memory, out):
                pass
            if is_terminal(sys.stdin) and out.terminal:
                _converse(memory, out)
    out.line()
    out.line(("The temporary file has been deleted. To start your own memory:", "dim"))
    out.line(('recollect remember "I live in Lisbon"', "cyan"), indent=2)


@contextmanager
def _orderly_end() -> Generator[None]:
    """Remove the file even after a closed window or `kill`, so that nothing typed stays on disk."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for name, action in before.items():
            signal.signal(getattr(signal, name), action)


def _examples(memory: "Memory", out: Output) -> Generator[dict[str, Any]]:
    conversation = Conversation(memory, out)
    for line in _EXAMPLES:
        out.line()
        out.line(("you> ", "green"), (line, "bold"))
        yield {"said": line, **conversation.answer(line)}


def _converse(memory: "Memory", out: Output) -> None:
    out.line()
    out.line(("Your turn.", "bold"), " Say something about yourself, then ask about it.")
    _help(out)
    conversation = Conversation(memory, out)
    # Ctrl-C and Ctrl-D both mean "leave", which is not an error.
    with suppress(EOFError, KeyboardInterrupt):
        conversation.run(lambda: typed_line(out, "you> "))


def _help(out: Output) -> None:
    out.table([((name, "cyan"), meaning) for name, meaning in HELP], indent=2)


class Conversation:
    """One user and one memory, line by line."""

    def __init__(self, memory: "Memory", out: Output) -> None:
        self._memory = memory
        self._out = out
        self._chat = memory.chat("demo")
        #: The items that `/why N` and `/forget N` refer to.
        self._shown: list[MemoryRecord] = []
        self._hits: list[Hit] = []

    def run(self, read: Callable[[], str]) -> None:
        """Run until the user leaves (or `read` raises). Errors are reported, and the conversation continues."""
        while True:
            line = read().strip()
            if line.lower() in ("/quit", "/q", "/exit", "quit", "exit"):
                return
            try:
                self.answer(line)
            except RecollectError as error:
                self._out.line((error.message, "yellow"))

    def answer(self, line: str) -> dict[str, Any]:
        """Handle one line; return what was remembered and found, as JSON values."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                pass
            case "/help" | "/h" | "/?":
                _help(self._out)
            case "/list" | "/l":
                self._list()
            case "/stats":
                rendering.stats_lines(self._out, self._memory.stats(), options.LOCAL_USER)
            case "/why":
                self._why(rest)
            case "/forget":
                self._forget(rest)
            case _ if word.startswith("/"):
                self._out.line((f"There is no command {word}. To list commands, type /help.", "yellow"))
            case _ if line.startswith("?"):
                return self._recall(line.lstrip("?").strip())
            case _:
                asks = line.endswith("?") or word.lower() in _ASKING
                return self._hear(line, asks=asks) | (self._recall(line) if asks else {})
        return {}

    def _hear(self, line: str, *, asks: bool) -> dict[str, Any]:
        """Record and judge a line, and show what was remembered, unless it is only a question."""
        before = look(self._memory)
        done = self._chat.add(user=line)
        in_time = self._memory.drain()
        found = noted(self._memory, before, done.messages)
        if not in_time:
            self._out.line(("It is still being read. To see the result later, type /list.", "yellow"))
        elif found or not asks:
            noted_lines(self._out, found, self._memory)
        rendering.recorded_pins(self._out, done)
        return {"noted": found.to_dict()}

    def _recall(self, query: str) -> dict[str, Any]:
        found = self._memory.search(query, limit=_HITS)
        self._hits = [hit for hit in found.hits if hit.score >= _FAINT]
        self._shown = [hit.memory for hit in self._hits]
        for card in found.cards:
            rendering.card_line(self._out, card)
        for place, hit in enumerate(self._hits, 1):
            rendering.hit_lines(self._out, hit, place, explain=False)
        if not self._hits:
            self._out.line(("Nothing found.", "dim"))
        return {"found": [hit.to_dict() for hit in self._hits]}

    def _list(self) -> None:
        self._hits = []
        self._shown = list(self._memory.memories(limit=_LISTED))
        for place, memory in enumerate(self._shown, 1):
            rendering.memory_lines(self._out, memory, lead=(f"{place:>2}. ", "green"))
        if not self._shown:
            self._out.line(("No memories.", "dim"))

    def _why(self, number: str) -> None:
        place = self._place(number)
        if place is None:
            return
        if self._hits:
            rendering.hit_lines(self._out, self._hits[place], place + 1, explain=True)
            return
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
        """The index that the user means; reports an error if there is none."""
        if number.strip().isdecimal() and 1 <= int(number) <= len(self._shown):
            return int(number) - 1
        hint = (
            f"a number from 1 to {len(self._shown)}" if self._shown else "ask something or type /list first"
        )
        self._out.line((f"Which one? {hint}", "yellow"))
        return None


# -- what a message changed ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Current memories and open todos and proposals at one point in time, by id."""

    memories: "dict[str, MemoryRecord]"
    todos: "dict[str, Todo]"
    proposals: "dict[str, Proposal]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a message changed."""

    #: New memories in the order found, each with the memory it replaces.
    added: "tuple[tuple[MemoryRecord, MemoryRecord | None], ...]" = ()
    #: Known memories that were stated again.
    again: "tuple[MemoryRecord, ...]" = ()
    forgotten: "tuple[MemoryRecord, ...]" = ()
    todos: "tuple[Todo, ...]" = ()
    proposals: "tuple[Proposal, ...]" = ()
    #: Statements that were not kept, with reasons.
    passed: tuple[tuple[str, str], ...] = ()
    #: Whether the user asked to forget something that matched no memory with certainty.
    unfound: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.again or self.forgotten or self.todos or self.proposals)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "memories": [
                {"content": new.content, "memory_id": new.memory_id, "replaces": old.content if old else None}
                for new, old in self.added
            ],
            "known_already": [memory.content for memory in self.again],
            "forgotten": [memory.content for memory in self.forgotten],
            "todos": [todo.to_dict() for todo in self.todos],
            "proposals": [proposal.to_dict() for proposal in self.proposals],
            "not_kept": [{"said": said, "reason": reason} for said, reason in self.passed],
        }


def look(memory: "Memory") -> Look:
    """The present state."""
    return Look(
        memories={each.memory_id: each for each in memory.memories(limit=_MOST)},
        todos={each.todo_id: each for each in memory.todos(limit=_MOST)},
        proposals={each.proposal_id: each for each in memory.proposals(limit=_MOST)},
    )


def noted(memory: "Memory", before: Look, said: "Sequence[Message]") -> Noted:
    """What these messages changed. To find why a statement was not kept, the rules run again with the same result."""
    from recollect.language.judge import judge  # Deferred: many modules.
    from recollect.records.judgement import Material

    after = look(memory)
    found = judge(Material(messages=said))
    # Memories from one message have the same time, so their ids have no order.
    order = {item.content: place for place, item in enumerate(found.memories)}
    new = sorted(
        after.memories.keys() - before.memories.keys(),
        key=lambda each: (order.get(after.memories[each].content, len(order)), each),
    )
    gone = sorted(before.memories.keys() - after.memories.keys())
    forgotten = tuple(before.memories[each] for each in gone if _is_erased(memory, each))
    asked = tuple(after.proposals[each] for each in sorted(after.proposals.keys() - before.proposals.keys()))
    return Noted(
        added=tuple(
            (after.memories[each], before.memories.get(after.memories[each].supersedes or "")) for each in new
        ),
        again=tuple(
            each
            for each in after.memories.values()
            if each.memory_id in before.memories
            and each.mention_count > before.memories[each.memory_id].mention_count
        ),
        forgotten=forgotten,
        todos=tuple(after.todos[each] for each in sorted(after.todos.keys() - before.todos.keys())),
        proposals=asked,
        passed=tuple((item.said, item.reason) for item in found.passed),
        unfound=bool(found.forgettings) and not forgotten and not asked,
    )


def _is_erased(memory: "Memory", memory_id: str) -> bool:
    try:
        memory.get(memory_id)
    except NotFound:
        return True
    return False


def noted_lines(out: Output, what: Noted, memory: "Memory") -> None:
    """Write one line per change, and why the rest was not kept."""
    for new, old in what.added:
        out.line(("Updated" if old else "Remembered", "green"), ": ", (new.content, "bold"))
        if old is not None:
            out.line((f"replaces: {old.content}", "dim"), indent=2)
    for known in what.again:
        out.line(("Already known", "yellow"), ": ", (known.content, "bold"))
    for todo in what.todos:
        due = f" · due {todo.due_at:%Y-%m-%d}" if todo.due_at else ""
        out.line(("Todo", "green"), ": ", (todo.text, "bold"), (f" ({todo.kind.value}{due})", "dim"))
    for erased in what.forgotten:
        out.line(("Forgotten", "green"), ": ", (erased.content, "dim"))
    for proposal in what.proposals:
        out.line(("For you to decide", "magenta"), ":")
        known_ones = {each: memory.get(each) for each in proposal.memory_ids}
        rendering.proposal_lines(out, proposal, known_ones, indent=2)
    if what.unfound:
        out.line(("It is not clear which memory you mean, so nothing was forgotten.", "yellow"))
    elif not what:
        out.line(("Nothing to remember.", "dim"))
    for said, reason in what.passed:
        out.line((f'not kept: "{said}" {reason}', "dim"), indent=2)
