"""Tests of the general rules for things of the user's."""

import pytest

from language.judge.telling import contents
from recollect.language.judge.belonging import lasting_thing


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Our house was built in 1911", ["User's house was built in 1911."]),
        ("Our HOA doesn't allow fences", ["User's HOA doesn't allow fences."]),
        ("my max deadlift is 180 kg", ["User's max deadlift is 180 kg."]),
        ("My vineyard is 3 hectares of Riesling", ["User's vineyard is 3 hectares of Riesling."]),
        ("The company I work for makes prosthetic limbs", ["The company User works for makes prosthetic limbs."]),
        ("my car is broken", []),
        ("My guess is a memory leak", []),
        ("my spoon is too big", []),
    ],
)  # fmt: skip
def test_the_kind_and_the_history_of_a_thing_are_kept(said: str, expected: list[str]) -> None:
    """What a thing of a life is lasts, how it fares does not."""
    assert contents(said) == expected


def test_a_name_makes_something_of_a_thing() -> None:
    """An animal of an unknown breed is known by its name."""
    assert lasting_thing("old lab Buster", "has a heart murmur") is not None
    assert lasting_thing("old lab", "has a heart murmur") is None
