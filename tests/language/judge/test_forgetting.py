"""Requests to forget, and what only sounds like one."""

import pytest

from recollect.language.judge.forgetting import cut, forgetting, no_longer_true
from recollect.records.message import Role

from .telling import contents, told


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("Forget that I live in Berlin", "User lives in Berlin"),
        ("please forget that I'm vegan", "User is vegan"),
        ("delete what you know about my ex", "User's ex"),
        ("Please forget what I told you about my depression", "User's depression"),
        ("forget everything you know about Tom", "Tom"),
        ("stop remembering that I like jazz", "User likes jazz"),
        ("please stop storing my salary, delete that", "User's salary"),
        ("forget my address", "User's address"),
        ("ignore what I said about Zoloft", "Zoloft"),
    ],
)
def test_a_request_says_what_to_forget(said: str, what: str) -> None:
    """As the memory would say it, or the topic."""
    assert forgetting(said) == what


@pytest.mark.parametrize(
    "said",
    [
        "forget it",
        "never mind",
        "forget about the error",
        "don't forget to call mom",
        "I always forget my keys",
        "I forgot my password",
        "before I forget, thanks",
        "delete my last message",
        "remove the second paragraph",
        "forget the previous question",
    ],
)
def test_what_is_no_request_to_forget(said: str) -> None:
    """Everyday words with "forget" and "delete" ask for nothing."""
    assert forgetting(said) is None
    assert told(said).forgettings == ()


def test_what_is_told_behind_a_request_is_kept() -> None:
    """The request ends where the user speaks of themself again."""
    assert cut("Forget my Python preference, I'm moving to Rust.")[1] == "I'm moving to Rust."
    assert contents("Forget my old employer, I work at Acme now") == ["User works at Acme now."]


def test_no_longer_true_speaks_of_what_the_assistant_said() -> None:
    """One thing that the assistant said of the user can be called outdated; several cannot be told apart."""
    assert no_longer_true("That's no longer true.", "Sure. You live in Berlin.") == "User lives in Berlin"
    assert no_longer_true("That's no longer true.", "You live in Berlin. You like tea.") is None
    found = told((Role.ASSISTANT, "You work at Acme."), "that's not true anymore").forgettings
    assert [one.what for one in found] == ["User works at Acme"]


def test_a_request_without_an_object_is_passed() -> None:
    """Nothing is forgotten when nobody says what."""
    found = told("forget everything")
    assert found.forgettings == () and found.passed[0].reason == "It does not say what to forget."
