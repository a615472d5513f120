"""The one memory that several become."""

from datetime import timedelta

from recollect.records.category import Category
from recollect.records.memory import Status
from recollect.rules.curator.fold import (
    fold_of,
    laid_away,
    restored,
    taken_apart,
    unchanged,
    with_mentions_of,
)
from recollect.rules.trust import Origin, Source

from .memories import NOON, told

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
    away = laid_away(original, "new")
    assert (away.status, away.folded_into) == (Status.ARCHIVED, "new")
    assert restored(away) == original


def test_a_fold_that_is_taken_apart_points_at_its_words() -> None:
    """Forgetting the original whose words it has will find it."""
    fold = told(3, "User drinks coffee")
    apart = taken_apart(fold, "m1")
    assert (apart.status, apart.folded_into) == (Status.ARCHIVED, "m1")


def test_what_was_said_since_is_not_lost() -> None:
    """Mentions that a fold got belong to the original whose words it had; without any nothing changes."""
    original = told(1, "User drinks coffee", source_message_ids=("m1",))
    fold = told(3, "User drinks coffee", mention_count=5, source_message_ids=("m1", "m2", "m9"))
    after = with_mentions_of(original, fold, 3)
    assert (after.mention_count, after.source_message_ids) == (3, ("m1", "m2", "m9"))
    assert with_mentions_of(original, fold, 5) == original


def test_being_used_is_no_change() -> None:
    """A plan holds while a memory is only read or said again; an edit or a pin ends it."""
    seen = told(1, "User drinks coffee")
    assert unchanged(seen, told(1, "User drinks coffee", access_count=9, mention_count=2, last_accessed=NOON))
    assert not unchanged(seen, told(1, "User drinks tea"))
    assert not unchanged(seen, told(1, "User drinks coffee", pinned=True))
