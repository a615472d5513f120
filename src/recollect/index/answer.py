"""The answer to a question about memories: which slots of an index are chosen, and what becomes of them with their rows.

The index ranks nothing and the domain knows no index; here the one's candidates meet the other's rules. It reads no row:
whoever asks fetches those that were chosen, in the same transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.engine.parts import Parts
from recollect.index.episode.hit import EpisodeHit
from recollect.index.episode.session_hit import SessionHit
from recollect.index.episode_question import EpisodeQuestion
from recollect.index.recall import Explain, Hit, Ranking, Weights, rank
from recollect.index.user_index import Candidates, UserIndex
from recollect.index.wanted import Wanted
from recollect.language.entity_names import other_names
from recollect.language.terms import terms
from recollect.records.card import FACTS_PER_CARD, MIN_IMPORTANCE, Card, make_card
from recollect.records.memory import MemoryRecord

#: Entities of one answer that get a card.
MAX_CARDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """An answer: memories best first, cards of the entities that they mention, past messages, and sessions."""

    hits: tuple[Hit, ...] = ()
    cards: tuple[Card, ...] = ()
    #: Past messages, best first.
    episodes: tuple[EpisodeHit, ...] = ()
    #: Sessions, best first, if they were asked for.
    sessions: tuple[SessionHit, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire; sessions stand there when there are any."""
        found: dict[str, Any] = {
            "memories": [hit.to_dict() for hit in self.hits],
            "cards": [card.to_dict() for card in self.cards],
            "episodes": [episode.to_dict() for episode in self.episodes],
        }
        if self.sessions:
            found["sessions"] = [session.to_dict() for session in self.sessions]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question on its way to the index."""

    model: str
    vector: NDArray[np.float32]
    words: tuple[str, ...]
    wanted: Wanted
    limit: int
    now: datetime
    #: As asked, for the names in it.
    text: str = ""
    #: The key of the fact that it asks for.
    key: str | None = None
    episodes: EpisodeQuestion | None = None


class Answer:
    """The chosen slots of an index, before the rows are fetched."""

    def __init__(self, parts: Parts, index: UserIndex, question: Question, asked: str | None) -> None:
        settings = parts.settings
        weights = Weights(
            similarity=settings.weight_similarity,
            recency=settings.weight_recency,
            frequency=settings.weight_frequency,
            half_life_days=settings.recency_half_life_days,
        )
        # Who asks about Bob wants what was said of Robert, once both are one.
        others = terms(" ".join(other_names(question.text, index.alias_of))) if index.alias_of else []
        self._candidates = index.search(
            question.vector,
            (*question.words, *others),
            max(settings.candidates, question.limit),
            question.wanted,
            asked,
        )
        slots = self._candidates.slots
        places: list[int] = slots.tolist()
        self._asked = asked
        keys = [index.entities[slot] for slot in places]
        age_days = (question.now.timestamp() * 1000 - index.column("updated")[slots]) / 86_400_000
        self._ranking = rank(
            cosine=self._candidates.cosine,
            bm25=self._candidates.bm25,
            age_days=age_days,
            entities=keys,
            weights=weights,
            asked=np.array([index.ids[slot] == asked for slot in places], dtype=np.bool_) if asked else None,
        )
        self._order = [int(place) for place in self._ranking.order[: question.limit]]
        self._hits = [index.ids[places[place]] for place in self._order]
        # A card for somebody whom only an implausible hit mentions would be noise on top of the answer.
        plausible = [place for place in self._order if self._ranking.plausibility[place] == 1.0]
        self.entities = list(dict.fromkeys(key for place in plausible for key in keys[place]))[:MAX_CARDS]
        self._facts = _card_facts(index, self.entities, question.wanted)
        self.memory_ids = list(
            dict.fromkeys([*self._hits, *(item for ids in self._facts.values() for item in ids)])
        )

    def filled(self, records: Mapping[str, MemoryRecord], labels: Mapping[str, str]) -> Recalled:
        """The answer with its records; a row that vanished in between is left out."""
        hits = [
            _hit(records[memory_id], self._candidates, self._ranking, place, asked=memory_id == self._asked)
            for memory_id, place in zip(self._hits, self._order, strict=True)
            if memory_id in records
        ]
        cards = [
            make_card(
                key,
                labels.get(key, key.partition(":")[2]),
                [records[item] for item in ids if item in records],
            )
            for key, ids in self._facts.items()
        ]
        return Recalled(hits=tuple(hits), cards=tuple(card for card in cards if card is not None))


def _card_facts(index: UserIndex, keys: Sequence[str], wanted: Wanted) -> dict[str, list[str]]:
    """For each entity the ids of the facts that may go on its card, the best few."""
    if not keys:
        return {}
    visible = index.visible(Wanted(persona_id=wanted.persona_id, any_persona=wanted.any_persona))
    importance, pinned = index.column("importance"), index.column("pinned")
    facts: dict[str, list[str]] = {}
    for key in keys:
        slots = index.best_of_entity(key)
        slots = slots[visible[slots] & (pinned[slots] | (importance[slots] >= MIN_IMPORTANCE))]
        if len(slots):
            facts[key] = [index.ids[slot] for slot in slots[:FACTS_PER_CARD].tolist()]
    return facts


def _hit(memory: MemoryRecord, candidates: Candidates, ranking: Ranking, place: int, *, asked: bool) -> Hit:
    explain = Explain(
        similarity=float(ranking.similarity[place]),
        recency=float(ranking.recency[place]),
        frequency=float(ranking.frequency[place]),
        plausibility=float(ranking.plausibility[place]),
        vector_rank=int(candidates.vector_rank[place]) or None,
        text_rank=int(candidates.text_rank[place]) or None,
        cosine=float(candidates.cosine[place]),
        bm25=float(candidates.bm25[place]),
        asked=asked,
        source_message_ids=memory.source_message_ids,
    )
    return Hit(memory=memory, score=float(ranking.score[place]), explain=explain)
