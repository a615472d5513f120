"""A document read, and its parts at hand."""

from datetime import UTC, datetime
from typing import Any

from recollect.interchange.foreign import Format, Given, read

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def given(document: object, format: Format | None = None, user_id: str = "ann") -> Given:
    """What a document gives on the first of March 2026."""
    return read(document, format, user_id=user_id, now=NOW)


def messages(found: Given, chat: int = 0) -> list[dict[str, Any]]:
    """The messages of one chat."""
    return list(found.document["chats"][chat]["messages"])


def spoken(found: Given, chat: int = 0) -> list[tuple[str, str]]:
    """Who said what in one chat."""
    return [(message["role"], message["text"]) for message in messages(found, chat)]


def contents(found: Given) -> list[str]:
    """What the memories say."""
    return [memory["content"] for memory in found.document["memories"]]
