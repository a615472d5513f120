"""What a sentence weighs in a summary."""

import pytest
from signed_paths import unsigned_path

from recollect.language.gist import weight
from recollect.language.gist.weight import weigh


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


def test_wishes_to_be_told_have_a_sign() -> None:
    """What the signs rule out, the pattern for curiosity cannot find."""
    assert unsigned_path(weight._CURIOUS, weight._CURIOUS_SIGNS) is None  # pyright: ignore[reportPrivateUsage]
