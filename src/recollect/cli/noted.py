"""What was noted: how a memory differs from before something was said, shown to a person.

`drain` says only that the judge has read; so `recollect demo` looks at the memory before and after, and shows the
difference. Why nothing was kept is asked of the same rules once more: they give the same messages the same answer. A
verb of the engine that returns all this was rejected: programs have `judge()`, `memories()` and `proposals()`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.cli import upkeep
from recollect.cli.output import Output
from recollect.errors import NotFound

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.records.memory import MemoryRecord
    from recollect.records.message import Message
    from recollect.records.proposal import Proposal
    from recollect.records.todo import Todo

#: Memories, todos and proposals that are looked at: more than a person types into a demonstration.
_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is current and open at one moment, by id."""

    memories: "dict[str, MemoryRecord]"
    todos: "dict[str, Todo]"
    proposals: "dict[str, Proposal]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What came of what was said."""

    #: New memories, in the order in which they were found, each with the one that it replaces.
    added: "tuple[tuple[MemoryRecord, MemoryRecord | None], ...]" = ()
    #: Known ones that were said again.
    again: "tuple[MemoryRecord, ...]" = ()
    forgotten: "tuple[MemoryRecord, ...]" = ()
    todos: "tuple[Todo, ...]" = ()
    proposals: "tuple[Proposal, ...]" = ()
    #: What looked like a statement and was not kept, with the reason.
    passed: tuple[tuple[str, str], ...] = ()
    #: Somebody asked to forget, and nothing that is known was meant for certain.
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
    """What is there now."""
    return Look(
        memories={each.memory_id: each for each in memory.memories(limit=_MOST)},
        todos={each.todo_id: each for each in memory.todos(limit=_MOST)},
        proposals={each.proposal_id: each for each in memory.proposals(limit=_MOST)},
    )


def noted(memory: "Memory", before: Look, said: "Sequence[Message]") -> Noted:
    """What these messages changed."""
    from recollect.language.judge import judge  # Deferred: many modules, which `--help` need not load.
    from recollect.records.judgement import Material

    after = look(memory)
    found = judge(Material(messages=said))
    # Memories of one message have the time of one moment, so their ids do not tell their order.
    told = {item.content: place for place, item in enumerate(found.memories)}
    new = sorted(
        after.memories.keys() - before.memories.keys(),
        key=lambda each: (told.get(after.memories[each].content, len(told)), each),
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
    """Each thing in a line, and why the rest was not kept."""
    for new, old in what.added:
        out.line(("Updated" if old else "Remembered", "green"), ": ", (new.content, "bold"))
        if old is not None:
            out.line((f"replaces: {old.content}", "dim"), indent=2)
    for known in what.again:
        out.line(("Known already", "yellow"), ": ", (known.content, "bold"))
    for todo in what.todos:
        due = f" · due {todo.due_at:%Y-%m-%d}" if todo.due_at else ""
        out.line(("Todo", "green"), ": ", (todo.text, "bold"), (f" ({todo.kind.value}{due})", "dim"))
    for erased in what.forgotten:
        out.line(("Forgotten", "green"), ": ", (erased.content, "dim"))
    for proposal in what.proposals:
        out.line(("For you to decide", "magenta"), ":")
        known_ones = {each: memory.get(each) for each in proposal.memory_ids}
        upkeep.proposal_lines(out, proposal, known_ones, indent=2)
    if what.unfound:
        out.line(("Nothing that is known was surely meant, so nothing was forgotten.", "yellow"))
    elif not what:
        out.line(("Nothing to remember.", "dim"))
    for said, reason in what.passed:
        out.line((f'not kept: "{said}" {reason}', "dim"), indent=2)
