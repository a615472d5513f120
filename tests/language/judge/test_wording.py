"""The wording of what is kept."""

import pytest

from recollect.language.judge.wording import no_longer, sentence, trimmed, written_out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm here and we've got a dog", "I am here and we have a dog"),
        ("im vegan, i dont eat fish", "I am vegan, I don't eat fish"),
        ("my sister's a nurse", "my sister is a nurse"),
        ("my sister's dog", "my sister's dog"),
        ("he's been ill", "he has been ill"),
        ("a Bachelor's in Physics", "a Bachelor's in Physics"),
        ("it\u2019s fine, I\u2019ll go", "it's fine, I will go"),
        ("my mother in law", "my mother-in-law"),
    ],
)
def test_contractions_are_written_out(text: str, expected: str) -> None:
    """The rules meet one spelling; possessives stay."""
    assert written_out(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't eat meat anymore", "no longer eat meat"),
        ("am not vegan any more", "am no longer vegan"),
        ("don't smoke any longer", "no longer smoke"),
        ("don't eat meat anymore, it's cruel", "no longer eat meat, it's cruel"),
        ("don't eat meat any more because it's cruel", "no longer eat meat because it's cruel"),
        ("doesn't eat meat any more and feels well", "no longer eats meat and feels well"),
        ("like anyone", "like anyone"),
        ("don't take any more ibuprofen than I need", "don't take any more ibuprofen than I need"),
        ("don't have any more metformin", "don't have any more metformin"),
        ("don't stay any longer than an hour", "don't stay any longer than an hour"),
        ("doesn't want any more tea", "doesn't want any more tea"),
    ],
)
def test_every_end_is_no_longer(text: str, expected: str) -> None:
    """One way to say that something ended; "any more" before a thing or "than" says how much."""
    assert no_longer(text) == expected


def test_a_sentence_can_be_read_alone() -> None:
    """Third person, a capital, a full stop, no filler."""
    assert trimmed("  tea, btw \U0001f389") == "tea"
    assert sentence("i live in Rome though") == "User lives in Rome."
