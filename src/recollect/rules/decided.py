"""Decided: what a person did to memories by hand outlives what older messages say.

A message may be read late, or once more. What it states then must not replace a memory that a person made, corrected or
pinned since it was said, nor bring back one that was taken away. Whoever is named in a history counts as a person, but for
the authors listed here. It does not know who reads messages, nor what was erased: erasing leaves no trace to go by.
Judging by the time of a memory's last change alone was rejected: the judge and the curator change memories, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import MemoryRecord
from recollect.rules.curation import Add, Decision, Outdated, Supersede
from recollect.rules.draft import Draft
from recollect.rules.duplicate import normalise

#: Who writes histories without being asked by a person.
REDERIVE = "rederive"
MACHINES = ("curator", "import", "judge", REDERIVE, "seed")
_GOING = (ChangeKind.ARCHIVED, ChangeKind.SUPERSEDED, ChangeKind.FOLDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory that a message told before, and what of it is not to come back."""

    memory: MemoryRecord
    #: Texts, normalised.
    gone: frozenset[str]
    #: The key, if all of the memory has gone: a model may find other words for the same message.
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What stands against statements from messages that are read late, or again."""

    #: When each message was said.
    said: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    #: When a person last changed a memory.
    touched: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    #: What a person took away: the normalised text, whose it was, and when.
    taken: Mapping[str, tuple[MemoryRecord, datetime]] = field(
        default_factory=dict[str, tuple[MemoryRecord, datetime]]
    )
    #: What a message told when it was read before.
    told: Mapping[str, Sequence[Told]] = field(default_factory=dict[str, Sequence[Told]])
    #: The words are new although the message is not: only the very text that is gone stays away.
    edited: bool = False

    def weigh(self, draft: Draft, decision: Decision) -> Decision:
        """The decision, unless something stands against it. What is known already is never in question."""
        if not isinstance(decision, Add | Supersede):
            return decision
        text = normalise(draft.content)
        before = [self._told_by(message_id, draft, text) for message_id in draft.source_message_ids]
        # Every source must have told it before: one that says it anew is believed.
        if before and (existing := before[0]) is not None and None not in before:
            return Outdated(
                existing=existing, reason="the same message told it before, and it has gone since"
            )
        at = max((self.said[each] for each in draft.source_message_ids if each in self.said), default=None)
        if at is None:
            return decision
        if text in self.taken and self.taken[text][1] > at:
            return Outdated(existing=self.taken[text][0], reason="a person took it away after it was said")
        if isinstance(decision, Supersede):
            last = self.touched.get(decision.old.memory_id)
            if last is not None and last > at:
                reason = "a person decided about the known value after this was said"
                return Outdated(existing=decision.old, reason=reason)
        return decision

    def _told_by(self, message_id: str, draft: Draft, text: str) -> MemoryRecord | None:
        """The memory that says what a message told before and that went since."""
        for told in self.told.get(message_id, ()):
            same_key = not self.edited and told.key is not None and told.key == draft.memory_key
            if text in told.gone or same_key:
                return told.memory
        return None


def by_person(entry: HistoryEntry) -> bool:
    """Whether somebody decided it, as against a rule."""
    return entry.by not in MACHINES


def told(memory: MemoryRecord, entries: Sequence[HistoryEntry], *, replaced: bool) -> Told:
    """A memory with those of its texts that went for good; `replaced`: the one that replaced it is still there.

    What went because its message was edited may come back with the message's words.
    """
    gone = {
        normalise(entry.old["content"]) for entry in entries if by_person(entry) and "content" in entry.old
    }
    end = next((entry.by for entry in reversed(entries) if entry.change in _GOING), None)
    away = replaced if memory.valid_to is not None else not memory.current and end != REDERIVE
    if away:
        gone.add(normalise(memory.content))
    elif memory.current:
        gone.discard(normalise(memory.content))
    return Told(memory=memory, gone=frozenset(gone), key=memory.memory_key if away else None)


def rewritten_by_hand(entries: Sequence[HistoryEntry]) -> bool:
    """Whether the text that a memory has is a person's own."""
    last = next((entry for entry in reversed(entries) if "content" in entry.old), None)
    return last is not None and by_person(last)


def taken_away(
    entries: Iterable[HistoryEntry], known: Mapping[str, MemoryRecord]
) -> dict[str, tuple[MemoryRecord, datetime]]:
    """What persons rewrote, archived or replaced: the texts, each with its memory and the last time."""
    found: dict[str, tuple[MemoryRecord, datetime]] = {}
    for entry in entries:
        memory = known.get(entry.memory_id)
        if memory is None:
            continue
        if "content" in entry.old:
            found[normalise(entry.old["content"])] = (memory, entry.at)
        if entry.change in _GOING:
            found[normalise(memory.content)] = (memory, entry.at)
    return found
