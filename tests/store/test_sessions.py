"""The sessions table."""

from dataclasses import replace

import pytest

from recollect.records.chat import ChatRecord
from recollect.records.session import Session, SessionChat, closed
from recollect.store import chats, sessions
from recollect.store.database import Connection

from .conftest import Store
from .conversations import chat, message, minutes, session, tell

FIRST = closed(session("first", start=0, persona_id="coach", turn_count=3))
SECOND = session("second", start=100, persona_id="coach")
ALONE = closed(session("alone", start=50))
BOBS = closed(session("bobs", "bob", start=99, persona_id="coach"))


@pytest.fixture
def life(store: Store) -> Store:
    """Two sessions with the coach, one without a persona, one of somebody else."""
    for one in (SECOND, FIRST, ALONE, BOBS):
        store.write(one.user_id, lambda tx, one=one: sessions.save(tx, one))
    return store


@pytest.mark.parametrize(
    ("persona_id", "minute", "found"),
    [
        ("coach", -1, None),
        ("coach", 0, FIRST),
        ("coach", 99.9, FIRST),
        ("coach", 100, SECOND),
        ("coach", 9999, SECOND),
        ("doctor", 9999, None),
        (None, 49, None),
        (None, 9999, ALONE),
    ],
)
def test_the_session_at_a_moment(
    life: Store, persona_id: str | None, minute: float, found: Session | None
) -> None:
    """The last one with this persona that had begun; no persona is one of its own."""
    assert life.read("ann", lambda tx: sessions.at(tx, "ann", persona_id, minutes(minute))) == found


def test_saving_replaces(life: Store) -> None:
    """A session is saved as it is now, and can be opened again."""
    assert life.read("ann", lambda tx: sessions.get(tx, "ann", "first")) == FIRST
    assert life.read("bob", lambda tx: sessions.get(tx, "bob", "first")) is None
    resumed = session("first", persona_id="coach", last_activity_at=minutes(33), turn_count=4)
    life.write("ann", lambda tx: sessions.save(tx, resumed))
    assert life.read("ann", lambda tx: sessions.get(tx, "ann", "first")) == resumed


def test_a_known_session_goes_on(life: Store) -> None:
    """A message changes a session's last activity, its end and its turns; nothing else, and nobody else's."""
    later = session("first", start=5, last_activity_at=minutes(33), turn_count=4)
    life.write("ann", lambda tx: sessions.go_on(tx, later))
    going_on = replace(FIRST, last_activity_at=minutes(33), ended_at=None, turn_count=4)
    assert life.read("ann", lambda tx: sessions.get(tx, "ann", "first")) == going_on
    assert life.read("bob", lambda tx: sessions.get(tx, "bob", "bobs")) == BOBS
    life.write("ann", lambda tx: sessions.go_on(tx, session("unknown")))
    assert life.read("ann", lambda tx: sessions.get(tx, "ann", "unknown")) is None


def test_pages_neither_repeat_nor_skip(life: Store) -> None:
    """Last begun first, also when some began at once; a persona's list is its own, any means all."""
    twins = [session(name, start=50, persona_id="coach") for name in ("twin a", "twin b")]
    for one in twins:
        life.write("ann", lambda tx, one=one: sessions.save(tx, one))

    def walk(persona_id: str | None) -> list[str]:
        ids: list[str] = []
        before: tuple[str, str] | None = None
        while listed := life.read(
            "ann",
            lambda tx, before=before: sessions.page(tx, "ann", persona_id=persona_id, limit=2, before=before),
        ):
            ids += [one.session_id for one in listed]
            before = listed[-1].cursor
        return ids

    assert walk(None) == ["second", "twin b", "twin a", "alone", "first"]
    assert walk("coach") == ["second", "twin b", "twin a", "first"]
    assert walk("doctor") == []


def test_what_is_empty_goes(life: Store) -> None:
    """Of the sessions named, those without a message of their user are deleted, and no other."""
    life.write("ann", lambda tx: tell(tx, [message(1, session_id="first")]))
    life.write("bob", lambda tx: tell(tx, [message(1, user_id="bob", session_id="second")]))
    named = ["first", "second", "bobs", "unknown"]
    assert life.write("ann", lambda tx: sessions.delete_empty(tx, "ann", named)) == 1
    left = life.read("ann", lambda tx: sessions.page(tx, "ann", limit=9))
    assert [one.session_id for one in left] == ["alone", "first"]
    assert life.read("bob", lambda tx: sessions.get(tx, "bob", "bobs")) == BOBS


@pytest.mark.parametrize(
    ("persona_id", "minute", "begins"),
    [("coach", -1, 0), ("coach", 0, 100), ("coach", 100, None), (None, 0, 50), ("doctor", 0, None)],
)
def test_when_the_next_session_begins(
    life: Store, persona_id: str | None, minute: float, begins: float | None
) -> None:
    """The first start after a moment, with this persona: until then the session at a moment is the same."""
    found = life.read("ann", lambda tx: sessions.next_start(tx, "ann", persona_id, minutes(minute)))
    assert found == (None if begins is None else minutes(begins))


def _begin(tx: Connection, made: ChatRecord) -> None:
    chats.ensure(tx, made.user_id, made.chat_id, None, made.created_at)
    assert chats.save(tx, made)


def test_the_chats_of_a_session(life: Store) -> None:
    """Each with its first message in that session, as they came up; nobody else's, and none without a message."""
    for one in (chat("walks", title="Walking"), chat("hills"), chat("quiet"), chat("walks", "bob")):
        life.write(one.user_id, lambda tx, one=one: _begin(tx, one))
    said = [
        message(1, "walks", session_id="alone"),
        message(2, "walks", session_id="first"),
        message(3, "walks", session_id="first"),
        message(1, "hills", session_id="first"),
    ]
    life.write("ann", lambda tx: tell(tx, said))
    life.write("bob", lambda tx: tell(tx, [message(1, "walks", "bob", session_id="first")]))
    assert life.read("ann", lambda tx: sessions.chats(tx, "ann", "first")) == [
        SessionChat(chat_id="hills", title=None, first_message_id="hills-000001", message_count=1),
        SessionChat(chat_id="walks", title="Walking", first_message_id="walks-000002", message_count=2),
    ]
    assert life.read("ann", lambda tx: sessions.chats(tx, "ann", "second")) == []
