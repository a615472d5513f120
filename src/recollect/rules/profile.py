"""The profile: the memories that enter every context, whatever the question.

S3's loading strategy (importance ≥ 9, or ≥ 6 in the last seven days) and S2's preloaded categories, deduplicated and grouped by
category in S3's block. Words of an assistant, a tool or an import do not enter by their category alone (design 7.4).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from recollect.records.category import TRAITS, Category, heading
from recollect.records.memory import MemoryRecord
from recollect.records.safe_text import as_data
from recollect.rules.duplicate import normalise
from recollect.rules.trust import may_be_profile

CRITICAL = 9.0
NOTABLE = 6.0
NOTABLE_FOR = timedelta(days=7)
#: S2: always preloaded, whatever their importance.
PRELOADED = tuple(category for category in Category if TRAITS[category].preloaded)
#: S4: the most pinned memories that are preloaded.
MAX_PINNED = 20

OPENING = "=== LONG-TERM MEMORY ==="
CLOSING = "=== END MEMORY ==="
INTRODUCTION = "You have the following information about this user:"


def belongs(memory: MemoryRecord, now: datetime) -> bool:
    """Whether a memory is preloaded at this moment."""
    if not memory.current or not may_be_profile(memory.origin):
        return False
    return (
        memory.importance >= CRITICAL
        or memory.category in PRELOADED
        or (memory.importance >= NOTABLE and now - memory.created_at <= NOTABLE_FOR)
    )


def select(memories: Iterable[MemoryRecord], now: datetime) -> list[MemoryRecord]:
    """The preloaded memories, each statement once: pinned first, then the most important now, then the newest."""
    known = [memory for memory in memories if memory.current]
    newest_first = sorted(known, key=lambda memory: memory.memory_id, reverse=True)
    pinned = [memory for memory in newest_first if memory.pinned][:MAX_PINNED]
    others = [memory for memory in newest_first if not memory.pinned and belongs(memory, now)]
    others.sort(key=lambda memory: -memory.effective_importance(now))
    said: dict[str, MemoryRecord] = {}
    for memory in pinned + others:
        said.setdefault(normalise(memory.content), memory)
    return list(said.values())


def render(memories: Iterable[MemoryRecord]) -> str:
    """S3's block. Remembered text cannot close it, because delimiters in it are escaped."""
    groups: dict[Category, list[str]] = {}
    for memory in memories:
        groups.setdefault(memory.category, []).append(line(memory))
    return block((heading(category), groups[category]) for category in Category if category in groups)


def block(groups: Iterable[tuple[str, Iterable[str]]], *, notice: str = "") -> str:
    """S3's block around headings and their lines, with an optional notice after the introduction."""
    lines = [OPENING, INTRODUCTION, *([notice] if notice else []), ""]
    for title, members in groups:
        lines += [title, *members, ""]
    return "\n".join([*lines, CLOSING])


def line(memory: MemoryRecord) -> str:
    """`- User prefers Python (Importance: 9)`; a pinned memory has 10."""
    content = as_data(memory.content, flagged=memory.flagged)
    return f"- {content} (Importance: {10 if memory.pinned else memory.importance:g})"
