"""Whose voice a message speaks in."""

import pytest

from recollect.domain.judge.voice import is_sarcastic, own_text


@pytest.mark.parametrize(
    "text",
    [
        "From: a@b.example\nTo: me\nSubject: hi\n\nI prefer mornings.\n",
        "Dear diary, today I am a pirate",
        "[Transcript] Speaker 1: I joined in 2011.",
        "\n".join(f"I walk alone number {number}" for number in range(8)),
    ],
)
def test_pasted_text_is_nobody_s(text: str) -> None:
    """Mails, diaries, transcripts and verse silence the message."""
    assert own_text(text) == ""


def test_lines_of_a_chat_and_of_a_log_are_cut_away() -> None:
    """What stands beside them stays."""
    text = "[10:02] Petra: I'm out\n[10:03] Jo: I own the release\nI live in Leeds."
    assert own_text(text).strip() == "I live in Leeds."
    assert own_text("ERROR: my disk is full\nI live in Leeds.") == "I live in Leeds."


def test_somebody_else_s_words_behind_a_colon_are_cut_away() -> None:
    """A heading of the user's own keeps what follows."""
    assert own_text("I like tea. He wrote: I hate coffee").strip() == "I like tea."
    assert own_text("context: I like tea") == "context: I like tea"


@pytest.mark.parametrize(
    "text", ["oh great, another form", "yeah right, I love it", "I just love waiting on hold", "so fun /s"]
)
def test_sarcasm_has_its_marks(text: str) -> None:
    """Openings, idioms and signs tell."""
    assert is_sarcastic(text)


@pytest.mark.parametrize("text", ["I love hiking", "great, thanks", "I really love my job"])
def test_joy_is_not_sarcasm(text: str) -> None:
    """Plain liking stays liking."""
    assert not is_sarcastic(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fwd: My name is Karl and I sell boats",
        "FW: I live in Rome",
        "From: Karl To: Me I live in Oslo",
        "On Mon, 3 May 2021 Karl wrote: I live in Oslo",
    ],
)
def test_what_is_passed_on_is_another_s(text: str) -> None:
    """A mail in one line is a mail."""
    assert own_text(text) == ""
