"""What the judge has not read."""

from dataclasses import replace

from recollect.store import chats, unjudged
from recollect.store.database import Connection

from .conftest import Store
from .conversations import message, minutes, tell


def _talked(store: Store, chat_id: str, *, judged: int, at: float = 0, user_id: str = "ann") -> None:
    """Ten messages of ten tokens, the user's at odd positions; 4 and 7 were deleted."""
    said = [message(number, chat_id, user_id) for number in range(1, 11) if number not in (4, 7)]

    def work(tx: Connection) -> None:
        tell(tx, said)
        made = chats.ensure(tx, user_id, chat_id, None, minutes(0))
        chats.save(tx, replace(made, last_position=10, judged_position=judged, last_message_at=minutes(at)))

    store.write(user_id, work)


def test_how_much_waits_in_a_chat(store: Store) -> None:
    """Messages after a position and their tokens, as far as somebody looks."""
    _talked(store, "c1", judged=5)
    assert store.read("ann", lambda tx: unjudged.waiting(tx, "ann", "c1", 5, 100)) == (4, 40)
    assert store.read("ann", lambda tx: unjudged.waiting(tx, "ann", "c1", 0, 3)) == (3, 30)
    assert store.read("ann", lambda tx: unjudged.waiting(tx, "ann", "c9", 0, 3)) == (0, 0)


def test_how_much_waits_of_a_user(store: Store) -> None:
    """The user's own messages behind the cursors of all chats; what was read and what others said does not count."""
    _talked(store, "c1", judged=5)
    _talked(store, "c2", judged=0)
    _talked(store, "c3", judged=10)
    _talked(store, "c1", judged=0, user_id="bob")
    assert store.read("ann", lambda tx: unjudged.count(tx, "ann")) == 1 + 4
    assert store.read("eve", lambda tx: unjudged.count(tx, "eve")) == 0


def test_which_chats_wait(store: Store) -> None:
    """Those with unread messages, the one that was quiet for longest first."""
    _talked(store, "new", judged=1, at=9)
    _talked(store, "old", judged=2, at=5)
    _talked(store, "read", judged=10, at=1)
    _talked(store, "theirs", judged=0, user_id="bob")
    assert store.read("ann", lambda tx: unjudged.chat_ids(tx, "ann")) == ["old", "new"]
