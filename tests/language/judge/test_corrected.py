"""What is taken back in the same message is not kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.judge.corrected import corrected

from .telling import contents


@pytest.mark.parametrize(
    "said",
    [
        "I live in Austin, sorry I meant Houston",
        "I live in Austin. Sorry, I meant Houston.",
        "I live in Austin, no wait, Houston",
        "I live in Austin, or rather in Houston",
        "I live in Austin *Houston",
        "I live in Austin \u2014 no, Houston.",
        "I live in Austin, Texas, sorry I meant Houston",
        "I live in Austin, no wait, I live in Houston",
    ],
)
def test_the_right_word_stands_in_the_place_of_the_wrong_one(said: str) -> None:
    """However it is corrected, the last word counts and the first is gone."""
    assert contents(said) == ["User lives in Houston."]


def test_a_number_is_corrected_by_a_number() -> None:
    """An age said wrongly is said once."""
    assert contents("I'm 34, sorry, 35") == ["User is 35."]


@pytest.mark.parametrize(
    "said",
    [
        "I am a vegetarian. Not!",
        "I am a vegetarian. Just kidding.",
        "I am a pirate. I live on a ship. Only joking!",
        "I'm a vegetarian lol jk",
        "I live in Austin, no wait, somewhere else",
        "I'm vegan, I mean vegetarian",
    ],
)
def test_what_is_taken_back_is_nothing(said: str) -> None:
    """A joke, and a correction that puts nothing in the place, leave no memory."""
    assert contents(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "I live in Oslo. I'm not joking",
        "I live in Oslo, sorry for the late reply",
        "No, I live in Oslo",
        "I can't wait, no really, I live in Oslo",
        "I love hiking, I mean it",
        "I like:\n*Tea\n*Milk",
    ],
)
def test_what_only_sounds_like_a_correction_changes_nothing(said: str) -> None:
    """Regrets, stress and lists take nothing back."""
    assert corrected(said) == said


@given(st.lists(st.sampled_from(["I live in", " Rome", ", no", " wait", ", sorry", " I meant", "*", ".", " not!", " jk", "\n", " 3"])))  # fmt: skip
def test_it_ends_on_any_text(pieces: list[str]) -> None:
    """Corrections of corrections come to an end, and nothing is put in that was not said."""
    text = "".join(pieces)
    assert len(corrected(text)) <= len(text) + 1
