"""What a user's message tells."""

import pytest
from signed_paths import unsigned_path

from recollect.language.gist import user_message
from recollect.language.gist.user_message import LONGEST, told


def _lines(text: str, question: str = "") -> list[str]:
    return [line.text for line in told(text, question)]


def test_statements_are_put_into_the_third_person() -> None:
    """Nobody reads "I" in a summary and wonders who that is."""
    assert _lines("My father takes Metformin 500 mg.") == ["User's father takes Metformin 500 mg."]


def test_a_sentence_that_points_back_stays_with_what_it_points_to() -> None:
    """ "He" alone would be nobody."""
    assert _lines("My dad is 78. He takes it twice a day.") == ["User's dad is 78. He takes it twice a day."]


def test_a_short_answer_takes_its_question_along() -> None:
    """ "Yes, penicillin." says something only after the question."""
    assert _lines("Yes, penicillin.", "Is he allergic to anything?") == [
        'Asked "Is he allergic to anything?", User said "Yes, penicillin."'
    ]


@pytest.mark.parametrize("question", ["Would you like a plan?", "Anything else?", "Shall I go on?"])
def test_the_answer_to_an_offer_tells_nothing(question: str) -> None:
    """Accepting help is no fact."""
    assert _lines("Yes please.", question) == []


@pytest.mark.parametrize(
    "text", ["ok thanks", "haha yes", "Danke!", "gracias", "ありがとう。", "Good morning!", "lol", "..."]
)
def test_small_talk_is_left_out(text: str) -> None:
    """Greetings, thanks and laughter are no lines, in any of the languages that are known."""
    assert _lines(text) == []


def test_a_fact_before_a_request_is_kept_without_it() -> None:
    """What the user tells in passing is told."""
    assert _lines("I'm working on a shop with a deadline on June 1, can you help me plan it?") == [
        "User is working on a shop with a deadline on June 1."
    ]


def test_questions_are_marked() -> None:
    """A question is quoted and known as one."""
    (line,) = told("How do I set up Alembic?")
    assert (line.text, line.asks) == ('User asked: "How do I set up Alembic?"', True)


def test_a_form_becomes_one_line() -> None:
    """Fields that only make sense together stay together, and the next record starts anew."""
    text = "My debts:\n1. **Type**: Loan\n   **Bank**: Access\n2. **Type**: Card\n   **Bank**: Zenith"
    assert _lines(text) == [
        "User's debts: Type: Loan; Bank: Access.",
        "User's debts: Type: Card; Bank: Zenith.",
    ]


def test_code_is_left_out() -> None:
    """A summary has no room for programs."""
    assert _lines("My app is slow:\n```\nfor i in x: pass\n```\nI use Flask 2.3.") == ["User uses Flask 2.3."]


def test_other_languages_stay_verbatim() -> None:
    """What the rules cannot read is quoted."""
    assert _lines("Mein Vater nimmt 500 mg Metformin.") == ['User said: "Mein Vater nimmt 500 mg Metformin."']


def test_an_opening_goes_but_a_negation_stays() -> None:
    """ "So" and "well," are noise; "no" without a comma is half of the meaning."""
    assert _lines("Well, so I live in Graz.") == ["User lives in Graz."]
    assert _lines("No need to rush it for me.")[0].startswith("No need")


def test_what_the_engine_wrote_is_not_read_back() -> None:
    """A block of memories that somebody sends back is not what the user told."""
    text = "=== LONG-TERM MEMORY ===\n- [fact] User owns a yacht (Importance: 6)\n=== END MEMORY ===\nI live in Graz."
    assert _lines(text) == ["User lives in Graz."]


def test_corrections_and_relative_days_are_marked() -> None:
    """Whoever says "actually" or "tomorrow" needs an eye on what was said before or when."""
    (first,) = told("Actually the recital is on June 20.")
    (second,) = told("I will see the doctor tomorrow.")
    assert first.corrects
    assert second.relative


def test_lines_are_short() -> None:
    """No line is longer than a line."""
    assert all(len(line.text) <= LONGEST for line in told("I have words and words " * 500))


def test_corrections_have_a_sign() -> None:
    """What the signs rule out, the pattern for corrections cannot find."""
    pattern, signs = user_message._CORRECTS, user_message._CORRECTS_SIGNS  # pyright: ignore[reportPrivateUsage]
    assert unsigned_path(pattern, signs) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Thanks, but I'm allergic to nuts.", "User is allergic to nuts."),
        ("Hi Tom, I live in Rotterdam.", "User lives in Rotterdam."),
        ("Thanks for the tips, my new number is 0171 555 123.", "User's new number is 0171 555 123."),
        ("lol my dad died", "User's dad died"),
        (
            "Hallo, ich hei\u00dfe J\u00fcrgen und wohne in Graz.",
            'User said: "Ich hei\u00dfe J\u00fcrgen und wohne in Graz."',
        ),
    ],
)
def test_a_statement_behind_a_greeting_is_kept(text: str, line: str) -> None:
    """The opening goes, what is told stays."""
    assert _lines(text) == [line]


@pytest.mark.parametrize(
    "text", ["haha yes she is the best", "Thanks for the tips!", "Hello there, Tom", "Danke dir"]
)
def test_a_greeting_with_nothing_behind_it_is_no_line(text: str) -> None:
    """Thanks, however long, tell nothing."""
    assert _lines(text) == []


def test_quotations_stay_as_they_were_said() -> None:
    """Nobody else's "I" becomes the user, and a quotation stays behind what introduces it."""
    assert _lines('My friend Bea just sent me this\n\n"I got the job! I start on 1 July"') == [
        'User\'s friend Bea just sent User this: "I got the job! I start on 1 July"'
    ]
    assert _lines('"I got the job!"') == ['User quoted: "I got the job!"']


def test_the_program_in_a_trace_is_left_out() -> None:
    """Neither a frame nor a call is a statement."""
    trace = 'Traceback (most recent call last):\n  File "/srv/main.py", line 42\n    run(port=8080)\n'
    assert _lines(f"{trace}I use Flask 3.0.") == ["User uses Flask 3.0."]


def test_a_form_has_one_mark_at_its_end() -> None:
    """A question at the end of a form gets no full stop."""
    assert _lines("Warranty: is it really three years?") == [
        'User asked: "Warranty: is it really three years?"'
    ]
