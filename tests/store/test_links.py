"""The memory_links table."""

from recollect.records.link import Link, LinkKind
from recollect.store import links

from .conftest import Store
from .rows import NOON

FIRST = Link(from_id="a", kind=LinkKind.SUPPORTS, to_id="b")
SECOND = Link(from_id="c", kind=LinkKind.CONTRADICTS, to_id="a")


def test_links_of_both_ends(store: Store) -> None:
    """A link is found from either end, once, however often it was made."""
    for link in (FIRST, SECOND, FIRST):
        store.write("ann", lambda tx, link=link: links.add(tx, "ann", link, NOON))
    assert store.read("ann", lambda tx: links.of_memory(tx, "ann", "a")) == [FIRST, SECOND]
    assert store.read("ann", lambda tx: links.of_memory(tx, "ann", "b")) == [FIRST]
    assert store.read("ann", lambda tx: links.of_user(tx, "ann")) == [FIRST, SECOND]
    assert store.read("bob", lambda tx: links.of_user(tx, "bob")) == []


def test_a_link_is_taken_back(store: Store) -> None:
    """Taking back says whether there was a link, and leaves those of others."""
    for user_id in ("ann", "bob"):
        store.write(user_id, lambda tx, user_id=user_id: links.add(tx, user_id, FIRST, NOON))
    assert store.write("ann", lambda tx: links.remove(tx, "ann", FIRST)) is True
    assert store.write("ann", lambda tx: links.remove(tx, "ann", FIRST)) is False
    assert store.read("bob", lambda tx: links.of_user(tx, "bob")) == [FIRST]
