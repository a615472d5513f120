"""Forgetting a message or a chat: everything that came of it goes, to the last byte, and the receipt counts it."""

import sqlite3
from pathlib import Path

import pytest

from recollect import Memory
from recollect.admin import Admin
from recollect.store.erase import TABLES

from .conftest import Opener
from .conversing import QUICK, FakeWriter, check_chat, on_disk, talk, until, written_by
from .fakes import FakeClock

SECRET = "wolframite"


@pytest.fixture
def quick(opener: Opener) -> Memory:
    """A memory that folds after a few turns, and whose writer repeats every word."""
    memory = opener(settings=QUICK)
    written_by(memory, FakeWriter())
    return memory


def _rows(path: Path, user: str) -> dict[str, int]:
    with sqlite3.connect(path) as raw:
        counts = {
            table: raw.execute(f"SELECT count(*) FROM {table} WHERE user_id = ?", (user,)).fetchone()[0]
            for table in TABLES
        }
    raw.close()
    return {table: count for table, count in counts.items() if count}


def test_counters_after_deletions(quick: Memory, clock: FakeClock) -> None:
    """Chat counters equal a recount after each deletion, the session counts what is left, positions are not reused."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 15)
    assert quick.drain(user="ann")
    for message in (said[29], said[0], said[7], said[12], said[13]):
        quick.forget(message=message.message_id, user=chat.user_id)
        assert quick.drain(user="ann")
        check_chat(chat)
    (session,) = quick.sessions(user="ann")
    assert session.session.turn_count == sum(1 for item in chat.messages(limit=100) if item.role == "user")
    chat.add(user="On we go.")
    assert chat.messages(limit=1)[0].position == 31


def test_deleting_everything_one_by_one(quick: Memory) -> None:
    """A chat that is emptied message by message ends without brief, segment, session, summary or last words."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 8)
    assert quick.drain(user="ann")
    for message in said:
        quick.forget(message=message.message_id, user=chat.user_id)
    assert quick.drain(user="ann")
    check_chat(chat)
    assert (chat.summaries(), chat.brief().revision, chat.messages()) == ([], 0, [])
    assert quick.sessions(user="ann") == []
    assert quick.state(user="ann", revisions=True).rolling_summaries == ()
    assert quick.state(user="ann").state.last_user_message == ""


@pytest.mark.parametrize("kind", ["session", "rolling", "spine", "brief"])
@pytest.mark.parametrize("how", ["message", "chat", "everything"])
def test_nothing_comes_back_from_a_summary_in_the_making(
    quick: Memory, clock: FakeClock, sqlite_path: Path, kind: str, how: str
) -> None:
    """Whatever is forgotten while a writer writes about it is not in what is saved afterwards."""
    writer = written_by(quick, FakeWriter())
    writer.held.add(kind)
    chat = quick.chat("c", user="ann")
    secret = chat.add(user=f"I live in {SECRET} valley.").messages[0]
    talk(chat, 20)
    if kind == "session":
        clock.move(minutes=31)
    until(lambda: kind in writer.asked)
    if how == "message":
        quick.forget(message=secret.message_id, user=chat.user_id)
    elif how == "chat":
        quick.forget(chat=chat.chat_id, user=chat.user_id)
    else:
        quick.forget(everything=True, user="ann")
    writer.held.clear()
    until(lambda: not Admin(quick).jobs(user="ann", status="running"))
    assert quick.drain(user="ann")
    # The last look at a job that is gone may still be under way.
    quick.close()
    assert on_disk(sqlite_path, [SECRET]) == []
    if how == "everything":
        assert _rows(sqlite_path, "ann") == {}
