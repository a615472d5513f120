"""A user's edits: what they make of a memory, and how they bind later readings of older messages.

Editing keeps the id; the history keeps the previous values. A new text is normalised like that of a new memory
(`draft.compose`), and what was derived from the old text follows it. The store decides whether another memory holds the new key.

A message may be judged late, or again. What it states then must not replace a memory that a person made, corrected or pinned
after it was said, nor bring back one that was removed. Every author in a history counts as a person, except the machines listed
here; the time of the last change alone would not do, because the judge and the curator change memories too. What was erased
leaves no trace to go by.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from recollect.errors import Conflict, InvalidInput
from recollect.language import memory_key
from recollect.records.category import parse_category, type_of
from recollect.records.entity import slug
from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import MemoryRecord, Status, check_importance, check_tags, parse_status
from recollect.rules.curation import Add, Decision, Outdated, Supersede
from recollect.rules.draft import Draft
from recollect.rules.duplicate import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New values; None leaves a field as it is."""

    content: str | None = None
    category: str | None = None
    importance: float | None = None
    tags: Iterable[str] | None = None
    pinned: bool | None = None
    status: str | None = None

    def checked(self) -> "Edit":
        """The edit with its values checked; refuses one that changes nothing."""
        if all(getattr(self, item.name) is None for item in fields(self)):
            raise InvalidInput(
                "Nothing to change: give content, category, importance, tags, pinned or status."
            )
        if self.pinned is not None and not isinstance(self.pinned, bool):
            raise InvalidInput("pinned must be true or false.", field="pinned")
        return self if self.tags is None else replace(self, tags=check_tags(self.tags))


def revise(record: MemoryRecord, edit: Edit, rewritten: Draft | None, now: datetime) -> MemoryRecord:
    """The memory after the edit; `rewritten` is the new text as a draft."""
    if record.valid_to is not None and _only_restores(edit):
        return replace(record, status=Status.ACTIVE, valid_to=None, superseded_by=None, updated_at=now)
    if record.valid_to is not None:
        raise Conflict(
            f"Memory {record.memory_id} was replaced by {record.superseded_by}. Change that one instead."
        )
    after = record
    if rewritten is not None:
        after = _with_text(after, rewritten)
    if edit.category is not None:
        category = parse_category(edit.category)
        same_type = after.type is type_of(after.category)
        after = replace(after, category=category, type=type_of(category) if same_type else after.type)
    if edit.importance is not None:
        after = replace(after, importance=check_importance(edit.importance))
    if edit.tags is not None:
        after = replace(after, tags=check_tags(edit.tags))
    if edit.pinned is not None:
        after = replace(after, pinned=edit.pinned)
    if edit.status is not None:
        after = replace(after, status=parse_status(edit.status))
    return after if after == record else replace(after, updated_at=now)


def _only_restores(edit: Edit) -> bool:
    """Whether the edit only restores a superseded memory, the one change that is allowed on it."""
    others = (getattr(edit, item.name) for item in fields(edit) if item.name != "status")
    return (
        all(value is None for value in others)
        and edit.status is not None
        and parse_status(edit.status) is Status.ACTIVE
    )


def _with_text(record: MemoryRecord, draft: Draft) -> MemoryRecord:
    """The memory with a new text and what is derived from it; entities that the new text still mentions stay."""
    kept = tuple(ref for ref in record.entity_refs if _mentions(draft.content, ref))
    after = replace(
        record,
        content=draft.content,
        flagged=draft.flagged,
        entity_refs=tuple(dict.fromkeys((*draft.entity_refs, *kept))),
        entity_label=draft.entity_label or (record.entity_label if kept else None),
    )
    derived = memory_key.derive(record.content, record.category)
    if draft.memory_key is None and not (derived and derived.key == record.memory_key):
        # The caller named the subject, so a new text does not change it.
        return after
    return replace(
        after, memory_key=draft.memory_key, entity_type=draft.entity_type, fact_type=draft.fact_type
    )


def _mentions(content: str, ref: str) -> bool:
    """Whether a text contains any word of an entity's name."""
    words = set(slug(content).split("_"))
    return not words.isdisjoint(ref.partition(":")[2].split("_"))


def kind_of_change(before: MemoryRecord, after: MemoryRecord) -> ChangeKind:
    """The kind of a change, for the history."""
    plain = replace(after, pinned=before.pinned, status=before.status, updated_at=before.updated_at)
    if plain != before and before.valid_to is None:
        return ChangeKind.EDITED
    if before.valid_to is not None and after.valid_to is None:
        return ChangeKind.RESTORED
    if after.status is not before.status:
        return ChangeKind.ARCHIVED if after.status is Status.ARCHIVED else ChangeKind.RESTORED
    return ChangeKind.PINNED if after.pinned else ChangeKind.UNPINNED


#: Authors of histories that are not people.
REDERIVE = "rederive"
MACHINES = ("curator", "import", "judge", REDERIVE, "seed")
_GOING = (ChangeKind.ARCHIVED, ChangeKind.SUPERSEDED, ChangeKind.FOLDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory that came from a message, and what of it must not come back."""

    memory: MemoryRecord
    #: Normalised texts.
    gone: frozenset[str]
    #: The key, if the whole memory is gone: a model may word the same message differently.
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """User edits that outrank statements from messages that are judged late, or again."""

    #: When each message was written.
    said: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    #: When a person last changed a memory.
    touched: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    #: What a person removed: the normalised text, its memory, and when.
    taken: Mapping[str, tuple[MemoryRecord, datetime]] = field(
        default_factory=dict[str, tuple[MemoryRecord, datetime]]
    )
    #: The memories that came from a message when it was judged before.
    told: Mapping[str, Sequence[Told]] = field(default_factory=dict[str, Sequence[Told]])
    #: The message was edited: only a removed text stays away, not its key.
    edited: bool = False

    def weigh(self, draft: Draft, decision: Decision) -> Decision:
        """The decision, or `Outdated` if a user's edit outranks it. Duplicates pass unchanged."""
        if not isinstance(decision, Add | Supersede):
            return decision
        text = normalise(draft.content)
        before = [self._told_by(message_id, draft, text) for message_id in draft.source_message_ids]
        # Every source must be an old one: a new message that says it again is believed.
        if before and (existing := before[0]) is not None and None not in before:
            return Outdated(
                existing=existing, reason="it came from the same message before and was removed since"
            )
        at = max((self.said[each] for each in draft.source_message_ids if each in self.said), default=None)
        if at is None:
            return decision
        if text in self.taken and self.taken[text][1] > at:
            return Outdated(existing=self.taken[text][0], reason="a person removed it after it was said")
        if isinstance(decision, Supersede):
            last = self.touched.get(decision.old.memory_id)
            if last is not None and last > at:
                reason = "a person changed the known value after this was said"
                return Outdated(existing=decision.old, reason=reason)
        return decision

    def _told_by(self, message_id: str, draft: Draft, text: str) -> MemoryRecord | None:
        """The removed memory that this message stated before, if any."""
        for told in self.told.get(message_id, ()):
            same_key = not self.edited and told.key is not None and told.key == draft.memory_key
            if text in told.gone or same_key:
                return told.memory
        return None


def by_person(entry: HistoryEntry) -> bool:
    """Whether a person made this change."""
    return entry.by not in MACHINES


def told(memory: MemoryRecord, entries: Sequence[HistoryEntry], *, replaced: bool) -> Told:
    """A memory with those of its texts that were removed for good; `replaced`: its successor still exists.

    A text that was removed because its message was edited may come back with the message.
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
    """Whether a person wrote the present text of a memory."""
    last = next((entry for entry in reversed(entries) if "content" in entry.old), None)
    return last is not None and by_person(last)


def taken_away(
    entries: Iterable[HistoryEntry], known: Mapping[str, MemoryRecord]
) -> dict[str, tuple[MemoryRecord, datetime]]:
    """The texts that persons rewrote, archived or replaced, each with its memory and the last time."""
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
