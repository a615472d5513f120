"""The session_summaries table."""

from dataclasses import replace

import pytest

from recollect.errors import StoreError
from recollect.records.session import SessionDigest, SessionSummary, closed
from recollect.store import session_summaries, sessions

from .conftest import Store
from .conversations import minutes, session


def _summary(session_id: str, revision: int = 1, user_id: str = "ann") -> SessionSummary:
    return SessionSummary(
        user_id=user_id,
        session_id=session_id,
        revision=revision,
        digest=SessionDigest(
            one_liner=f"They spoke of {session_id}, {revision} times",
            what_mattered=("bees 🐝", 'a "quoted" word'),
            open_loops=("call Bo",),
            commitments=("send the file",),
            people=("Bo",),
            tone="warm",
        ),
        written_by="offline",
        created_at=minutes(revision),
    )


def _write(store: Store, *found: SessionSummary) -> None:
    for one in found:
        store.write(one.user_id, lambda tx, one=one: session_summaries.insert(tx, one))


def test_the_newest_revision_counts(store: Store) -> None:
    """Each close adds a revision; the last one is the summary, the others stay."""
    _write(store, _summary("s1", 2), _summary("s1", 10), _summary("s2", 11), _summary("s1", 12, "bob"))
    assert store.read("ann", lambda tx: session_summaries.current(tx, "ann", "s1")) == _summary("s1", 10)
    assert store.read("ann", lambda tx: session_summaries.revisions(tx, "ann", "s1")) == [
        _summary("s1", 2),
        _summary("s1", 10),
    ]
    assert store.read("ann", lambda tx: session_summaries.current(tx, "ann", "s3")) is None
    with pytest.raises(StoreError):
        _write(store, _summary("s1", 2))


def test_summaries_for_a_page(store: Store) -> None:
    """The newest revision of each session that has one, however many sessions."""
    _write(store, _summary("s1", 1), _summary("s1", 2), _summary("s2", 1), _summary("s9", 1, "bob"))
    many = [f"s{number}" for number in range(700)]
    assert store.read("ann", lambda tx: session_summaries.current_of(tx, "ann", many)) == {
        "s1": _summary("s1", 2),
        "s2": _summary("s2", 1),
    }
    assert store.read("ann", lambda tx: session_summaries.current_of(tx, "ann", [])) == {}


def test_what_a_persona_last_heard(store: Store) -> None:
    """The newest session that is over and summarised; active ones and those of other personas are passed over."""
    for one in (
        closed(session("older", start=0, persona_id="coach")),
        closed(session("newer", start=100, persona_id="coach")),
        closed(session("bare", start=200, persona_id="coach")),
        session("active", start=300, persona_id="coach"),
        closed(session("doctors", start=400, persona_id="doctor")),
        closed(session("alone", start=50)),
    ):
        store.write("ann", lambda tx, one=one: sessions.save(tx, one))
    _write(
        store,
        _summary("older", 9),
        _summary("newer", 1),
        _summary("newer", 2),
        _summary("active", 1),
        _summary("doctors", 1),
        _summary("alone", 1),
    )

    def read(persona_id: str | None) -> SessionSummary | None:
        found = store.read("ann", lambda tx: session_summaries.latest_of_persona(tx, "ann", persona_id))
        assert found is None or found.session_at is not None
        return replace(found, session_at=None) if found else None

    assert read("coach") == _summary("newer", 2)
    assert read(None) == _summary("alone", 1)
    assert read("nobody") is None
    assert store.write("ann", lambda tx: session_summaries.delete(tx, "ann", "newer")) == 2
    assert read("coach") == _summary("older", 9)
