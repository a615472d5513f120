"""Which memories say one thing: the more specific may add details, and nothing else."""

from typing import Any

import pytest

from recollect.records.category import Category
from recollect.records.memory import MemoryRecord, Origin, Status
from recollect.rules.curator.likeness import NEAR, may_meet, says_no_more

from .memories import NOON, told
from .pairs import ALIKE, OTHERWISE


def _folds(first: MemoryRecord, second: MemoryRecord, cosine: float) -> bool:
    return may_meet(first, second) and says_no_more(first, second, cosine) is not None


@pytest.mark.parametrize(("vague", "specific"), ALIKE)
def test_a_detail_more_is_no_other_fact(vague: str, specific: str) -> None:
    """What says nothing beyond another can be folded into its words."""
    assert _folds(told(1, vague), told(2, specific), NEAR + 0.01)


@pytest.mark.parametrize(("first", "second"), OTHERWISE)
def test_another_fact_is_never_folded(first: str, second: str) -> None:
    """However near two statements are, those that differ in fact stay two, in both directions."""
    assert not _folds(told(1, first), told(2, second), 0.999)
    assert not _folds(told(2, second), told(1, first), 0.999)


def test_the_same_words_are_one() -> None:
    """Equal words need no likeness."""
    assert _folds(told(1, "User likes tea."), told(2, "user likes tea"), 0.0)


def test_far_apart_stays_apart() -> None:
    """Below the threshold nothing is folded, whatever the words are."""
    assert not _folds(
        told(1, "User drinks coffee"), told(2, "User drinks coffee in the morning"), NEAR - 0.01
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"pinned": True},
        {"flagged": True},
        {"persona_id": "coach"},
        {"status": Status.ARCHIVED},
        {"valid_to": NOON},
        {"origin": Origin.ASSISTANT},
        {"category": Category.SKILL},
        {"memory_key": "people|person|jane|preference|coffee"},
    ],
)
def test_who_may_not_meet(changes: dict[str, Any]) -> None:
    """Pinned, flagged and past memories, other scopes, subjects and standings are left alone."""
    first = told(1, "User drinks coffee", memory_key="profile|person|user|preference|coffee")
    second = told(2, "User drinks coffee in the morning", memory_key="profile|person|user|preference|drinks")
    assert may_meet(first, second)
    other = told(
        2, second.content, **{"memory_key": None if "category" in changes else second.memory_key, **changes}
    )
    assert not may_meet(first, other)
    assert not may_meet(other, first)
    assert not may_meet(first, first)
