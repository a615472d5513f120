"""How somebody always wants things done."""

import pytest

from recollect.language.pinning.standing_wish import order, preference


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("always answer in German", "always answer in German"),
        ("from now on, use metric units", "use metric units"),
        ("answer in French from now on", "answer in French"),
        ("from now on you should answer in German", "answer in German"),
        ("going forward, don't use emojis", "not use emojis"),
        ("never include spoilers in your answers", "never include spoilers in its answers"),
        ("stop using emojis", "stop using emojis"),
        ("call me Alex", "call me Alex"),
    ],
)
def test_an_order_is_told_of_the_user(clause: str, told: str) -> None:
    """A lasting order becomes a statement about what the user wants."""
    assert order(clause) == f"User wants the assistant to {told}"


@pytest.mark.parametrize(
    "clause",
    [
        "answer in German",
        "never mind",
        "never give up",
        "always be yourself",
        "always look on the bright side",
        "never use recursion in this function",
        "always answer in German today",
        "you always answer so fast",
        "call me back",
        "call me Tuesday when you know",
    ],
)
def test_an_order_for_once_is_none(clause: str) -> None:
    """One task, idioms and remarks are no standing orders."""
    assert order(clause) is None


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("he prefers morning appointments", True),
        ("my husband prefers quartz", False),
        ("she prefers granite", False),
        ("my kids dislike spinach", False),
        ("my dad dislikes needles", True),
        ("the patient prefers quartz", True),
        ("my wife and I prefer quartz", True),
        ("I'm terrified of needles", True),
        ("my daughter handles all medical decisions", True),
        ("I prefer the second one", False),
        ("I prefer this", False),
        ("I would prefer tea", False),
        ("I don't prefer tea", False),
        ("I hate Mondays", False),
        ("I prefer tea right now", False),
    ],
)
def test_a_preference_lasts(clause: str, expected: bool) -> None:
    """What somebody prefers in general counts, a choice at hand does not."""
    assert preference(clause) is expected
