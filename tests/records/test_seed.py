"""Seeds: what a product may tell in advance."""

import pytest

from recollect.errors import InvalidInput
from recollect.records.seed import MAX_FACTS, MAX_NOTES, Seed, check_facts, check_notes

FACT = {"content": "User keeps bees", "category": "fact"}


def test_the_shape() -> None:
    """Facts as they were given, and notes."""
    assert Seed(user_id="ann", facts=(FACT,), notes="A friend.").to_dict() == {
        "facts": [FACT],
        "notes": "A friend.",
    }


def test_facts_are_copied() -> None:
    """Any collection of objects will do; a later change of the caller's does not reach the seed."""
    given = dict(FACT)
    facts = check_facts(iter([given]))
    given["content"] = "changed"
    assert facts == (FACT,)
    assert check_facts([]) == ()
    assert len(check_facts([FACT] * MAX_FACTS)) == MAX_FACTS


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "list of objects"),
        (FACT, "list of objects"),
        (None, "list of objects"),
        (5, "list of objects"),
        ([FACT, "text"], "number 2"),
        ([{"category": "fact"}], "number 1"),
        ([FACT] * (MAX_FACTS + 1), "given"),
    ],
)
def test_what_are_no_facts(value: object, words: str) -> None:
    """What is no list of objects with a content is refused, with the number of the first that is wrong."""
    with pytest.raises(InvalidInput, match=words) as raised:
        check_facts(value)
    assert raised.value.field == "facts"


def test_notes_are_free_text() -> None:
    """Trimmed, and possibly empty; the limit itself is allowed."""
    assert check_notes(" a ") == "a"
    assert check_notes("") == ""
    assert len(check_notes("x" * MAX_NOTES)) == MAX_NOTES


@pytest.mark.parametrize("value", [None, 5, "a\x00", "x" * (MAX_NOTES + 1)])
def test_what_are_no_notes(value: object) -> None:
    """Text of a limited length, and nothing else."""
    with pytest.raises(InvalidInput) as raised:
        check_notes(value)
    assert raised.value.field == "notes"
