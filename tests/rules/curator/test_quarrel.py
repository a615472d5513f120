"""Neighbours that cannot both be true."""

from recollect.rules.curator import Looked
from recollect.rules.curator.quarrel import quarrels
from recollect.rules.trust import Source

from .memories import told

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
