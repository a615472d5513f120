"""The spine: four sections, a version every 20 messages."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.spine import (
    MAX_SECTION,
    SECTIONS,
    Spine,
    SpineContent,
    content_from,
    spine_due,
    stale_loops,
    statement,
)


def test_the_shape() -> None:
    """S4's names for the sections and the count."""
    spine = Spine(
        user_id="ann",
        version=3,
        content=SpineContent(profile="Keeps bees", open_loops="Call Bo"),
        message_count=20,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert spine.to_dict() == {
        "version": 3,
        "content": {"PROFILE": "Keeps bees", "PROJECTS": "", "PEOPLE": "", "OPEN_LOOPS": "Call Bo"},
        "messageCount": 20,
        "created_at": "2026-03-01T00:00:00.000Z",
        "written_by": "",
    }


def test_loops_that_are_over() -> None:
    """Those of rules that are no open todo, however long its text is; unless others may be open, or a model wrote them."""
    long = "Write to everybody " * 30
    spine = Spine(
        user_id="ann",
        version=1,
        content=SpineContent(open_loops="\n".join(map(statement, ("Call  Bo", "Pay the rent", long)))),
        message_count=20,
        written_by="offline",
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert stale_loops(spine, ["Call  Bo", long], every=True) == {"- Pay the rent"}
    assert stale_loops(spine, [], every=False) == frozenset()
    assert stale_loops(replace(spine, written_by="gpt"), [], every=True) == frozenset()


def test_sections_are_read() -> None:
    """Text or a list of statements; what is missing is empty, what is too long is cut."""
    found = content_from(
        {"PROFILE": [" a", "b"], "PROJECTS": None, "PEOPLE": "  Bo  ", "OPEN_LOOPS": "x" * 9999}
    )
    assert found == SpineContent(profile="a\nb", people="Bo", open_loops="x" * MAX_SECTION)
    assert content_from({}) == SpineContent()


@pytest.mark.parametrize("value", [5, {"a": 1}, True])
def test_what_cannot_be_read(value: object) -> None:
    """A malformed section is refused by name."""
    with pytest.raises(ValueError, match="PEOPLE"):
        content_from({"PEOPLE": value})


@given(texts=st.lists(st.text(max_size=MAX_SECTION + 50), min_size=4, max_size=4))
def test_reading_twice_changes_nothing(texts: list[str]) -> None:
    """A content that was read once is read from the store as the same."""
    once = content_from(dict(zip(SECTIONS, texts, strict=True)))
    assert content_from(once.to_dict()) == once


@pytest.mark.parametrize(
    ("before", "after", "due"),
    [(0, 19, False), (19, 20, True), (20, 39, False), (39, 41, True), (0, 500, True), (20, 20, False)],
)
def test_every_twentieth_message(before: int, after: int, due: bool) -> None:
    """A version is due when the count passes a multiple of twenty."""
    assert spine_due(before, after) is due
