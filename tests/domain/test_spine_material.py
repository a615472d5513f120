"""What the spine is written from: memories, and what a user's own words tell for longer than today."""

from datetime import UTC, datetime

from remembered import memory

from recollect.domain.category import MemoryType
from recollect.domain.message import Message, Role
from recollect.domain.spine_material import MAX_TEXT, SpineMaterial, lasting, spine_material


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
