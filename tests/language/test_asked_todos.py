"""Which questions ask for the list of what is open."""

import pytest

from recollect.language.asked_todos import asks_for_todos


@pytest.mark.parametrize(
    "question",
    [
        "What are my open todos?",
        "what do I still have to do",
        "what's on my list",
        "What\u2019s on my to-do list?",
        "show me my todos",
        "list my open tasks please",
        "Hi! Do I have any open todos?",
        "what do I have to do today?",
        "What else do I need to do?",
        "what's left to do?",
        "what is still open?",
        "What am I supposed to do this week?",
        "what did I promise to do?",
        "which commitments do I have",
    ],
)
def test_what_is_open_is_asked_for(question: str) -> None:
    """However the list is called."""
    assert asks_for_todos(question)


@pytest.mark.parametrize(
    "question",
    [
        "What do I have to do to renew my passport?",
        "What's on my shopping list?",
        "How do I make a todo list in React?",
        "What do I do?",
        "What should I do about my boss?",
        "Write a todo app",
        "what did I promise Anna?",
        "Is the bakery still open?",
        "What did I do yesterday?",
        "hello",
    ],
)
def test_something_else_is_asked_for(question: str) -> None:
    """What has to be done for something, other lists, and what somebody did, are other questions."""
    assert not asks_for_todos(question)
