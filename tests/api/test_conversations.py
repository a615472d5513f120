"""The face for conversations: lists, background work, and walls between users."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from engine.conftest import Opener
from engine.conversing import QUICK, FakeWriter, talk, until, written_by
from engine.fakes import FakeClock

from recollect import InvalidInput, Memory, NotFound, Settings


def test_chats_are_listed_last_active_first(memory: Memory, clock: FakeClock) -> None:
    """Pages follow each other without loss; a persona has its own list."""
    for number in range(5):
        clock.move(minutes=1)
        memory.chat(f"c{number}", user="ann", persona="Coach" if number % 2 else None).add(
            user=f"Hello {number}."
        )
    clock.move(minutes=1)
    memory.chat("c1", user="ann").add(user="Again.")
    every = memory.chats(user="ann")
    assert [item.chat_id for item in every] == ["c1", "c4", "c3", "c2", "c0"]
    assert [item.chat_id for item in memory.chats(user="ann", persona="Coach")] == ["c1", "c3"]
    rest = memory.chats(user="ann", limit=1, before=every[2].cursor)
    assert [item.chat_id for item in rest] == ["c2"]


def pages(fetch: Callable[..., list[Any]], before: Callable[[Any], object] | None = None) -> list[object]:
    """Which rows a list has, one at a time; each page goes on where the one before ended."""
    found: list[object] = []
    cursor: object = None
    while page := fetch(user="ann", limit=1, before=cursor):
        found += [row.cursor for row in page]
        assert len(found) < 100, "the pages repeat themselves"
        cursor = before(page[-1]) if before else page[-1].cursor
    return found


#: Spellings of one moment: text as a person writes it, with another zone, and moments with and without a zone.
SPELLINGS: tuple[Callable[[datetime], object], ...] = (
    lambda at: f"{at:%Y-%m-%dT%H:%M:%S}Z",
    lambda at: at.astimezone(timezone(timedelta(hours=5))).isoformat(),
    lambda at: at,
    lambda at: at.replace(tzinfo=None),
)


def test_lists_go_on_where_they_ended(memory: Memory, clock: FakeClock) -> None:
    """By cursor, chats, sessions and todos come once each, also those of one moment."""
    for number in range(3):
        clock.move(hours=2)
        for twin in "ab":
            memory.chat(f"c{number}{twin}", user="ann", persona=f"p{twin}").add(user="Hello.")
            memory.add_todo(f"Todo {number}{twin}", user="ann")
    for fetch in (memory.chats, memory.sessions, memory.todos):
        every = fetch(user="ann")
        assert len(every) == 6
        assert pages(fetch) == [row.cursor for row in every]


@pytest.mark.parametrize("spell", SPELLINGS)
def test_cursors_may_be_spelled_otherwise(
    memory: Memory, clock: FakeClock, spell: Callable[[datetime], object]
) -> None:
    """A time without milliseconds, in another zone or as a datetime neither repeats rows nor loses any."""
    clock.now = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(4):
        clock.move(days=1)
        memory.chat(f"c{number}", user="ann").add(user="Hello.")
        memory.add_todo(f"Todo {number}", user="ann")
    ends: dict[Callable[..., list[Any]], Callable[[Any], object]] = {
        memory.chats: lambda chat: (spell(chat.last_message_at), chat.chat_id),
        memory.sessions: lambda past: (spell(past.session.started_at), past.session.session_id),
        memory.todos: lambda todo: (spell(todo.created_at), todo.todo_id),
    }
    for fetch, end in ends.items():
        every = fetch(user="ann")
        assert len(every) == 4
        assert pages(fetch, end) == [row.cursor for row in every]


@pytest.mark.parametrize(
    "before",
    [
        "abc",
        "ab",
        ("foo", "bar"),
        ("2024-01-04T00:00:00Z",),
        ("2024-01-04T00:00:00Z", "c1", "c2"),
        ("2024-01-04T00:00:00Z", 5),
        ("2024-01-04T00:00:00Z", None),
        (5, "c1"),
        datetime(2024, 1, 4, tzinfo=UTC),
        {"at": "2024-01-04T00:00:00Z", "id": "c1"},
    ],
)
def test_what_is_no_cursor_is_refused(memory: Memory, before: Any) -> None:
    """Anything but a time and an id is bad input that names its field, not an empty page."""
    for fetch in (memory.chats, memory.sessions, memory.todos):
        with pytest.raises(InvalidInput) as refused:
            fetch(user="ann", before=before)
        assert refused.value.field == "before"


def test_personas_are_known_by_name(memory: Memory) -> None:
    """Whom a user has talked with; talk without a persona has no name, and others' personas are not told."""
    for user, persona in (("ann", "guide"), ("ann", "cook"), ("ann", None), ("bob", "coach")):
        memory.chat(f"{persona}", user=user, persona=persona).add(user="Hello.")
    assert memory.personas(user="ann") == ["cook", "guide"]
    assert memory.personas(user="eve") == []


def test_users_never_see_each_other(opener: Opener, database_url: str, clock: FakeClock) -> None:
    """Two users with equal names for everything, who even guess ids, see and reach only their own."""
    memory = opener(database_url, settings=QUICK)
    written_by(memory, FakeWriter())
    ids: dict[str, dict[str, str]] = {}
    for user, word in (("ann", "wolframite"), ("bob", "mirabelle")):
        chat = memory.chat("c", user=user, persona="Coach")
        chat.add(
            user=f"I am allergic to {word} and live in {word} valley.", assistant=f"Noted: {word}.", key="k"
        )
        talk(chat, 24, words=word)
        pin = chat.pin(f"The {word} gate")
        todo = memory.add_todo(f"Buy {word}", user=user, persona="Coach")
        memory.remember(f"User's favourite stone is {word}", user=user)
        memory.set_seed([], notes=f"Knows {word}.", user=user)
        assert memory.drain(user=user)
        ids[user] = {"message": chat.messages()[0].message_id, "pin": pin.pin_id, "todo": todo.todo_id}
    clock.move(minutes=40)
    for user, own, foreign in (("ann", "wolframite", "mirabelle"), ("bob", "mirabelle", "wolframite")):
        assert memory.drain(user=user)
        chat = memory.chat("c", user=user, persona="Coach")
        seen = [
            chat.messages(limit=100), chat.pins(), chat.summaries(), chat.briefs(), memory.chats(user=user),
            memory.sessions(user=user), memory.rolling_summaries(user=user, persona="Coach"), memory.spines(user=user),
            memory.todos(user=user, persona="Coach"), memory.seed(user=user), memory.state(user=user, persona="Coach"),
            memory.jobs(user=user), chat.context(f"What about {foreign}?").sections[:-1],
        ]  # fmt: skip
        assert own in str(seen)
        assert foreign not in str(seen)
    foreign_ids, chat = ids["bob"], memory.chat("c", user="ann")
    attempts: list[Callable[[], object]] = [
        lambda: chat.message(foreign_ids["message"]),
        lambda: chat.messages(around=foreign_ids["message"]),
        lambda: chat.edit(foreign_ids["message"], "Ha!"),
        lambda: chat.delete(foreign_ids["message"]),
        lambda: chat.summarise(foreign_ids["message"], foreign_ids["message"], 1),
        lambda: chat.pin("Ha!", source_message_id=foreign_ids["message"]),
        lambda: chat.update_pin(foreign_ids["pin"], content="Ha!"),
        lambda: memory.remove_pin(foreign_ids["pin"], user="ann"),
        lambda: memory.update_todo(foreign_ids["todo"], {"status": "done"}, user="ann"),
        lambda: memory.delete_todo(foreign_ids["todo"], user="ann"),
        lambda: memory.forget(message_id=foreign_ids["message"], user="ann"),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    chat.forget()
    assert len(memory.chat("c", user="bob").messages(limit=100)) == 50


def test_work_may_be_left_to_others(opener: Opener) -> None:
    """With the worker off nothing is done here; another process that works does it."""
    talker = opener(settings=Settings(worker="off", sqlite_synchronous="normal"))
    chat = talker.chat("c", user="ann")
    talk(chat, 25)
    assert talker.drain(user="ann", seconds=0) is False
    assert {job.kind for job in talker.jobs(user="ann", status="pending")} == {
        "fold", "close_session", "rolling_summary", "spine", "index_messages", "judge",
    }  # fmt: skip
    worker = opener()
    assert worker.drain(user="ann")
    assert talker.chat("c", user="ann").summaries()
    assert [job.kind for job in talker.jobs(user="ann")] == ["close_session"]


def test_jobs_are_seen_while_they_run(opener: Opener) -> None:
    """A running job is listed as running, holds no words, and ends without a trace."""
    memory = opener(settings=QUICK)
    writer = written_by(memory, FakeWriter())
    writer.held.add("brief")
    talk(memory.chat("c", user="ann"), 10, words="wolframite")
    until(lambda: writer.folds)
    running = memory.jobs(user="ann", status="running")
    assert ("fold", "c", 1) in [(job.kind, job.subject, job.attempts) for job in running]
    assert "wolframite" not in str(memory.jobs(user="ann"))
    assert memory.jobs(user="bob") == []
    writer.held.clear()
    assert memory.drain(user="ann")
    assert memory.jobs(user="ann", status="running") == []


def test_bad_arguments(memory: Memory) -> None:
    """Statuses, limits, times and waits that make no sense are refused with their field's name."""
    for field, call in {
        "status": lambda: memory.jobs(user="ann", status="late"),
        "limit": lambda: memory.chats(user="ann", limit=0),
        "seconds": lambda: memory.drain(user="ann", seconds=-1),
        "due_before": lambda: memory.todos(user="ann", due_before="soon"),
        "version": lambda: memory.spine(0, user="ann"),
    }.items():
        with pytest.raises(InvalidInput) as refused:
            call()
        assert refused.value.field == field
    with pytest.raises(NotFound):
        memory.spine(7, user="ann")
    with pytest.raises(NotFound):
        memory.revive("nothing", user="ann")


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


def test_one_message_whichever_chat_it_is_in(memory: Memory) -> None:
    """A message is found by its id alone, by its user alone."""
    (said,) = memory.chat("c", user="ann").add(user="Hello.").messages
    assert memory.message(said.message_id, user="ann") == said
    for wrong in ({"user": "bob"}, {"user": "local"}):
        with pytest.raises(NotFound):
            memory.message(said.message_id, **wrong)
    with pytest.raises(InvalidInput, match="message_id"):
        memory.message("", user="ann")


def test_one_session(memory: Memory) -> None:
    """A session is found by its id, as the list shows it, with its chats, by its user alone."""
    memory.chat("c", user="ann", persona="Coach").add(user="Hello.")
    (listed,) = memory.sessions(user="ann")
    found = memory.session(listed.session.session_id, user="ann")
    assert replace(found, chats=()) == listed
    assert [(chat.chat_id, chat.message_count) for chat in found.chats] == [("c", 1)]
    with pytest.raises(NotFound):
        memory.session(listed.session.session_id, user="bob")


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


def test_how_much_work_is_open(opener: Opener) -> None:
    """What could be done now counts, what is for later does not; nobody else's does."""
    memory = opener(settings=Settings(sqlite_synchronous="normal", judge="off", worker="off"))
    assert memory.open_jobs(user="ann") == 0
    memory.chat("c", user="ann").add(user="Hello.")
    assert (memory.open_jobs(user="ann"), memory.open_jobs(user="bob")) == (1, 0)
    assert len(memory.jobs(user="ann")) == 2


def test_names_to_forget_are_checked(memory: Memory) -> None:
    """What can be no id is refused as such, before anything is looked for."""
    for name in ("message_id", "chat_id"):
        with pytest.raises(InvalidInput, match=name):
            memory.forget(**{name: "a\x00b"}, user="ann")
