"""Statements: subjects given back, predicates taken apart, lists kept together."""

import pytest

from recollect.language.clause import Mood
from recollect.language.judge.rule import Who
from recollect.language.judge.statement import parts


def _statements(text: str) -> list[tuple[str, str]]:
    return [(one.subject, one.predicate) for part in parts(text, [], {}) for one in part.statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Lyon and work as a nurse", [("I", "live in Lyon"), ("I", "work as a nurse")]),
        ("I'm Ruth, 67, retired midwife", [("I", "am Ruth, 67"), ("I", "am 67"), ("I", "am retired midwife")]),
        ("I like sushi, ramen and pizza", [("I", "like sushi, ramen and pizza")]),
        ("I prefer calls when it is urgent", [("I", "prefer calls when it is urgent")]),
        ("Every Sunday we eat at my mother's", [("we", "eat at my mother's every Sunday")]),
        ("My company, Acme, has 40 employees", [("My company Acme", "has 40 employees")]),
        ("I'll start there and join a club", [("I", "will start there and join a club")]),
        ("as a nurse I work nights", [("I", "am a nurse"), ("I", "work nights")]),
        ("my project is a game, I call it Warbler", [("my project", "is a game"), ("my project", "is called Warbler")]),
        ("the weather is nice", []),
    ],
)  # fmt: skip
def test_a_sentence_comes_apart(text: str, expected: list[tuple[str, str]]) -> None:
    """Each predicate has its subject; what belongs to it stays with it."""
    assert _statements(text) == expected


def test_a_clause_keeps_its_mood_and_its_sentence() -> None:
    """A question beside a statement does not make a question of it."""
    first, second = parts("I'm vegan, what can I eat?", [], {})
    assert (first.clause.mood, second.clause.mood) == (Mood.STATED, Mood.ASKED)
    assert first.first and not second.first
    assert first.sentence == second.sentence == "I am vegan, what can I eat?"


def test_two_of_us_are_us() -> None:
    """ "My wife and I" is one subject."""
    ((statement,),) = [part.statements for part in parts("my wife and I both foster teenagers", [], {})]
    assert (statement.who, statement.subject) == (Who.US, "I and my wife")
