"""What a question asks of past talk: whom it names, what remains as its topic, and whether it goes on with a talk."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import time_words
from recollect.domain.episode.question import Asked, ask, goes_on, named_speakers, without_names
from recollect.domain.terms import terms

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPEAKERS = ("Melanie Huber", "Caroline", "Will", "Jo Swan", "O'Brien")


def _asked(text: str, speakers: tuple[str, ...] = SPEAKERS) -> Asked:
    return ask(text, speakers, time_words.read(text, now=NOW, zone=UTC))


@pytest.mark.parametrize(
    ("text", "named", "topic"),
    [
        ("What did Melanie Huber paint?", ("Melanie Huber",), "What did paint?"),
        ("What did Melanie paint?", ("Melanie Huber",), "What did paint?"),
        ("What is Melanie's dog called?", ("Melanie Huber",), "What is dog called?"),
        ("What is Melanie Huber's dog called?", ("Melanie Huber",), "What is dog called?"),
        ("What is Caroline\u2019s plan for school?", ("Caroline",), "What is plan for school?"),
        ("what did caroline plan for school", ("Caroline",), "what did plan for school"),
        ("what did melanie huber paint", ("Melanie Huber",), "what did paint"),
        ("When did O'Brien call?", ("O'Brien",), "When did call?"),
        ("Caroline, when was the race?", ("Caroline",), ", when was the race?"),
        ("Is it Will's boat?", ("Will",), "Is it boat?"),
        ("What did Jo Swan cook?", ("Jo Swan",), "What did cook?"),
    ],
)
def test_a_name_is_found_and_taken_out(text: str, named: tuple[str, ...], topic: str) -> None:
    """Full and first names count, with either apostrophe and in small letters, and are no part of the topic."""
    assert named_speakers(text, SPEAKERS) == named
    asked = _asked(text)
    assert (asked.speaker, without_names(text, named)) == (named[0], topic)
    assert asked.words == tuple(terms(topic))


@pytest.mark.parametrize(
    "text",
    [
        "When will Anna come?",
        "when will it rain",
        "What about Jo?",
        "Who is carolines friend?",
        "Was Willy there?",
        "What does Huber mean?",
        "the melaniehuber account",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    """An everyday word, a part of another word, a very short first name and a family name alone name nobody."""
    assert named_speakers(text, SPEAKERS) == ()
    assert without_names(text, named_speakers(text, SPEAKERS)) == text


@pytest.mark.parametrize("name", ["alice", "alice jones", "ALICE"])
def test_how_a_name_was_recorded_does_not_matter(name: str) -> None:
    """Somebody recorded in small or in capital letters is named by a question that writes the name as people do."""
    assert named_speakers("What did Alice say about the race?", [name]) == (name,)


def test_an_everyday_word_as_a_name() -> None:
    """Somebody recorded as "will" or "me" is not named by every question that has the word."""
    assert named_speakers("When will they tell me of the race?", ["will", "me"]) == ()
    assert named_speakers("When did Will tell of the race?", ["will", "me"]) == ("will",)


def test_several_named_are_nobody_in_particular() -> None:
    """Two names leave the topic, and no single speaker is meant, nor the user."""
    text = "What did my friends Caroline and Melanie plan?"
    asked = _asked(text)
    assert (asked.speaker, asked.about_user) == (None, False)
    assert without_names(text, named_speakers(text, SPEAKERS)) == "What did my friends and plan?"


def test_two_of_one_first_name() -> None:
    """A first name that two people share names both."""
    both = ("Anna Berg", "Anna Tal")
    assert named_speakers("What did Anna say?", both) == both
    assert named_speakers("What did Anna Tal say?", ("Anna Tal",)) == ("Anna Tal",)


@pytest.mark.parametrize(
    ("text", "about_user"),
    [
        ("Where did I park the car?", True),
        ("what is my dentist called", True),
        ("When did we move?", True),
        ("What did you recommend to me?", False),
        ("Where is the car?", False),
        ("What did Caroline give me?", False),
        ("What did the US senate decide?", False),
        ("What did it mean to us?", True),
        ("Where is it in Mexico?", False),
    ],
)
def test_whether_it_is_about_the_user(text: str, about_user: bool) -> None:
    """The first person is about the user's words, unless somebody is named or the assistant is addressed."""
    assert _asked(text).about_user is about_user


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


@pytest.mark.parametrize("text", ["Caroline", "Caroline's?", "melanie", "?", "👍"])
def test_the_topic_is_never_empty(text: str) -> None:
    """When nothing would be left the question itself is the topic."""
    assert without_names(text, named_speakers(text, SPEAKERS)) == text


def test_names_that_join_when_another_is_taken_out() -> None:
    """A name that only appears because something between its parts was taken out is taken out as well."""
    assert "Jo Swan" not in without_names("Did Jo Jo Swan Swan like the red tea?", ["Jo Swan"])


_NAMES = st.lists(
    st.text(st.sampled_from(list("AnaBo .*+?([\\^$|{'-é")), min_size=1, max_size=8).filter(str.strip),
    max_size=4,
).map(tuple)
_TEXTS = st.one_of(
    st.text(max_size=60), st.text(st.sampled_from(list("AnaBo .*+?([\\^$|{'’s-é")), max_size=60)
)


@given(_TEXTS, _NAMES)
def test_any_text_and_any_names(text: str, names: tuple[str, ...]) -> None:
    """Nothing raises, signs of regular expressions are letters like others, and a topic is never empty."""
    asked = _asked(text, names)
    named = named_speakers(text, names)
    assert set(named) <= set(names)
    assert bool(without_names(text, named)) == bool(text)
    assert asked.speaker in (None, *names)
    assert (asked.speaker is not None) == (len(named) == 1)


@given(
    st.lists(
        st.sampled_from(["Ada Lovelace", "Ada", "Lovelace", "Bo", "Bo Ek", "Ek", "tea", "red"]), max_size=9
    )
)
def test_the_topic_names_nobody(words: list[str]) -> None:
    """No named speaker is left in a topic that has other words."""
    text = " ".join(["Tea", *words, "boat"])
    named = named_speakers(text, ["Ada Lovelace", "Bo Ek"])
    topic = without_names(text, named)
    for name in named:
        assert not re.search(rf"\b{name}\b", topic)
    assert set(topic.split()) >= {"Tea", "boat"}
