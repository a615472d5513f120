"""People whom a text introduces, and whom a pronoun may mean behind it."""

import pytest

from recollect.language.judge.people import introduced, known_people, mentioned


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("my wife Jane and I", {"Jane"}),
        ("My husband is called Luca", {"Luca"}),
        ("I have two boys, Theo and Max", {"Theo", "Max"}),
        ("dad of twins (Alba and Nico)", {"Alba", "Nico"}),
        ("I'm married to Chidi", {"Chidi"}),
        ("and Bea is my cousin", {"Bea"}),
        ("My wife is German", set[str]()),
        ("Berlin is nice", set[str]()),
    ],
)
def test_names_come_with_whose_they_are(text: str, names: set[str]) -> None:
    """A capital alone introduces nobody."""
    assert {person.name for person in introduced(text)} == names


def test_a_stranger_makes_a_pronoun_unclear() -> None:
    """Behind "a guy" nobody knows whom "he" means; behind nobody, nobody."""
    assert [person.called for person in mentioned("my brother came") or []] == ["my brother"]
    assert mentioned("my brother met a guy") is None
    assert mentioned("it rained") == []


def test_known_entities_are_people_only_when_they_are() -> None:
    """Places and firms cannot hate mushrooms."""
    assert list(known_people({"person:kim": "Kim", "place:oslo": "Oslo"})) == ["kim"]
