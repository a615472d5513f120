"""The search index of one user's messages: vectors, words, filters and neighbours.

It follows the database by revision: a message is found by its words in the transaction that commits it, whichever process wrote
it, and by its vectors as soon as they exist. Until then the index packs the words itself. An edited message gets a new slot and its old
slot dies; when messages were deleted, the epoch differs and the index is rebuilt. It holds no text and does not rank. An exact scan
misses nothing, so for users with more messages than a scan can cover in time, a sketch only chooses which vectors get their exact value.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.index.columns import Growing, Neighbours, milliseconds
from recollect.index.episode.features import Masks, Runs, best_slots
from recollect.index.part_vectors import PartVectors
from recollect.index.postings import Postings
from recollect.index.query import MessageFilter
from recollect.index.sketch import LARGE, worth_exact
from recollect.records.message import Role, asks
from recollect.store import chats, message_entries, message_vectors, messages
from recollect.store.database import Connection, Matrix, Row
from recollect.store.users import UserState

T = TypeVar("T")

#: Codes of roles in the column `role`.
ROLES = {role: code for code, role in enumerate(Role)}
_ROLES = {role.value: code for role, code in ROLES.items()}
#: Python's memory for an id and its places in a list and a dictionary. # measured: 162 with tracemalloc
_BYTES_PER_ROW = 170


class Codes(Generic[T]):
    """Repeating values, numbered in the order of their first occurrence; 0 is the first one given."""

    def __init__(self, *first: T) -> None:
        self.values: list[T] = list(first)
        self._code_of = {value: code for code, value in enumerate(first)}

    def get(self, value: T) -> int:
        """The number of a value; -1 if it is unknown."""
        return self._code_of.get(value, -1)

    def unknown(self, values: Iterable[T]) -> list[T]:
        """The values without a number, each once."""
        return [value for value in dict.fromkeys(values) if value not in self._code_of]

    def of(self, values: Sequence[T]) -> list[int]:
        """The numbers of these values; new ones get the next numbers."""
        for value in self.unknown(values):
            self._code_of[value] = len(self.values)
            self.values.append(value)
        return [self._code_of[value] for value in values]


class Near(NamedTuple):
    """The cosine of every slot to a question; the caller may change it."""

    #: -1: a slot without vectors.
    cosines: NDArray[np.float32]
    #: The slots with exact values, in ascending order; None: all.
    exact: NDArray[np.intp] | None


class MessageIndex:
    """Vectors, words, filter columns and neighbours of one user's messages."""

    def __init__(self, state: UserState) -> None:
        self.state = state
        self.ids: list[str] = []
        self.slot_of: dict[str, int] = {}
        self.dead = 0
        self.chats = Codes[str]()
        self.sessions = Codes[str | None](None)
        #: The messages of one chat in one session; a session may go through several chats.
        self._stretches = Codes[tuple[int, int]]()
        self._speakers = Codes[str | None](None)
        #: Codes of the roles that occur.
        self._roles: set[int] = set()
        self._personas = Codes[str | None](None)
        #: By the chat's code.
        self._persona_of: list[int] = []
        self._postings = Postings()
        #: Words of all living messages together.
        self._words = 0.0
        self._parts = PartVectors()
        self._neighbours = Neighbours()
        self._runs = Runs.of(np.zeros(0, dtype=np.int32))
        self._runs_of = 0
        self._columns = {
            "alive": Growing(np.bool_),
            "role": Growing(np.int8),
            "persona": Growing(np.int32),
            "chat": Growing(np.int32),
            "speaker": Growing(np.int32),
            "session": Growing(np.int32),
            "stretch": Growing(np.int32),
            "position": Growing(np.int64),
            "created": Growing(np.float64),
            "asks": Growing(np.bool_),
            "revision": Growing(np.int64),
        }

    # -- following the database -----------------------------------------------------------------------

    @classmethod
    def load(cls, tx: Connection, user_id: str, state: UserState) -> "MessageIndex":
        """Read everything: indexed messages from their entries, the others from their texts."""
        index = cls(state)
        for rows in message_entries.read(tx, user_id):
            index._describe(tx, user_id, rows)
        index._parts.extend(message_vectors.gather(tx, user_id, state.embedding_model, index.slot_of))
        for rows in messages.said_since(tx, user_id, state.indexed_revision):
            index._describe(tx, user_id, _with_words(rows))
        index._postings.settle()
        index._link({})
        if index.size > LARGE:
            index._parts.sketch()
        return index

    def follow(self, tx: Connection, user_id: str, state: UserState) -> None:
        """Load what changed since the last time."""
        seen = self.state.message_revision
        entries = message_entries.since(tx, user_id, seen)
        vectors = message_vectors.since(tx, user_id, state.embedding_model, seen)
        # Messages that were indexed from their text are known already, unless they changed meanwhile.
        fresh = [row for row in entries if not self._holds(row[0], row[-1])]
        for rows in messages.said_since(tx, user_id, max(seen, state.indexed_revision)):
            fresh += _with_words(rows)
        if fresh:
            fresh.sort(key=itemgetter(2))
            older = {row[0]: slot for row in fresh if (slot := self._bury(row[0])) is not None}
            self._describe(tx, user_id, fresh)
            self._link({self.slot_of[message_id]: slot for message_id, slot in older.items()})
        if vectors := [row for row in vectors if row[0] in self.slot_of]:
            vectors.sort(key=itemgetter(0, 1))
            matrix = tx.vectors([row[2] for row in vectors])
            self._parts.extend([(matrix, [self.slot_of[row[0]] for row in vectors])])
        self.state = state

    def outdated(self, state: UserState) -> bool:
        """Whether it must be rebuilt: rows were deleted, or another embedding model serves the user."""
        mine = self.state
        return mine.message_epoch != state.message_epoch or mine.embedding_model != state.embedding_model

    def behind(self, state: UserState) -> bool:
        """Whether messages were added, changed or embedded since the last time."""
        return self.state.message_revision < state.message_revision

    def _holds(self, message_id: str, revision: int) -> bool:
        slot = self.slot_of.get(message_id)
        return slot is not None and int(self.column("revision")[slot]) == revision

    def _bury(self, message_id: str) -> int | None:
        slot = self.slot_of.pop(message_id, None)
        if slot is not None:
            self.column("alive")[slot] = False
            self._words -= float(self._postings.lengths[slot])
            self.dead += 1
        return slot

    def _describe(self, tx: Connection, user_id: str, rows: Sequence[Row]) -> None:
        """Add all but vectors and neighbours of the next messages; columns as in `message_entries.READ`."""
        ids, chat, position, role, name, session, created, terms, asking, revision = zip(*rows, strict=True)
        first, size = len(self.ids), len(rows)
        self._meet(tx, user_id, self.chats.unknown(chat))
        chat_codes, session_codes = self.chats.of(chat), self.sessions.of(session)
        role_codes = [_ROLES[value] for value in role]
        self._roles.update(role_codes)
        for column, values in {
            "alive": np.ones(size, dtype=np.bool_),
            "role": role_codes,
            "persona": [self._persona_of[code] for code in chat_codes],
            "chat": chat_codes,
            "speaker": self._speakers.of(name),
            "session": session_codes,
            "stretch": self._stretches.of(list(zip(chat_codes, session_codes, strict=True))),
            "position": position,
            "created": milliseconds(created),
            "asks": asking,
            "revision": revision,
        }.items():
            self._columns[column].extend(values)
        self.ids += ids
        self.slot_of.update(zip(ids, range(first, first + size), strict=True))
        self._postings.extend(terms)
        self._words += float(self._postings.lengths[first:].sum(dtype=np.float64))
        self._parts.widen(size)

    def _meet(self, tx: Connection, user_id: str, chat_ids: Sequence[str]) -> None:
        """Read the personas of new chats, in the order of their codes."""
        if chat_ids:
            persona_of = chats.personas(tx, user_id, chat_ids)
            self._persona_of += self._personas.of([persona_of.get(chat_id) for chat_id in chat_ids])

    def _link(self, replaced: Mapping[int, int]) -> None:
        self._neighbours.extend(self.column("chat"), self.column("position"), self.column("alive"), replaced)

    # -- reading --------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return len(self.ids)

    @property
    def nbytes(self) -> int:
        """The approximate size of this index."""
        parts = (*self._columns.values(), self._postings, self._parts, self._neighbours)
        return sum(part.nbytes for part in parts) + self.size * _BYTES_PER_ROW

    @property
    def names(self) -> list[str | None]:
        """The named speakers of this user's chats, by the code in the column `speaker`; 0: no name."""
        return self._speakers.values

    @property
    def before(self) -> NDArray[np.int32]:
        """The slot of the message before, in the same chat; -1 at its beginning."""
        return self._neighbours.before

    @property
    def after(self) -> NDArray[np.int32]:
        """The slot of the message after, in the same chat; -1 at its end."""
        return self._neighbours.after

    @property
    def has_vector(self) -> NDArray[np.bool_]:
        """Which slots have vectors."""
        return self._parts.held

    def have_vectors(self, slots: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some slots have vectors."""
        return self._parts.held_at(slots)

    @property
    def runs(self) -> Runs:
        """The runs of adjacent messages of one stretch."""
        if self._runs_of != self.size:
            self._runs, self._runs_of = Runs.of(self.column("stretch")), self.size
        return self._runs

    @property
    def text_pending(self) -> int:
        """The number of messages without vectors."""
        return int(np.count_nonzero(self.column("alive") & ~self.has_vector))

    @property
    def lengths(self) -> NDArray[np.float32]:
        """Words of each slot."""
        return self._postings.lengths

    def column(self, name: str) -> NDArray[Any]:
        """One of the columns, with a value per slot."""
        return self._columns[name].values

    def cosines(self, vectors: Matrix) -> Matrix:
        """Cosine of every slot to each of some unit vectors, that of its best part; -1 for a slot without vectors."""
        return self._parts.cosines(vectors)

    def meaning(self, vector: NDArray[np.float32], slots: NDArray[np.intp], mask: NDArray[np.bool_]) -> Near:
        """Cosine of every slot to a unit vector.

        For a large user it is exact for the nearest slots that the mask allows and for the given slots, and an estimate
        elsewhere. Without a vector, a question is near to nothing.
        """
        if not vector.size:
            return Near(np.full(self.size, -1, dtype=np.float32), None)
        if self.size <= LARGE:
            return Near(self._parts.cosines(vector[None, :])[:, 0], None)
        cosines = self._parts.estimates(vector)
        # In ascending order, because neighbours in memory are gathered fastest.
        exact = np.unique(np.concatenate((best_slots(cosines, mask, worth_exact(self.size)), slots)))
        cosines[exact] = self._parts.cosines_at(exact, vector)
        return Near(cosines, exact)

    def cosines_at(self, slots: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of some slots to a unit vector, exact; -1 for a slot without vectors."""
        return self._parts.cosines_at(slots, vector)

    def matches(self, words: Sequence[str]) -> tuple[NDArray[np.float32], Masks, NDArray[np.float64]]:
        """BM25 of every slot, a bit per rare word of the question that it contains, and the weight of each word."""
        living = len(self.slot_of)
        average = self._words / living if living else 1.0
        return self._postings.matches(words, self.column("alive"), total=living, average=average or 1.0)

    def presence(self, words: Sequence[str]) -> tuple[Masks, NDArray[np.float64]]:
        """A bit per rare word of the question that a slot contains, and the weight of each word."""
        return self._postings.presence(words, self.column("alive"), total=len(self.slot_of))

    def holding(self, words: frozenset[str]) -> NDArray[np.bool_]:
        """Which slots contain at least one of these words."""
        return self._postings.holding(words)

    def vectors_of(self, slots: NDArray[np.intp]) -> Matrix:
        """One unit vector for each of some slots: the mean of its parts; zeros for a slot without vectors."""
        return self._parts.means(slots)

    def visible(self, wanted: MessageFilter) -> NDArray[np.bool_]:
        """Which slots a search may return."""
        mask = self.column("alive").copy()
        # One comparison per role: looking up each message takes ten times as long, and most users have no tool messages.
        for role in ROLES.keys() - wanted.roles:
            if ROLES[role] in self._roles:
                mask &= self.column("role") != ROLES[role]
        if not wanted.any_persona and len(self._personas.values) > 1:
            persona = self.column("persona")
            mask &= (persona == 0) | (persona == self._personas.get(wanted.persona_id))
        if wanted.chat_id is not None:
            mask &= self.column("chat") == self.chats.get(wanted.chat_id)
        if wanted.not_chat_id is not None:
            mask &= self.column("chat") != self.chats.get(wanted.not_chat_id)
        if wanted.since is not None:
            mask &= self.column("created") >= wanted.since
        if wanted.until is not None:
            mask &= self.column("created") < wanted.until
        hidden = [
            slot for message_id in wanted.excluded if (slot := self.slot_of.get(message_id)) is not None
        ]
        mask[hidden] = False
        return mask


def _with_words(rows: Sequence[Row]) -> list[Row]:
    """Messages in the form of entries: with packed words instead of the text."""
    return [(*row[:7], message_entries.packed(row[4], row[7]), asks(row[7]), row[8]) for row in rows]
