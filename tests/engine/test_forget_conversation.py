"""Forgetting a message or a chat: everything that came of it goes, to the last byte, and the receipt counts it."""

import sqlite3
from pathlib import Path

import pytest

from recollect import Memory, NotFound
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


def _spread(memory: Memory, clock: FakeClock) -> str:
    """A message whose secret is in a pin, a memory, a todo, a fold, a session, a rolling summary and a spine; its id."""
    chat = memory.chat("c", user="ann")
    talk(chat, 1)
    secret = chat.add(
        user=f"I am allergic to {SECRET} and I live in {SECRET} valley.", assistant="Noted.", key="k1"
    ).messages[0]
    memory.remember(
        f"User is allergic to {SECRET}",
        user="ann",
        source_message_ids=[secret.message_id],
        reasoning=f"said {SECRET}",
    )
    memory.add_todo(f"Order {SECRET} tests", user="ann", source_message_ids=[secret.message_id])
    for number in range(1, 30):
        clock.move(seconds=1)
        talk(chat, 1, start=number)
    assert memory.drain(user="ann")
    clock.move(minutes=40)
    assert memory.drain(user="ann")
    chat.context(f"What about {SECRET}?")
    return secret.message_id


def test_a_forgotten_message_leaves_no_byte(quick: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """Pins, memories, todos, briefs, segments, session, rolling and long-view summaries that told of it are gone."""
    message_id = _spread(quick, clock)
    chat = quick.chat("c", user="ann")
    segments, briefs = len(chat.summaries()), len(chat.briefs())
    assert on_disk(sqlite_path, [SECRET]) == [SECRET]
    receipt = chat.delete(message_id)
    assert receipt.erased_from_disk
    assert receipt.refolded == ("c",)
    assert quick.drain(user="ann")
    assert on_disk(sqlite_path, [SECRET]) == []
    counts = receipt.counts
    assert (counts["messages"], counts["pins"], counts["memories"], counts["todos"], counts["answers"]) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert (counts["summaries"], counts["briefs"]) == (segments, briefs)
    assert counts["session_summaries"] == counts["spines"] == 1
    assert counts["rolling_summaries"] >= 1
    check_chat(chat)
    assert chat.summaries()
    assert quick.sessions(user="ann")[0].summary is not None
    assert quick.spine(user="ann") is None or SECRET not in str(quick.spine(user="ann"))
    assert SECRET not in chat.context("What about stones?").to_text()


def test_a_forgotten_chat_leaves_no_byte(quick: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """Everything of a chat goes with it, another chat stays whole, and the receipt counts what went."""
    other = quick.chat("other", user="ann")
    kept = list(other.add(user="I keep bees.", assistant="How nice!").messages)
    _spread(quick, clock)
    chat = quick.chat("c", user="ann")
    messages, segments = chat.info().message_count, len(chat.summaries())
    receipt = quick.forget(chat_id="c", user="ann")
    assert receipt.erased_from_disk
    assert quick.drain(user="ann")
    assert on_disk(sqlite_path, [SECRET, "gravel paths"]) == []
    assert receipt.counts["chats"] == 1
    assert (receipt.counts["messages"], receipt.counts["summaries"]) == (messages, segments)
    assert [item.chat_id for item in quick.chats(user="ann")] == ["other"]
    assert other.messages() == kept
    check_chat(other)
    rows = _rows(sqlite_path, "ann")
    assert rows["messages"] == 2
    assert not {"briefs", "summaries", "pins", "memories", "todos", "idempotency_keys"} & set(rows)
    with pytest.raises(NotFound):
        chat.info()
    with pytest.raises(NotFound):
        chat.forget()


def test_what_others_say_too_stays(memory: Memory) -> None:
    """A memory or todo that two messages support only stops naming the forgotten one."""
    chat = memory.chat("c", user="ann")
    first, second = (chat.add(user=f"I keep bees in Graz, said {n}.").messages[0] for n in (1, 2))
    ids = [first.message_id, second.message_id]
    known = memory.remember("User keeps bees in Graz", user="ann", source_message_ids=ids).memory
    todo = memory.add_todo("Buy a hive", user="ann", source_message_ids=ids)
    receipt = chat.delete(first.message_id)
    assert "memories" not in receipt.counts
    assert memory.get(known.memory_id, user="ann").source_message_ids == (second.message_id,)
    assert [item.source_message_ids for item in memory.todos(user="ann")] == [(second.message_id,)]
    chat.delete(second.message_id)
    with pytest.raises(NotFound):
        memory.get(known.memory_id, user="ann")
    assert todo.todo_id not in [item.todo_id for item in memory.todos(user="ann", status=None)]


def test_a_pin_set_by_hand_outlives_its_message(memory: Memory) -> None:
    """Somebody wanted it kept; it only no longer names the message."""
    chat = memory.chat("c", user="ann")
    (message,) = chat.add(user="The gate is green.").messages
    pin = chat.pin("The gate is green", source_message_id=message.message_id)
    chat.delete(message.message_id)
    (kept,) = chat.pins()
    assert (kept.pin_id, kept.source_message_id) == (pin.pin_id, None)


def test_counters_after_deletions(quick: Memory, clock: FakeClock) -> None:
    """Chat counters equal a recount after each deletion, the session counts what is left, positions are not reused."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 15)
    assert quick.drain(user="ann")
    for message in (said[29], said[0], said[7], said[12], said[13]):
        chat.delete(message.message_id)
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
        chat.delete(message.message_id)
    assert quick.drain(user="ann")
    check_chat(chat)
    assert (chat.summaries(), chat.brief().revision, chat.messages()) == ([], 0, [])
    assert quick.sessions(user="ann") == []
    assert quick.rolling_summaries(user="ann") == []
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
        chat.delete(secret.message_id)
    elif how == "chat":
        chat.forget()
    else:
        quick.forget(everything=True, user="ann")
    writer.held.clear()
    until(lambda: not quick.jobs(user="ann", status="running"))
    assert quick.drain(user="ann")
    # The last look at a job that is gone may still be under way.
    quick.close()
    assert on_disk(sqlite_path, [SECRET]) == []
    if how == "everything":
        assert _rows(sqlite_path, "ann") == {}


def test_others_cannot_forget(memory: Memory) -> None:
    """A message or a chat of another user, or of another chat, is not found, and stays."""
    chat = memory.chat("c", user="ann")
    (message,) = chat.add(user="Hello there.").messages
    memory.chat("d", user="ann").add(user="Hello.")
    for stranger in (
        lambda: memory.forget(message_id=message.message_id, user="bob"),
        lambda: memory.forget(chat_id="c", user="bob"),
        lambda: memory.chat("c", user="bob").delete(message.message_id),
        lambda: memory.chat("d", user="ann").delete(message.message_id),
        lambda: memory.chat("c", user="bob").forget(),
    ):
        with pytest.raises(NotFound):
            stranger()
    assert chat.messages() == [message]
