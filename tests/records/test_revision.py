"""Revision: what a memory is after a correction."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect.errors import Conflict, InvalidInput
from recollect.records.category import Category, MemoryType
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Status
from recollect.records.revision import Edit, kind_of_change, revise
from recollect.rules.draft import Request, compose

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
RECORD = compose(Request(content="My wife is Jane"), {}).to_record(
    user_id="a", memory_id="m", now=NOW, tokens=1
)


def _revised(**values: Any) -> MemoryRecord:
    content = values.get("content")
    rewritten = compose(Request(content=content), {}) if content else None
    return revise(RECORD, Edit(**values), rewritten, LATER)


def test_only_what_is_given_changes() -> None:
    """Every other field stays as it is; the time of change is noted."""
    assert _revised(importance=3) == replace(RECORD, importance=3.0, updated_at=LATER)
    assert _revised(tags=["a"]) == replace(RECORD, tags=("a",), updated_at=LATER)
    assert _revised(pinned=True) == replace(RECORD, pinned=True, updated_at=LATER)
    assert _revised(status="ARCHIVED") == replace(RECORD, status=Status.ARCHIVED, updated_at=LATER)


def test_no_change_is_no_change() -> None:
    """Giving the values that are there already changes not even the time."""
    assert _revised(importance=RECORD.importance, pinned=False) == RECORD


def test_the_text_brings_its_subject() -> None:
    """Key, entities and label follow the new text."""
    after = _revised(content="My wife is Anna")
    assert (after.memory_key, after.entity_refs, after.entity_label) == (
        "people|person|anna|relationship",
        ("person:anna",),
        "Anna",
    )


def test_the_type_follows_the_category_where_it_came_from_it() -> None:
    """A type that was the category's changes with the category."""
    after = _revised(category="project")
    assert (after.category, after.type) == (Category.PROJECT, MemoryType.PROJECT)
    special = replace(RECORD, type=MemoryType.PROJECT)
    assert revise(special, Edit(category="fact"), None, LATER).type is MemoryType.PROJECT


def test_the_past_is_not_edited() -> None:
    """A superseded memory names its successor instead of changing."""
    with pytest.raises(Conflict, match="successor"):
        revise(replace(RECORD, valid_to=NOW, superseded_by="successor"), Edit(importance=1), None, LATER)


def test_an_empty_edit_is_a_mistake() -> None:
    """Nothing to change is said, not ignored."""
    with pytest.raises(InvalidInput, match="Nothing to change"):
        Edit().checked()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"pinned": True}, ChangeKind.PINNED),
        ({"status": "ARCHIVED"}, ChangeKind.ARCHIVED),
        ({"importance": 1}, ChangeKind.EDITED),
        ({"importance": 1, "pinned": True}, ChangeKind.EDITED),
        ({"status": "ARCHIVED", "pinned": True}, ChangeKind.ARCHIVED),
    ],
)
def test_the_word_for_a_change(values: dict[str, Any], kind: ChangeKind) -> None:
    """One word says what was done; an edit of content outweighs the rest."""
    assert kind_of_change(RECORD, _revised(**values)) is kind
    if kind in (ChangeKind.PINNED, ChangeKind.ARCHIVED) and len(values) == 1:
        back = {ChangeKind.PINNED: ChangeKind.UNPINNED, ChangeKind.ARCHIVED: ChangeKind.RESTORED}[kind]
        assert kind_of_change(_revised(**values), RECORD) is back
