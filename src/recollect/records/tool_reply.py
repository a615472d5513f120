"""Tool replies: S3's exact texts for models, and the same content as values for programs.

Remembered text is data, so it is written as in S3's block (`safe_text`): on one line, and as a quotation if it tries to
instruct the model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.records.category import Category, heading
from recollect.records.memory import MemoryRecord
from recollect.records.safe_text import as_data

UPDATED: Final = "✓ Memory updated"
DELETED: Final = "✓ Memory deleted"
#: Characters of a query that a reply repeats.
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """The result of a call."""

    #: For the model.
    text: str
    #: For programs, as JSON values.
    result: dict[str, Any] = field(default_factory=dict[str, Any])
    #: Whether the call was refused or failed.
    is_error: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {"text": self.text, "result": self.result, "is_error": self.is_error}


def refusal(reason: str) -> ToolReply:
    """A refusal with its reason, in S2's shape of an error."""
    return ToolReply(text=reason, result={"success": False, "error": reason}, is_error=True)


def stored(memory_id: str) -> str:
    """`✓ Memory stored (ID: …)`."""
    return f"✓ Memory stored (ID: {memory_id})"


def known(memory: MemoryRecord) -> str:
    """`Similar memory already exists: …`."""
    return f"Similar memory already exists: {as_data(memory.content, flagged=memory.flagged)}"


def found(query: str, memories: Sequence[MemoryRecord]) -> str:
    """S3's reply to a search."""
    if not memories:
        return f'No memories found for "{as_data(query[:_SHOWN], flagged=False)}".'
    count = "1 memory" if len(memories) == 1 else f"{len(memories)} memories"
    lines = [f"- [{memory.category.value}] {_fact(memory)}" for memory in memories]
    return "\n".join([f"Found {count}:", "", *lines])


def listed(memories: Sequence[MemoryRecord], total: int, category: str | None = None) -> str:
    """S3's list: grouped by category, the most important first, with a note if there are more."""
    if not memories:
        return f"You have no {category} memories yet." if category else "You have no memories yet."
    groups: dict[Category, list[MemoryRecord]] = {}
    for memory in memories:
        groups.setdefault(memory.category, []).append(memory)
    lines = [f"Your memories ({total} total):"]
    for kind in Category:
        if members := groups.get(kind):
            members.sort(key=_importance, reverse=True)
            lines += ["", heading(kind), *(f"  - {_fact(memory)}" for memory in members)]
    if total > len(memories):
        lines += ["", f"These are the newest {len(memories)}; search_memories finds the others."]
    return "\n".join(lines)


def _fact(memory: MemoryRecord) -> str:
    """`User prefers Python 3.12+ (Importance: 9, ID: …)`."""
    content = as_data(memory.content, flagged=memory.flagged)
    return f"{content} (Importance: {_importance(memory):g}, ID: {memory.memory_id})"


def _importance(memory: MemoryRecord) -> float:
    """Pinned counts as 10, as in S3's block."""
    return 10.0 if memory.pinned else memory.importance
