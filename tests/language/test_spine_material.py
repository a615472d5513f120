"""What the spine is written from: memories, and what a user's own words tell for longer than today."""

from datetime import UTC, datetime

from remembered import memory

from recollect.language.spine_material import MAX_TEXT, SpineMaterial, lasting, spine_material
from recollect.records.category import MemoryType
from recollect.records.message import Message, Role


def _said(*texts: str, role: Role = Role.USER) -> list[Message]:
    return [
        Message(
            user_id="ann",
            message_id=f"m{position}",
            chat_id="c",
            position=position,
            role=role,
            text=text,
            tokens=10,
            importance_score=5.0,
            created_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
        )
        for position, text in enumerate(texts, 1)
    ]


def test_facts_are_told_in_the_third_person_with_their_type() -> None:
    """Of several sentences the lasting ones stay, as statements about the user, newest first."""
    found = lasting(
        _said("I live in Graz. Nice weather!", "My sister is called Jane.", "I'm working on a web shop.")
    )
    assert [(item.text, item.type) for item in found] == [
        ("User is working on a web shop.", MemoryType.PROJECT),
        ("User's sister is called Jane.", MemoryType.PEOPLE),
        ("User lives in Graz.", MemoryType.PROFILE),
    ]


def test_memories_come_before_what_was_said() -> None:
    """Each section has its memories first, then the user's own sentences of that kind."""
    made = spine_material(
        [memory(1, "User is a nurse.")], _said("I live in Graz.", "I'm working on a web shop."), ["Call Jane"]
    )
    assert made == SpineMaterial(
        profile=("User is a nurse.", "User lives in Graz."),
        projects=("User is working on a web shop.",),
        open_loops=("Call Jane",),
    )


def test_only_the_user_tells() -> None:
    """What assistants, tools and operators say is no fact about the user."""
    for role in (Role.ASSISTANT, Role.SYSTEM, Role.TOOL):
        assert lasting(_said("I live in Graz.", role=role)) == []


def test_questions_and_passing_moods_do_not_last() -> None:
    """Questions, small talk, hedges and what is true for today are left out."""
    assert (
        lasting(
            _said(
                "Where do I live?",
                "ok thanks",
                "I might try Python someday.",
                "I'm tired today.",
                "Nice weather!",
                "The sun finally came out",
                "xxxxxxxxxxxxxxxxxxxx",
            )
        )
        == []
    )


def test_the_same_statement_stands_once_at_its_newest_place() -> None:
    """A repeated statement moves to where it was said last."""
    found = lasting(_said("I live in Graz.", "I have a dog named Rex.", "I live in Graz."))
    assert [item.text for item in found] == ["User lives in Graz.", "User has a dog named Rex."]


def test_a_document_is_not_talk() -> None:
    """A message longer than talk is not looked through; code never is."""
    assert lasting(_said("x" * MAX_TEXT + " I live in Graz.")) == []
    assert lasting(_said("```\nI live in Graz.\n```")) == []


def test_others_words_are_no_facts() -> None:
    """An article, a landlord and a quoted friend tell nothing of the user."""
    said = _said(
        "Summarize this article: I grew up in Kenya. I have diabetes. My wife Rose is a nurse.",
        "Here's what my landlord wrote:\nI live in Spain now.",
        'My friend Bea wrote\n\n"I got the job at Siemens! I start on 1 July"',
    )
    texts = " ".join(item.text for item in lasting(said))
    assert not any(word in texts for word in ("Kenya", "diabetes", "Rose", "Spain", "start"))


def test_words_for_a_day_become_dates() -> None:
    """A spine is read when nobody knows what "last month" was."""
    assert [item.text for item in lasting(_said("I moved to Graz last month."))] == [
        "User moved to Graz in February 2026."
    ]


def test_what_cannot_be_read_alone_does_not_last() -> None:
    """Sentences that lean on another, on a list below or on the day stay out."""
    assert (
        lasting(
            _said(
                "We got it!",
                "My server crashes too:",
                "I'm looking for one here too.",
                "We present the bridge next Tuesday",
                "I'll email Harbour Homes about it tomorrow.",
                "I'm worried about her.",
            )
        )
        == []
    )


def test_a_word_that_points_within_its_sentence_is_clear() -> None:
    """ "It" behind a dog is the dog, and what comes back every week needs no date."""
    found = lasting(_said("I have a dog and I love it.", "I train every Monday."))
    assert [item.text for item in found] == ["User trains every Monday.", "User has a dog and User loves it."]
