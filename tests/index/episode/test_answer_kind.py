"""The kind of answer that a question asks for, and which messages hold it."""

import pytest

from recollect.index.episode.answer_kind import kind_asked
from recollect.language.terms import terms


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("How many eggs did I buy?", "I bought 12 eggs.", "I bought eggs."),
        ("how much is the rent", "It is 950 euros, half of what I earn.", "The rent is too high."),
        ("How old is the dog?", "Rex turned seven.", "Rex is a good dog."),
        ("What percentage of it did we finish?", "About 40% is done.", "We are nearly done."),
        ("When did we move?", "We moved last week.", "We moved with a van."),
        ("Which year was the wedding?", "They married in 1998.", "They married by the sea."),
        ("What day is the exam?", "The exam is on Friday.", "The exam is hard."),
        ("How many weeks did it take?", "It took until the 3rd of May.", "It took for ever."),
        ("How long ago was the trip?", "The trip was in June.", "The trip was fun."),
    ],
)
def test_an_answer_holds_the_kind_that_is_asked_for(question: str, answer: str, other: str) -> None:
    """A number answers "how many", a word of time answers "when"; a message without one does not."""
    kind = kind_asked(question)
    assert not kind.isdisjoint(terms(answer))
    assert kind.isdisjoint(terms(other))


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What is my dog called?",
        "Where did we go?",
        "Tell me about whenever",
        "Wie viele Eier?",
        "Somehow many left",
        "x" * 3000 + " how many",
    ],
)
def test_other_questions_ask_for_no_kind(question: str) -> None:
    """Names, places, other languages, parts of words and what stands deep in a pasted text tell no kind."""
    assert kind_asked(question) == frozenset()
