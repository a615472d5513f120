"""Statements about health, clause by clause; whole messages are in `test_pinning`."""

import pytest

from recollect.language.health_statement import CRITICAL, LIFE_THREATENING, HealthFact, implied, stated


@pytest.mark.parametrize(
    ("clause", "importance"),
    [
        ("I'm allergic to nuts", LIFE_THREATENING),
        ("my sister and I are allergic to cats", LIFE_THREATENING),
        ("put Maria Lopez down as my emergency contact", LIFE_THREATENING),
        ("my youngest is allergic to cow's milk", LIFE_THREATENING),
        ("my blood type is AB positive", CRITICAL),
        ("I have an underactive thyroid", CRITICAL),
        ("my son uses a salbutamol inhaler", CRITICAL),
        ("he had two strokes", CRITICAL),
    ],
)
def test_a_statement_has_its_weight(clause: str, importance: float) -> None:
    """S0's rubric: life-threatening is 10, critical for care 8."""
    assert stated(clause) == HealthFact(importance=importance)


@pytest.mark.parametrize(
    "clause",
    [
        "I am not allergic to nuts",
        "my neighbour's dog is allergic to nuts",
        "my late father had a DNR",
        "I have diabetes homework",
        "he had a stroke of genius",
        "I'm taking ibuprofen for two weeks",
        "I'm taking ibuprofen today",
        "blood type: unknown",
        "my emergency contact is not set",
        "I have an allergy test",
    ],
)
def test_what_only_sounds_like_one_is_none(clause: str) -> None:
    """Negations, other people, other things and short courses state nothing lasting."""
    assert stated(clause) is None


@pytest.mark.parametrize(
    ("clause", "wording"),
    [
        ("what can I eat with my nut allergy", "I have a nut allergy"),
        ("is my egg allergy dangerous", "I have an egg allergy"),
        ("what helps against my son's bee sting allergy", "my son has a bee sting allergy"),
        ("what do I cook for my mum who's allergic to fish", "my mum is allergic to fish"),
    ],
)
def test_a_question_can_imply_an_allergy(clause: str, wording: str) -> None:
    """What a question takes for granted is a fact, in a wording of its own."""
    found = implied(clause)
    assert found is not None
    assert found.wording == wording


@pytest.mark.parametrize(
    "clause", ["do I have a nut allergy", "is my nut allergy gone", "are my seasonal allergies bad"]
)
def test_a_question_about_an_allergy_implies_none(clause: str) -> None:
    """What is asked, over or unspecific is not taken for granted."""
    assert implied(clause) is None
