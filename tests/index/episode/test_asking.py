"""Whether a message ends with a question."""

import pytest

from recollect.index.episode.asking import NEAR_END, asks


@pytest.mark.parametrize("text", ["Where is it?", "Any news? Thanks, Zoe", "在哪里？", "أين هو؟", "?"])
def test_a_mark_near_the_end_asks(text: str) -> None:
    """The mark of any script counts, also with a few words behind it."""
    assert asks(text)


@pytest.mark.parametrize("text", ["", "It is here.", "I wonder where it is"])
def test_without_a_mark_nothing_is_asked(text: str) -> None:
    """A statement, and nothing at all, ask nothing."""
    assert not asks(text)


def test_a_question_far_from_the_end_does_not_count() -> None:
    """What comes behind the last characters that count hides an earlier question."""
    assert asks("Where?" + "x" * (NEAR_END - 1))
    assert not asks("Where?" + "x" * NEAR_END)
