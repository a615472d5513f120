"""Messages for the tests of the judge: what a user says, as the engine would hand it over."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo

from recollect.language.judge import judge
from recollect.records.judgement import Judgement, Material
from recollect.records.message import Message, Role

#: A Wednesday.
SAID_AT = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)


def message(text: str, *, role: Role = Role.USER, place: int = 0, at: datetime = SAID_AT) -> Message:
    """One message of a chat."""
    return Message(
        user_id="u",
        message_id=f"m{place}",
        chat_id="c",
        position=place + 1,
        role=role,
        text=text,
        tokens=1,
        importance_score=5.0,
        created_at=at,
    )


def told(*said: str | tuple[Role, str], names: Mapping[str, str] = {}, zone: tzinfo = UTC) -> Judgement:
    """What the judge makes of a conversation; a text alone is the user's."""
    turns = [(Role.USER, one) if isinstance(one, str) else one for one in said]
    messages = [message(text, role=role, place=place) for place, (role, text) in enumerate(turns)]
    return judge(Material(messages=messages, names=names, zone=zone))


def contents(*said: str | tuple[Role, str], names: Mapping[str, str] = {}) -> list[str]:
    """The memories that the judge proposes, as they would be written."""
    return [memory.content for memory in told(*said, names=names).memories]
