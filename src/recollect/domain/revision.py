"""A revision: a user's correction of a memory, and what the memory is afterwards.

Editing keeps the id; the history keeps what was. A rewritten text is put into shape like a new one (`draft.compose`),
and what is derived from the text follows it. Whether another memory already holds the new key is the store's to say.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime

from recollect.domain.category import parse_category, type_of
from recollect.domain.draft import Draft
from recollect.domain.history import ChangeKind
from recollect.domain.memory import MemoryRecord, Status, check_importance, check_tags, parse_status
from recollect.errors import Conflict, InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New values; None leaves a field as it is."""

    content: str | None = None
    category: str | None = None
    importance: float | None = None
    tags: Iterable[str] | None = None
    pinned: bool | None = None
    status: str | None = None

    def check(self) -> None:
        """An edit that changes nothing is a mistake."""
        if all(getattr(self, item.name) is None for item in fields(self)):
            raise InvalidInput(
                "Nothing to change: give content, category, importance, tags, pinned or status."
            )
        if self.pinned is not None and not isinstance(self.pinned, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("pinned must be true or false.", field="pinned")


def revise(record: MemoryRecord, edit: Edit, rewritten: Draft | None, now: datetime) -> MemoryRecord:
    """The memory after the edit; `rewritten` is the new text in shape."""
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


def _with_text(record: MemoryRecord, draft: Draft) -> MemoryRecord:
    after = replace(record, content=draft.content, flagged=draft.flagged)
    if draft.memory_key is None:
        return after
    return replace(
        after,
        memory_key=draft.memory_key,
        entity_refs=draft.entity_refs or record.entity_refs,
        entity_label=draft.entity_label or record.entity_label,
        entity_type=draft.entity_type,
        fact_type=draft.fact_type,
    )


def kind_of_change(before: MemoryRecord, after: MemoryRecord) -> ChangeKind:
    """The one word that says what was done."""
    plain = replace(after, pinned=before.pinned, status=before.status, updated_at=before.updated_at)
    if plain != before:
        return ChangeKind.EDITED
    if after.status is not before.status:
        return ChangeKind.ARCHIVED if after.status is Status.ARCHIVED else ChangeKind.RESTORED
    return ChangeKind.PINNED if after.pinned else ChangeKind.UNPINNED
