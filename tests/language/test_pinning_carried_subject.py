"""Who a clause is about that leaves its subject to the one before."""

import pytest

from recollect.language.clause import Mood, clauses
from recollect.language.pinning.carried_subject import with_subjects


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("My father (82) has dementia", "My father has dementia"),
        ("I'm 71, have asthma", "I have asthma"),
        ("My dad is 80 and is allergic to nuts", "My dad is allergic to nuts"),
        ("I'm 71, have a nut allergy", "I have a nut allergy"),
    ],
)
def test_a_subject_is_carried_over(text: str, carried: str) -> None:
    """A clause without a subject has the one that its sentence began with, and is stated like it."""
    last = with_subjects(clauses(text))[-1]
    assert (last.text, last.mood) == (carried, Mood.STATED)


@pytest.mark.parametrize(
    "text",
    [
        "I met Tom, has diabetes",
        "My neighbour (82) has dementia",
        "My dad called. Has asthma",
        "My dad is allergic to nuts, has asthma",
        "I'm 71, have a dog",
    ],
)
def test_nobody_is_given_what_is_not_theirs(text: str) -> None:
    """Another person, another sentence, a fact that goes on, and what states no fact are left as they are."""
    said = clauses(text)
    assert with_subjects(said) == said


def test_a_question_stays_one() -> None:
    """What is asked is not stated by carrying its subject over."""
    assert with_subjects(clauses("I'm 71, have a nut allergy?"))[-1].mood is Mood.ASKED
