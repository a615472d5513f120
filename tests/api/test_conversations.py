"""Conversations: lists, background work, and walls between users."""

from collections.abc import Callable
from typing import Any

import pytest
from engine.conftest import Opener
from engine.conversing import QUICK, FakeWriter, talk, until, written_by

from recollect import InvalidInput, Memory, Settings
from recollect.admin import Admin
from recollect.types import Page


def pages(fetch: Callable[..., Page[Any]]) -> list[object]:
    """Which rows a list has, one at a time; each page goes on where the one before ended."""
    page = fetch(user="ann", limit=1)
    found = [row.cursor for row in page]
    while page.next_cursor:
        page = fetch(user="ann", limit=1, cursor=page.next_cursor)
        found += [row.cursor for row in page]
        assert len(found) < 100, "the pages repeat themselves"
    return found


def test_work_may_be_left_to_others(opener: Opener) -> None:
    """With the worker off nothing is done here; another process that works does it."""
    talker = opener(settings=Settings(worker="off", sqlite_synchronous="normal"))
    chat = talker.chat("c", user="ann")
    talk(chat, 25)
    assert talker.drain(user="ann", timeout=0) is False
    assert {job.kind for job in Admin(talker).jobs(user="ann", status="pending")} == {
        "fold", "close_session", "rolling_summary", "spine", "index_messages", "judge",
    }  # fmt: skip
    worker = opener()
    assert worker.drain(user="ann")
    assert talker.chat("c", user="ann").summaries()
    assert [job.kind for job in Admin(talker).jobs(user="ann")] == ["close_session"]


def test_jobs_are_seen_while_they_run(opener: Opener) -> None:
    """A running job is listed as running, holds no words, and ends without a trace."""
    memory = opener(settings=QUICK)
    writer = written_by(memory, FakeWriter())
    writer.held.add("brief")
    talk(memory.chat("c", user="ann"), 10, words="wolframite")
    until(lambda: writer.folds)
    running = Admin(memory).jobs(user="ann", status="running")
    assert ("fold", "c") in [(job.kind, job.subject) for job in running]
    assert "wolframite" not in str(Admin(memory).jobs(user="ann"))
    assert Admin(memory).jobs(user="bob") == []
    writer.held.clear()
    assert memory.drain(user="ann")
    assert Admin(memory).jobs(user="ann", status="running") == []


def test_everything_survives_closing(opener: Opener) -> None:
    """A memory that is opened again goes on where the last one stopped, work included."""
    first = opener(settings=Settings(worker="off", sqlite_synchronous="normal"))
    said = talk(first.chat("c", user="ann"), 25)
    first.close()
    second = opener()
    assert second.drain(user="ann")
    chat = second.chat("c", user="ann")
    assert chat.messages(limit=50) == said
    assert chat.summaries()[0].message_count == 44


def test_a_context_without_a_question(memory: Memory) -> None:
    """Outside any chat, what stands by itself is shown without one."""
    memory.chat("c", user="ann").pin("Allergic to penicillin", importance_score=10)
    found = memory.context(user="ann")
    assert "Allergic to penicillin" in found.to_text()
    assert found.question == ""


def test_a_todo_may_be_noted_as_done(memory: Memory) -> None:
    """What is over when it is noted is not open."""
    memory.add_todo("Water the roses", user="ann", status="done")
    assert memory.todos(user="ann") == []
    assert [todo.text for todo in memory.todos(user="ann", status="done")] == ["Water the roses"]
    with pytest.raises(InvalidInput, match="status"):
        memory.add_todo("Water the roses", user="ann", status="soon")
