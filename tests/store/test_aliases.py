"""The entity_aliases table."""

from recollect.store import aliases

from .conftest import Store
from .rows import NOON


def test_an_alias_is_added_replaced_and_undone(store: Store) -> None:
    """A merge is one row: it can point elsewhere later, and undoing it removes the row."""

    def add(target: str) -> None:
        store.write("ann", lambda tx: aliases.add(tx, "ann", "person:bob", target, reason="same", now=NOON))

    add("person:robert")
    assert store.read("ann", lambda tx: aliases.of_user(tx, "ann")) == {"person:bob": "person:robert"}
    add("person:rob")
    assert store.read("ann", lambda tx: aliases.of_user(tx, "ann")) == {"person:bob": "person:rob"}
    assert store.read("bob", lambda tx: aliases.of_user(tx, "bob")) == {}
    assert store.write("bob", lambda tx: aliases.remove(tx, "bob", "person:bob")) is False
    assert store.write("ann", lambda tx: aliases.remove(tx, "ann", "person:bob")) is True
    assert store.write("ann", lambda tx: aliases.remove(tx, "ann", "person:bob")) is False
    assert store.read("ann", lambda tx: aliases.of_user(tx, "ann")) == {}
