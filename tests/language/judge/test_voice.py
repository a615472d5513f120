"""Whose voice a message speaks in."""

import pytest

from recollect.language.judge.voice import is_sarcastic, own_text


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


@pytest.mark.parametrize(
    "text",
    [
        "Job ad I found: Senior baker wanted - We offer 70k",
        "Job ad I found:\nSenior baker wanted\n- We offer 70k",
        "Found this listing: I am selling my bike and I live in Leeds",
        "From their website: We live in Oslo and we have three dogs",
        "A comment I read today: I am a pilot",
        "Vacancy - we have three offices and we offer 70k",
    ],
)
def test_under_the_heading_of_another_s_text_nobody_speaks(text: str) -> None:
    """An ad, a website and what somebody read are others' words."""
    assert own_text(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "I found a job: I work at Bosch now.",
        "I work on our website - I am a designer in Bonn.",
        "My website is example.org and I live in Bonn.",
        "I read three newspapers and I live in Bonn.",
        "I'm a nurse - my shifts are at night.",
    ],
)
def test_who_speaks_of_a_text_is_heard(text: str) -> None:
    """A sentence with "I" in front is no heading."""
    assert own_text(text) == text
