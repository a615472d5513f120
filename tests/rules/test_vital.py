"""Vital facts: what a life or somebody's care hangs on weighs more than any preference."""

import pytest

from recollect.records.category import Category
from recollect.rules import importance
from recollect.rules.vital import CARE, LIFE, least_importance


@pytest.mark.parametrize(
    ("content", "least"),
    [
        ("User is allergic to penicillin.", LIFE),
        ("User's daughter is allergic to peanuts", LIFE),
        ("User has a severe nut allergy", LIFE),
        ("User's emergency contact is Nora, 555 0147", LIFE),
        ("User has diabetes", CARE),
        ("User has epilepsy.", CARE),
        ("User was diagnosed with asthma.", CARE),
        ("User takes warfarin 5 mg daily", CARE),
        ("User uses insulin", CARE),
        ("User's dad has dementia", CARE),
        ("User's blood type is A+", CARE),
    ],
)
def test_what_is_vital(content: str, least: float) -> None:
    """Allergies and emergency contacts are a 10, illnesses and medicines a 9, of the user and of relatives."""
    assert least_importance(content) == least


@pytest.mark.parametrize(
    "content",
    [
        "User prefers dark mode",
        "User is not allergic to cats",
        "User no longer takes warfarin",
        "User stopped taking sertraline",
        "User works at a heart clinic",
        "User loves thrillers about overdoses",
        "User is allergic to bullshit",
        "User has a cold",
        "",
    ],
)
def test_what_is_not_vital(content: str) -> None:
    """What is denied, over, a job, a story, a figure of speech or passing."""
    assert least_importance(content) == 0.0


def test_an_allergy_outweighs_a_preference() -> None:
    """The category alone would put a theme above an allergy; the reasons say why it does not."""
    allergy = importance.stored(Category.FACT, "User is allergic to penicillin")
    assert allergy.value == 10 > importance.stored(Category.PREFERENCE, "User prefers dark mode").value
    assert allergy.reasons[-1] == "vital: at least 10"
