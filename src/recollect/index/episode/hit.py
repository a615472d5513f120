"""An episode: a message that was found again, with what was said around it and the reasons why it was found.

The record and its shape on the wire. Who said it decides how far it is trusted: a user's own words, or what an assistant
or a tool said. It does not know how hits are found or ranked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.records.message import Message
from recollect.records.moment import iso
from recollect.rules.trust import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeExplain:
    """Why a message is in the answer, and at this place."""

    #: What each feature adds to the score: its value times its weight, over the sum of all weights; and what its session
    #: does (`theme`).
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    #: The values themselves, 0-1; what each one means is in `features.MEANINGS`.
    values: Mapping[str, float] = field(default_factory=dict[str, float])
    #: Raw cosine of the question to its nearest part; None while the message waits for its vector.
    cosine: float | None = None
    #: 1.0: an average message with every word of the question once.
    bm25: float = 0.0
    #: Place among the nearest by meaning and among the best by words, from 1; None when that arm did not bring it.
    vector_rank: int | None = None
    text_rank: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
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
    #: What was said just before and after it in the same chat, in order.
    before: tuple[Message, ...] = ()
    after: tuple[Message, ...] = ()
    #: Ids of later hits that say the same in the same words, and are not shown again.
    repeats: tuple[str, ...] = ()

    @property
    def origin(self) -> Origin:
        """Who vouches for it."""
        return Origin(self.message.role.value)

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
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
    """A message inside a hit, as it stands on the wire."""
    told = {
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
    return told if message.name is None else {**told, "name": message.name}
