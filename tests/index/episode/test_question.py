"""What a question asks of past talk: which words, what order, a time alone, and whether it goes on with a talk."""

from datetime import UTC, datetime

import pytest

from recollect.index.episode.question import Asked, ask, goes_on
from recollect.language import time_words
from recollect.language.terms import terms

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPEAKERS = ("Melanie Huber", "Caroline", "Will", "Jo Swan", "O'Brien")


def _asked(text: str, speakers: tuple[str, ...] = SPEAKERS) -> Asked:
    return ask(text, speakers, time_words.read(text, now=NOW, zone=UTC))


@pytest.mark.parametrize(
    ("text", "continues"),
    [
        ("I went there. It was lovely.", True),
        ("I went there. Was it you who told me of it?", True),
        ("Did it rain? Was it cold?", False),
        ("Where is the car?", False),
        ("The price was 3.50 in town", False),
        ("", False),
    ],
)
def test_going_on(text: str, continues: bool) -> None:
    """Several sentences that are not all questions go on with a talk; one sentence does not."""
    assert goes_on(text) is continues
    assert _asked(text).lately is continues


def test_the_newest_is_asked_for_by_words() -> None:
    """A bare question wants the newest only when it says so."""
    assert _asked("What did I say about tea the last time?").lately
    assert not _asked("What did I say about tea?").lately
    assert _asked("When did I first say that, the first time?").first
    assert not _asked("What did I say about tea?").first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What did I tell you about the boat?", "boat"),
        ("What happened to the boat?", "boat"),
        ("What did Caroline say?", "say"),
        ("What is on my list?", "list"),
        ("Tell me. It went on about the boat.", "tell went boat"),
    ],
)
def test_words_that_only_ask_are_not_looked_for(text: str, words: str) -> None:
    """Unless nothing else is left, or somebody goes on with a talk."""
    assert _asked(text).words == tuple(terms(words))


@pytest.mark.parametrize(
    ("text", "only_time"),
    [
        ("What happened two years ago?", True),
        ("What did Caroline do in May 2023?", True),
        ("what did we talk about yesterday", True),
        ("Summarize last week", True),
        ("What happened to the boat two years ago?", False),
        ("What happened before the move?", False),
        ("What happened?", False),
    ],
)
def test_whether_only_a_time_is_named(text: str, only_time: bool) -> None:
    """A speaker and words that any talk has are no topic."""
    assert _asked(text).only_time is only_time
