"""The generated talk is what tests of repetition rely on."""

import pytest

from recollect.rules.draft import Request, compose

from .replayed_talk import FACTS, mentions, replayed


def test_two_hundred_facts_with_subjects_of_their_own() -> None:
    """No fact has the key of another, so that none replaces another."""
    assert len(FACTS) == len(set(FACTS)) == 200
    keys = [compose(Request(content=fact), {}).memory_key for fact in FACTS]
    told = [key for key in keys if key is not None]
    assert len(set(told)) == len(told)


def test_every_fact_is_told_often_between_small_talk() -> None:
    """Ten thousand messages tell each fact about equally often, and most messages tell nothing."""
    talk = replayed(10_000)
    counted = mentions(talk)
    assert len(talk) == 10_000
    assert set(counted) == set(FACTS)
    assert set(counted.values()) == {10}
    assert sum(counted.values()) < 5_000 / 2


def test_talk_is_the_same_for_the_same_seed() -> None:
    """A failing test can be repeated."""
    assert replayed(1_000) == replayed(1_000)
    assert replayed(1_000) != replayed(1_000, seed=6)


def test_time_goes_on() -> None:
    """Messages come in order, the user's and the answers in turn."""
    talk = replayed(500)
    assert [at for _, _, at in talk] == sorted(at for _, _, at in talk)
    assert {role for role, _, _ in talk[::2]} == {"user"}


def test_too_few_messages_are_refused() -> None:
    """Talk that cannot tell every fact is no use here."""
    with pytest.raises(ValueError, match="too few"):
        replayed(100)
