"""The message_entries table."""

from collections.abc import Callable

from recollect.index.postings import pack
from recollect.store import message_entries
from recollect.store.database import Connection, Row
from recollect.store.message_entries import Entry, terms_of

from .conftest import Store
from .conversations import message, tell


def _put(numbers: list[int], revision: int, chat_id: str = "c1") -> Callable[[Connection], None]:
    entries = [
        Entry(message=one, terms=terms_of(one), message_revision=number)
        for number in numbers
        for one in [message(number, chat_id, name="Zoe" if number == 2 else None)]
    ]
    return lambda tx: message_entries.put(tx, "ann", entries, revision=revision)


def _read(store: Store, user_id: str = "ann") -> list[Row]:
    return store.read(user_id, lambda tx: [row for rows in message_entries.read(tx, user_id) for row in rows])


def test_an_entry_says_what_an_index_needs(store: Store) -> None:
    """All columns come back in the order of ids, the words without a text; nobody else sees them."""
    store.write("ann", _put([2, 1], 9))
    first, second = _read(store)
    said = message(1)
    assert first == (
        *("c1-000001", "c1", 1, "user", None, "session of c1", "2026-03-01T12:01:00.000Z"),
        *(pack(said.text), 0, 1),
    )
    assert second[8] == 0 and second[4] == "Zoe" and second[7] == pack(f"Zoe: {message(2).text}")
    assert _read(store, "bob") == []


def test_entries_since_a_revision(store: Store) -> None:
    """Only what was written later, also when it replaced an older entry."""

    def since(revision: int) -> set[str]:
        return store.read("ann", lambda tx: {row[0] for row in message_entries.since(tx, "ann", revision)})

    store.write("ann", _put([1, 2], 5))
    store.write("ann", _put([2, 3], 8))
    store.write("ann", _put([], 9))
    assert since(4) == {"c1-000001", "c1-000002", "c1-000003"}
    assert since(5) == {"c1-000002", "c1-000003"}
    assert since(8) == set()
    assert store.read("ann", lambda tx: message_entries.count(tx, "ann")) == 3


def test_entries_are_dropped(store: Store) -> None:
    """One message's, or those of a chat; the others stay."""

    def work(tx: Connection) -> tuple[int, int, int, int]:
        tell(tx, [*(message(number) for number in (1, 2, 3)), message(1, "c2")])
        _put([1, 2, 3], 5)(tx)
        _put([1], 5, "c2")(tx)
        return (
            message_entries.drop(tx, "ann", "c1-000001"),
            message_entries.drop(tx, "ann", "c1-000001"),
            message_entries.drop_chat(tx, "ann", "c1"),
            message_entries.drop_chat(tx, "ann", "nowhere"),
        )

    assert store.write("ann", work) == (1, 0, 2, 0)
    assert [row[0] for row in _read(store)] == ["c2-000001"]
