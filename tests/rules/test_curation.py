"""Curation: what happens when a new fact meets those that are known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect.records.memory import MemoryRecord, Origin
from recollect.records.message import said_at
from recollect.rules.curation import (
    Add,
    Duplicate,
    Outdated,
    Supersede,
    closed,
    decide,
    mentioned,
    only_ended,
)
from recollect.rules.draft import Draft, Request, compose
from recollect.rules.trust import outranks

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _draft(content: str, **values: Any) -> Draft:
    return compose(Request(content=content, **values), {})


def _known(content: str, memory_id: str = "old", **values: Any) -> MemoryRecord:
    return _draft(content, **values).to_record(user_id="alice", memory_id=memory_id, now=NOW, tokens=1)


def test_nothing_known() -> None:
    """A fact that meets nothing is new."""
    assert decide(_draft("I live in Austin"), [], None, threshold=0.95) == Add()


def test_the_holder_of_the_key_is_superseded() -> None:
    """Another value under the same key replaces the known one."""
    old = _known("I live in Berlin")
    decision = decide(_draft("I live in Austin"), [(old, 0.7)], old, threshold=0.95)
    assert isinstance(decision, Supersede) and decision.old is old


def test_a_near_statement_is_a_duplicate() -> None:
    """Above the threshold without a differing detail nothing is added."""
    old = _known("User keeps bees behind the house")
    decision = decide(_draft("User keeps bees behind his house"), [(old, 0.97)], None, threshold=0.95)
    assert isinstance(decision, Duplicate) and decision.existing is old and decision.reason


def test_the_threshold_is_strict() -> None:
    """S2: more than 0.95; exactly 0.95 is not enough."""
    old = _known("User keeps bees behind the house")
    draft = _draft("User keeps bees behind his house")
    assert decide(draft, [(old, 0.95)], None, threshold=0.95) == Add()


def test_the_holder_is_asked_first() -> None:
    """Where the holder says it already, it is the one that is named, however near others are."""
    holder, near = (
        _known("User prefers using TypeScript for all projects", "holder"),
        _known("User likes TypeScript!", "near"),
    )
    decision = decide(_draft("User likes TypeScript"), [(near, 0.99), (holder, 0.7)], holder, threshold=0.95)
    assert isinstance(decision, Duplicate) and decision.existing is holder


@pytest.mark.parametrize("said", Origin)
@pytest.mark.parametrize("knew", Origin)
def test_less_trusted_words_do_not_replace(said: Origin, knew: Origin) -> None:
    """What is trusted less than the known fact is kept beside it as a contradiction."""
    old = _known("I live in Berlin", origin=knew.value)
    decision = decide(_draft("I live in Austin", origin=said.value), [(old, 0.7)], old, threshold=0.95)
    if outranks(knew, said):
        assert isinstance(decision, Add) and decision.contradicts is old and decision.reason
    else:
        assert isinstance(decision, Supersede)


def test_said_once_more() -> None:
    """A mention counts, and adds its messages without repeating any."""
    old = _known("I live in Berlin", source_message_ids=["m1", "m2"])
    again = mentioned(old, _draft("I live in Berlin", source_message_ids=["m2", "m3"]))
    assert (again.mention_count, again.source_message_ids) == (2, ("m1", "m2", "m3"))
    assert again.updated_at == old.updated_at


def test_closing_ends_and_points() -> None:
    """A closed memory has an end and names its successor; its text stays."""
    old, new = _known("I live in Berlin"), _known("I live in Austin", "new")
    later, latest = NOW + timedelta(days=1), NOW + timedelta(days=2)
    after = closed(old, by=replace(new, valid_from=later), now=latest)
    assert (after.content, after.superseded_by, after.current) == (old.content, "new", False)
    assert (after.valid_to, after.updated_at) == (later, latest)


def test_nothing_ends_before_it_began() -> None:
    """What is replaced by something that was said before it, by hand or by trust, ends where it began."""
    old, new = _known("I live in Berlin"), _known("I live in Austin", "new")
    assert closed(old, by=replace(new, valid_from=NOW - timedelta(days=9)), now=NOW).valid_to == NOW


_EARLY, _LATE = "1700000000000-0001aaaaaaaa", "1760000000000-0001aaaaaaaa"


def _judged(content: str, *sources: str) -> Draft:
    return _draft(
        content, source="shadow_extraction", source_message_ids=sources, said_at=said_at(max(sources))
    )


def _judged_memory(content: str, *sources: str) -> MemoryRecord:
    return _judged(content, *sources).to_record(user_id="alice", memory_id="old", now=NOW, tokens=1)


def test_an_older_message_does_not_replace_a_newer_value() -> None:
    """What the judge reads in a message from before the known value is out of date; in a later one it replaces."""
    known = _judged_memory("I live in Berlin", _LATE)
    older = decide(_judged("I live in Austin", _EARLY), [(known, 0.7)], known, threshold=0.95)
    assert isinstance(older, Outdated) and older.existing is known and older.reason
    known = _judged_memory("I live in Berlin", _EARLY)
    newer = decide(_judged("I live in Austin", _LATE), [(known, 0.7)], known, threshold=0.95)
    assert isinstance(newer, Supersede)


def test_a_message_from_before_a_correction_by_hand() -> None:
    """A value that was set by hand stands against what was said before; what is said later replaces it."""
    known = _known("I live in Berlin")
    assert isinstance(
        decide(_judged("I live in Austin", _EARLY), [(known, 0.7)], known, threshold=0.95), Outdated
    )
    after = f"{int((NOW + timedelta(days=1)).timestamp() * 1000):013d}-0001aaaaaaaa"
    assert isinstance(
        decide(_judged("I live in Austin", after), [(known, 0.7)], known, threshold=0.95), Supersede
    )


def test_messages_of_other_makers_are_as_old_as_they_say() -> None:
    """Their ids say nothing of the time; when they were said does."""
    known = replace(_judged_memory("I live in Berlin", "aa-1"), valid_from=NOW)
    for days, outcome in ((-1, Outdated), (1, Supersede)):
        draft = replace(_judged("I live in Austin", "zz-9"), said_at=NOW + timedelta(days=days))
        assert isinstance(decide(draft, [(known, 0.7)], known, threshold=0.95), outcome)


def test_what_is_saved_by_hand_always_replaces() -> None:
    """A caller's own act is newer than whatever it names as its source."""
    known = _judged_memory("I live in Berlin", _LATE)
    draft = _draft("I live in Austin", source_message_ids=[_EARLY])
    assert isinstance(decide(draft, [(known, 0.7)], known, threshold=0.95), Supersede)


def test_the_judge_counts_messages() -> None:
    """A fact found in three messages was said three times, and one of them read again says nothing more."""
    known = _judged_memory("I live in Berlin", "m1", "m2", "m3")
    assert known.mention_count == 3
    assert mentioned(known, _judged("I live in Berlin", "m2", "m3")) == known
    assert mentioned(known, _judged("I live in Berlin", "m3", "m4")).mention_count == 4


@pytest.mark.parametrize(
    ("known", "said", "ends"),
    [
        ("User lives in Berlin", "User no longer lives in Berlin", True),
        ("User lives in Berlin", "User no longer lives in Hamburg", False),
        ("User works at Acme as a nurse", "User no longer works at Acme since October 2026", True),
        ("User works at Ikea", "User left Acme in October 2026", False),
        ("User works at Ikea", "User quit User's job in October 2026", True),
        ("User is a product designer", "User is no longer a designer", True),
        ("User is a nurse", "User is no longer a student", False),
    ],
)
def test_an_end_closes_what_it_names(known: str, said: str, ends: bool) -> None:
    """Under one key: who leaves Hamburg still lives in Berlin; then both are kept, and the known one keeps the key."""
    old = _known(known)
    decision = decide(_draft(said), [(old, 0.8)], old, threshold=0.95)
    assert isinstance(decision, Supersede) == ends
    if not ends:
        assert isinstance(decision, Add) and not decision.keyed and decision.contradicts is None


def test_what_is_ended_is_superseded() -> None:
    """The user's end of the one fact that it can mean replaces it; what an assistant says ends nothing of the user's."""
    old, other = _known("I play tennis", "tennis"), _known("I play chess", "chess")
    draft = _draft("I quit tennis")
    assert only_ended(draft, [old, other], NOW) is old
    assert decide(draft, [], None, threshold=0.95, ended=old) == Supersede(
        old=old, reason="one states the end of the other; the newer statement counts"
    )
    planted = decide(_draft("User quit tennis", origin=Origin.ASSISTANT), [], None, threshold=0.95, ended=old)
    assert isinstance(planted, Add) and planted.contradicts is old


def test_two_facts_that_may_be_meant_stay() -> None:
    """Where more than one fact can be the ended one, none is."""
    known = [_known("I play tennis", "one"), _known("I play tennis with Bob on Sundays", "two")]
    assert only_ended(_draft("I quit tennis"), known, NOW) is None
