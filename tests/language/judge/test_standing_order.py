"""Standing orders as preferences."""

import pytest

from recollect.language.judge.standing_order import wish

from .telling import contents


def test_an_order_for_every_time_is_a_preference() -> None:
    """What somebody always wants done is theirs."""
    assert (
        wish("always book me an aisle seat") == "User wants the assistant to always book User an aisle seat."
    )
    assert contents("please always answer me in German") == [
        "User wants the assistant to always answer User in German."
    ]


@pytest.mark.parametrize(
    "said", ["always return null in this function", "never suggest those", "book me a seat", "always look up"]
)
def test_a_task_or_a_proverb_is_none(said: str) -> None:
    """One task, one seat and no listener."""
    assert wish(said) is None
