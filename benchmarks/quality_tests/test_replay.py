"""Tests of evaluation/replay.py."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder

from benchmarks.quality.dataset import Conversation, DataSession, Turn
from benchmarks.quality.replay import (
    DAY,
    FIRST_DAY,
    Due,
    Spent,
    Workbench,
    messages_of,
    replay,
    starts,
    workbench,
)
from recollect import AsyncMemory, Settings
from recollect.errors import InvalidInput
from recollect.records.message import MAX_TEXT, Message, Role

from . import tiny

Body = Callable[[Workbench], Coroutine[Any, Any, None]]


def _with(embedder: FakeEmbedder, body: Body, database: str | None = None, cache: Path | None = None) -> None:
    async def run() -> None:
        async with workbench(database, cache=cache, embedder=embedder, settings=Settings()) as bench:
            await body(bench)

    asyncio.run(run())


def _conversation(folder: Path) -> Conversation:
    return tiny.dataset(folder).conversations[0]


def test_questions_come_when_they_are_due(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """A question is asked when so many sessions are stored, and everything that is stored is indexed by then."""
    conversation, seen = _conversation(tmp_path), list[tuple[str, int, list[str]]]()

    async def body(bench: Workbench) -> None:
        async for due in replay(bench, conversation, conversation.questions, Spent()):
            assert await bench.index(due.user) == 0
            seen.append((due.question.id, due.sessions, sorted(set(due.turn_of.values()))))

    _with(embedder, body)
    first = ["a:1", "a:2", "a:4"]
    assert seen[0] == ("q5", 1, first)
    assert seen[1] == ("q2", 2, [*first, "b:1", "b:2"])
    assert [(id, sessions) for id, sessions, _ in seen[2:]] == [("q1", 3), ("q3", 3), ("q4", 3)]
    assert seen[2][2] == [*first, "b:1", "b:2", "c:1", "c:2"]


def test_messages_are_what_a_user_would_have_recorded(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """A session is a chat, a turn a message with its speaker, a minute after the one before; a blank turn is none."""
    conversation, found = _conversation(tmp_path), list[Message]()

    async def body(bench: Workbench) -> None:
        async for due in replay(bench, conversation, conversation.questions[:1], Spent()):
            found.extend(await bench.chat("a", user=due.user).messages())
            assert [chat.chat_id for chat in await bench.chats(user=due.user)] == ["c", "b", "a"]

    _with(embedder, body)
    start = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [(message.role, message.name, message.created_at - start) for message in found] == [
        (Role.USER, "Ann", timedelta(0)),
        (Role.ASSISTANT, "Ben", timedelta(minutes=1)),
        (Role.USER, "Ann", timedelta(minutes=3)),
    ]


def test_the_time_of_a_question(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """A question is asked at its date, else a day after the last message; the store's clock stands there."""
    conversation, found = _conversation(tmp_path), dict[str, Due]()

    async def body(bench: Workbench) -> None:
        async for due in replay(bench, conversation, conversation.questions, Spent()):
            parts, _ = await bench.inside(due.user)
            assert parts.now() == due.at
            found[due.question.id] = due

    _with(embedder, body)
    assert found["q1"].at == datetime(2023, 6, 10, 10, tzinfo=UTC)
    assert found["q3"].at == datetime(2023, 6, 2, 8, 1, tzinfo=UTC)


def test_what_nobody_asks_about_is_not_stored(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """Sessions behind the last question are left out."""
    conversation = _conversation(tmp_path)

    async def body(bench: Workbench) -> None:
        early = [item for item in conversation.questions if item.id == "q5"]
        users = [due.user async for due in replay(bench, conversation, early, Spent())]
        assert [chat.chat_id for chat in await bench.chats(user=users[0])] == ["a"]

    _with(embedder, body)


def test_sessions_without_dates() -> None:
    """They follow each other day by day, from the last date that is known."""
    dated = datetime(2023, 5, 8, tzinfo=UTC)
    sessions = [
        DataSession(id=str(place), date=date, turns=())
        for place, date in enumerate((None, None, dated, None))
    ]
    assert starts(sessions) == [FIRST_DAY, FIRST_DAY + DAY, dated, dated + DAY]


@pytest.mark.parametrize(
    ("speaker", "name"), [("Ann", "Ann"), ("User", None), ("ASSISTANT", None), (" ", None)]
)
def test_roles_are_no_names(speaker: str, name: str | None) -> None:
    """Who is only called by a role has no name."""
    said = Turn(id="1", speaker=speaker, role=Role.USER, text="hello")
    [(_, message)] = messages_of(DataSession(id="a", date=None, turns=(said,)), FIRST_DAY)
    assert message.get("name") == name


def test_a_turn_that_is_too_long_for_a_message() -> None:
    """It becomes several messages of the same turn, with all of its text."""
    said = Turn(id="1", speaker="", role=Role.USER, text="x" * (MAX_TEXT + 5))
    found = messages_of(DataSession(id="a", date=None, turns=(said,)), FIRST_DAY)
    assert [(id, len(message["text"])) for id, message in found] == [("1", MAX_TEXT), ("1", 5)]


def test_a_given_database_is_left_as_it_was(
    embedder: FakeEmbedder, tmp_path: Path, database_url: str
) -> None:
    """What was stored for measuring is erased, also after an error; what was there before stays."""
    conversation = _conversation(tmp_path)

    async def users() -> list[str]:
        settings = Settings(worker="off")
        async with AsyncMemory(database_url, settings=settings, embedder=FakeEmbedder()) as memory:
            await memory.chat("mine", user="ann").add(user="I was here before")
            return await memory.users()

    async def body(bench: Workbench) -> None:
        async for _ in replay(bench, conversation, conversation.questions, Spent()):
            assert len(await bench.users()) == 2
        raise InvalidInput("something went wrong")

    assert asyncio.run(users()) == ["ann"]
    with pytest.raises(InvalidInput, match="went wrong"):
        _with(embedder, body, database_url)
    assert asyncio.run(users()) == ["ann"]


def test_vectors_are_kept(tmp_path: Path) -> None:
    """A second run with the same folder asks the embedder for nothing."""
    conversation = _conversation(tmp_path)

    async def body(bench: Workbench) -> None:
        async for due in replay(bench, conversation, conversation.questions, Spent()):
            await bench.embedder.embed([due.question.question])

    first, second = FakeEmbedder(), FakeEmbedder()
    _with(first, body, cache=tmp_path / "cache")
    _with(second, body, cache=tmp_path / "cache")
    assert first.seen
    assert second.seen == []
