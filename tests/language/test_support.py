"""Tests of language/support.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.support import numbers_in, question_in, support, unsaid


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("User's wife is named Jane", "My wife is Jane"),
        ("User prefers using TypeScript for all projects", "I prefer using TypeScript for all my projects"),
        (
            "User is building a chat application named blah.chat using Next.js 15",
            "I'm building a chat app called blah.chat using Next.js 15",
        ),
        ("User dislikes jazz", "I can't stand jazz"),
        ("User no longer eats meat", "I don't eat meat any more"),
        ("User is from Munich", "I'm not from Berlin, I'm from Munich"),
        ("User has 2 kids", "I have two kids"),
        ("User is allergic to peanuts", "I'm allergic to peanuts, what can I eat?"),
        ("User is vegan", "Can you remember that I'm vegan?"),
        ("User loves opera", "Don't forget that I love opera."),
        ("User 住在柏林", "我住在柏林"),
        ("User moved to Lisbon", "My wife and I moved to Lisbon"),
        ("User's brother loves jazz", "My brother loves jazz"),
        ("User has a brother who loves jazz", "My brother loves jazz"),
    ],
)
def test_what_was_said_is_borne_out(statement: str, text: str) -> None:
    """The third person, other verbs of being and written-out numbers do not hide that it was said."""
    assert support(statement, text).missing is None


@pytest.mark.parametrize(
    ("statement", "text", "missing"),
    [
        ("User's wife is named Anna", "My wife is lovely", "name 'Anna'"),
        ("User works at Google as an engineer", "I'm an engineer", "name 'Google'"),
        ("User has three kids", "I have two kids", "number 3"),
        ("User is 43 and runs marathons", "I am 34 and run marathons", "number 43"),
        ("User enjoys long walks by the sea", "I had a sandwich", "most of its words"),
        ("User likes jazz", "I don't like jazz", "turns what was said around"),
        ("User does not like jazz", "I like jazz", "turns what was said around"),
        ("User wants to try Python", "I might try Python someday", "in doubt"),
        ("User lives in Berlin", "What if I lived in Berlin?", "supposed"),
        ("User lives in Berlin", "Do I live in Berlin?", "asked"),
        ("User likes dark mode", "Translate this: I like dark mode", "material for a task"),
        ("User loves jazz", "My brother loves jazz", "somebody else"),
        ("User loves jazz", "John loves jazz", "somebody else"),
        ("User", "I am here", "says nothing"),
    ],
)
def test_what_was_not_said_is_not(statement: str, text: str, missing: str) -> None:
    """Invented names and numbers, turned, doubted, asked and borrowed statements are told by their reason."""
    assert missing in (support(statement, text).missing or "")


@pytest.mark.parametrize(
    ("text", "asked", "missing"),
    [
        ("yes, exactly", "Are you a vegetarian?", None),
        ("I am!", "Are you a vegetarian?", None),
        ("no", "Are you a vegetarian?", "did not say it"),
        ("Yesterday it rained", "Are you a vegetarian?", "did not say it"),
        ("I am tired of this", "Are you a vegetarian?", "did not say it"),
        ("Sure, but I eat fish", "Are you a vegetarian?", "did not say it"),
        ("yes", "Are you a vegetarian or a vegan?", "left a choice"),
        ("yes", "", "most of its words"),
    ],
)
def test_a_plain_yes_answers_one_question(text: str, asked: str, missing: str | None) -> None:
    """The words of a question count when the user agrees to it, and only if there was nothing to choose."""
    found = support("User is a vegetarian", text, asked=asked).missing
    assert found is None if missing is None else missing in (found or "")


def test_known_names_may_be_used() -> None:
    """A name that is known need not be said again."""
    assert unsaid("User's wife Jane is vegan", "My wife is vegan") is not None
    assert unsaid("User's wife Jane is vegan", "My wife is vegan", known=frozenset({"jane"})) is None


def test_the_nearest_sentence_is_told() -> None:
    """The user's own words are those of the sentence that is nearest."""
    assert support("User keeps bees", "Hi there. I keep bees. Bye!").said == "I keep bees."


def test_a_todo_may_stem_from_a_question() -> None:
    """Where doubt is allowed, what was asked bears a statement out; what was supposed does not."""
    assert (
        support("call mom tomorrow", "Can you remind me to call mom tomorrow?", doubtless=False).missing
        is None
    )
    assert support("call mom", "If I were rich I would call mom", doubtless=False).missing is not None


def test_numbers_are_digits() -> None:
    """Thousands and written-out numbers are one spelling."""
    assert numbers_in("1,000 bees in twelve hives, 3.5 kg") == {"1000", "12", "3.5"}


def test_a_reply_asks_only_where_it_asks() -> None:
    """What a reply states is no question."""
    assert question_in("You own a boat. Do you sail?") == "Do you sail?"


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40))
def test_any_text_is_examined(statement: str, text: str, asked: str) -> None:
    """Nothing that can be written makes it fail, and what is borne out shares a word with what was said or asked."""
    found = support(statement, text, asked=asked)
    if found.missing is None:
        assert text.strip() or asked.strip()
