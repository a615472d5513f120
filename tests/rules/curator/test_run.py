"""What follows for later runs from those that were undone."""

from recollect.rules.curator import Archived, CuratorRun, FoldMade, Proposed, Raised, respect

from .memories import NOON

RUN = CuratorRun(
    user_id="ann",
    run_id="r1",
    steps=(
        FoldMade(into="f", wording="a", originals=("a", "b"), mentions=2, links=(), reason="why"),
        Archived(memory_id="c", reason="faded"),
        Raised(memory_id="d", reason="often"),
        Proposed(proposal_id="p"),
    ),
    looked_at=4,
    started_at=NOON,
    ended_at=NOON,
    undone_at=NOON,
)


def test_what_was_undone_is_respected() -> None:
    """Originals stay apart and archived memories stay; what is asked about waits."""
    found = respect([RUN], ["x"])
    assert found.parted("a", "b")
    assert not found.parted("a", "c")
    assert found.archived == {"c"}
    assert found.waiting == {"x"}


def test_every_step_names_its_memories() -> None:
    """A run can be searched for a memory that is forgotten."""
    assert [step.memory_ids for step in RUN.steps] == [("f", "a", "b"), ("c",), ("d",), ()]
