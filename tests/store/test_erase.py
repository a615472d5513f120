"""Erasing: nothing of what was forgotten stays in any table."""

from recollect.store import aliases, entities, erase, links, memories
from recollect.store.database import Connection

from .conftest import Store
from .rows import NOON, record, saving


def _rows(tx: Connection, user_id: str) -> dict[str, int]:
    counts = {
        table: tx.all(f"SELECT count(*) FROM {table} WHERE user_id = :user_id", {"user_id": user_id})[0][0]
        for table in erase.TABLES
    }
    return {table: count for table, count in counts.items() if count}


def _job(tx: Connection, user_id: str, job_id: str, payload: str) -> None:
    tx.run(
        """
        INSERT INTO jobs
            (user_id, job_id, kind, lane, subject, payload, status, attempts, begun, begun_alone, run_at, created_at)
        VALUES (:user_id, :job_id, 'judge', 'c', :job_id, :payload, 'pending', 0, 0, 0, 'now', 'now')
        """,
        {"user_id": user_id, "job_id": job_id, "payload": payload},
    )


def _answer(tx: Connection, user_id: str, key: str, answer: str) -> None:
    tx.run(
        "INSERT INTO idempotency_keys (user_id, idempotency_key, request_hash, answer, created_at)"
        " VALUES (:user_id, :key, 'h', :answer, 'now')",
        {"user_id": user_id, "key": key, "answer": answer},
    )


def _fill(store: Store, user_id: str) -> None:
    """Three versions of one fact, a folded one, and an unrelated memory; the first four belong together."""
    ids = [record(number, user_id).memory_id for number in range(1, 6)]
    made = [
        record(1, user_id, superseded_by=ids[1], valid_to=NOON, entity_refs=("person:bo",)),
        record(2, user_id, supersedes=ids[0], superseded_by=ids[2], valid_to=NOON),
        record(3, user_id, supersedes=ids[1], entity_refs=("person:bo", "place:rome"), reasoning="asked for"),
        record(4, user_id, folded_into=ids[2]),
        record(5, user_id, entity_refs=("place:rome",), supersedes=ids[2]),
    ]
    for item in made:
        store.write(user_id, saving(item))

    def more(tx: Connection) -> None:
        links.contradicts(tx, user_id, ids[4], ids[2], NOON)
        aliases.add(tx, user_id, "person:bob", "person:bo", reason="same", now=NOON)
        _job(tx, user_id, "j1", f'{{"memory_ids": ["{ids[2]}"]}}')
        _job(tx, user_id, "j2", f'{{"memory_ids": ["{ids[4]}"]}}')
        _answer(tx, user_id, "k1", f'{{"memoryId": "{ids[0]}"}}')
        _answer(tx, user_id, "k2", f'{{"memoryId": "{ids[4]}"}}')

    store.write(user_id, more)


def test_a_memory_goes_with_its_versions_and_everything_derived(store: Store) -> None:
    """Older versions, folded ones, vectors, history, links, names, jobs and answers go; the rest stays."""
    _fill(store, "ann")
    _fill(store, "bob")
    others = store.read("bob", lambda tx: _rows(tx, "bob"))
    ids = [record(number).memory_id for number in range(1, 6)]
    every = store.write("ann", lambda tx: erase.with_ancestors(tx, "ann", [ids[2]]))
    assert set(every) == set(ids[:4])
    said = store.read("ann", lambda tx: erase.texts(tx, "ann", every))
    assert {record(number).content for number in (1, 2, 3, 4)} | {"asked for"} <= set(said)
    counts = store.write("ann", lambda tx: erase.memories(tx, "ann", every))
    assert counts == {
        "memories": 4, "vectors": 4, "history": 4, "links": 1, "entities": 1, "jobs": 1, "answers": 1, "proposals": 0,
    }  # fmt: skip
    left = store.read("ann", lambda tx: memories.everything(tx, "ann"))
    assert [(item.memory_id, item.supersedes) for item in left] == [(ids[4], None)]
    assert [row.entity_key for row in store.read("ann", lambda tx: entities.of_user(tx, "ann"))] == [
        "place:rome"
    ]
    assert store.read("ann", lambda tx: _rows(tx, "ann")) == {
        "users": 1, "memories": 1, "memory_vectors": 1, "memory_history": 1, "entities": 1, "memory_entities": 1,
        "jobs": 1, "idempotency_keys": 1,
    }  # fmt: skip
    assert store.read("bob", lambda tx: _rows(tx, "bob")) == others


def test_an_entity_goes_with_its_names(store: Store) -> None:
    """Its record, its mentions and the aliases from and to it."""
    _fill(store, "ann")
    assert store.write("ann", lambda tx: erase.entity(tx, "ann", ["person:bo", "person:bob"])) == 1
    assert store.read("ann", lambda tx: aliases.of_user(tx, "ann")) == {}
    assert store.read("ann", lambda tx: entities.memories_of(tx, "ann", ["person:bo"])) == []


def test_a_whole_user_goes(store: Store) -> None:
    """No table keeps a row of the user; others keep all of theirs."""
    _fill(store, "ann")
    _fill(store, "bob")
    others = store.read("bob", lambda tx: _rows(tx, "bob"))
    rows = store.read("ann", lambda tx: _rows(tx, "ann"))
    counts = store.write("ann", lambda tx: erase.everything(tx, "ann"))
    assert {table: count for table, count in counts.items() if count} == rows
    assert store.read("ann", lambda tx: _rows(tx, "ann")) == {}
    assert store.read("bob", lambda tx: _rows(tx, "bob")) == others
