"""The summary of a session: S4's six fields."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.session_summary import MAX_ITEM, MAX_ITEMS, SessionDigest, digest_from

FULL: dict[str, Any] = {
    "one_liner": "They planned a hive",
    "what_mattered": ["bees", "honey"],
    "open_loops": ["call Bo"],
    "commitments": ["send the plan"],
    "people": ["Bo"],
    "tone": "warm",
}


def test_a_digest_is_read_and_shown() -> None:
    """S4's JSON comes back as it was."""
    assert digest_from(FULL).to_dict() == FULL


def test_only_the_one_liner_is_needed() -> None:
    """What is missing or null is empty, and the tone neutral."""
    bare = SessionDigest(one_liner="Hello")
    assert digest_from({"one_liner": "Hello"}) == bare
    assert digest_from({"one_liner": "Hello", "people": None, "tone": None, "mood": 5}) == bare


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"one_liner": None}, "one_liner"),
        ({"one_liner": ["a"]}, "one_liner"),
        ({"people": "Bo"}, "people"),
        ({"open_loops": [1]}, "open_loops"),
        ({"tone": 5}, "tone"),
    ],
)
def test_what_cannot_be_read(change: dict[str, Any], name: str) -> None:
    """A model's malformed reply is refused with the name of the field."""
    with pytest.raises(ValueError, match=name):
        digest_from(FULL | change)


def test_a_missing_one_liner_is_refused() -> None:
    """A reply without the one field that must be there is malformed, not a crash."""
    with pytest.raises(ValueError, match="one_liner"):
        digest_from({})


def test_it_is_tidied() -> None:
    """Blanks are collapsed, repetitions and empty items go, and neither list nor text grows without end."""
    found = digest_from(
        {
            "one_liner": "  a \n b ",
            "people": ["Bo", " Bo ", "", " "],
            "open_loops": [f"loop {number}" for number in range(20)],
            "commitments": ["x" * 999],
        }
    )
    assert found.one_liner == "a b"
    assert found.people == ("Bo",)
    assert found.open_loops == tuple(f"loop {number}" for number in range(MAX_ITEMS))
    assert found.commitments == ("x" * MAX_ITEM,)


@given(
    one_liner=st.text(max_size=700),
    items=st.lists(st.text(max_size=400), max_size=12),
    tone=st.text(max_size=9),
)
def test_reading_twice_changes_nothing(one_liner: str, items: list[str], tone: str) -> None:
    """A digest that was read once is read from the store as the same."""
    once = digest_from({"one_liner": one_liner, "what_mattered": items, "people": items, "tone": tone})
    assert digest_from(once.to_dict()).to_dict() == once.to_dict() | {"tone": once.tone or "neutral"}
