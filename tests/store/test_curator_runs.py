"""The curator_runs table."""

from dataclasses import replace

from recollect.records.link import Link, LinkKind
from recollect.rules.curator import Archived, CuratorRun, FoldMade, Merged, Proposed, Raised
from recollect.store import curator_runs

from .conftest import Store
from .conversations import minutes

FOLD = FoldMade(
    into="f",
    wording="a",
    originals=("a", "b"),
    mentions=3,
    links=(
        Link(from_id="a", kind=LinkKind.PART_OF, to_id="f"),
        Link(from_id="f", kind=LinkKind.RELATED, to_id="x"),
    ),
    reason="say one thing",
)
RUN = CuratorRun(
    user_id="ann",
    run_id="r1",
    steps=(
        FOLD,
        Archived(memory_id="c", reason="faded"),
        Raised(memory_id="d", reason="often"),
        Proposed(proposal_id="p"),
        Merged(alias="person:bob", into="person:robert"),
    ),
    looked_at=7,
    started_at=minutes(1),
    ended_at=minutes(2),
)


def _save(store: Store, run: CuratorRun) -> None:
    store.write(run.user_id, lambda tx: curator_runs.save(tx, run))


def test_every_step_comes_back(store: Store) -> None:
    """What is written is what is read; a run that goes on is written over."""
    _save(store, replace(RUN, steps=(FOLD,)))
    _save(store, RUN)
    assert store.read("ann", lambda tx: curator_runs.get(tx, "ann", "r1")) == RUN
    assert store.read("bob", lambda tx: curator_runs.get(tx, "bob", "r1")) is None


def test_pages_and_what_was_undone(store: Store) -> None:
    """Newest first; those that were taken back are found by themselves."""
    runs = [replace(RUN, run_id=f"r{number}") for number in (1, 2, 3)]
    for run in runs:
        _save(store, run)
    store.write("ann", lambda tx: curator_runs.undo(tx, "ann", "r2", minutes(9)))
    page = store.read("ann", lambda tx: curator_runs.page(tx, "ann", limit=2))
    assert [run.run_id for run in page] == ["r3", "r2"]
    assert store.read("ann", lambda tx: curator_runs.page(tx, "ann", limit=2, after="r2")) == [runs[0]]
    undone = store.read("ann", lambda tx: curator_runs.undone(tx, "ann"))
    assert undone == [replace(runs[1], undone_at=minutes(9))]


def test_what_is_forgotten_is_named_no_longer(store: Store) -> None:
    """Steps about a forgotten memory or entity go, links to it too, and a run of which nothing is left."""
    _save(store, RUN)
    _save(store, replace(RUN, run_id="r2", steps=(Archived(memory_id="c", reason="faded"),)))
    store.write("ann", lambda tx: curator_runs.forget(tx, "ann", ["c", "x", "person:bob"]))
    left = store.read("ann", lambda tx: curator_runs.page(tx, "ann", limit=9))
    without = replace(FOLD, links=FOLD.links[:1])
    assert left == [replace(RUN, steps=(without, RUN.steps[2], RUN.steps[3]))]
    store.write("ann", lambda tx: curator_runs.forget(tx, "ann", ["b"]))
    (run,) = store.read("ann", lambda tx: curator_runs.page(tx, "ann", limit=9))
    assert run.steps == (RUN.steps[2], RUN.steps[3])
