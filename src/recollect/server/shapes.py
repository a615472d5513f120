"""Response shapes shared by several routers: a memory (S3's record, then our fields) and a card. They only describe."""

from typing import Any

from pydantic import BaseModel


class FactShape(BaseModel):
    """A memory's content and all its fields except the ID."""

    user_id: str
    content: str
    category: str
    importance: float
    tags: list[str]
    created_at: str
    last_accessed: str | None
    access_count: int
    type: str
    importance_level: int
    entity_refs: list[str]
    entity_label: str | None
    subtype: dict[str, Any] | None
    memory_key: str | None
    pinned: bool
    confidence: float
    source: str
    origin: str
    source_context: str | None
    reasoning: str | None
    source_message_ids: list[str]
    persona_id: str | None
    status: str
    flagged: bool
    updated_at: str
    valid_from: str
    valid_to: str | None
    mention_count: int
    supersedes: str | None
    superseded_by: str | None
    folded_into: str | None
    contradicts: list[str]
    tokens: int


class MemoryShape(FactShape):
    """A memory."""

    memory_id: str


class MemoriesShape(BaseModel):
    """A page of memories, newest first."""

    memories: list[MemoryShape]
    next_cursor: str | None


#: The memory in the examples, from S3.
MEMORY: dict[str, Any] = {
    "user_id": "user@example.com",
    "memory_id": "2026-01-28T10:30:45.123Z#a1b2c3d4",
    "content": "User prefers Python 3.12+",
    "category": "preference",
    "importance": 9,
    "tags": ["python", "coding_style"],
    "created_at": "2026-01-28T10:30:45.123Z",
    "last_accessed": "2026-01-28T15:22:10.000Z",
    "access_count": 5,
    "type": "PROFILE",
    "importance_level": 3,
    "entity_refs": [],
    "entity_label": None,
    "subtype": None,
    "memory_key": None,
    "pinned": False,
    "confidence": 1.0,
    "source": "manual",
    "origin": "user",
    "source_context": None,
    "reasoning": None,
    "source_message_ids": [],
    "persona_id": None,
    "status": "ACTIVE",
    "flagged": False,
    "updated_at": "2026-01-28T10:30:45.123Z",
    "valid_from": "2026-01-28T10:30:45.123Z",
    "valid_to": None,
    "mention_count": 1,
    "supersedes": None,
    "superseded_by": None,
    "folded_into": None,
    "contradicts": [],
    "tokens": 8,
}


class CardShape(BaseModel):
    """The best facts about one entity."""

    entity: str
    label: str
    facts: list[str]
    text: str


#: The card in the examples.
CARD: dict[str, Any] = {
    "entity": "person:jane",
    "label": "Jane",
    "facts": ["User's wife is named Jane"],
    "text": "[person:jane]: User's wife is named Jane",
}
