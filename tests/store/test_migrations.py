"""Migrations that must also do something for what is stored already."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from recollect.index.message_index import MessageIndex
from recollect.records.job import JobStatus
from recollect.settings import Settings
from recollect.store import jobs, message_entries, messages, users
from recollect.store.database import EVERYONE, Connection, Database, migrations, statements
from recollect.store.postgres import WORDS as POSTGRES_WORDS
from recollect.store.postgres import PostgresDatabase
from recollect.store.sqlite import APPLICATION_ID, SqliteDatabase
from recollect.store.sqlite import WORDS as SQLITE_WORDS
from recollect.store.users import UserState

from .conversations import index, message, tell
from .rows import NOON

#: The last version before messages had revisions.
OLD = 4
#: Who said how much before the upgrade; the last said nothing.
SAID = {"ann": 700, "bob": 1, "cy": 0}


def _old_rows() -> list[str]:
    """Users and messages as the old version stored them; ids do not follow the order of insertion."""
    found = [
        "INSERT INTO users (user_id, revision, epoch, embedding_model, created_at, message_count)"
        f" VALUES ('{user_id}', 0, 5, 'm', '2026-01-01T00:00:00.000Z', {count})"
        for user_id, count in SAID.items()
    ]
    for user_id, count in SAID.items():
        found += [
            "INSERT INTO messages (user_id, message_id, chat_id, position, role, text, tokens, importance_score, created_at)"
            f" VALUES ('{user_id}', 'm{number:04}', 'c1', {number}, 'user', 'Sentence {number}', 2, 5,"
            f" '2026-02-01T00:{number // 60:02}:{number % 60:02}.000Z')"
            for number in range(count, 0, -1)
        ]
    return found


def _sqlite(path: Path, work: Sequence[str]) -> str:
    with sqlite3.connect(path) as raw:
        for statement in work:
            raw.execute(statement)
        raw.execute(f"PRAGMA user_version = {OLD}")
        raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    raw.close()
    return str(path)


def _postgres(url: str, work: Sequence[str]) -> str:
    with psycopg.connect(url) as raw:
        raw.execute("SET LOCAL recollect.user_id = '*'")
        raw.execute("CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)")
        for statement in work:
            raw.execute(statement.encode())
        raw.execute(f"INSERT INTO schema_migrations VALUES ({OLD}, 'old')".encode())
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def old_url(request: pytest.FixtureRequest) -> str:
    """A database of the old version with messages in it, once for each kind."""
    kind: str = request.param
    words = SQLITE_WORDS if kind == "sqlite" else POSTGRES_WORDS
    schema = [text for number, _, text in migrations(kind) if number <= OLD]
    work = [statement for text in schema for statement in statements(text, words)] + _old_rows()
    if kind == "sqlite":
        return _sqlite(request.getfixturevalue("empty_sqlite"), work)
    return _postgres(request.getfixturevalue("empty_postgres"), work)


def test_messages_of_an_older_version_are_numbered_and_indexed(old_url: str) -> None:
    """After the upgrade each message has a revision by its age, each user who has some a job, and indexing finds all."""

    async def work(database: Database) -> None:
        assert await database.migrate()
        for user_id, count in SAID.items():
            await database.write(user_id, lambda tx, user_id=user_id, count=count: _check(tx, user_id, count))
        due = await database.read(EVERYONE, lambda tx: jobs.due(tx, NOON, {"index_messages": ""}))
        assert sorted(job.user_id for job in due.jobs) == ["ann", "bob"]
        assert await database.migrate() == []
        await database.aclose()

    kind = PostgresDatabase if old_url.startswith("postgresql://") else SqliteDatabase
    asyncio.run(work(kind(old_url, Settings())))


def _check(tx: Connection, user_id: str, count: int) -> None:
    waiting = messages.unindexed(tx, user_id, 0, 10_000)
    assert [revision for _, revision in waiting] == list(range(1, count + 1))
    assert [said.message_id for said, _ in waiting] == [f"m{number:04}" for number in range(1, count + 1)]
    assert all(said.name is None for said, _ in waiting)
    assert users.state(tx, user_id) == UserState(
        revision=0, epoch=5, embedding_model="m", message_revision=count
    )
    found = [(str(job.kind), job.lane, job.subject, job.status) for job in jobs.of_user(tx, user_id)]
    assert found == [("index_messages", "index", "messages", JobStatus.PENDING)] * (count > 0)
    assert messages.count_unindexed(tx, user_id) == count
    while index(tx, user_id, model="m"):
        pass
    assert message_entries.count(tx, user_id) == count and messages.count_unindexed(tx, user_id) == 0
    # What comes next takes the revisions after them.
    tell(tx, [message(1, "later", user_id)])
    state = users.state(tx, user_id)
    assert state is not None
    assert MessageIndex.load(tx, user_id, state).size == count + 1
