"""How a request to forget is meant."""

import pytest

from recollect.language.forget_request import (
    EVERYTHING,
    bare_topics,
    is_certain,
    means_everything,
    states_fact,
)

_AUSTIN = "User lives in Austin"


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (_AUSTIN, "forget that I live in Austin"),
        (_AUSTIN, "Can you forget that I live in Austin?"),
        (_AUSTIN, "Hey, could you please forget that I live in Austin, please?"),
        (_AUSTIN, "Forget that I live in Austin!"),
        ("User's wife is Jane", "please delete that my wife is Jane"),
        ("User's daughter swims", "Forget that my daughter swims."),
        ("User is allergic to nuts", "I don't want this kept. Please forget that I\u2019m allergic to nuts."),
    ],
)
def test_a_plain_statement_is_certain(what: str, said: str) -> None:
    """Who states the fact in plain words means it."""
    assert is_certain(what, said, said)


@pytest.mark.parametrize(
    "behind",
    [
        ". What do you think about Dallas?",
        ", what about me?",
        "... just kidding",
        ", haha",
        ". I don't really mean it.",
        ". No wait, keep it.",
        "!!! I hate it here",
        ". I am so mad at this city",
        ", ugh",
        " for a moment",
        " if I move",
        ". Never mind.",
        " \U0001f602",
        " /s",
    ],
)
def test_what_takes_a_request_back(behind: str) -> None:
    """A question, a joke, anger or a condition in the same message: somebody is asked."""
    text = "Forget that I live in Austin" + behind
    assert states_fact(_AUSTIN, text)
    assert not is_certain(_AUSTIN, text, text)
    assert not is_certain(_AUSTIN, "Forget that I live in Austin", text)


@pytest.mark.parametrize(
    "before", ["Let's role play. ", "In my story the hero says: ", "Imagine you are my boss. "]
)
def test_a_play_takes_a_request_back(before: str) -> None:
    """What is said in a part that somebody plays is not asked of anybody."""
    said = "Forget that I live in Austin."
    assert not is_certain(_AUSTIN, said, before + said)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("User's dog", "Forget my dog, what about me?"),
        ("User's dog", "forget my dog"),
        ("User's sister", "Forget my sister!!! I'm so mad at her"),
        ("User's dog", "scratch my dog"),
        ("Maria", "forget Maria"),
        ("User's sister", "delete what you know about my sister"),
        ("User's glasses", "forget my glasses"),
        ("everything", "forget everything"),
        ("User works at Acme", "that's not true anymore"),
    ],
)
def test_a_topic_is_never_certain(what: str, said: str) -> None:
    """Who names only a topic, or calls another's words outdated, has not said which fact shall go."""
    assert not is_certain(what, said, said)


@pytest.mark.parametrize(
    "text",
    [
        "forget everything",
        "Thanks. Forget everything!",
        "Please forget everything you know about me.",
        "can you delete all my data?",
        "Wipe your memory",
        "delete all the data you have about me",
    ],
)
def test_everything(text: str) -> None:
    """A sentence that asks for all of it, and nothing else."""
    assert [what for what, _ in bare_topics(text)] == [EVERYTHING]


@pytest.mark.parametrize(
    "text",
    [
        "Forget everything, let's start over with the layout",
        "forget everything I said about the layout",
        "forget everything about Tom",
        "I forget everything these days",
        "Delete all the rows",
        "Forget Maria, what about me?",
        "Forget about it",
        "My boss wrote: forget everything",
        "She has a good memory",
    ],
)
def test_not_everything(text: str) -> None:
    """A figure of speech, a part, or somebody else's words."""
    assert bare_topics(text) == []


@pytest.mark.parametrize(
    ("text", "name"), [("forget Maria", "Maria"), ("Please delete Tom Smith.", "Tom Smith")]
)
def test_a_bare_name(text: str, name: str) -> None:
    """A name alone is a topic."""
    assert bare_topics(text) == [(name, text)]


def test_everything_as_a_topic() -> None:
    """A model's words for it are understood too."""
    assert (
        means_everything("everything")
        and means_everything("all memories")
        and means_everything("Everything about User")
    )
    assert not means_everything("allergies") and not means_everything("everything about Tom")
