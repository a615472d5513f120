"""Tests of what is put plainly before it is read."""

import pytest

from recollect.domain.judge.rephrased import rephrased


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("It's just me and my mom in the apartment", "I live with my mom"),
        ("there are five of us in the house", "my household has five people"),
        (
            "What do you feed a gecko? Mine's called Kevin",
            "What do you feed a gecko? my gecko is called Kevin",
        ),
        ("In Finland, where I live, it's dark", "I live in Finland. it's dark"),
        ("now that I'm retired I paint", "now that I'm retired, I paint"),
        ("Mine is a nightmare", "Mine is a nightmare"),
    ],
)
def test_a_hidden_statement_is_put_plainly(said: str, plain: str) -> None:
    """The rules meet one shape, and nothing is put in that the words do not say."""
    assert rephrased(said) == plain
