"""Whose words a message holds."""

import pytest

from recollect.language.gist.own_words import heard, is_quotation, spoken


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "Summarize this article: I grew up in Kenya. I have diabetes. I will run a marathon on Sunday.",
            "Summarize this article",
        ),
        (
            "Can you look over my lease?\n\n1. The tenant agrees that no pets are kept.\n2. I agree to pay 900 euros a month on the first.",
            "",
        ),
        ("Please proofread this text. I live in Kenya.", "Please proofread this text."),
        ("Can you answer this?\nFrom: Bob\nSubject: Rent\n\nI moved to Spain.", "Can you answer this?"),
    ],
)
def test_of_a_text_to_work_on_the_request_alone_is_the_users(text: str, asked: str) -> None:
    """What an article, a lease or a mail says is told by nobody."""
    found = heard(text)
    told = found.own + found.passed_on
    assert not any(word in told for word in ("Kenya", "diabetes", "marathon", "agree", "Spain"))
    assert found.asked == asked


def test_others_words_are_passed_on_in_quotation_marks() -> None:
    """Who wrote, and the beginning of it, is one unit."""
    found = heard(
        "I rent a flat. Here's what my landlord wrote:\nI am raising your rent. I live in Spain now."
    )
    assert found.own.strip() == "I rent a flat."
    assert found.passed_on == 'Here\'s what my landlord wrote: "I am raising your rent. I live in Spain now."'


def test_what_was_sent_needs_no_colon() -> None:
    """ "Sent me this" hands over what stands below it."""
    found = heard("My friend Bea just sent me this\n\nI got the job at Siemens!")
    assert (found.own, found.passed_on) == (
        "",
        'My friend Bea just sent me this: "I got the job at Siemens!"',
    )


@pytest.mark.parametrize(
    "text",
    [
        "I live in Graz and work as a nurse.",
        "My debts:\nType: Loan\nBank: Access",
        "From: Vienna\nTo: Tokyo\nDate: 4 October",
        "Here are my meds:\n- Warfarin 5 mg\n- Ramipril 2.5 mg",
        "I have to say: I love it here.",
        "I need a plan. Can you summarize the news for me? I'm in a hurry.",
        "If I get the job, I will move.",
    ],
)
def test_own_words_stay(text: str) -> None:
    """Lists, forms, conditions and requests beside a statement are the user's own."""
    assert heard(text).own.split() == text.split()


def test_a_play_is_nobodys() -> None:
    """A pirate is not the user."""
    assert heard("Let's role-play: I am a pirate. My ship is called Rosa.") == heard("")


def test_code_traces_and_quoted_lines_are_left_out() -> None:
    """A program around which something is told silences nobody."""
    trace = 'Traceback (most recent call last):\n  File "/srv/app/main.py", line 42\n    run(port=8080)\n'
    code = "```\n" + "x = 1\n" * 9 + "```\n"
    assert heard(f"{trace}{code}> I quit\nI use Flask 3.0.").own.strip() == "I use Flask 3.0."


def test_long_messages_are_read_to_their_end() -> None:
    """What is told after thousands of characters is told."""
    assert heard("I have words and words. " * 500 + "I live in Graz.").own.endswith("I live in Graz.")


def test_a_quotation_is_never_taken_apart() -> None:
    """Stops inside quotation marks end no sentence, that at their end does."""
    pieces = [piece.text for piece in spoken('She said "I quit! I am done." I was sad.')]
    assert pieces == ['She said "I quit! I am done."', "I was sad."]
    assert is_quotation('"I quit! I am done."')
    assert not is_quotation('"I quit", she said.')
