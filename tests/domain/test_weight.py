"""What a sentence weighs in a summary."""

import pytest

from recollect.domain.weight import is_critical, weigh


@pytest.mark.parametrize(
    "text",
    [
        "User's father is allergic to penicillin.",
        "He had anaphylaxis in 2010.",
        "Sometimes User thinks about killing themself.",
        "Mi hija es alérgica a los gatos.",
        "Mein Vater ist allergisch gegen Penicillin.",
        "ペニシリンのアレルギーがあります。",
        "He must not eat grapefruit.",
    ],
)
def test_what_a_life_depends_on_is_critical(text: str) -> None:
    """Danger is recognised in several languages."""
    assert is_critical(text)


@pytest.mark.parametrize(
    "text", ["User likes killing time.", "User should eat more.", "User plays the piano."]
)
def test_ordinary_sentences_are_not_critical(text: str) -> None:
    """A word that resembles danger is none."""
    assert not is_critical(text)


@pytest.mark.parametrize(
    ("heavier", "lighter"),
    [
        ("User's father is allergic to penicillin.", "User's father takes Metformin 500 mg twice a day."),
        ("User's father takes Metformin 500 mg.", "User watched a film about penguins."),
        ("User decided on PostgreSQL 16.", "User has been thinking about databases."),
        ("The launch deadline is July 15.", "That sounds great!"),
        ("User's budget is 8,000 euros.", "User would like to know more about budgets."),
        ("User moved to Berlin.", "User might move at some point."),
    ],
)
def test_facts_weigh_more_than_talk(heavier: str, lighter: str) -> None:
    """Health, decisions, limits and numbers outweigh hedges, reactions and curiosity."""
    assert weigh(heavier) > weigh(lighter)
