"""Tests of rules/user_edits.py: a memory after an edit, and edits against what older messages say."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect.errors import Conflict, InvalidInput
from recollect.records.category import Category, MemoryType
from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import MemoryRecord, Status
from recollect.rules.curation import Add, Decision, Duplicate, Outdated, Supersede
from recollect.rules.draft import Draft, Request, compose
from recollect.rules.user_edits import (
    MACHINES,
    REDERIVE,
    Decided,
    Edit,
    by_person,
    kind_of_change,
    revise,
    rewritten_by_hand,
    taken_away,
    told,
)

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


NOW_DECIDED = datetime(2026, 1, 1, tzinfo=UTC)
LATER_DECIDED = NOW_DECIDED + timedelta(hours=1)


def _draft(content: str, *sources: str) -> Draft:
    return compose(
        Request(content=content, source="shadow_extraction", source_message_ids=sources or ("m1",)), {}
    )


def _known(content: str, memory_id: str = "old", **values: Any) -> MemoryRecord:
    made = _draft(content).to_record(user_id="ann", memory_id=memory_id, now=NOW_DECIDED, tokens=1)
    return replace(made, **values)


def _entry(by: str, change: ChangeKind, *, at: datetime = LATER_DECIDED, **old: Any) -> HistoryEntry:
    return HistoryEntry(memory_id="old", entry=1, at=at, by=by, change=change, old=old, new={}, reason="")


def test_who_is_a_person() -> None:
    """Any author but the engine's own; callers may name themselves as they like."""
    assert not any(by_person(_entry(name, ChangeKind.EDITED)) for name in MACHINES)
    assert by_person(_entry("user", ChangeKind.EDITED)) and by_person(_entry("jo", ChangeKind.EDITED))


@pytest.mark.parametrize(
    ("said", "stands"), [(NOW_DECIDED, True), (LATER_DECIDED, False), (LATER_DECIDED + timedelta(1), False)]
)
def test_the_later_word_counts(said: datetime, stands: bool) -> None:
    """A value that a person touched after the message was said is not replaced; one touched before is."""
    old = _known("I live in Milan")
    decided = Decided(said={"m1": said}, touched={"old": LATER_DECIDED})
    decision = decided.weigh(_draft("I live in Rome"), Supersede(old=old, reason="new value"))
    assert isinstance(decision, Outdated if stands else Supersede)


@pytest.mark.parametrize(("said", "stands"), [(NOW_DECIDED, True), (LATER_DECIDED, False)])
def test_what_was_taken_away_stays_away(said: datetime, stands: bool) -> None:
    """A text that a person rewrote or archived does not come back from an older message, whatever its final mark."""
    old = _known("I swim in the sea at night")
    entries = [_entry("user", ChangeKind.EDITED, content="User walks around the lake at dawn.")]
    decided = Decided(said={"m1": said}, taken=taken_away(entries, {"old": old}))
    decision = decided.weigh(_draft("I walk around the lake at dawn"), Add())
    assert isinstance(decision, Outdated if stands else Add)


@pytest.mark.parametrize("sources", [("m1",), ("m1", "m2")])
def test_said_anew_by_one_of_its_sources(sources: tuple[str, ...]) -> None:
    """What one message told before is blocked for that message alone, not for another that says it too."""
    gone = told(_known("I live in Rome", status=Status.ARCHIVED), [], replaced=False)
    decided = Decided(said={"m1": NOW_DECIDED, "m2": LATER_DECIDED}, told={"m1": [gone]})
    decision = decided.weigh(_draft("I live in Rome", *sources), Add())
    assert isinstance(decision, Outdated) == (sources == ("m1",))


def test_other_words_for_the_same_message() -> None:
    """A memory that is gone is known by its key, too; but not when the message has new words."""
    gone = told(_known("I live in Rome", status=Status.ARCHIVED), [], replaced=False)
    decided = Decided(said={"m1": NOW_DECIDED}, told={"m1": [gone]})
    draft = _draft("I live in Oslo")
    assert isinstance(decided.weigh(draft, Add()), Outdated)
    assert decided.weigh(draft, Add()) != replace(decided, edited=True).weigh(draft, Add()) == Add()


@pytest.mark.parametrize(
    "decision",
    [
        Duplicate(existing=_known("I live in Rome"), reason="same text"),
        Outdated(existing=_known("I live in Oslo"), reason="later"),
    ],
)
def test_what_is_known_is_not_in_question(decision: Decision) -> None:
    """A text that was taken away and brought back is known, whatever the past says."""
    taken = {"user lives in rome": (_known("I live in Rome"), LATER_DECIDED)}
    assert (
        Decided(said={"m1": NOW_DECIDED}, taken=taken).weigh(_draft("I live in Rome"), decision) is decision
    )


def test_what_a_message_told() -> None:
    """Gone for good is what was archived or replaced, unless its message was edited or its successor forgotten."""
    archived = _known("I live in Rome", status=Status.ARCHIVED)
    replaced = _known("I live in Rome", valid_to=LATER_DECIDED, superseded_by="new")
    text = frozenset({"user lives in rome"})
    for by, change in (
        ("user", ChangeKind.ARCHIVED),
        ("curator", ChangeKind.ARCHIVED),
        ("curator", ChangeKind.FOLDED),
    ):
        assert told(archived, [_entry(by, change)], replaced=False).gone == text
    assert told(archived, [_entry(REDERIVE, ChangeKind.ARCHIVED)], replaced=False).gone == frozenset()
    assert told(replaced, [], replaced=True).gone == text
    assert told(replaced, [], replaced=False).gone == frozenset()
    assert told(_known("I live in Rome"), [], replaced=False).gone == frozenset()


def test_whose_words_they_are() -> None:
    """The last who wrote the text counts: a person's correction, until a rule follows the message again."""
    by_hand = _entry("user", ChangeKind.EDITED, content="User lives in Rome")
    by_rule = _entry(REDERIVE, ChangeKind.EDITED, content="User lives in Milan")
    assert rewritten_by_hand([by_hand, _entry("judge", ChangeKind.MENTIONED)])
    assert not rewritten_by_hand([by_hand, by_rule])
    assert not rewritten_by_hand([_entry("user", ChangeKind.PINNED, pinned=False)])
