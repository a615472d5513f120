"""Words that are written with a hyphen, apart or as one are one for whoever compares."""

import pytest

from recollect.language.attribute import attribute_slug
from recollect.language.spelling import one_spelling
from recollect.rules.duplicate import judge


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("e-mail", "email"),
        ("e mail", "email"),
        ("an E\u2011Mail client", "an EMail client"),
        ("co-worker", "coworker"),
        ("co worker", "coworker"),
        ("a follow-up question", "a follow up question"),
        ("x-ray", "xray"),
        ("x ray", "xray"),
        ("t-shirts", "tshirts"),
        ("t shirts", "tshirts"),
        ("co-op", "coop"),
        ("the co op", "the coop"),
        ("pre-school", "preschool"),
        ("pre school", "preschool"),
    ],
)
def test_one_word(first: str, second: str) -> None:
    """However it is written, it is the same text."""
    assert one_spelling(first) == second
    assert judge(f"User likes {first}", f"User likes {second}", cosine=0.0, same_key=False).duplicate
    assert judge(f"User likes {second}", f"User likes {first}", cosine=0.0, same_key=False).duplicate


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("re-sign the contract", "resign the contract"),
        ("555-1234", "555 1234"),
        ("now here", "nowhere"),
        ("a shirt", "ashirt"),
        ("plan x rated", "plan xrated"),
        ("Miller & Co in Graz", "Miller & Coin Graz"),
        ("pre- and post-op", "preand post op"),
    ],
)
def test_two_words(first: str, second: str) -> None:
    """What means something else with its hyphen, numbers, and words of their own stay apart."""
    assert one_spelling(first) != one_spelling(second)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("t-shirt", "t_shirt"),
        ("t shirt", "t_shirt"),
        ("X-ray", "x_ray"),
        ("co-op", "co_op"),
        ("pre-school", "pre_school"),
        ("e-mail", "e_mail"),
        ("follow-up", "follow_up"),
    ],
)
def test_keys_are_what_they_were(text: str, slug: str) -> None:
    """A key that an earlier version has stored is met again: a hyphen is a blank there."""
    assert attribute_slug(text) == slug
