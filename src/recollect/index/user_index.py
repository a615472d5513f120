"""The search index of one user's current memories: vectors, words and filter columns.

It follows the database by revision: a memory is found in the transaction that commits it, whichever process wrote it. When rows
vanished (forgetting, merging entities) the epoch differs and the index is rebuilt. A changed memory gets a new slot and its old
slot dies. A memory whose vector is still missing is found by its words. Everything is scanned; among very many memories a sketch
chooses which vectors get their exact value.
"""

import json
from collections import ChainMap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.index.columns import Growing, milliseconds
from recollect.index.episode.features import best_slots
from recollect.index.postings import Postings
from recollect.index.query import MemoryFilter
from recollect.index.sketch import LARGE, Sketch, evenly, worth_exact
from recollect.records.category import Category, MemoryType
from recollect.records.entity import canonical
from recollect.records.memory import MemoryRecord
from recollect.records.moment import iso
from recollect.store import aliases, vectors
from recollect.store.database import Connection, Matrix, Row
from recollect.store.users import UserState

_CATEGORIES = {category.value: code for code, category in enumerate(Category)}
_TYPES = {type.value: code for code, type in enumerate(MemoryType)}
_COLUMNS = "memory_id, terms, category, type, importance, pinned, persona_id, created_at, updated_at, entity_refs, tags"
#: Rows per read, so that a large user is never in memory twice.
_PORTION = 4096
#: Python's memory for an id, its two tuples and their places in lists and dictionaries. # measured: 193 with tracemalloc
_BYTES_PER_ROW = 200
#: Searches after which a sketch pays off. # measured: 27 ms for 10,000 memories, 1 ms saved at each question
_FEW_QUESTIONS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The candidates by meaning and by words; arrays run parallel."""

    slots: NDArray[np.intp]
    cosine: NDArray[np.float64]
    bm25: NDArray[np.float64]
    #: Rank by meaning and by words, from 1; 0: not among the best.
    vector_rank: NDArray[np.intp]
    text_rank: NDArray[np.intp]


class UserIndex:
    """Vectors, words and filter columns of one user's current memories."""

    def __init__(self, state: UserState, alias_of: Mapping[str, str]) -> None:
        self.state = state
        self.ids: list[str] = []
        self.slot_of: dict[str, int] = {}
        self.entities: list[tuple[str, ...]] = []
        self.tags: list[tuple[str, ...]] = []
        self._slots_of: dict[str, list[int]] = {}
        self._arrays: dict[str, NDArray[np.intp]] = {}
        self._best_first: dict[str, NDArray[np.intp]] = {}
        self.postings = Postings()
        self.dead = 0
        self._alias_of = alias_of
        self._texts: dict[str, tuple[str, ...]] = {"[]": ()}
        self._personas: dict[str | None, int] = {None: 0}
        #: Rows of zeros for memories without a vector, and the slots of those.
        self._vectors = Growing(np.float32)
        self._later: set[int] = set()
        #: Made after a few searches, which are counted.
        self._sketch: Sketch | None = None
        self._asked = 0
        self._columns = {
            "alive": Growing(np.bool_),
            "category": Growing(np.int8),
            "type": Growing(np.int8),
            "persona": Growing(np.int32),
            "pinned": Growing(np.bool_),
            "importance": Growing(np.float32),
            "created": Growing(np.float64),
            "updated": Growing(np.float64),
        }
        self._mean_length: float | None = None

    # -- following the database -----------------------------------------------------------------------

    @classmethod
    def load(cls, tx: Connection, user_id: str, state: UserState) -> "UserIndex":
        """Read all current memories."""
        index = cls(state, aliases.of_user(tx, user_id))
        for rows in tx.batches(
            f"SELECT {_COLUMNS} FROM memories WHERE user_id = :user_id AND status = 'ACTIVE' AND valid_to IS NULL"
            " ORDER BY memory_id",
            {"user_id": user_id},
            _PORTION,
        ):
            index._describe(rows)
        matrix, found = vectors.gather(tx, user_id, state.embedding_model, index.slot_of)
        index._place(matrix, found)
        return index

    @classmethod
    def of_records(
        cls,
        records: Sequence[tuple[MemoryRecord, bytes]],
        matrix: Matrix,
        state: UserState,
        alias_of: Mapping[str, str],
    ) -> "UserIndex":
        """An index of the given records only, for questions about the past."""
        index = cls(state, alias_of)
        if records:
            index._describe([_row_of(record, terms) for record, terms in records])
            index._place(matrix, np.array([row.any() for row in matrix], dtype=np.bool_))
        return index

    def follow(self, tx: Connection, user_id: str, state: UserState) -> None:
        """Load what changed since the last time."""
        rows = tx.all(
            f"""
            SELECT {", ".join("m." + name.strip() for name in _COLUMNS.split(","))},
                   v.vector, m.status = 'ACTIVE' AND m.valid_to IS NULL
            FROM memories m LEFT JOIN memory_vectors v
                ON v.user_id = m.user_id AND v.memory_id = m.memory_id AND v.model = :model
            WHERE m.user_id = :user_id AND m.revision > :revision
            """,
            {"user_id": user_id, "revision": self.state.revision, "model": state.embedding_model},
        )
        for row in rows:
            self._bury(row[0])
        # Sorted here: with ORDER BY, SQLite walks all of the user's memories instead of the changed ones.
        rows.sort(key=itemgetter(0))
        current = [row for row in rows if row[-1]]
        if current:
            self._describe([row[:-2] for row in current])
            found = np.array([row[-2] is not None for row in current])
            made = tx.vectors([row[-2] for row in current if row[-2] is not None])
            matrix = np.zeros((len(current), made.shape[1]), dtype=np.float32)
            matrix[found] = made
            self._place(matrix, found)
        self.state = state

    def outdated(self, state: UserState) -> bool:
        """Whether it must be rebuilt: rows were deleted, or another embedding model serves the user."""
        return self.state.epoch != state.epoch or self.state.embedding_model != state.embedding_model

    def behind(self, state: UserState) -> bool:
        """Whether memories changed since the last time."""
        return self.state.revision < state.revision

    def _bury(self, memory_id: str) -> None:
        slot = self.slot_of.pop(memory_id, None)
        if slot is not None:
            self.column("alive")[slot] = False
            self._later.discard(slot)
            self.dead += 1
            self._mean_length = None

    def _place(self, matrix: Matrix, found: NDArray[np.bool_]) -> None:
        """The vectors of the memories that were described last, and which of them there are."""
        held: Matrix = self._vectors.values
        self._later.update((np.flatnonzero(~found) + len(held)).tolist())
        width = matrix.shape[1] or (held.shape[1] if len(held) else 0)
        if len(held) and held.shape[1] < width:
            # The first vector, after memories that have none.
            self._vectors = Growing(np.float32)
            self._vectors.extend(np.zeros((len(held), width), dtype=np.float32))
        self._vectors.extend(matrix if found.any() else np.zeros((len(found), width), dtype=np.float32))

    def _describe(self, rows: Sequence[Row]) -> None:
        """Add all but the vectors of the next memories."""
        ids, terms, category, type, importance, pinned, persona, created, updated, entities, tags = zip(
            *rows, strict=True
        )
        first, size = len(self.ids), len(rows)
        self._mean_length = None
        self.postings.extend(terms)
        for value in set(persona) - self._personas.keys():
            self._personas[value] = len(self._personas)
        for name, values in {
            "alive": np.ones(size, dtype=np.bool_),
            "category": [_CATEGORIES[value] for value in category],
            "type": [_TYPES[value] for value in type],
            "persona": [self._personas[value] for value in persona],
            "pinned": pinned,
            "importance": importance,
            "created": milliseconds(created),
            "updated": milliseconds(updated),
        }.items():
            self._columns[name].extend(values)
        self.ids += ids
        self.slot_of.update(zip(ids, range(first, first + size), strict=True))
        self.tags += self._parsed(tags)
        mentioned = self._parsed(entities)
        if self._alias_of:
            mentioned = [tuple(canonical(key, self._alias_of) for key in keys) for keys in mentioned]
        self.entities += mentioned
        for slot, keys in enumerate(mentioned, first):
            for key in keys:
                self._slots_of.setdefault(key, []).append(slot)
                self._arrays.pop(key, None)
                self._best_first.pop(key, None)

    def _parsed(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """JSON lists as tuples; repeated ones are parsed and stored once."""
        for text in set(texts) - self._texts.keys():
            self._texts[text] = tuple(json.loads(text))
        return [self._texts[text] for text in texts]

    # -- reading --------------------------------------------------------------------------------------

    @property
    def alias_of(self) -> Mapping[str, str]:
        """Aliases of entities."""
        return self._alias_of

    @property
    def names(self) -> Collection[str]:
        """Keys of the entities in memories, and their aliases."""
        # Most users have no aliases, and a chain of dictionaries takes ten times as long.
        return ChainMap[str, Any](self._slots_of, dict(self._alias_of)) if self._alias_of else self._slots_of

    @property
    def size(self) -> int:
        return len(self.ids)

    @property
    def nbytes(self) -> int:
        """The approximate size of this index."""
        columns = sum(column.nbytes for column in self._columns.values())
        sketch = self._sketch.nbytes if self._sketch else 0
        return self._vectors.nbytes + sketch + columns + self.postings.nbytes + self.size * _BYTES_PER_ROW

    def column(self, name: str) -> NDArray[Any]:
        """One of the filter columns, with a value per slot."""
        return self._columns[name].values

    def slots_of_entity(self, key: str) -> NDArray[np.intp]:
        """Slots of the memories that mention an entity."""
        slots = self._arrays.get(key)
        if slots is None:
            slots = self._arrays[key] = np.array(self._slots_of.get(key, []), dtype=np.intp)
        return slots

    def best_of_entity(self, key: str) -> NDArray[np.intp]:
        """The same slots: pinned first, then the most important, then the newest. A slot never changes in that."""
        slots = self._best_first.get(key)
        if slots is None:
            slots = self.slots_of_entity(key)
            pinned, importance, created = (
                self.column(name)[slots] for name in ("pinned", "importance", "created")
            )
            slots = self._best_first[key] = slots[np.lexsort((-created, -importance, ~pinned))]
        return slots

    def cosines(self, vector: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Cosine of every slot to a unit vector; among many, exact for the nearest that the mask allows, else an estimate.

        0 without a vector on either side. The first few searches scan everything, which is faster than making a sketch.
        """
        rows: NDArray[np.float32] = self._vectors.values
        if not vector.size or not rows.size:
            return np.zeros(self.size, dtype=np.float32)
        self._asked += 1
        if self.size <= LARGE or self._asked <= _FEW_QUESTIONS:
            return rows @ vector
        if self._sketch is None or self._sketch.outgrown(self.size):
            self._sketch = Sketch(rows[evenly(self.size)], self.size)
        self._sketch.extend(rows[len(self._sketch) :])
        cosines = self._sketch.products(vector)
        exact = np.sort(best_slots(cosines, mask, worth_exact(self.size)))
        cosines[exact] = rows[exact] @ vector
        return cosines

    def visible(self, wanted: MemoryFilter) -> NDArray[np.bool_]:
        """Which slots a search may return."""
        mask = self.column("alive")
        if not wanted.any_persona and len(self._personas) > 1:
            mine = self._personas.get(wanted.persona_id, 0)
            mask = mask & ((self.column("persona") == 0) | (self.column("persona") == mine))
        if wanted.category is not None:
            mask = mask & (self.column("category") == _CATEGORIES[wanted.category.value])
        if wanted.type is not None:
            mask = mask & (self.column("type") == _TYPES[wanted.type.value])
        if wanted.since is not None:
            mask = mask & (self.column("created") >= wanted.since)
        if wanted.until is not None:
            mask = mask & (self.column("created") < wanted.until)
        if wanted.tags:
            asked = set(wanted.tags)
            mask = mask & self._where(lambda slot: asked.issubset(self.tags[slot]))
        if wanted.entity is not None:
            held = np.zeros(self.size, dtype=np.bool_)
            held[self.slots_of_entity(canonical(wanted.entity, self._alias_of))] = True
            mask = mask & held
        return mask

    def _where(self, test: Callable[[int], bool]) -> NDArray[np.bool_]:
        return np.fromiter((test(slot) for slot in range(self.size)), dtype=np.bool_, count=self.size)

    def search(
        self,
        vector: NDArray[np.float32],
        words: Sequence[str],
        count: int,
        wanted: MemoryFilter,
        also: str | None = None,
    ) -> Candidates:
        """The best by meaning and by words among visible memories; each candidate has both scores.

        `also` is the id of a memory that is always a candidate.
        """
        if not self.size:
            nothing = np.zeros(0, dtype=np.intp)
            return Candidates(
                slots=nothing, cosine=np.zeros(0), bm25=np.zeros(0), vector_rank=nothing, text_rank=nothing
            )
        mask = self.visible(wanted)
        cosine = self.cosines(vector, mask)
        bm25 = self._words(words)
        near = _best(cosine, self._with_vectors(mask), count) if vector.size else np.zeros(0, dtype=np.intp)
        # Most texts contain no word of the query: handling their zeros would cost more than the search.
        holding = np.flatnonzero(bm25)
        said = holding[_best(bm25[holding], mask[holding], count)]
        found: set[int] = {*near.tolist(), *said.tolist()}
        if also in self.slot_of and mask[self.slot_of[also]]:
            found.add(self.slot_of[also])
        # By id, not by slot: the order of equal scores must not depend on how the index was built.
        slots = np.array(sorted(found, key=self.ids.__getitem__), dtype=np.intp)
        return Candidates(
            slots=slots,
            cosine=self._cosines_at(slots, vector).astype(np.float64),
            bm25=bm25[slots].astype(np.float64),
            vector_rank=_places(near, slots),
            text_rank=_places(said, slots),
        )

    def _with_vectors(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if not self._later:
            return mask
        mask = mask.copy()
        mask[list(self._later)] = False
        return mask

    def _cosines_at(self, slots: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        rows: NDArray[np.float32] = self._vectors.values
        return rows[slots] @ vector if vector.size and rows.size else np.zeros(len(slots), dtype=np.float32)

    def _words(self, words: Sequence[str]) -> NDArray[np.float32]:
        alive = self.column("alive")
        if self._mean_length is None:
            self._mean_length = float(self.postings.lengths[alive].mean()) if self.slot_of else 1.0
        return self.postings.scores(words, alive, total=len(self.slot_of), average=self._mean_length or 1.0)

    def nearest(
        self, vector: NDArray[np.float32], persona_id: str | None, count: int, *, floor: float
    ) -> dict[str, float]:
        """The nearest memories of exactly this scope above a raw cosine: who might say the same already."""
        if not self.size:
            return {}
        mine = self.column("alive") & (self.column("persona") == self._personas.get(persona_id, -1))
        cosine = self.cosines(vector, mine)
        best = _best(cosine, mine & (cosine > floor), count)
        return {self.ids[slot]: float(cosine[slot]) for slot in best}

    def saying(self, words: Sequence[str], persona_id: str | None, count: int) -> list[str]:
        """The memories of exactly this scope that hold most of these words: who might say the same, before any embedding."""
        if not self.size:
            return []
        scores = self._words(words)
        mine = self.column("persona") == self._personas.get(persona_id, -1)
        best = _best(scores, self.column("alive") & mine & (scores > 0), count)
        return [self.ids[slot] for slot in best]

    def vector(self, memory_id: str) -> NDArray[np.float32] | None:
        """The stored vector of one memory; None when it is not here, or has none yet."""
        slot = self.slot_of.get(memory_id)
        return None if slot is None or slot in self._later else self._vectors.values[slot].copy()

    def neighbours_of(self, memory_id: str, count: int, *, floor: float) -> dict[str, float]:
        """The nearest memories to one that is here, of exactly its scope and above a raw cosine; without itself."""
        slot = self.slot_of.get(memory_id)
        if slot is None:
            return {}
        persona = next(name for name, code in self._personas.items() if code == self.column("persona")[slot])
        near = self.nearest(self._vectors.values[slot], persona, count + 1, floor=floor)
        near.pop(memory_id, None)
        return near

    def faded(self, half_lives: Mapping[Category, float | None], now: float, below: float) -> list[str]:
        """Ids of what is not pinned and, by age alone, is worth less than this; `now` in milliseconds since 1970."""
        days = np.array([half_lives[category] or np.inf for category in Category])[self.column("category")]
        age = np.maximum(now - self.column("updated"), 0.0) / 86_400_000
        worth = self.column("importance") * np.exp2(-age / days)
        mask = self.column("alive") & ~self.column("pinned") & np.isfinite(days) & (worth < below)
        return sorted(self.ids[slot] for slot in np.flatnonzero(mask).tolist())

    def cosine(self, memory_id: str, vector: NDArray[np.float32]) -> float:
        """Raw cosine of one memory; 0 when it is not here."""
        slot = self.slot_of.get(memory_id)
        return 0.0 if slot is None else float(self._cosines_at(np.array([slot]), vector)[0])


def _best(scores: NDArray[Any], mask: NDArray[np.bool_], count: int) -> NDArray[np.intp]:
    """Slots with the highest scores where the mask allows, best first; equal ones by age."""
    allowed = None if mask.all() else np.flatnonzero(mask)
    values = scores if allowed is None else scores[allowed]
    top = np.argpartition(values, -count)[-count:] if count < len(values) else np.arange(len(values))
    top = top[np.lexsort((top, -values[top]))]
    return top if allowed is None else allowed[top]


def _places(ranked: NDArray[np.intp], slots: NDArray[np.intp]) -> NDArray[np.intp]:
    """The place of each slot in a ranking, from 1; 0 when it is not in it."""
    place = {slot: number for number, slot in enumerate(ranked.tolist(), 1)}
    return np.array([place.get(slot, 0) for slot in slots.tolist()], dtype=np.intp)


def _row_of(record: MemoryRecord, terms: bytes) -> Row:
    return (
        record.memory_id,
        terms,
        record.category.value,
        record.type.value,
        record.importance,
        int(record.pinned),
        record.persona_id,
        iso(record.created_at),
        iso(record.updated_at),
        json.dumps(list(record.entity_refs), ensure_ascii=False),
        json.dumps(list(record.tags), ensure_ascii=False),
    )
