"""The index of one user's messages: it follows the database exactly."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.index.message_index import ROLES, Codes, MessageIndex
from recollect.index.query import MessageFilter
from recollect.index.search import SearchIndexes
from recollect.index.user_index import milliseconds
from recollect.language.terms import terms
from recollect.records.message import Message, Role
from recollect.store import chats, messages, users
from recollect.store.database import Connection, Matrix

from .conftest import Store
from .conversations import index, message, minutes, tell
from .rows import MODEL, NOON, direction

WORDS = ["garden", "bees", "honey", "rome", "train", "coffee"]
SENTENCES = st.builds(
    str.__add__,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
    st.sampled_from(["", "?"]),
)
PERSONAS = {"c0": None, "c1": "coach", "c2": "cook"}
QUERIES = np.stack([direction(98), direction(99)])
ANY = MessageFilter(any_persona=True)
QUESTIONS = (
    ANY,
    MessageFilter(),
    MessageFilter(persona_id="coach"),
    MessageFilter(persona_id="nobody"),
    MessageFilter(chat_id="c1", any_persona=True),
    MessageFilter(not_chat_id="c1", any_persona=True),
    MessageFilter(chat_id="nowhere", any_persona=True),
    MessageFilter(roles=frozenset({Role.SYSTEM, Role.TOOL}), any_persona=True),
    MessageFilter(since=milliseconds(["2026-03-01T12:03:00.000Z"])[0], any_persona=True),
    MessageFilter(until=milliseconds(["2026-03-01T12:03:00.000Z"])[0], any_persona=True),
    MessageFilter(excluded=frozenset({"c0-000001", "unknown"}), any_persona=True),
)


def parts_of(text: str) -> Matrix:
    """A vector for every two words."""
    words = text.split()
    return np.stack(
        [direction(sum(map(ord, " ".join(words[at : at + 2])))) for at in range(0, len(words), 2)]
    )


def answers(found: MessageIndex) -> tuple[dict[str, object], list[set[str]]]:
    """All that an index tells of each living message, by its id; and what each question may bring."""
    cosines = found.cosines(QUERIES)
    bm25 = found.matches(list(terms("Zoe keeps bees in the garden of rome")))[0]
    masks, idf = found.presence(list(terms("Zoe keeps bees in the garden of rome")))
    means = found.vectors_of(np.arange(found.size))
    assert cosines.shape == (found.size, 2) and len(bm25) == found.size and not np.isnan(cosines).any()

    def id_at(slot: int) -> str | None:
        return found.ids[slot] if slot >= 0 else None

    told: dict[str, object] = {"idf": idf.round(6).tolist()}
    for message_id, slot in found.slot_of.items():
        assert found.column("alive")[slot] and found.ids[slot] == message_id
        told[message_id] = (
            found.chats.values[found.column("chat")[slot]],
            found.column("position")[slot],
            found.column("role")[slot],
            found.names[found.column("speaker")[slot]],
            found.sessions.values[found.column("session")[slot]],
            found.column("created")[slot],
            found.column("asks")[slot],
            id_at(found.before[slot]),
            id_at(found.after[slot]),
            found.has_vector[slot],
            cosines[slot].round(4).tolist(),
            round(float(bm25[slot]), 6),
            int(masks[slot]),
            means[slot].round(4).tolist() if found.has_vector[slot] else None,
            _stretch(found, slot),
        )
    visible = [{found.ids[slot] for slot in np.flatnonzero(found.visible(wanted))} for wanted in QUESTIONS]
    return told, visible


def _stretch(found: MessageIndex, slot: int) -> set[str]:
    """Who is in the same chat and session, by the column that says so; it must say what the two columns say."""
    mine = found.column("stretch") == found.column("stretch")[slot]
    both = [found.column(name) == found.column(name)[slot] for name in ("chat", "session")]
    assert np.array_equal(mine, both[0] & both[1])
    return {found.ids[other] for other in np.flatnonzero(mine & found.column("alive"))}


@dataclass
class Talk:
    """Everything that may happen to a user's messages, each in a transaction of its own."""

    store: Store
    user_id: str
    said: list[Message] = field(default_factory=list)
    #: Positions are not used again.
    last: dict[str, int] = field(default_factory=dict)
    model: str = MODEL

    def say(self, chat_id: str, texts: list[str], **values: Any) -> None:
        made: list[Message] = []
        for text in texts:
            position = self.last[chat_id] = self.last.get(chat_id, 0) + 1
            made.append(message(position, chat_id, self.user_id, text=text, **values))

        def work(tx: Connection) -> None:
            chats.ensure(tx, self.user_id, chat_id, PERSONAS[chat_id], NOON)
            tell(tx, made)

        self.store.write(self.user_id, work)
        self.said += made

    def edit(self, number: int, text: str) -> None:
        if -len(self.said) <= number < len(self.said):
            after = self.said[number] = replace(self.said[number], text=text)
            self.store.write(self.user_id, lambda tx: messages.update(tx, after))

    def delete(self, number: int) -> None:
        if -len(self.said) <= number < len(self.said):
            gone = self.said.pop(number).message_id
            self.store.write(self.user_id, lambda tx: messages.delete(tx, self.user_id, gone))

    def delete_chat(self, chat_id: str) -> None:
        self.said = [one for one in self.said if one.chat_id != chat_id]
        self.store.write(self.user_id, lambda tx: messages.delete_all(tx, self.user_id, chat_id))

    def index(self, limit: int) -> None:
        self.store.write(self.user_id, lambda tx: index(tx, self.user_id, parts_of, self.model, limit))

    def switch(self) -> None:
        self.model = "another" if self.model == MODEL else MODEL
        self.store.write(self.user_id, lambda tx: users.serve_by(tx, self.user_id, self.model))


#: The first messages and the last.
NUMBERS = st.integers(-5, 6)
CHATS = st.sampled_from(list(PERSONAS))
DEEDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "say": st.fixed_dictionaries(
        {
            "chat_id": CHATS,
            "texts": st.lists(SENTENCES, min_size=1, max_size=4),
            "role": st.sampled_from(list(Role)),
            "name": st.sampled_from([None, None, "Zoe", "Ali"]),
            "session_id": st.sampled_from([None, "s1", "s2"]),
        }
    ),
    "edit": st.fixed_dictionaries({"number": NUMBERS, "text": SENTENCES}),
    "delete": st.fixed_dictionaries({"number": NUMBERS}),
    "delete_chat": st.fixed_dictionaries({"chat_id": CHATS}),
    "index": st.fixed_dictionaries({"limit": st.integers(1, 9)}),
    "switch": st.just({}),
    "look": st.fixed_dictionaries({"who": st.integers(0, 1)}),
}
#: Deleting makes an index start anew, so it is rare: most of the time it must follow.
OFTEN = ("say",) * 6 + ("edit",) * 5 + ("index",) * 5 + ("look",) * 6 + ("delete", "delete_chat", "switch")
STEPS = st.sampled_from(OFTEN).flatmap(lambda name: st.tuples(st.just(name), DEEDS[name]))
EXAMPLES = iter(range(10**9))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=5, max_size=30))
def test_a_followed_index_equals_a_loaded_one(store: Store, steps: list[tuple[str, dict[str, Any]]]) -> None:
    """After any changes, two processes that look at different moments tell what one read anew would tell."""
    talk = Talk(store, f"user{next(EXAMPLES)}")
    processes = [SearchIndexes(2**30), SearchIndexes(2**30)]

    def compare(tx: Connection, who: int) -> None:
        state = users.state(tx, talk.user_id)
        assert state is not None
        with processes[who].messages_of(tx, talk.user_id, state) as found:
            assert answers(found) == answers(MessageIndex.load(tx, talk.user_id, state))
            assert set(found.slot_of) == {one.message_id for one in talk.said}
            assert found.text_pending == len(found.slot_of) - sum(
                bool(found.has_vector[slot]) for slot in found.slot_of.values()
            )

    # Many to begin with, so that what follows is linked one by one.
    for chat_id in ("c0", "c1"):
        talk.say(chat_id, ["bees in the garden"] * 20)
    for name, values in (("look", {"who": 0}), *steps, ("look", {"who": 0}), ("look", {"who": 1})):
        if name == "look":
            store.read(talk.user_id, lambda tx, who=values["who"]: compare(tx, who))
        else:
            getattr(talk, name)(**values)


def _looking(store: Store, indexes: SearchIndexes, user_id: str = "ann") -> MessageIndex:
    def look(tx: Connection) -> MessageIndex:
        state = users.state(tx, user_id)
        assert state is not None
        with indexes.messages_of(tx, user_id, state) as found:
            return found

    return store.read(user_id, look)


def _matching(found: MessageIndex, words: str) -> set[str]:
    score = found.matches(list(terms(words)))[0]
    return {found.ids[slot] for slot in np.flatnonzero((score > 0) & found.visible(ANY))}


def test_a_message_is_found_by_its_words_at_once(store: Store) -> None:
    """The next look finds a new message by its words and its speaker's name, and by its vector once that is there."""
    talk, indexes = Talk(store, "ann"), SearchIndexes(2**30)
    talk.say("c0", ["honey"])
    first = _looking(store, indexes)
    talk.say("c0", ["coffee"], name="Zoe")
    after = _looking(store, indexes)
    assert after is first and after.text_pending == 2
    assert _matching(after, "coffee") == _matching(after, "zoe") == {"c0-000002"}
    assert after.cosines(parts_of("coffee")).tolist() == [[-1.0], [-1.0]]
    talk.index(9)
    after = _looking(store, indexes)
    # Its slot stays: nothing about it changed but that it has a vector now.
    assert (after.size, after.dead, after.text_pending) == (2, 0, 0)
    assert after.cosines(parts_of("coffee"))[1] == pytest.approx(1, abs=1e-3)


def test_an_edited_message_loses_its_old_words_at_once(store: Store) -> None:
    """Neither the old words nor the old vector find it, before and after it is indexed anew."""
    talk, indexes = Talk(store, "ann"), SearchIndexes(2**30)
    talk.say("c0", ["honey", "coffee", "rome"])
    talk.index(9)
    _looking(store, indexes)
    talk.edit(1, "train")
    for pending in (1, 0):
        found = _looking(store, indexes)
        assert _matching(found, "coffee") == set() and _matching(found, "train") == {"c0-000002"}
        assert found.text_pending == pending
        slot = found.slot_of["c0-000002"]
        assert found.cosines(parts_of("coffee"))[slot, 0] < 0.5
        beside = [found.ids[found.before[slot]], found.ids[found.after[slot]]]
        assert beside == ["c0-000001", "c0-000003"]
        talk.index(9)


def test_an_edit_that_was_indexed_between_two_looks(store: Store) -> None:
    """An index that heard neither of the edit nor of its vectors holds the new words and no old ones."""
    talk, indexes = Talk(store, "ann"), SearchIndexes(2**30)
    talk.say("c0", ["honey", "coffee"])
    _looking(store, indexes)
    talk.edit(1, "train")
    talk.index(9)
    found = _looking(store, indexes)
    assert _matching(found, "coffee") == set() and _matching(found, "train") == {"c0-000002"}
    assert (found.text_pending, found.dead) == (0, 1)


def test_vectors_that_are_written_again_replace_the_first(store: Store) -> None:
    """Two jobs at once may write the vectors of one message: the newest count, and it stays one message."""
    talk, indexes = Talk(store, "ann"), SearchIndexes(2**30)
    talk.say("c0", ["honey bees rome", "coffee"])
    talk.index(9)
    _looking(store, indexes)

    def again(tx: Connection) -> None:
        tx.run("UPDATE users SET indexed_revision = 0 WHERE user_id = 'ann'")
        index(tx, "ann", lambda text: QUERIES[:1])

    store.write("ann", again)
    found = _looking(store, indexes)
    assert found.cosines(QUERIES[:1])[found.slot_of["c0-000002"], 0] == pytest.approx(1, abs=1e-3)
    assert found.size == 2 and found.dead == 0


def test_a_message_of_long_ago_can_come_in_between(store: Store) -> None:
    """A message that is stored at an empty earlier place stands between its neighbours."""
    said = [message(position, "c0") for position in range(1, 41) if position != 20]
    store.write("ann", lambda tx: tell(tx, said))
    indexes = SearchIndexes(2**30)
    _looking(store, indexes)
    store.write("ann", lambda tx: tell(tx, [message(20, "c0")]))
    found = _looking(store, indexes)
    slot = found.slot_of["c0-000020"]
    assert (found.ids[found.before[slot]], found.ids[found.after[slot]]) == ("c0-000019", "c0-000021")


def test_a_large_chat_is_read_in_portions(store: Store) -> None:
    """More messages than one portion holds, indexed or not, are all there, in their order."""
    said = [message(position, "c0", created_at=minutes(position)) for position in range(1, 5001)]
    store.write("ann", lambda tx: tell(tx, said))

    def most(tx: Connection) -> int:
        return index(tx, "ann", lambda text: direction(1, 8)[None, :], limit=4500)

    assert store.write("ann", most) == 4500
    found = _looking(store, SearchIndexes(2**30))
    assert (found.size, found.text_pending) == (5000, 500)
    assert found.after.tolist() == [*range(1, 5000), -1]
    assert found.before.tolist() == list(range(-1, 4999))
    assert found.column("position").tolist() == list(range(1, 5001))
    assert found.nbytes < 5000 * 500


def test_an_empty_index(store: Store) -> None:
    """Nobody said anything: nothing is found, and nothing fails."""
    store.write("ann", lambda tx: users.touch(tx, "ann", model=MODEL, epoch=7, now=NOON))
    found = _looking(store, SearchIndexes(2**30))
    assert (found.size, found.text_pending, found.names) == (0, 0, [None])
    assert found.cosines(QUERIES).shape == (0, 2)
    assert len(found.matches(["bees"])[0]) == len(found.visible(ANY)) == len(found.presence(["bees"])[0]) == 0
    assert len(found.vectors_of(np.arange(0))) == 0


def test_a_question_is_known_before_and_after_it_is_indexed(store: Store) -> None:
    """Whether a message asks is told of new, of indexed and of edited ones."""
    talk, indexes = Talk(store, "ann"), SearchIndexes(2**30)
    talk.say("c0", ["rome?", "honey"])
    for _ in range(2):
        for found in (_looking(store, indexes), _looking(store, SearchIndexes(2**30))):
            assert found.column("asks").tolist() == [True, False]
        talk.index(9)
    talk.edit(0, "rome")
    talk.index(9)
    found = _looking(store, SearchIndexes(2**30))
    assert not found.column("asks").any()


def test_codes_number_values_in_order() -> None:
    """A value keeps its number; an unknown one has none until it comes."""
    codes = Codes[str | None](None)
    assert codes.of(["b", None, "a", "b"]) == [1, 0, 2, 1]
    assert codes.unknown(["a", "c", "c"]) == ["c"] and codes.get("c") == -1
    assert codes.values == [None, "b", "a"] and codes.get("a") == 2
    assert set(ROLES) == set(Role)
