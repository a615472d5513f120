"""The memory_links table: which memories contradict each other."""

from recollect.store import links

from .conftest import Store
from .rows import NOON, record, saving


def test_both_sides_name_the_other(store: Store) -> None:
    """A contradiction is stored once and shown on both memories, of this user alone."""
    made = [record(number, "ann") for number in range(3)]
    for item in made:
        store.write("ann", saving(item))
    newer, older, apart = (item.memory_id for item in made)
    for _ in range(2):
        store.write("ann", lambda tx: links.contradicts(tx, "ann", newer, older, NOON))
    shown = store.read("ann", lambda tx: links.with_contradictions(tx, "ann", made))
    assert [item.contradicts for item in shown] == [(older,), (newer,), ()]
    assert store.read("bob", lambda tx: links.with_contradictions(tx, "bob", made)) == made
    assert store.read("ann", lambda tx: links.of_user(tx, "ann")) == [(newer, older)]
    assert apart not in str(shown[0].contradicts)


def test_a_fold_takes_over_what_its_originals_contradict(store: Store) -> None:
    """What contradicts an original contradicts the fold; originals that contradict each other leave nothing."""

    def work(tx: object) -> None:
        links.contradicts(tx, "ann", "a", "x", NOON)  # type: ignore[arg-type]
        links.contradicts(tx, "ann", "y", "b", NOON)  # type: ignore[arg-type]
        links.contradicts(tx, "ann", "a", "b", NOON)  # type: ignore[arg-type]
        links.carry_over(tx, "ann", ["a", "b"], "fold", NOON)  # type: ignore[arg-type]

    store.write("ann", work)
    pairs = store.read("ann", lambda tx: links.of_user(tx, "ann"))
    assert {pair for pair in pairs if "fold" in pair} == {("fold", "x"), ("y", "fold")}
