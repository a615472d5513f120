"""Requests to remember: what is taken off, and what only sounds like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.explicit_request import strip_request

REQUESTS = [
    ("Remember that I prefer dark mode", "I prefer dark mode"),
    ("Save this: I'm building a SaaS product", "I'm building a SaaS product"),
    ("please remember: tea, no sugar", "tea, no sugar"),
    ("Don't forget I hate cilantro!", "I hate cilantro!"),
    ("Dont forget that im vegan", "im vegan"),
    ("Keep in mind that my flight is at 9 am", "my flight is at 9 am"),
    ("NOTE: the office is closed", "The office is closed"),
    ("Note that npm is broken", "npm is broken"),
    ("FYI, Anna moved", "Anna moved"),
    ("For the record, I like it", "I like it"),
    ("Just so you know I'm a night owl", "I'm a night owl"),
    ("Important: my son is allergic to eggs", "my son is allergic to eggs"),
    ("Store this in your memory: I was born in 1990", "I was born in 1990"),
    ("Make a note that I have a meeting", "I have a meeting"),
    ("Remember this for later: my locker code is 1234", "my locker code is 1234"),
    ("Could you please remember that I use a wheelchair?", "I use a wheelchair."),
    ("Remember: note that I am deaf", "I am deaf"),
    ("Remember Jane is allergic to nuts", "Jane is allergic to nuts"),
    ("I'm allergic to nuts. Remember that.", "I'm allergic to nuts."),
    ("I'm vegan so please remember that", "I'm vegan"),
    ("My pin is 4; keep that in mind please", "My pin is 4"),
]

NO_REQUEST = [
    "I can't remember that.",
    "I'll never forget it",
    "When I name a date, remember it.",
    "Remember when we went to Paris?",
    "Do you remember that I like tea?",
    "Remember the Titans is my favorite movie",
    "Store that sells vinyl is my favorite",
    "Note 10 is my phone",
    "Important things to me are family and work",
    "It's important that I get 8 hours of sleep",
]


@pytest.mark.parametrize(("said", "statement"), REQUESTS)
def test_requests_are_taken_off(said: str, statement: str) -> None:
    """A request to remember is taken off and reported."""
    assert strip_request(said) == (statement, True)


@pytest.mark.parametrize("text", NO_REQUEST)
def test_remembering_as_a_subject_is_no_request(text: str) -> None:
    """Speaking of remembering, saving or importance is not a request and loses no word."""
    assert strip_request(text) == (text, False)


def test_a_bare_request_keeps_its_words() -> None:
    """A request without a fact is reported but never emptied."""
    assert strip_request("Please remember this.") == ("Please remember this.", True)


_WORDS = st.sampled_from(
    "remember that this : , . ? note save please FYI important don't forget keep in mind can you I my".split()
)


@given(st.lists(_WORDS, max_size=12).map(" ".join))
def test_strip_request_only_shortens(text: str) -> None:
    """Taking off a request never adds a word and never leaves an empty text."""
    statement, requested = strip_request(text)
    assert len(statement) <= len(text)
    assert requested or statement == text
    assert statement or not text
