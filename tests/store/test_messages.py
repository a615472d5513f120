"""The messages table."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import StoreError
from recollect.records.message import Message, Role
from recollect.store import message_entries, message_vectors, messages, sessions, users
from recollect.store.database import EVERYONE, Connection
from recollect.store.messages import Figures

from .conftest import Store
from .conversations import index, message, minutes, session, tell


def _write(store: Store, found: Sequence[Message]) -> None:
    _write_for(store, "ann", found)


def _write_for(store: Store, user_id: str, found: Sequence[Message]) -> None:
    store.write(user_id, lambda tx: tell(tx, found))


def _positions(found: Sequence[Message]) -> list[int]:
    return [item.position for item in found]


@pytest.fixture
def chat_with_gaps(store: Store) -> list[Message]:
    """Ten messages; 4 and 7 were deleted, 2, 6 and 9 are important. Other chats and users say the same."""
    scores = {2: 8.0, 6: 9.5, 9: 10.0}
    found = [message(n, importance_score=scores.get(n, 7.99)) for n in range(1, 11) if n not in (4, 7)]
    # Written out of order: the position is the order, not the insertion.
    _write(store, found[::-1])
    _write(store, [message(n, "c2", importance_score=10) for n in range(1, 11)])
    others = [replace(item, user_id="bob", importance_score=10) for item in found]
    store.write("bob", lambda tx: tell(tx, others))
    return found


def test_every_field_comes_back(store: Store) -> None:
    """What is recorded is what is read, whatever the text."""
    full = message(
        1,
        text=" \n'quoted' \"🐝\" :name %s  ",
        role=Role.TOOL,
        model_id="gpt",
        model_variant="fast",
        name="Zoë",
        token_usage=2**50,
        importance_score=7.25,
    )
    bare = message(2, session_id=None)
    _write(store, [full, bare])
    _write(store, [])
    assert store.read("ann", lambda tx: messages.get(tx, "ann", full.message_id)) == full
    assert store.read("ann", lambda tx: messages.get(tx, "ann", bare.message_id)) == bare
    assert store.read("bob", lambda tx: messages.get(tx, "bob", full.message_id)) is None


def test_many_are_found_at_once(store: Store) -> None:
    """More ids than one statement takes, strangers among them: exactly the user's own are found."""
    found = [message(n) for n in range(1, 1202)]
    _write(store, found)
    wanted = [item.message_id for item in found] + ["unknown"]
    assert store.read("ann", lambda tx: messages.get_many(tx, "ann", wanted)) == {
        item.message_id: item for item in found
    }
    assert store.read("bob", lambda tx: messages.get_many(tx, "bob", wanted)) == {}
    assert store.read("ann", lambda tx: messages.get_many(tx, "ann", [])) == {}


def test_a_position_is_given_once(store: Store) -> None:
    """Two messages cannot stand in one place; nothing of the second batch stays."""
    _write(store, [message(1)])
    with pytest.raises(StoreError):
        _write(store, [message(2), message(1, message_id="another")])
    assert store.read("ann", lambda tx: messages.after(tx, "ann", "c1", 0)) == [message(1)]


def test_what_follows_and_what_is_newest(store: Store, chat_with_gaps: list[Message]) -> None:
    """Reading forward, backward and between gives the order of the chat, and deleted places are not missed."""

    def read(work: str, *arguments: object, **named: object) -> list[int]:
        return _positions(
            store.read("ann", lambda tx: getattr(messages, work)(tx, "ann", "c1", *arguments, **named))
        )

    assert read("after", 0) == _positions(chat_with_gaps) == [1, 2, 3, 5, 6, 8, 9, 10]
    assert read("after", 3) == [5, 6, 8, 9, 10]
    assert read("after", 3, 2) == [5, 6]
    assert read("after", 10) == []
    assert read("latest", 3) == [8, 9, 10]
    assert read("latest", 3, before_position=8) == [3, 5, 6]
    assert read("latest", 99) == [1, 2, 3, 5, 6, 8, 9, 10]
    assert read("latest", 3, before_position=1) == []
    assert read("between", 3, 8) == [3, 5, 6, 8]
    assert read("between", 4, 4) == []
    assert read("around", 6, 2) == [3, 5, 6, 8, 9]
    assert read("around", 7, 2) == [5, 6, 8, 9]
    assert read("around", 1, 1) == [1, 2]


def test_what_opened_a_turn(store: Store) -> None:
    """The user's last message before a position is found whatever came since; before the first there is none."""
    tools = [message(number, role=Role.TOOL) for number in range(3, 9)]
    said = [message(1, role=Role.SYSTEM), message(2, role=Role.USER), *tools]
    _write(store, said)

    def opening(position: int, chat_id: str = "c1") -> Message | None:
        return store.read("ann", lambda tx: messages.opening(tx, "ann", chat_id, position))

    assert opening(9) == opening(3) == said[1]
    assert opening(2) is None
    assert opening(9, "c2") is None


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deleted=st.sets(st.integers(1, 12)), position=st.integers(0, 13), n=st.integers(0, 5))
def test_around_takes_n_of_each_side(store: Store, deleted: set[int], position: int, n: int) -> None:
    """Whatever was deleted, the neighbours are those that a list would give."""
    left = [number for number in range(1, 13) if number not in deleted]

    def work(tx: Connection) -> list[int]:
        messages.delete_all(tx, "ann", "c1")
        tell(tx, [message(number) for number in left])
        return _positions(messages.around(tx, "ann", "c1", position, n))

    before = [number for number in left if number < position]
    expected = before[len(before) - min(n, len(before)) :] + [number for number in left if number == position]
    expected += [number for number in left if number > position][:n]
    assert store.write("ann", work) == expected


def test_the_important_ones(store: Store, chat_with_gaps: list[Message]) -> None:
    """Only from 8 on, newest first, up to a position, at most so many."""

    def read(minimum: float, until: int, limit: int) -> list[int]:
        return _positions(
            store.read(
                "ann",
                lambda tx: messages.important(
                    tx, "ann", "c1", minimum=minimum, until_position=until, limit=limit
                ),
            )
        )

    assert read(8, 10, 5) == [9, 6, 2]
    assert read(8, 8, 5) == [6, 2]
    assert read(8, 6, 1) == [6]
    assert read(9, 10, 5) == [9, 6]
    assert read(0, 10, 5) == [9, 6, 2]


def test_a_message_is_changed_and_deleted(store: Store, chat_with_gaps: list[Message]) -> None:
    """A change keeps the place, a deletion leaves it empty; neither touches another's messages."""
    changed = replace(
        chat_with_gaps[0], text="Other words", tokens=3, importance_score=9, token_usage=5, session_id="s9"
    )
    id = changed.message_id
    assert store.write("ann", lambda tx: messages.update(tx, changed)) is True
    assert store.read("ann", lambda tx: messages.get(tx, "ann", id)) == changed
    assert store.write("ann", lambda tx: messages.delete(tx, "ann", id)) is True
    assert store.write("ann", lambda tx: messages.delete(tx, "ann", id)) is False
    assert store.write("ann", lambda tx: messages.update(tx, changed)) is False
    assert _positions(store.read("ann", lambda tx: messages.after(tx, "ann", "c1", 0)))[0] == 2
    assert store.read("bob", lambda tx: messages.get(tx, "bob", id)) is not None
    assert store.write("ann", lambda tx: messages.delete_all(tx, "ann", "c1")) == 7
    assert len(store.read("ann", lambda tx: messages.after(tx, "ann", "c2", 0))) == 10
    assert len(store.read("bob", lambda tx: messages.after(tx, "bob", "c1", 0))) == 8


def test_revisions_tell_what_is_to_be_indexed(store: Store) -> None:
    """Messages come in the order of their revisions; an edited one comes again, a deleted one does not."""

    def waiting(indexed: int, limit: int = 99) -> list[tuple[str, int]]:
        rows = store.read("ann", lambda tx: messages.unindexed(tx, "ann", indexed, limit))
        return [(said.message_id, revision) for said, revision in rows]

    _write(store, [message(2), message(1)])
    _write(store, [message(3)])
    assert waiting(0) == [("c1-000002", 1), ("c1-000001", 2), ("c1-000003", 3)]
    assert waiting(1, 1) == [("c1-000001", 2)]
    assert store.read("ann", lambda tx: messages.count_unindexed(tx, "ann")) == 3
    edited = message(1, text="Other words", name="Zoe")
    store.write("ann", lambda tx: messages.update(tx, edited))
    store.write("ann", lambda tx: messages.delete(tx, "ann", "c1-000003"))
    assert waiting(0) == [("c1-000002", 1), ("c1-000001", 4)]
    assert store.read("ann", lambda tx: messages.unindexed(tx, "ann", 3, 9)) == [(edited, 4)]
    ids = ["c1-000001", "c1-000003"]
    assert store.read("ann", lambda tx: messages.revisions(tx, "ann", ids)) == {"c1-000001": 4}
    assert store.read("bob", lambda tx: messages.revisions(tx, "bob", ids)) == {}
    store.write("ann", lambda tx: users.index_until(tx, "ann", 1))
    _write_for(store, "bob", [message(1, user_id="bob")])
    assert store.read("ann", lambda tx: messages.count_unindexed(tx, "ann")) == 1
    assert store.read(EVERYONE, messages.count_unindexed) == 2


def _indexed(store: Store) -> tuple[int, int]:
    """How many entries and vectors there are."""
    return store.read("ann", lambda tx: (message_entries.count(tx, "ann"), message_vectors.count(tx, "ann")))


def test_entries_and_vectors_go_with_their_message(store: Store) -> None:
    """Whoever edits or deletes a message cannot leave its old words in the index, nor any index in the dark."""
    _write(store, [message(1), message(2), message(3), message(1, "c2")])
    store.write("ann", lambda tx: index(tx, "ann"))
    assert _indexed(store) == (4, 4)
    before = store.read("ann", lambda tx: users.state(tx, "ann"))
    store.write("ann", lambda tx: messages.update(tx, message(2, text="Other words")))
    edited = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert before is not None and edited is not None
    assert _indexed(store) == (3, 3)
    assert edited == replace(before, message_revision=before.message_revision + 1)
    store.write("ann", lambda tx: messages.delete(tx, "ann", "c1-000001"))
    assert _indexed(store) == (2, 2)
    store.write("ann", lambda tx: messages.delete_all(tx, "ann", "c1"))
    assert _indexed(store) == (1, 1)
    after = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert after == replace(edited, message_epoch=edited.message_epoch + 2)
    # Nothing was there to delete: indexes need not start anew.
    store.write("ann", lambda tx: (messages.delete(tx, "ann", "x"), messages.delete_all(tx, "ann", "x")))
    assert store.read("ann", lambda tx: users.state(tx, "ann")) == after


def test_a_chat_in_numbers(store: Store) -> None:
    """Count, tokens, first and last time and average importance; an empty chat is all zeros."""
    _write(
        store,
        [
            message(1, tokens=5, importance_score=4),
            message(2, tokens=7, importance_score=5),
            message(3, tokens=2**40, importance_score=9, created_at=minutes(-5)),
        ],
    )
    _write(store, [message(1, "c2")])
    assert store.read("ann", lambda tx: messages.figures(tx, "ann", "c1")) == Figures(
        count=3, tokens=12 + 2**40, oldest=minutes(-5), newest=minutes(2), average_importance=6.0
    )
    assert store.read("ann", lambda tx: messages.figures(tx, "ann", "none")) == Figures()
    assert store.read("ann", lambda tx: messages.unfolded(tx, "ann", "c1", 1)) == (2, 7 + 2**40)
    assert store.read("ann", lambda tx: messages.unfolded(tx, "ann", "c1", 3)) == (0, 0)


def _three_sessions(store: Store) -> None:
    """Two sessions with the coach over two chats, one with nobody in particular."""
    said = [
        message(1, "c1", session_id="s1"),
        message(1, "c2", session_id="s1", created_at=minutes(1.5)),
        message(2, "c1", session_id="s1"),
        message(61, "c1", session_id="s2"),
        message(62, "c2", session_id="s2"),
        message(63, "c1", role=Role.ASSISTANT, session_id="s2"),
        message(64, "c3", role=Role.USER, session_id="s3"),
    ]
    opened = [
        session("s1", start=1, persona_id="coach"),
        session("s2", start=61, persona_id="coach"),
        session("s3", start=64),
    ]

    def work(tx: Connection) -> None:
        tell(tx, said)
        for one in opened:
            sessions.save(tx, one)

    store.write("ann", work)


def test_a_session_spans_chats(store: Store) -> None:
    """All that was said in a session, from every chat, in time order."""
    _three_sessions(store)
    found = store.read("ann", lambda tx: messages.of_session(tx, "ann", "s1"))
    assert [item.message_id for item in found] == ["c1-000001", "c2-000001", "c1-000002"]
    assert store.read("bob", lambda tx: messages.of_session(tx, "bob", "s1")) == []


def test_what_was_said_with_a_persona_since(store: Store) -> None:
    """After the moment and not at it, over chats and sessions, the newest few, in time order; no persona is one too."""
    _three_sessions(store)

    def read(persona_id: str | None, minute: float, limit: int = 99, user_id: str = "ann") -> list[str]:
        return [
            item.message_id
            for item in store.read(
                user_id,
                lambda tx: messages.of_persona_since(tx, user_id, persona_id, minutes(minute), limit),
            )
        ]

    everything = ["c1-000001", "c2-000001", "c1-000002", "c1-000061", "c2-000062", "c1-000063"]
    assert read("coach", 0) == read("coach", -9999) == everything
    assert read("coach", 1) == everything[1:]
    assert read("coach", 1.5) == everything[2:]
    assert read("coach", 30) == everything[3:]
    assert read("coach", 62) == everything[5:]
    assert read("coach", 63) == []
    assert read("coach", 0, limit=2) == everything[4:]
    assert read(None, 0) == ["c3-000064"]
    assert read("doctor", 0) == []
    assert read("coach", 0, user_id="bob") == []


def test_the_last_words_of_the_user(store: Store) -> None:
    """The user's last message to a persona, not a reply, and not one to another persona."""
    _three_sessions(store)

    def read(persona_id: str | None) -> str | None:
        found = store.read("ann", lambda tx: messages.last_user(tx, "ann", persona_id))
        return found.message_id if found else None

    assert read("coach") == "c1-000061"
    assert read(None) == "c3-000064"
    assert read("doctor") is None
    store.write("ann", lambda tx: messages.delete(tx, "ann", "c1-000061"))
    assert read("coach") == "c2-000001"


def test_what_the_user_said_since(store: Store) -> None:
    """The user's own words after a moment, with every persona, the newest few, in order; None means ever."""

    def said(minute: int, **changes: object) -> Message:
        moment = minutes(minute)
        id = f"{int(moment.timestamp() * 1000):013d}-{minute:04}"
        return replace(
            message(minute, role=Role.USER, session_id=None, created_at=moment), message_id=id, **changes
        )

    _write(store, [said(1), said(2, role=Role.ASSISTANT), said(3), said(4), said(5, chat_id="c2")])
    others = [said(6, user_id="bob")]
    store.write("bob", lambda tx: tell(tx, others))

    def read(minute: int | None, limit: int = 9) -> list[int]:
        after = None if minute is None else minutes(minute)
        return _positions(store.read("ann", lambda tx: messages.of_user_since(tx, "ann", after, limit)))

    assert read(None) == [1, 3, 4, 5]
    assert read(1) == [3, 4, 5]
    assert read(2, limit=2) == [4, 5]
    assert read(5) == []


def test_who_speaks_as_the_user(store: Store) -> None:
    """The names under which the user's words stand in one chat; the assistant's are not among them."""
    _write(
        store, [message(1), message(2, name="Bot"), message(3, name="Caroline"), message(5, name="Caroline")]
    )
    _write(store, [message(1, "c2", name="Bo")])
    assert store.read("ann", lambda tx: messages.speakers(tx, "ann", "c1", 3)) == {None, "Caroline"}
    assert store.read("ann", lambda tx: messages.speakers(tx, "ann", "c2", 3)) == {"Bo"}
    assert store.read("ann", lambda tx: messages.speakers(tx, "ann", "c3", 3)) == set()
