"""Order and saying: the newest, the oldest, and what was said."""

from datetime import UTC, datetime

import pytest

from recollect.language.time_words import TimeWords, read


def _read(question: str) -> TimeWords:
    return read(question, now=datetime(2023, 6, 14, 10, 30, tzinfo=UTC), zone=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "What is the latest on the flat?", "Who did I see most recently?", "When was the last time I ran?",
        "How do I feel lately?", "What have I read recently?", "Where do I currently work?", "What do I eat these days?",
        "Where do I live now?", "When did I last see Anna?", "What is my most recent purchase?", "Where am I right NOW?",
        "What's the latest movie I saw?", "When did Anna last visit?", "Which was the last movie I watched?",
        "When was my last dentist appointment?", "What did we discuss in our last conversation?", "What did I say last?",
    ],
)  # fmt: skip
def test_the_newest_is_asked_for(question: str) -> None:
    """Words that ask for the latest."""
    assert _read(question).newest and not _read(question).oldest


@pytest.mark.parametrize(
    "question",
    [
        "When was the first time I met Anna?", "Where did I originally want to live?", "What did I think at first?",
        "What was the plan initially?", "When did I first run?", "What is the earliest trip I took?",
        "What did Anna first say?", "the first movie I watched", "in our first conversation", "What did I buy first?",
    ],
)  # fmt: skip
def test_the_oldest_is_asked_for(question: str) -> None:
    """Words that ask for the first."""
    assert _read(question).oldest and not _read(question).newest


@pytest.mark.parametrize(
    "question",
    [
        "What is my last name?", "What is my first name?", "love at first sight", "by Friday at the latest",
        "What did I do last week?", "the first week of May 2023", "What did I do the other day?", "the last one",
        "I need first aid", "Sort them from earliest to latest", "now that we moved",
        "What did Anna do last Monday?", "in the last two weeks", "What was my first car?", "the last day of the trip",
    ],
)  # fmt: skip
def test_no_order_is_asked_for(question: str) -> None:
    """Words that only look like an order."""
    assert not _read(question).newest and not _read(question).oldest


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you?", "Did I mention the dog?", "What did I say about Rome?", "Did I ask you to wait?",
        "What did we talk about?", "Have we ever discussed Rome?", "What was said about Anna?", "our last conversation",
        "What did you recommend?", "What have I told you about Bob?", "I’ve mentioned it", "Did we   speak about it?",
    ],
)  # fmt: skip
def test_the_question_is_about_saying(question: str) -> None:
    """What the two said to each other is asked for."""
    assert _read(question).about_saying


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell my boss?", "What did I say to Anna?", "What did Anna say?", "May I ask something?",
        "Did we talk to the landlord?", "What do I like?", "Can I tell a joke?", "Did she tell you?", "sad songs",
    ],
)  # fmt: skip
def test_the_question_is_not_about_saying(question: str) -> None:
    """What was said elsewhere, or may be said now, is no message between the two."""
    assert not _read(question).about_saying
