"""A revision: a user's correction of a memory, and what the memory is afterwards.

Editing keeps the id; the history keeps what was. A rewritten text is put into shape like a new one (`draft.compose`),
and what is derived from the text follows it. Whether another memory already holds the new key is the store's to say.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime

from recollect.errors import Conflict, InvalidInput
from recollect.language import memory_key
from recollect.records.category import parse_category, type_of
from recollect.records.entity import slug
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Status, check_importance, check_tags, parse_status
from recollect.rules.draft import Draft


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
        """The edit with its values read once; one that changes nothing is a mistake."""
        if all(getattr(self, item.name) is None for item in fields(self)):
            raise InvalidInput(
                "Nothing to change: give content, category, importance, tags, pinned or status."
            )
        if self.pinned is not None and not isinstance(self.pinned, bool):
            raise InvalidInput("pinned must be true or false.", field="pinned")
        return self if self.tags is None else replace(self, tags=check_tags(self.tags))


def revise(record: MemoryRecord, edit: Edit, rewritten: Draft | None, now: datetime) -> MemoryRecord:
    """The memory after the edit; `rewritten` is the new text in shape."""
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
    """Taking a supersession back: the one change that an old version may see."""
    others = (getattr(edit, item.name) for item in fields(edit) if item.name != "status")
    return (
        all(value is None for value in others)
        and edit.status is not None
        and parse_status(edit.status) is Status.ACTIVE
    )


def _with_text(record: MemoryRecord, draft: Draft) -> MemoryRecord:
    """What was derived from the old text goes with it; labels that the new text still mentions stay."""
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
        # The caller named the subject, not the old text: a new text does not change whom it is about.
        return after
    return replace(
        after, memory_key=draft.memory_key, entity_type=draft.entity_type, fact_type=draft.fact_type
    )


def _mentions(content: str, ref: str) -> bool:
    """Whether a text still speaks of an entity: by any word of its name."""
    words = set(slug(content).split("_"))
    return not words.isdisjoint(ref.partition(":")[2].split("_"))


def kind_of_change(before: MemoryRecord, after: MemoryRecord) -> ChangeKind:
    """The one word that says what was done."""
    plain = replace(after, pinned=before.pinned, status=before.status, updated_at=before.updated_at)
    if plain != before and before.valid_to is None:
        return ChangeKind.EDITED
    if before.valid_to is not None and after.valid_to is None:
        return ChangeKind.RESTORED
    if after.status is not before.status:
        return ChangeKind.ARCHIVED if after.status is Status.ARCHIVED else ChangeKind.RESTORED
    return ChangeKind.PINNED if after.pinned else ChangeKind.UNPINNED
