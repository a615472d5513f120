"""What of a reply is worth coming back to."""

import re

import pytest
from signed_paths import unsigned_path

from recollect.language.gist import reply
from recollect.language.gist.reply import advised, closing_question, evades

# pyright: reportPrivateUsage=false


def _lines(text: str) -> list[str]:
    return [line.text for line in advised(text)]


def test_advice_conclusions_and_promises_are_told_apart() -> None:
    """The frame says what kind of word it was."""
    assert _lines(
        "Great question! You should rest the wrist for a week. The problem is the connection pool."
        " Thanks, I'll remind you on Friday. Let me know if you need more!"
    ) == [
        "Assistant advised: You should rest the wrist for a week.",
        "Assistant said: The problem is the connection pool.",
        "Assistant promised: I'll remind you on Friday.",
    ]


def test_i_recommend_is_said_by_the_frame() -> None:
    """Advice does not say twice that it is advice."""
    assert _lines("I'd recommend three mock auditions before that.") == [
        "Assistant advised: three mock auditions before that."
    ]


def test_explanations_and_politeness_are_left_out() -> None:
    """A reply without advice has no line."""
    assert _lines("Canberra is a city in Australia. I hope you should enjoy it! Happy to help.") == []


def test_the_closing_question_is_found() -> None:
    """What a reply asks at its end is what the next message answers."""
    assert closing_question("Fine. How old is he?") == "How old is he?"
    assert closing_question("How old? I see.") == ""


@pytest.mark.parametrize("text", ["I'm not sure about that.", "Which one do you mean?", "I don\u2019t know."])
def test_some_replies_leave_a_question_open(text: str) -> None:
    """Not knowing and asking back are no answers."""
    assert evades(text)


def test_an_answer_does_not_evade() -> None:
    """A plain answer settles it."""
    assert not evades("The capital of Australia is Canberra.")


@pytest.mark.parametrize("pattern", [reply._ADVICE, reply._CONCLUSION, reply._PROMISE])
def test_every_way_through_a_pattern_passes_a_sign(pattern: re.Pattern[str]) -> None:
    """What the signs rule out, none of the patterns for what a reply is kept for can find."""
    assert unsigned_path(pattern, reply._SIGNS) is None
