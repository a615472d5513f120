"""Turns for tests, from who said what."""

from datetime import UTC, datetime, timedelta

from recollect.records.message import Message, Role, Turn, turns_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def spoken(*said: tuple[str, str]) -> list[Turn]:
    """The turns of one chat, a minute between messages."""
    return turns_of(
        Message(
            user_id="ann",
            message_id=f"m{position}",
            chat_id="c1",
            position=position,
            role=Role(role),
            text=text,
            tokens=len(text.split()),
            importance_score=5.0,
            created_at=NOON + timedelta(minutes=position),
        )
        for position, (role, text) in enumerate(said, 1)
    )
