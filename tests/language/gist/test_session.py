"""The digest of a session without a model."""

import pytest
from conversations import CARE, GERMAN, GRIEF, SOFTWARE, TRAVEL, VIOLIN, said, turns
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from recollect.language.gist.session import MAX_ONE_LINER, session_digest
from recollect.records.message import Role, turns_of
from recollect.records.session import MAX_ITEM, MAX_ITEMS, digest_from


def test_a_session_of_care_is_digested() -> None:
    """All six fields say what a reader of the conversation would say."""
    found = session_digest(turns(CARE))
    assert found.one_liner.startswith("User is taking care of User's father John")
    assert any("penicillin" in line for line in found.what_mattered)
    assert found.open_loops == (
        "User and others haven't heard back from the insurance yet about the glucose monitor.",
    )
    assert found.commitments == (
        "Assistant promised: I'll remind you the day before the appointment.",
        "User will buy a pill organizer this weekend.",
    )
    assert found.people == ("John", "Jane", "Dr. Huber")
    assert found.tone == "worried"


@pytest.mark.parametrize(
    ("script", "word", "tone"),
    [
        (VIOLIN, "violin", "neutral"),
        (SOFTWARE, "web shop", "neutral"),
        (TRAVEL, "Japan", "neutral"),
        (GRIEF, "mother died", "sad"),
    ],
    ids=["violin", "software", "travel", "grief"],
)
def test_one_line_says_what_it_was_about(script: str, word: str, tone: str) -> None:
    """The topic is in the line, and the tone is honest."""
    found = session_digest(turns(script))
    assert word in found.one_liner
    assert found.tone == tone


def test_a_corrected_statement_did_not_matter() -> None:
    """Only the newest word on a thing is in what mattered."""
    lines = " ".join(session_digest(turns(SOFTWARE)).what_mattered)
    assert "July 15" in lines
    assert "June 1" not in lines


def test_an_unanswered_question_is_open_until_it_is_resolved() -> None:
    """Questions without an answer and things still to do are open; what got done is not."""
    script = "U: I still need to book the hotel in Kyoto.\nA: Ok.\nU: When does the visa office open?"
    assert session_digest(turns(script)).open_loops == (
        "User still needs to book the hotel in Kyoto.",
        'User asked: "When does the visa office open?"',
    )
    resolved = script + "\nA: The visa office opens at 9.\nU: I finally booked the hotel in Kyoto.\nA: Great."
    assert session_digest(turns(resolved)).open_loops == ()


@pytest.mark.parametrize(
    ("text", "promises"),
    [
        ("I'll go for a walk tomorrow.", ("User will go for a walk tomorrow.",)),
        ("I will call the doctor on Friday.", ("User will call the doctor on Friday.",)),
        ("I'll be honest with you here.", ()),
        ("I'll try that, thanks a lot!", ()),
        ("Will I ever call the doctor?", ()),
    ],
)
def test_promises_are_commitments(text: str, promises: tuple[str, ...]) -> None:
    """What the user will do is promised; a figure of speech is not."""
    assert session_digest(turns(f"U: {text}\nA: Ok.")).commitments == promises


def test_people_are_names_and_relatives_without_one() -> None:
    """A named relative is a name, an unnamed one a relation; a bakery is nobody."""
    text = "U: My mother and my brother Tom went to a bakery called Kornblume. Dr. Lee said no. On Monday I met Ana.\nA: Ok."
    assert session_digest(turns(text)).people == ("User's mother", "Tom", "Dr. Lee", "Ana")


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("I'm so worried about the exam.", "worried"),
        ("I'm not worried at all about it.", "neutral"),
        ("This is so frustrating, I'm fed up.", "frustrated"),
        ("I'm so happy, can't wait!", "cheerful"),
        ("Thanks, that works.", "neutral"),
    ],
)
def test_the_tone_is_what_was_said(text: str, tone: str) -> None:
    """Moods are read from their words; politeness and denials are none."""
    assert session_digest(turns(f"U: {text}")).tone == tone


def test_other_languages_are_quoted() -> None:
    """Where the rules know nothing, the words themselves stand there."""
    assert "Mein Vater" in session_digest(turns(GERMAN)).one_liner


@hypothesis_settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(list(Role)), st.text(min_size=1, max_size=400)), max_size=6))
def test_any_session_fits_its_fields(messages: list[tuple[Role, str]]) -> None:
    """No field outgrows its limit, the same comes out every time, and it can be read back."""
    found = turns_of([said(role, text, at) for at, (role, text) in enumerate(messages, 1)])
    made = session_digest(found)
    assert made == session_digest(found)
    assert len(made.one_liner) <= MAX_ONE_LINER
    assert len(made.what_mattered) <= 5
    for items in (made.what_mattered, made.open_loops, made.commitments, made.people):
        assert len(items) <= MAX_ITEMS
        assert all(0 < len(item) <= MAX_ITEM for item in items)
    assert digest_from(made.to_dict()).tone == made.tone
