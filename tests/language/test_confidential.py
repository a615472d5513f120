"""Words that ask not to keep what is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.confidential import asks_not_to_keep


@pytest.mark.parametrize(
    "text",
    [
        "don't store this: I have HIV",
        "Don't save this, I am pregnant",
        "please do not remember this. I live in Rome",
        "Please don\u2019t remember any of this",
        "Don't write this down but I take Prozac",
        "Off the record, I hate my boss",
        "Between us, my brother is gay",
        "just between us: I live in Oslo",
        "This stays between us.",
        "My sister is pregnant, keep this to yourself",
        "keep it confidential",
        "I'm allergic to nuts. Forget I said that.",
        "forget what I just said",
        "I'd rather you didn't save that",
        "I don't want this stored",
        "I make 90k, but please don't keep that on record",
        "You didn't hear that from me",
        "I quit my job, don't tell anyone",
        "I live in Rome. " + "It rains here. " * 1000 + "Don't save this.",
    ],
)
def test_a_request_not_to_keep(text: str) -> None:
    """However it is put, before or behind what is told."""
    assert asks_not_to_keep(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember this song",
        "don't forget that I live in Oslo",
        "don't forget I said we live in Oslo",
        "Remember this: I live in Rome",
        "don't save this file",
        "don't store it in localStorage",
        "don't store my salary",
        "Forget that I live in Oslo",
        "Forget what I said about Zoloft",
        "The distance between us and Oslo is long",
        "Between us siblings, I am the oldest",
        "For the record, I live in Oslo",
        "He keeps it to himself",
        "I want to keep it private from my boss",
        "They don't record it",
        "My secret garden is in Oslo",
    ],
)
def test_what_only_sounds_like_it(text: str) -> None:
    """Everyday words, tasks, and requests to forget a thing that they name."""
    assert not asks_not_to_keep(text)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No input crashes the check."""
    assert asks_not_to_keep(text) in (True, False)
