"""Who was mentioned."""

import pytest

from recollect.language.gist.people import people


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I booked a physio. Her name is Dr. Weiss.", ("Dr. Weiss",)),
        ("I work at Clifford Chance and I love it.", ()),
        (
            "My brother \u0141ukasz met Ond\u0159ej Dvo\u0159\u00e1k.",
            ("\u0141ukasz", "Ond\u0159ej Dvo\u0159\u00e1k"),
        ),
        ("I have four kids: Tomasz, Fatima, Zosia and Halina.", ("Tomasz", "Fatima", "Zosia", "Halina")),
        ("Tomasz, Zosia and Halina are coming for dinner.", ("Tomasz", "Zosia", "Halina")),
        ("Anna, Ben and I saw Paris, Rome and Berlin.", ("Anna", "Ben")),
        ("Dave Holroyd is the builder.", ("Dave Holroyd",)),
        ("My wife Rose is a nurse. Rose called. My wife was glad.", ("Rose",)),
        ("My name is Petra. My boss is called Ines Duarte.", ("Ines Duarte",)),
        ("Mum called. My mum is well.", ("User's mum",)),
    ],
)
def test_people_are_who_is_named_as_one(text: str, names: tuple[str, ...]) -> None:
    """Titles, rows and letters of every alphabet are known; a firm and a town are nobody."""
    assert people([text], 7) == names


def test_no_more_than_asked_for() -> None:
    """A long session names many, a digest the first of them."""
    assert people([f"I met Anna{letter}." for letter in "abcdefgh"], 3) == ("Annaa", "Annab", "Annac")
