"""context: what a model would be given, in each form, with and without the reasons."""

from pathlib import Path

import pytest

from .conftest import Cli, Known, speak

ASKED = "Which antibiotics are safe?"


@pytest.fixture
def told(cli: Cli, filled: Known) -> None:
    """A chat with a fact that is pinned, besides the memories."""
    cli("chats", "dad", "--record", "My dad is allergic to penicillin")


def test_text_by_default(cli: Cli, filled: Known) -> None:
    """Without a chat the text holds who the user is and ends with the question."""
    ran = cli("context", "What can Jane eat?")
    assert ran.code == 0
    assert "- User plays the cello on Sundays (Importance: " in ran.out
    assert "[person:jane]: User's wife Jane is allergic to peanuts" in ran.out
    assert ran.out.endswith("\n\nUser: What can Jane eat?\n")


def test_in_a_chat(cli: Cli, told: None) -> None:
    """With a chat the text holds its messages and pins."""
    ran = cli("context", ASKED, "--chat", "dad")
    assert "- User's dad is allergic to penicillin\n" in ran.out
    assert "User: My dad is allergic to penicillin\n" in ran.out


def test_whose_yesterday_it_is(cli: Cli) -> None:
    """--at and --zone say when and where it is asked; what is no time and no zone is refused."""
    cli("chats", "tea", "--record", "We had tea")
    for given in ([], ["--chat", "tea"]):
        asked = ["context", "Which tea was it yesterday?", *given]
        ran = cli(*asked, "--at", "2025-06-10T22:30:00Z", "--zone", "Pacific/Auckland")
        assert ran.code == 0 and "Which tea was it yesterday?" in ran.out
        for wrong in (["--at", "soon"], ["--zone", "Nowhere/Land"]):
            ran = cli(*asked, *wrong)
            assert ran.code == 2 and wrong[0].strip("-") in ran.err


def test_every_form(cli: Cli, told: None) -> None:
    """openai, anthropic and memory are the JSON that their readers take."""
    forms = {
        name: cli("context", ASKED, "--chat", "dad", "--format", name).json
        for name in ("openai", "anthropic", "memory")
    }
    assert forms["openai"][-1] == {"role": "user", "content": ASKED}
    assert set(forms["anthropic"]) == {"system", "messages"}
    assert set(forms["memory"]) == {"recentMessages", "semanticPins", "summaries", "totalTokens"}
    assert forms["memory"]["semanticPins"][0]["content"] == "User's dad is allergic to penicillin"


def test_explained(cli: Cli, told: None) -> None:
    """Every line has its reason, its cost and its source."""
    pin = cli("pins", "dad", "--json").json["pins"][0]
    ran = cli("context", ASKED, "--chat", "dad", "--explain")
    assert " of 8000 tokens\n" in ran.out.partition("\n\n")[0] + "\n"
    assert (
        "  - User's dad is allergic to penicillin\n"
        "      pinned (auto, importance 10) · 11 tokens · "
        f"from {pin['id']}, {pin['source_message_id']}\n"
    ) in ran.out
    assert "Trimmed" not in ran.out


def test_the_heading_of_what_the_question_brings(cli: Cli, db: Path) -> None:
    """Memories, important messages of before and the rolling summary stand under a heading that is true of all."""
    speak(db)
    cli("worker", "--once", "--seconds", "20")
    explained = cli("context", "What did we eat?", "--explain").out
    _, _, below = explained.partition("\nRelevant to the question  ")
    assert "rolling summary, revision 1" in below.partition("\n\n")[0]
    assert "Memories for the question" not in explained


def test_what_was_dropped(cli: Cli, told: None) -> None:
    """What does not fit a small budget is listed with its reason."""
    for number in range(8):
        cli(
            "chats",
            "dad",
            "--record",
            f"He had pasta with tomatoes for lunch on day {number}, and liked it a lot",
        )
    ran = cli("context", ASKED, "--chat", "dad", "--budget", "200", "--explain")
    assert "Trimmed  " in ran.out
    assert "no room in the budget" in ran.out.partition("Trimmed")[2]
    whole = cli("context", ASKED, "--chat", "dad", "--budget", "200", "--json").json
    assert whole["tokens"] <= whole["budget"] == 200
    assert whole["dropped"]


@pytest.mark.parametrize(
    ("given", "code", "word"),
    [
        (["--chat", "nowhere"], 4, "There is no chat 'nowhere'."),
        (["--format", "xml"], 2, "--format must be one of text, openai, anthropic, memory"),
        (["--budget", "10"], 2, "--budget must be at least 200."),
    ],
)
def test_what_cannot_be_built(cli: Cli, filled: Known, given: list[str], code: int, word: str) -> None:
    """An unknown chat, form or budget is one line that says so."""
    ran = cli("context", ASKED, *given)
    assert (ran.code, ran.out) == (code, "")
    assert word in ran.err
