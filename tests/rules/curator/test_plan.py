"""The plan of a run: what is folded, archived and named, and what is never touched."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.category import Category
from recollect.records.memory import MemoryRecord, Status
from recollect.rules import duplicate
from recollect.rules.curator import Looked, Respect, fold_of, plan
from recollect.rules.curator.likeness import NEAR
from recollect.rules.trust import Origin, lowest

from .memories import NOON, told
from .pairs import ALIKE, OTHERWISE


def _looked(memories: list[MemoryRecord], cosine: float = 0.9) -> list[Looked]:
    """Everything beside everything, as if all were near."""
    return [
        Looked(memory=memory, neighbours=tuple((other, cosine) for other in memories if other is not memory))
        for memory in memories
    ]


def test_the_most_specific_words_are_kept() -> None:
    """Three that say one thing become one fold in the words of the one that says most."""
    memories = [
        told(1, "User drinks coffee"),
        told(2, "User drinks coffee in the morning at home"),
        told(3, "User drinks coffee in the morning"),
    ]
    (fold,) = plan(_looked(memories), [], [], NOON).folds
    assert fold.wording.content == "User drinks coffee in the morning at home"
    assert set(fold.originals) == set(memories)
    assert fold.reason


def test_two_details_of_one_statement_stay_two() -> None:
    """What is vaguer than both is folded into one of them; the two themselves differ and stay."""
    memories = [
        told(1, "User drinks coffee"),
        told(2, "User drinks coffee with Jane"),
        told(3, "User drinks coffee in the morning"),
    ]
    (fold,) = plan(_looked(memories), [], [], NOON).folds
    assert len(fold.originals) == 2
    assert memories[0] in fold.originals


TEXTS = sorted({text for pair in (*ALIKE, *OTHERWISE) for text in pair})
some_memories = st.lists(
    st.tuples(
        st.sampled_from(TEXTS),
        st.sampled_from(Category),
        st.booleans(),
        st.sampled_from(Origin),
        st.sampled_from([None, "coach"]),
        st.lists(st.sampled_from(["m1", "m2", "m3"]), max_size=3, unique=True),
        st.floats(0, 10),
        st.integers(0, 2000),
    ),
    max_size=12,
)


@given(some_memories, st.floats(NEAR, 1))
def test_what_every_plan_keeps_to(given_: list[tuple], cosine: float) -> None:
    """No plan touches a pinned memory or folds two that differ; sources are united and the trust is the lowest."""
    memories = [
        told(
            number,
            text,
            category=category,
            pinned=pinned,
            origin=origin,
            persona_id=persona,
            source_message_ids=tuple(sources),
            importance=importance,
            updated_at=NOON - timedelta(days=age),
        )
        for number, (text, category, pinned, origin, persona, sources, importance, age) in enumerate(given_)
    ]
    made = plan(_looked(memories, cosine), memories, memories, NOON)
    touched = [item for fold in made.folds for item in fold.originals] + [
        step.memory for step in made.archives
    ]
    assert len({item.memory_id for item in touched}) == len(touched)
    assert not any(item.pinned for item in touched)
    for fold in made.folds:
        assert len(fold.originals) > 1
        assert fold.wording in fold.originals
        assert len({item.persona_id for item in fold.originals}) == 1
        for item in fold.originals:
            verdict = duplicate.judge(
                item.content, fold.wording.content, cosine=cosine, same_key=False, threshold=NEAR - 0.01
            )
            assert verdict.duplicate
        one = fold_of(fold.originals, fold.wording, memory_id="new", now=NOON)
        assert set(one.source_message_ids) == {
            each for item in fold.originals for each in item.source_message_ids
        }
        assert one.origin is lowest(item.origin for item in fold.originals)
        assert one.importance == max(item.importance for item in fold.originals)
    for step in made.archives:
        assert step.memory.category not in (Category.IDENTITY, Category.RELATIONSHIP)
        assert step.memory.effective_importance(NOON) < 1


@pytest.mark.parametrize(
    ("category", "days", "gone"),
    [
        (Category.CONTEXT, 60, False),
        (Category.CONTEXT, 90, True),
        (Category.FACT, 400, False),
        (Category.FACT, 500, True),
        (Category.IDENTITY, 9000, False),
        (Category.RELATIONSHIP, 9000, False),
    ],
)
def test_what_has_faded_is_archived(category: Category, days: int, gone: bool) -> None:
    """Below 1 a memory goes, by the half-life of its category; who somebody is and whom they know never does."""
    memory = told(
        1, "User parks behind the office", category=category, updated_at=NOON - timedelta(days=days)
    )
    made = plan([], [memory], [], NOON)
    assert [step.memory for step in made.archives] == ([memory] if gone else [])


def test_what_a_life_may_hang_on_is_kept() -> None:
    """An allergy that nobody has spoken of for years is still known."""
    memory = told(1, "User is allergic to penicillin", updated_at=NOON - timedelta(days=4000))
    assert plan([], [memory], [], NOON).archives == ()


def test_what_was_stored_low_gets_its_time() -> None:
    """A memory whose owner gave it an importance of 0 is not archived the next day."""
    fresh = told(1, "User parks behind the office", importance=0.0, updated_at=NOON - timedelta(days=1))
    old = told(2, "User parks behind the office", importance=0.0, updated_at=NOON - timedelta(days=181))
    assert [step.memory for step in plan([], [fresh, old], [], NOON).archives] == [old]


def test_use_keeps_alive() -> None:
    """What is mentioned often does not fade below 1."""
    memory = told(1, "User parks behind the office", updated_at=NOON - timedelta(days=4000), mention_count=20)
    assert plan([], [memory], [], NOON).archives == ()


def test_what_is_mentioned_often_is_named_as_risen() -> None:
    """The report names what rose by a point or more; the stored value stays."""
    often, twice = told(1, "User drinks coffee", mention_count=50), told(2, "User has a dog", mention_count=2)
    (step,) = plan([], [], [often, twice], NOON).raised
    assert step.memory == often
    assert "50 times" in step.reason


def test_what_people_took_back_is_not_done_again() -> None:
    """Originals that were parted stay parted, what was restored stays, and what is being decided waits."""
    memories = [told(1, "User drinks coffee"), told(2, "User drinks coffee in the morning")]
    old = told(3, "User parks behind the office", updated_at=NOON - timedelta(days=4000))
    ids = frozenset(item.memory_id for item in memories)
    respect = Respect(parts=frozenset({ids}), archived=frozenset({old.memory_id}))
    made = plan(_looked(memories), [old], [], NOON, respect=respect)
    assert (made.folds, made.archives) == ((), ())
    waiting = Respect(waiting=frozenset({memories[0].memory_id, old.memory_id}))
    made = plan(_looked(memories), [old], [], NOON, respect=waiting)
    assert (made.folds, made.archives) == ((), ())


def test_what_is_not_current_is_left_alone() -> None:
    """An archived memory is neither folded nor archived again."""
    memories = [
        told(1, "User drinks coffee", status=Status.ARCHIVED, updated_at=NOON - timedelta(days=4000)),
        told(2, "User drinks coffee in the morning"),
    ]
    made = plan(_looked(memories), memories, memories, NOON)
    assert (made.folds, made.archives, made.raised) == ((), (), ())
