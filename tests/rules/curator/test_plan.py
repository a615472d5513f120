"""The plan of a run: what is folded, archived and named, and what is never touched."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.category import Category
from recollect.records.memory import MemoryRecord, Origin, Source, Status
from recollect.rules import duplicate
from recollect.rules.curator.likeness import NEAR
from recollect.rules.curator.plan import (
    Looked,
    archived_into,
    fold_of,
    plan,
    quarrels,
    restored,
    unchanged,
    unfolded,
)
from recollect.rules.trust import lowest

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
    """What a person restored, or is asked about, is neither folded nor archived."""
    memories = [told(1, "User drinks coffee"), told(2, "User drinks coffee in the morning")]
    old = told(3, "User parks behind the office", updated_at=NOON - timedelta(days=4000))
    left_alone = frozenset({memories[0].memory_id, old.memory_id})
    made = plan(_looked(memories), [old], [], NOON, left_alone=left_alone)
    assert (made.folds, made.archives) == ((), ())


def test_what_is_not_current_is_left_alone() -> None:
    """An archived memory is neither folded nor archived again."""
    memories = [
        told(1, "User drinks coffee", status=Status.ARCHIVED, updated_at=NOON - timedelta(days=4000)),
        told(2, "User drinks coffee in the morning"),
    ]
    made = plan(_looked(memories), memories, memories, NOON)
    assert (made.folds, made.archives, made.raised) == ((), (), ())


DIET, STEAK = told(1, "User is vegetarian"), told(2, "User loves steak")


def test_each_pair_is_found_once() -> None:
    """Seen from both sides it is one quarrel, with the older memory first."""
    looked = [
        Looked(memory=STEAK, neighbours=((DIET, 0.65),)),
        Looked(memory=DIET, neighbours=((STEAK, 0.65),)),
    ]
    (found,) = quarrels(looked)
    assert (found.older, found.newer) == (DIET, STEAK)
    assert found.subject == f"{DIET.memory_id}|{STEAK.memory_id}"
    assert found.reason


def test_what_is_far_or_folded_is_not_held_against_others() -> None:
    """Memories that are not near are about something else, and a fold says nothing that was not looked at before."""
    fold = told(3, "User loves steak", source=Source.CURATED_FOLD)
    assert quarrels([Looked(memory=DIET, neighbours=((STEAK, 0.4), (fold, 0.7)))]) == []


LATER = NOON + timedelta(days=1)


def test_a_fold_has_the_words_of_one_and_the_rest_of_all() -> None:
    """Sources, entities and tags are united, mentions added, the highest importance and the lowest trust kept."""
    vague = told(
        1,
        "User drinks coffee",
        importance=8.0,
        tags=("drink",),
        entity_refs=("place:graz",),
        memory_key="profile|person|user|preference|coffee",
        source_message_ids=("m1", "m2"),
        origin=Origin.TOOL,
        mention_count=3,
        access_count=2,
        last_accessed=NOON,
    )
    wording = told(
        2,
        "User drinks coffee in the morning",
        tags=("habit", "drink"),
        entity_refs=("person:jane",),
        entity_label="Jane",
        source_message_ids=("m2", "m3"),
        origin=Origin.IMPORT,
        confidence=0.8,
    )
    fold = fold_of([vague, wording], wording, memory_id="new", now=LATER)
    assert fold.content == wording.content
    assert fold.source is Source.CURATED_FOLD
    assert fold.origin is Origin.IMPORT
    assert fold.importance == 8.0
    assert set(fold.tags) == {"drink", "habit"}
    assert fold.entity_refs == ("person:jane", "place:graz")
    assert fold.entity_label == "Jane"
    assert set(fold.source_message_ids) == {"m1", "m2", "m3"}
    assert (fold.mention_count, fold.access_count, fold.last_accessed) == (4, 2, NOON)
    assert fold.memory_key == vague.memory_key
    assert (fold.created_at, fold.valid_from) == (LATER, vague.valid_from)
    assert (fold.supersedes, fold.superseded_by, fold.folded_into) == (None, None, None)


def test_folding_makes_nothing_younger() -> None:
    """A fold fades as its youngest original would have: being tidied is no mention."""
    originals = [told(number, "User drinks coffee", category=Category.CONTEXT) for number in (1, 2)]
    much_later = NOON + timedelta(days=90)
    fold = fold_of(originals, originals[0], memory_id="new", now=much_later)
    assert fold.updated_at == originals[1].updated_at
    assert fold.effective_importance(much_later) < 2


def test_laying_away_and_restoring_is_the_identity() -> None:
    """An original comes back exactly as it was."""
    original = told(1, "User drinks coffee")
    away = archived_into(original, "new")
    assert (away.status, away.folded_into) == (Status.ARCHIVED, "new")
    assert restored(away) == original


def test_a_fold_that_is_taken_apart_points_at_its_words() -> None:
    """Forgetting the original whose words it has will find it."""
    fold = told(3, "User drinks coffee")
    apart = unfolded(fold, "m1")
    assert (apart.status, apart.folded_into) == (Status.ARCHIVED, "m1")


def test_being_used_is_no_change() -> None:
    """A plan holds while a memory is only read or said again; an edit or a pin ends it."""
    seen = told(1, "User drinks coffee")
    assert unchanged(seen, told(1, "User drinks coffee", access_count=9, mention_count=2, last_accessed=NOON))
    assert not unchanged(seen, told(1, "User drinks tea"))
    assert not unchanged(seen, told(1, "User drinks coffee", pinned=True))
