"""Whether a statement is known already."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.rules.duplicate import differing_detail, judge, normalise

# new, old, cosine as measured with the packaged model, same key, duplicate
PAIRS = [
    # Equal text, whatever the cosine.
    ("User prefers dark mode", "user prefers  dark mode.", 0.0, False, True),
    ("ＵＳＥＲ likes tea!", "User likes tea", 0.0, False, True),
    # The plain threshold.
    ("User prefers TypeScript", "User prefers using TypeScript", 0.977, False, True),
    ("User is very tall", "User is tall", 0.976, False, True),
    ("User likes tea and coffee", "User likes coffee and tea", 0.996, False, True),
    ("User has 2 kids", "User has two kids", 0.985, False, True),
    ("User sleeps on the couch", "User sleeps on the sofa", 0.938, False, False),
    ("User likes TypeScript", "User prefers using TypeScript for all projects", 0.709, False, False),
    # Above it, but a detail differs.
    ("User's phone number is 555-1235", "User's phone number is 555-1234", 0.986, True, False),
    ("User takes 100 mg of sertraline daily", "User takes 50 mg of sertraline daily", 0.986, False, False),
    ("User prefers Python 3.13", "User prefers Python 3.12", 0.97, True, False),
    ("User has three cats", "User has two cats", 0.97, False, False),
    ("User is not allergic to penicillin", "User is allergic to penicillin", 0.976, True, False),
    ("User doesn't like tea", "User does like tea", 0.97, True, False),
    ("User's right knee hurts", "User's left knee hurts", 0.968, False, False),
    ("User works in the evening", "User works in the morning", 0.97, False, False),
    ("User dislikes tea", "User likes tea", 0.97, True, False),
    ("User prefers coffee over tea", "User prefers tea over coffee", 0.996, False, False),
    ("Bob manages Alice", "Alice manages Bob", 0.988, False, False),
    ("User's son is taller than his daughter", "User's daughter is taller than his son", 0.995, False, False),
    ("User met Anna in Rome", "User met Emma in Rome", 0.96, False, False),
    ("User meets Ann on Tuesdays", "User meets Ann on Mondays", 0.96, False, False),
    ("User's email is ann@b.com", "User's email is bob@b.com", 0.97, True, False),
    ("用户喜欢狗", "用户喜欢猫", 1.0, False, False),
    ("사용자는 부산에 산다", "사용자는 서울에 산다", 0.986, False, False),
    # Above it, but a telling word is new.
    ("User is severely allergic to nuts", "User is allergic to nuts", 0.99, True, False),
    ("User's biopsy was positive", "User's biopsy was negative", 0.955, False, False),
    ("User's key is by the back door", "User's key is by the front door", 0.993, False, False),
    ("User works the night shift", "User works the day shift", 0.974, False, False),
    ("User sleeps on the couch", "User sleeps on the sofa", 0.96, False, False),
    ("User enjoys using TypeScript", "User prefers TypeScript", 0.96, False, True),
    ("User was born on May 3rd", "User was born on May 3", 0.99, False, True),
    # A detail that only the known statement has loses nothing.
    ("User has cats", "User has two cats", 0.96, False, True),
    ("User met friends", "User met friends in Rome", 0.96, False, True),
    # Same key, close, nothing new.
    ("User likes TypeScript", "User prefers using TypeScript for all projects", 0.709, True, True),
    ("User likes Python", "User prefers Python 3.12+", 0.731, True, True),
    ("Jane is User's wife", "User's wife is named Jane", 0.909, True, True),
    ("User's wife is Jane", "User's wife is named Jane Doe", 0.883, True, True),
    ("User lives in Austin", "User lives in Austin, Texas", 0.926, True, True),
    ("John is User's cofounder", "John is User's cofounder; handles backend", 0.862, True, True),
    ("User is a software engineer", "User works as a software engineer", 0.906, True, True),
    # Same key, but something new or something else.
    ("User lives in Austin, Texas", "User lives in Austin", 0.926, True, False),
    ("User prefers Python 3.12+", "User likes Python", 0.731, True, False),
    ("User's favourite editor is Helix", "User's favourite editor is Vim", 0.8, True, False),
    ("User likes TypeScript", "User dislikes TypeScript", 0.872, True, False),
    ("User likes TypeScript", "User does not like TypeScript", 0.861, True, False),
    ("User lives in Austin", "User moved from Austin to Boston", 0.765, True, False),
    ("User likes TypeScript", "User prefers using TypeScript for all projects", 0.3, True, False),
]


@pytest.mark.parametrize(("new", "old", "cosine", "same_key", "expected"), PAIRS)
def test_verdicts(new: str, old: str, cosine: float, same_key: bool, expected: bool) -> None:
    """Equal, near without a differing detail, or the same subject with nothing new: known already."""
    verdict = judge(new, old, cosine=cosine, same_key=same_key)
    assert verdict.duplicate is expected, verdict.reason
    assert verdict.reason


def test_the_threshold_is_exclusive_and_can_be_set() -> None:
    """Exactly 0.95 is not above 0.95."""
    texts = ("User sleeps on the couch", "User always sleeps on the couch")
    assert not judge(*texts, cosine=0.95, same_key=False).duplicate
    assert judge(*texts, cosine=0.9501, same_key=False).duplicate
    assert judge(*texts, cosine=0.91, same_key=False, threshold=0.9).duplicate


def test_the_difference_is_named() -> None:
    """The reason says which detail saved the statement."""
    assert differing_detail("User has 3 cats", "User has 2 cats") == "another number: 3"
    assert differing_detail("User never smokes", "User smokes") == "one of them is negated"
    assert differing_detail("User likes tea", "User likes tea") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User has 1,000 books", "User has 1000 books"),
        ("Born on May 3rd", "Born on May 3"),
        ("Anna's cat", "the cat of Anna"),
    ],
)
def test_spelling_is_no_difference(one: str, other: str) -> None:
    """Thousands, ordinals and possessives do not make another fact."""
    assert differing_detail(one, other) is None
    assert differing_detail(other, one) is None


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    """The normal form is its own normal form."""
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(), st.floats(-1, 1), st.booleans())
def test_a_text_is_always_a_duplicate_of_itself(text: str, cosine: float, same_key: bool) -> None:
    """Storing the same words twice never adds a memory."""
    assert judge(text, f" {text}\n", cosine=cosine, same_key=same_key).duplicate


@given(st.text(), st.text())
def test_unlike_texts_are_never_duplicates(one: str, other: str) -> None:
    """Without likeness and without equal text nothing is dropped."""
    if normalise(one) != normalise(other):
        assert not judge(one, other, cosine=0.5, same_key=True).duplicate
        assert not judge(one, other, cosine=0.95, same_key=False).duplicate


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_pair_gets_a_verdict(one: str, other: str) -> None:
    """No input crashes the comparison of details."""
    assert judge(one, other, cosine=0.99, same_key=True).reason


@pytest.mark.parametrize("piece", ["a ", "A ", "1,", "to ", "x.", "é", "'"])
def test_no_pair_takes_for_ever(piece: str) -> None:
    """No repetition makes the patterns backtrack without end: contents of the greatest length get a verdict."""
    assert judge(piece * 250, piece * 249, cosine=0.99, same_key=True).reason
