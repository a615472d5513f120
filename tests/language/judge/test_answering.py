"""Answers to the assistant's questions."""

import pytest

from recollect.language.judge.answering import answered


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("What's your dog's name?", "Rex", "my dog is named Rex"),
        ("Nice! What is your name?", "Anna", "my name is Anna"),
        ("How old are you?", "34", "I am 34"),
        ("Where do you live?", "in Berlin", "I live in Berlin"),
        ("Where are you from?", "Lyon.", "I am from Lyon"),
        ("What do you do for a living?", "nurse", "I am a nurse"),
        ("What's your favourite colour?", "teal", "my favourite colour is teal"),
        ("Do you have any allergies?", "yes, peanuts", "I am allergic to peanuts"),
        ("Are you vegan?", "yes", "I am vegan"),
    ],
)
def test_a_clear_pair_makes_a_statement(question: str, answer: str, told: str) -> None:
    """The question says what the answer is about."""
    assert answered(question, answer) == told


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's your name? And where do you live?", "Anna"),
        ("Should I continue?", "Rex"),
        ("What's your dog's name?", "why do you ask?"),
        ("How old are you?", "old enough"),
        ("What's your dog's name?", "I would rather not tell you about my dog today"),
        ("Where do you live?", "nowhere"),
        ("That is a nice dog.", "Rex"),
    ],
)
def test_an_unclear_pair_makes_none(question: str, answer: str) -> None:
    """Two questions, a question back, or an answer of another kind say nothing."""
    assert answered(question, answer) is None
