"""Whose words a question means: names as people write them, who acts, and the user's own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.episode.speaker import asks_for_user, meant_speaker, named_speakers, without_names

SPEAKERS = ("Melanie Huber", "Caroline", "Will", "Jo Swan", "O'Brien")


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
    assert (meant_speaker(text, named), without_names(text, named)) == (named[0], topic)


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
    """Two names that act together leave the topic, and no single speaker is meant."""
    text = "What did my friends Caroline and Melanie plan?"
    named = named_speakers(text, SPEAKERS)
    assert meant_speaker(text, named) is None
    assert without_names(text, named) == "What did my friends and plan?"


def test_two_of_one_first_name() -> None:
    """A first name that two people share names both."""
    both = ("Anna Berg", "Anna Tal")
    assert named_speakers("What did Anna say?", both) == both
    assert named_speakers("What did Anna Tal say?", ("Anna Tal",)) == ("Anna Tal",)


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("What did Caroline give Melanie?", "Caroline"),
        ("What has Melanie recommended to Caroline?", "Melanie Huber"),
        ("Which book did Will's sister lend Caroline?", "Will"),
        ("what did caroline give melanie", "Caroline"),
        ("What did Caroline and Melanie cook?", None),
        ("What are Caroline's and Melanie's plans?", None),
        ("Whom did Caroline meet, and what was Melanie doing?", None),
        ("Caroline told Melanie about which race?", None),
    ],
)
def test_of_two_the_one_who_acts_is_meant(text: str, speaker: str | None) -> None:
    """Between two people both names stand in many questions; who gave says what was given."""
    assert meant_speaker(text, named_speakers(text, SPEAKERS)) == speaker


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What did nora's doctor tell her in Graz?", "Nora"),
        ("What did NORA cook?", "Nora"),
        ("Where does Zoe's grandmother live?", "Zo\u00eb"),
        ("Where does Zo\u00eb live?", "Zoe"),
        ("What did Jose say about Caf\u00e9 Br\u00e4unerhof?", "Jos\u00e9"),
        ("What did Mrs Smith say?", "Mrs. Smith"),
        ("What did Dr. Jones say?", "Dr. Jones"),
        ("What did Rose plant?", "Rose"),
        ("where did rose plant it", "Rose"),
    ],
)
def test_names_as_people_write_them(text: str, name: str) -> None:
    """Small letters, capitals, missing accents and points name the same person."""
    named = named_speakers(text, [name, "Dr. Smith", "Somebody Else"])
    assert named == (name,)
    assert not named_speakers(without_names(text, named), [name])


def test_accents_of_other_words_stay() -> None:
    """Only the name is taken out; the rest of a question is as it was."""
    assert (
        without_names("Did Jose like Caf\u00e9 Br\u00e4u?", ["Jos\u00e9"]) == "Did like Caf\u00e9 Br\u00e4u?"
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Did the rose grow in Graz?", "Rose"),
        ("What did Dr. Jones say?", "Dr. Smith"),
        ("Is Jones in?", "Dr. Jones"),
    ],
)
def test_a_word_or_a_title_is_no_name(text: str, name: str) -> None:
    """A name that is also a word needs its capital where others have theirs; a title alone names nobody."""
    assert named_speakers(text, [name]) == ()


@pytest.mark.parametrize(
    ("text", "about_user"),
    [
        ("Where did I park the car?", True),
        ("what is my dentist called", True),
        ("When did we move?", True),
        ("What did it mean to us?", True),
        ("What did I tell you last week?", True),
        ("What have I told you about my dog?", True),
        ("What did you recommend to me?", False),
        ("Can you recommend a film to me?", False),
        ("Where is the car?", False),
        ("What did the US senate decide?", False),
        ("Where is it in Mexico?", False),
    ],
)
def test_whether_it_is_about_the_user(text: str, about_user: bool) -> None:
    """The first person asks for the user's words, unless the assistant is addressed; a report of them does all the same."""
    assert asks_for_user(text, going_on=False) is about_user


def test_who_goes_on_with_a_talk_asks_for_no_report() -> None:
    """In a longer text "I told you" is part of the talk."""
    assert not asks_for_user("I told you so. What now?", going_on=True)


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
    named = named_speakers(text, names)
    assert set(named) <= set(names)
    assert bool(without_names(text, named)) == bool(text)
    speaker = meant_speaker(text, named)
    assert speaker in (None, *named)
    assert speaker is not None or len(named) != 1


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
