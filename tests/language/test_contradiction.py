"""Which statements cannot both be true, by their words alone."""

import pytest

from recollect.language.contradiction import contradiction


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User doesn't like jazz.", "User likes jazz"),
        ("User hates jazz", "User loves jazz."),
        ("User does not enjoy hiking", "User enjoys hiking"),
        ("User no longer drinks coffee", "User drinks coffee"),
        ("User has no dog", "User has a dog"),
        ("User is not allergic to nuts", "User is allergic to nuts"),
        ("User\u2019s brother doesn\u2019t eat fish", "User's brother eats fish"),
        ("User eats steak", "User is vegetarian"),
        ("User is a vegan", "User loves cheese."),
        ("User drinks wine", "User doesn't drink alcohol"),
        ("User is single", "User is married"),
        ("User is retired", "User is unemployed"),
        ("User's wife is named Anna", "User's wife is named Jane"),
        ("User's boss Tom lives in Leeds", "User's boss is named Ruth"),
        ("User gave up tennis", "User plays tennis every Sunday with Bob"),
        ("User stopped taking sertraline", "User takes metformin and sertraline"),
    ],
)
def test_both_cannot_be_true(new: str, old: str) -> None:
    """The opposite, what a way of living excludes, another state, another name in a role of one; in either order."""
    assert contradiction(new, old) is not None
    assert contradiction(old, new) is not None


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User loves jazz", "User likes jazz"),
        ("User likes jazz", "User likes tea"),
        ("User doesn't like jazz in the morning", "User likes jazz"),
        ("User doesn't like jazz", "User's brother likes jazz"),
        ("User used to smoke", "User does not smoke"),
        ("User drinks coffee only at work", "User does not drink coffee"),
        ("User never hates jazz", "User likes jazz"),
        ("User loves plant-based burgers", "User is vegetarian"),
        ("User's brother eats steak", "User is vegetarian"),
        ("User does not eat meat", "User is vegetarian"),
        ("User is married", "User is retired"),
        ("User's wife is Italian", "User's wife is named Jane"),
        ("User's wife is pregnant", "User's wife is named Jane"),
        ("User's sister is named Anna", "User's sister is named Jane"),
        ("User's wife Jane is a nurse", "User's wife is named Jane"),
        ("", "User likes jazz"),
    ],
)
def test_both_may_be_true(new: str, old: str) -> None:
    """Another detail, another person, another time, or simply something else."""
    assert contradiction(new, old) is None
    assert contradiction(old, new) is None
