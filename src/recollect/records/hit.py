"""Search hits: found memories, messages and sessions, each with its score and the reasons for it.

The records and their wire formats. A found message has its neighbours and its origin, which determines how far it is trusted.
A session that spans two chats is found separately in each. `index/` ranks the hits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from recollect.records.entity import Card
from recollect.records.memory import MemoryRecord, Origin
from recollect.records.message import Message
from recollect.records.moment import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Why a memory was found and ranked as it was."""

    similarity: float
    recency: float
    frequency: float
    #: Factor applied to the blend of the three; below 1 if other memories are far more similar.
    plausibility: float
    #: Rank by meaning, from 1; None if not among the nearest.
    vector_rank: int | None
    #: Rank by words, from 1; None if not among the best.
    text_rank: int | None
    cosine: float
    #: 1.0: a text of average length with every word of the query once.
    bm25: float
    #: Whether the question asks for this fact by its key ("Where do I live?").
    asked: bool = False
    source_message_ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "similarity": self.similarity,
            "recency": self.recency,
            "frequency": self.frequency,
            "plausibility": self.plausibility,
            "vector_rank": self.vector_rank,
            "text_rank": self.text_rank,
            "cosine": self.cosine,
            "bm25": self.bm25,
            "asked": self.asked,
            "sources": list(self.source_message_ids),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One found memory."""

    memory: MemoryRecord
    score: float
    explain: Explain

    @property
    def content(self) -> str:
        return self.memory.content

    @property
    def memory_id(self) -> str:
        return self.memory.memory_id

    def __str__(self) -> str:
        return f"{self.score:.2f}  {self.memory}"

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {**self.memory.to_dict(), "score": self.score, "explain": self.explain.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeExplain:
    """Why a message was found and ranked as it was."""

    #: Each feature's contribution to the score (value times weight, divided by the sum of all weights), and the session's
    #: (`theme`).
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    #: The values of the features, 0-1; `features.MEANINGS` describes them.
    values: Mapping[str, float] = field(default_factory=dict[str, float])
    #: Cosine similarity of the question and the message's nearest part; None while the message has no vector.
    cosine: float | None = None
    #: 1.0: a message of average length with every word of the question once.
    bm25: float = 0.0
    #: Ranks by meaning and by words, from 1; None if it was not among the best.
    vector_rank: int | None = None
    text_rank: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "terms": dict(self.terms),
            "values": dict(self.values),
            "cosine": self.cosine,
            "bm25": self.bm25,
            "vector_rank": self.vector_rank,
            "text_rank": self.text_rank,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit:
    """One found message."""

    message: Message
    #: 0-1.
    score: float
    explain: EpisodeExplain
    #: The messages directly before and after it in its chat, in order.
    before: tuple[Message, ...] = ()
    after: tuple[Message, ...] = ()
    #: IDs of later hits with the same text, which are omitted.
    repeats: tuple[str, ...] = ()

    @property
    def origin(self) -> Origin:
        """The origin, which determines how far it is trusted."""
        return Origin(self.message.role.value)

    def __str__(self) -> str:
        return f"{self.score:.2f}  {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            **said(self.message),
            "score": self.score,
            "origin": self.origin.value,
            "before": [said(message) for message in self.before],
            "after": [said(message) for message in self.after],
            "repeats": list(self.repeats),
            "explain": self.explain.to_dict(),
        }


def said(message: Message) -> dict[str, Any]:
    """The wire format of a message inside a hit."""
    values = {
        "message_id": message.message_id,
        "chat_id": message.chat_id,
        "role": message.role.value,
        "text": message.text,
        "created_at": iso(message.created_at),
        "position": message.position,
        "model_id": message.model_id,
        "model_variant": message.model_variant,
        "billed_tokens": message.token_usage,
        "tokens": message.tokens,
        "importance_score": message.importance_score,
        "session": message.session_id,
    }
    return values if message.name is None else {**values, "name": message.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHit:
    """One found session."""

    #: The message that matches the question best; it identifies the session and the chat.
    message: Message
    #: That message's score, 0-1.
    score: float
    #: 0-1: how similar the session is to those ranked before it.
    theme: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {**said(self.message), "score": self.score, "theme": self.theme}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The result of a search: memories best first, cards of their entities, past messages, and sessions.

    Iterating, indexing and `len()` give the memories.
    """

    hits: tuple[Hit, ...] = ()
    cards: tuple[Card, ...] = ()
    #: Past messages, best first.
    messages: tuple[EpisodeHit, ...] = ()
    #: Sessions, best first, if requested.
    sessions: tuple[SessionHit, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def __str__(self) -> str:
        lines = [str(hit) for hit in self.hits] or ["No memories found."]
        if self.messages:
            lines += ["", "Past messages:", *(str(hit) for hit in self.messages)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The wire format; `sessions` is included if there are any."""
        found: dict[str, Any] = {
            "memories": [hit.to_dict() for hit in self.hits],
            "cards": [card.to_dict() for card in self.cards],
            "episodes": [hit.to_dict() for hit in self.messages],
        }
        if self.sessions:
            found["sessions"] = [session.to_dict() for session in self.sessions]
        return found
