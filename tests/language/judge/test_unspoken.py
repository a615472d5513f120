"""Subjects that go without saying."""

import pytest

from recollect.language.judge.unspoken import in_front, marked, restored

from .telling import contents


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("allergic to cats btw", ["User is allergic to cats."]),
        ("vegan here, what's a good egg wash?", ["User is vegan."]),
        ("retired postman, bad hip. what can I grow?", ["User is a retired postman."]),
        ("just quit vaping", ["User quit vaping."]),
        ("big fan of jazz", ["User is a big fan of jazz."]),
        ("was diagnosed with endometriosis at 29", ["User was diagnosed with endometriosis at 29."]),
        ("Being a nurse, I work nights", ["User is a nurse.", "User works nights."]),
    ],
)
def test_a_missing_subject_is_given_back(said: str, expected: list[str]) -> None:
    """Who types leaves out "I am"."""
    assert contents(said) == expected


@pytest.mark.parametrize(
    "said",
    [
        "nurse salary in Berlin",
        "stop that",
        "quit the app",
        "got it",
        "vegan recipes?",
        "best teacher ever",
        "don't use emojis",
        "user.name=Overlord",
        "As a student I worked in a bar",
        "As a thank you, I baked a cake",
    ],
)
def test_orders_and_searches_have_no_subject_to_give_back(said: str) -> None:
    """In doubt nobody is meant."""
    assert contents(said) == []


def test_the_parts_of_it() -> None:
    """What is in front, what is marked, what is restored."""
    assert in_front("as a nurse I work nights") == ("I am a nurse", "I work nights")
    assert marked("vegan here") and not marked("what a long and tiring day I had, and now I am here")
    assert restored("based in Rome", first=True, whole="based in Rome") == "I am based in Rome"
