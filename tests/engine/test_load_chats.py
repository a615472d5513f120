"""Chats in an export: a round trip gives the same conversations, twice is once, and nothing broken comes in."""

import copy
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import InvalidInput, Memory, Settings
from recollect.admin import Admin
from recollect.interchange import load_chats
from recollect.interchange.portable_markdown import as_markdown
from recollect.records.job import JobKind
from recollect.records.pin import MAX_PINS
from recollect.store import pins, users

from .conftest import Opener
from .conversing import QUICK, check_chat, flush, parts_of, record_of, spines_of, talk
from .fakes import FakeClock
from .test_export_load import json_values
from .test_past import _Open, quick

Document = dict[str, Any]
QUESTION = "What about the garden and the bees?"


@pytest.fixture
def talker(opener: Opener) -> Memory:
    """A memory that folds after a few turns."""
    return opener(settings=QUICK)


@pytest.fixture
def other(opener: Opener, tmp_path: Any) -> Memory:
    """An empty memory elsewhere, with the same settings."""
    return opener(tmp_path / "other.db", settings=QUICK)


@pytest.fixture
def document(talker: Memory, clock: FakeClock) -> Document:
    """An export with folded chats, sessions, pins, todos, a spine, a seed, an edit and a deletion."""
    return _live(talker, clock)


def _live(memory: Memory, clock: FakeClock) -> Document:
    memory.add("User keeps bees behind the house")
    memory.set_seed([{"content": "User lives in Berlin", "category": "identity"}], notes="Speaks German.")
    garden, coach = memory.chat("garden"), memory.chat("run", persona="coach")
    said = talk(garden, 12)
    garden.rename("The garden")
    garden.pin("The gate code is 4711", importance_score=9, source_message_id=said[0].message_id)
    garden.add(user="I'm allergic to penicillin", assistant="Noted.", model_id="m-1", token_usage=777)
    assert memory.drain()
    clock.move(hours=2)
    talk(coach, 9)
    moved = coach.pin("Race on Sunday")
    memory.update_pin(moved.pin_id, chat="garden")
    assert memory.drain()
    clock.move(hours=2)
    memory.edit(said[2].message_id, "Which bees live in the garden?")
    assert memory.drain()
    memory.forget(message=said[-1].message_id)
    memory.forget(message=garden.add(user="Only for a moment").messages[0].message_id)
    memory.add_todo("Water the roses", kind="habit", source_message_ids=[said[0].message_id])
    memory.chat("empty").pin("A chat of pins alone")
    assert memory.drain()
    clock.move(minutes=5)
    talk(garden, 1, start=90)
    assert memory.drain()
    flush(memory)
    exported = memory.export()
    assert len(exported["chats"]) == 3 and exported["spines"] and exported["rolling_summaries"]
    assert any(item["summaries"] for item in exported["sessions"])
    assert [bool(chat["briefs"]) for chat in exported["chats"]].count(True) == 2
    return exported


def _stable(document: Document) -> Document:
    """A document without its date and without the entries that say that memories were imported."""
    copied = copy.deepcopy(document)
    copied.pop("exported_at")
    for item in copied["memories"]:
        item["history"] = [entry for entry in item["history"] if entry["change"] != "imported"]
    return copied


def _view(memory: Memory) -> dict[str, Any]:
    """Everything that a caller sees of conversations."""
    chats = {info.chat_id: memory.chat(info.chat_id) for info in memory.chats()}
    return {
        "contexts": {name: chat.context(QUESTION).to_openai() for name, chat in chats.items()},
        "stats": {name: chat.stats().to_dict() for name, chat in chats.items()},
        # Not its revision, nor where gaps of deleted messages are: an import has none.
        "chats": [(info.cursor, info.title, info.persona_id, info.message_count) for info in memory.chats()],
        "records": {name: _counters(record_of(chat)) for name, chat in chats.items()},
        "sessions": [item.to_dict() for item in memory.sessions()],
        "spine": memory.spine(),
        "states": [memory.state(persona=name) for name in (None, "coach")],
        "seed": memory.seed().to_dict(),
        "across": memory.context(QUESTION, persona="coach").to_openai(),
        "count": _count(memory),
    }


def _counters(record: Any) -> tuple[int, ...]:
    return (
        record.message_count,
        record.folded_position,
        record.unfolded_messages,
        record.unfolded_tokens,
    )


def _count(memory: Memory, user: str = "local") -> int:
    """How many messages the user has said, as the store counts them."""
    return _read(memory, lambda tx: users.message_count(tx, user))


def _read(memory: Memory, load: Callable[[Any], Any], user: str = "local") -> Any:
    return memory._thread.run(parts_of(memory).database.read(user, load))


def _checked(memory: Memory, user: str = "local") -> None:
    for info in memory.chats(user=user):
        check_chat(memory.chat(info.chat_id, user=user))


# -- round trips ----------------------------------------------------------------------------------------


def test_a_round_trip_gives_the_same_conversations(document: Document, talker: Memory) -> None:
    """Exported, forgotten and loaded again, contexts, statistics, sessions, spine and the export are the same."""
    assert talker.drain()
    before = _view(talker)
    flush(talker)
    exported = talker.export()
    talker.forget(everything=True)
    assert talker.chats() == [] and _count(talker) == 0
    loaded = talker.load(exported)
    assert loaded.skipped == () and loaded.duplicates == 0
    assert _stable(talker.export()) == _stable(exported)
    assert talker.drain()
    assert _view(talker) == before
    _checked(talker)


def test_the_document_is_json_and_complete(document: Document, talker: Memory) -> None:
    """An export is JSON, its messages are S0's with their session, and nothing that is made again is in it."""
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    garden = next(chat for chat in document["chats"] if chat["chat_id"] == "garden")
    assert garden["brief"] == garden["briefs"][-1]
    stored = talker.chat("garden").messages(limit=1000)
    assert garden["messages"] == [{**item.to_dict(), "session": item.session_id} for item in stored]
    assert not {"jobs", "vectors"} & document.keys()


def test_counted_are_messages_pins_memories_and_todos(document: Document, other: Memory) -> None:
    """What somebody said or wants kept is counted, what follows from it is not; progress counts up to it."""
    messages = sum(len(chat["messages"]) for chat in document["chats"])
    pinned = sum(len(chat["pins"]) for chat in document["chats"])
    seen: list[tuple[int, int]] = []
    loaded = other.load(document, progress=lambda done, total: seen.append((done, total)))
    assert loaded.imported == messages + pinned + len(document["memories"]) + len(document["todos"])
    total = messages + len(document["memories"])
    assert seen[0] == (0, total) and seen[-1] == (total, total) and seen == sorted(seen)


def test_the_round_trip_on_both_databases(
    database_url: str, opener: Opener, other: Memory, clock: FakeClock
) -> None:
    """From either database into another and back, conversations are the same."""
    memory = opener(database_url, settings=QUICK)
    document = _live(memory, clock)
    other.load(document)
    assert _stable(other.export()) == _stable(document)
    memory.forget(everything=True)
    memory.load(other.export())
    assert _stable(memory.export()) == _stable(document)
    _checked(memory)


def test_twice_is_once(document: Document, other: Memory) -> None:
    """The second load changes nothing and says that all was known."""
    first = other.load(document)
    # Messages that are being indexed are found ever better.
    assert other.drain()
    before, view, work = other.export(), _view(other), Admin(other).jobs(user="local")
    again = other.load(document)
    assert (again.imported, again.duplicates, again.skipped) == (0, first.imported, ())
    assert (other.export(), _view(other), Admin(other).jobs(user="local")) == (before, view, work)


def test_load_where_it_came_from_changes_nothing(document: Document, talker: Memory) -> None:
    """An export read back into the store that it came from changes nothing and causes no work."""
    before, work = talker.export(), Admin(talker).jobs(user="local")
    assert talker.load(document).imported == 0
    assert (talker.export(), Admin(talker).jobs(user="local")) == (before, work)


def test_another_user_may_load_it(document: Document, talker: Memory) -> None:
    """The document becomes the conversations of whoever loads it; the first user's stay as they are."""
    before = talker.export()
    assert talker.load(document, user="carol").skipped == ()
    loaded = talker.export(user="carol")
    for name in ("chats", "sessions", "states", "rolling_summaries", "spines", "todos", "seed"):
        assert loaded[name] == document[name], name
    assert talker.export() == before


def test_conversation_goes_on_after_a_load(document: Document, other: Memory, clock: FakeClock) -> None:
    """Messages, folds and forgetting go on from what was loaded, and the counters stay exact."""
    other.load(document)
    before = _count(other)
    talk(other.chat("garden"), 12, start=200)
    assert other.drain()
    assert _count(other) == before + 12
    _checked(other)
    other.forget(message=document["chats"][0]["messages"][0]["id"])
    assert other.drain()
    _checked(other)


def test_an_open_session_is_closed_in_time(document: Document, other: Memory, clock: FakeClock) -> None:
    """A session that was open when it was exported does not stay open for ever."""
    other.load(document)
    assert sum(item.session.ended_at is None for item in other.sessions()) == 1
    assert other.drain()
    assert {job.kind for job in Admin(other).jobs(user="local")} == {JobKind.CLOSE_SESSION, JobKind.CURATE}
    clock.move(hours=3)
    assert other.drain()
    assert all(item.session.ended_at is not None for item in other.sessions())


def test_markdown_shows_chats_todos_and_the_long_view(document: Document) -> None:
    """For people there are the chats with briefs and pins, what is open, and the spine."""
    text = as_markdown(document)
    garden = next(chat for chat in document["chats"] if chat["chat_id"] == "garden")
    assert "### The garden" in text and garden["brief"]["global_summary"] in text
    assert "- The gate code is 4711" in text and "Water the roses (habit)" in text
    assert "## The long view" in text
    assert "### Question number 1 about the garden" in text, "a chat without a title has its first words"


# -- into what is there already -------------------------------------------------------------------------


def test_unknown_messages_are_appended(document: Document, other: Memory) -> None:
    """In a chat that has other messages the file's are appended in their order; nothing is lost or summarised twice."""
    own = talk(other.chat("garden"), 1, start=500)
    before = _count(other)
    loaded = other.load(document)
    assert loaded.skipped == ()
    garden = next(chat for chat in document["chats"] if chat["chat_id"] == "garden")
    ids = [message["id"] for message in garden["messages"]]
    stored = other.chat("garden").messages(limit=1000)
    assert [item.message_id for item in stored] == [item.message_id for item in own] + ids
    assert [item.position for item in stored] == list(range(1, len(stored) + 1))
    assert {pin.pin_id for pin in other.chat("garden").pins()} >= {pin["id"] for pin in garden["pins"]}
    spoken = [m for chat in document["chats"] for m in chat["messages"] if m["role"] == "user"]
    assert _count(other) >= before + len(spoken)
    assert other.drain()
    folded = {item.summary_id for item in other.chat("garden").summaries()}
    assert folded and folded.isdisjoint(item["id"] for item in garden["summaries"])
    _checked(other)


def test_an_older_export_beside_newer_talk(document: Document, talker: Memory, clock: FakeClock) -> None:
    """Reading an older export changes nothing of what was said, closed and summarised since."""
    clock.move(hours=3)
    talk(talker.chat("garden"), 6, start=300)
    assert talker.drain()
    before = talker.export()
    loaded = talker.load(document)
    assert (loaded.imported, loaded.skipped) == (0, ())
    assert talker.export() == before


def test_a_newer_export_beside_older_talk(
    document: Document, talker: Memory, other: Memory, clock: FakeClock
) -> None:
    """A store that has an older export catches up with a newer one: sessions, states, spines and words."""
    other.load(document)
    clock.move(minutes=2)
    talk(talker.chat("garden"), 20, start=300)
    assert talker.drain()
    newer = talker.export()
    assert other.load(newer).skipped == ()
    caught_up = other.export()
    for name in ("sessions", "states", "rolling_summaries", "spines", "todos"):
        assert caught_up[name] == newer[name], name
    assert _count(other) == _count(talker)
    assert other.drain()
    _checked(other)


def test_a_chat_of_another_persona_is_left_alone(document: Document, other: Memory) -> None:
    """A chat that belongs to another persona here is not mixed with the file's."""
    other.chat("garden", persona="poet").add(user="A poem about bees, please")
    loaded = other.load(document)
    assert len(loaded.skipped) == 1 and "persona" in loaded.skipped[0][1]
    assert len(other.chat("garden").messages()) == 1
    _checked(other)


def test_a_rules_pin_of_changed_words_stays_away(other: Memory, talker: Memory) -> None:
    """A pin that a rule made of words that were edited here since does not come back."""
    said = talker.chat("c").add(user="I'm allergic to penicillin")
    assert said.pins
    document = talker.export()
    other.load(document)
    other.edit(said.messages[0].message_id, "I like tea")
    assert other.drain() and other.chat("c").pins() == []
    loaded = other.load(document)
    assert other.chat("c").pins() == [] and len(loaded.skipped) == 1


def test_a_pin_of_another_chats_message_keeps_it(other: Memory, talker: Memory) -> None:
    """A pin that was moved keeps the message that it came from, whichever chat is read first."""
    said = talker.chat("a").add(user="The gate code is 4711").messages[0]
    pin = talker.chat("a").pin("Gate: 4711", source_message_id=said.message_id)
    talker.chat("b").add(user="Hello there")
    talker.update_pin(pin.pin_id, chat="b")
    document = talker.export()
    for chats in (document["chats"], document["chats"][::-1]):
        other.forget(everything=True)
        assert other.load({**document, "chats": chats}).skipped == ()
        assert [item.source_message_id for item in other.chat("b").pins()] == [said.message_id]
    other.forget(everything=True)
    alone = [chat for chat in document["chats"] if chat["chat_id"] == "b"]
    other.load({**document, "chats": alone})
    assert [item.source_message_id for item in other.chat("b").pins()] == [None], "the words are kept"


def test_deleted_messages_still_count(other: Memory, talker: Memory) -> None:
    """Counters of what was ever said travel, so that the next version of the spine counts what is new and no less."""
    talker.add("User keeps bees behind the house")
    said = talk(talker.chat("c"), 21)
    assert talker.drain() and talker.spine() is not None
    for message in said[:6]:
        talker.forget(message=message.message_id)
    assert talker.drain()
    other.load(talker.export())
    assert _count(other) == _count(talker) == 21
    talk(other.chat("c"), 20, start=100)
    assert other.drain()
    assert sum(spine.message_count for spine in spines_of(other)) == _count(other) == 41


# -- killed in the middle -------------------------------------------------------------------------------


@pytest.fixture
def small_batches() -> Iterator[None]:
    """Three messages a transaction."""
    before = load_chats.BATCH
    load_chats.BATCH = 3
    yield
    load_chats.BATCH = before


class _Killed(Exception):
    pass


@pytest.mark.usefixtures("small_batches")
def test_a_killed_load_goes_on(document: Document, opener: Opener, tmp_path: Any) -> None:
    """Killed after any transaction and run again, a load ends where an undisturbed one does, briefs included."""
    for allowed in (1, 2, 4, 7, 11, 13):
        other = opener(tmp_path / f"other{allowed}.db", settings=QUICK)
        left = allowed

        def tell(done: int, total: int) -> None:
            nonlocal left
            left -= done > len(document["memories"])
            if left < 0:
                raise _Killed

        with pytest.raises(_Killed):
            other.load(document, progress=tell)
        _checked(other)
        stored = sum(info.message_count for info in other.chats())
        assert 0 < stored < sum(len(chat["messages"]) for chat in document["chats"])
        assert other.load(document).skipped == ()
        assert _stable(other.export()) == _stable(document)
        _checked(other)


@pytest.mark.usefixtures("small_batches")
def test_talk_between_two_halves_of_a_load(document: Document, other: Memory) -> None:
    """What is said in a half loaded chat stays, and the rest of the file is appended to it."""

    def tell(done: int, total: int) -> None:
        if done > len(document["memories"]):
            raise _Killed

    with pytest.raises(_Killed):
        other.load(document, progress=tell)
    first = document["chats"][0]["chat_id"]
    half = len(other.chat(first).messages())
    own = other.chat(first).add(user="Something new").messages[0]
    other.load(document)
    stored = [item.message_id for item in other.chat(first).messages(limit=1000)]
    ids = [message["id"] for message in document["chats"][0]["messages"]]
    assert stored == [*ids[:half], own.message_id, *ids[half:]]
    assert other.drain()
    _checked(other)


def test_a_long_backlog_is_folded_once_it_is_loaded(other: Memory, clock: FakeClock) -> None:
    """A chat of a file without summaries is folded, however many messages it has, though nobody says another word."""
    other.load(_small(messages=[_message(number) for number in range(1, 81)], summaries=[], briefs=[]))
    assert other.drain()
    assert other.chat("c").brief().global_summary
    _checked(other)


# -- corrupt documents ----------------------------------------------------------------------------------


def _message(number: int, **values: object) -> Document:
    made = {
        "id": f"m{number}",
        "role": "user" if number % 2 else "assistant",
        "text": f"Words about bees, number {number}",
        "created_at": f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z",
        "position": number,
    }
    return {**made, **values}


def _summary(first: int, last: int, **values: object) -> Document:
    made = {
        "id": f"s{first}",
        "summary": f"Bees {first}-{last}",
        "message_count": last - first + 1,
        "start_message_id": f"m{first}",
        "end_message_id": f"m{last}",
        "importance_score": 5,
        "created_at": "2026-01-02T00:00:00Z",
    }
    return {**made, **values}


def _brief(revision: int, last: int, **values: object) -> Document:
    made = {
        "revision": revision,
        "global_summary": f"All about bees until {last}",
        "last_summarized_message_id": f"m{last}",
        "updated_at": "2026-01-02T00:00:00Z",
    }
    return {**made, **values}


PIN = {"id": "p1", "content": "Bees sting", "created_at": "2026-01-01T00:00:00Z"}


def _small(**values: object) -> Document:
    chat = {
        "chat_id": "c",
        "messages": [_message(number) for number in range(1, 9)],
        "pins": [PIN],
        "summaries": [_summary(1, 2), _summary(3, 4)],
        "briefs": [_brief(1, 2), _brief(4, 4)],
    }
    return {"recollect": 1, "memories": [], "chats": [{**chat, **values}]}


def test_a_document_of_ones_own_making(memory: Memory) -> None:
    """The least that a chat needs is enough: scores, tokens and times are worked out."""
    assert memory.load(_small()).to_dict() == {"imported": 9, "duplicates": 0, "skipped": []}
    check_chat(memory.chat("c"))
    first = memory.chat("c").messages()[0]
    assert first.tokens > 0 and first.importance_score > 0 and first.token_usage is None
    assert memory.chat("c").brief().revision == 4
    assert memory.chats(chat="c")[0].created_at == first.created_at
    assert memory.state().state.message_count == _count(memory) == 4


def test_the_last_words_are_the_latest(memory: Memory) -> None:
    """Without a state in the file the last words are those said last, whichever chat is read last."""
    late, early = _message(9, text="The latest"), _message(1)
    chats = [{"chat_id": "late", "messages": [late]}, {"chat_id": "early", "messages": [early]}]
    memory.load({"recollect": 1, "memories": [], "chats": chats})
    state = memory.state().state
    assert (state.last_user_message, state.last_user_message_id, state.message_count) == (
        "The latest",
        "m9",
        2,
    )


def test_the_one_brief_of_the_wire_is_enough(memory: Memory) -> None:
    """A file that has only the newest brief is read as well."""
    document = _small()
    document["chats"][0]["brief"] = document["chats"][0].pop("briefs")[-1]
    assert memory.load(document).skipped == ()
    assert memory.chat("c").brief().global_summary == "All about bees until 4"
    check_chat(memory.chat("c"))


def test_a_files_counts_are_not_believed(memory: Memory) -> None:
    """Tokens are counted here, whatever a file says."""
    document = _small(messages=[_message(number, tokens=10**6) for number in range(1, 9)])
    document["chats"][0] |= {"message_count": 500, "last_position": 10**6, "unfolded_tokens": 0}
    memory.load(document)
    check_chat(memory.chat("c"))
    assert memory.chat("c").stats().total_tokens < 200


@pytest.mark.parametrize(
    "positions",
    [[2, 1], [1, 1], [0, 1], [-1, 5], ["1", "2"], [None, None], [1.0, 2.0], [True, 2], [1, 2**60], [[], {}]],
    ids=repr,
)
def test_positions_that_are_none_are_given_anew(memory: Memory, positions: list[object]) -> None:
    """Positions that do not grow are not believed: the order of the file is the order of the chat."""
    said = [_message(number, position=place) for number, place in enumerate(positions, 1)]
    assert memory.load(_small(messages=said, summaries=[], briefs=[])).skipped == ()
    stored = memory.chat("c").messages()
    assert [(item.message_id, item.position) for item in stored] == [("m1", 1), ("m2", 2)]


def test_positions_with_gaps_are_kept(memory: Memory) -> None:
    """What was deleted leaves its place empty also after a round trip."""
    said = [_message(number, position=number * 10) for number in range(1, 9)]
    assert memory.load(_small(messages=said)).skipped == ()
    assert [item.position for item in memory.chat("c").messages()] == list(range(10, 90, 10))
    check_chat(memory.chat("c"))


WRONG_MESSAGES: dict[str, tuple[object, ...]] = {
    "id": (None, "", 5, [], "has space", "x" * 101, "a%b", 'a"b', "nul\x00", "\ud800", "m2"),
    "session_id": ("another", 5, []),
    "role": (None, "", "User", "robot", 5, [], {}),
    "text": (None, "", "  ", 5, [], {}, "nul\x00", "\ud800", "x" * 200_001),
    "model_id": (5, [], "x" * 257, "nul\x00"),
    "model_variant": (5, [], "\ud800"),
    "token_usage": (-1, 1.5, "many", True, 2**60),
    "importance_score": (-1, 11, "high", True, float("nan"), float("inf"), 10**400, []),
    "session": (5, [], "", "has space"),
    "created_at": (
        None,
        "",
        "soon",
        5,
        [],
        "2026-13-01T00:00:00Z",
        "2026-03-03T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ),
}
WRONG_PINS: dict[str, tuple[object, ...]] = {
    "id": (None, "", 5, "has space"),
    "session_id": ("another",),
    "content": (None, "", " ", 5, "x" * 2001, "nul\x00", "\ud800"),
    "source_message_id": (5, [], "has space"),
    "importance_score": (None, -1, 11, "high", float("nan")),
    "pin_type": (None, "sticky", 5, []),
    "derived": (None, "yes", 1),
    "created_at": (None, "soon", 5),
}
WRONG_CHATS: dict[str, tuple[object, ...]] = {
    "chat_id": (None, "", " ", 5, [], "x" * 257, "nul\x00", "\ud800"),
    "persona_id": ("", 5, [], "nul\x00"),
    "title": ("", " ", 5, "x" * 201, "nul\x00"),
    "created_at": ("soon", 5, []),
    "messages": (None, 5, "all", {}),
    "pins": (None, 5, "all", {}),
    "summaries": (None, 5, "all", {}),
    "briefs": (None, 5, "all", {}),
}


def _cases(wrong: dict[str, tuple[object, ...]]) -> list[tuple[str, object]]:
    return [(name, value) for name, values in wrong.items() for value in values]


@pytest.mark.parametrize(("name", "value"), _cases(WRONG_MESSAGES), ids=lambda value: repr(value)[:30])
def test_a_wrong_message_is_left_out(memory: Memory, name: str, value: object) -> None:
    """A message with one wrong value is skipped with its place; the others are stored, and no brief is broken."""
    said = [_message(number) for number in range(1, 9)]
    said[2][name] = value
    loaded = memory.load(_small(messages=said))
    assert loaded.imported == 8
    # The brief told of the message that is missing now, so it is left out as well.
    assert [line for line, _ in loaded.skipped] == [1, 1]
    assert loaded.skipped[0][1].startswith("chats: message 3: ")
    assert memory.chat("c").summaries() == [] and memory.chat("c").brief().global_summary == ""
    check_chat(memory.chat("c"))
    memory.chat("c").context(QUESTION)


@pytest.mark.parametrize(("name", "value"), _cases(WRONG_PINS), ids=lambda value: repr(value)[:30])
def test_a_wrong_pin_is_left_out(memory: Memory, name: str, value: object) -> None:
    """A pin with one wrong value is skipped with its place; everything else is stored."""
    loaded = memory.load(_small(pins=[{**PIN, "id": "p0"}, {**PIN, name: value}]))
    assert loaded.imported == 9
    assert [reason.startswith("chats: pin 2: ") for _, reason in loaded.skipped] == [True]
    assert len(memory.chat("c").pins()) == 1
    check_chat(memory.chat("c"))


@pytest.mark.parametrize(("name", "value"), _cases(WRONG_CHATS), ids=lambda value: repr(value)[:30])
def test_a_wrong_chat_is_left_out(memory: Memory, name: str, value: object) -> None:
    """A chat that is none is skipped with its place; the next one is stored."""
    document = _small(**{name: value})
    document["chats"].append({"chat_id": "d", "messages": [_message(20)]})
    loaded = memory.load(document)
    assert (loaded.imported, [line for line, _ in loaded.skipped]) == (1, [1])
    assert [info.chat_id for info in memory.chats()] == ["d"]


BROKEN_FOLDS: dict[str, Document] = {
    "a gap": {"summaries": [_summary(1, 2), _summary(4, 4)]},
    "a gap at the start": {"summaries": [_summary(2, 4)], "briefs": [_brief(1, 4)]},
    "an overlap": {"summaries": [_summary(1, 2), _summary(2, 4)]},
    "another order": {"summaries": [_summary(3, 4), _summary(1, 2)]},
    "a wrong count": {"summaries": [_summary(1, 2, message_count=3), _summary(3, 4)]},
    "backwards": {"summaries": [_summary(1, 2), _summary(3, 4, end_message_id="m1")]},
    "no such message": {"summaries": [_summary(1, 2), _summary(3, 4, end_message_id="m99")]},
    "the same id": {"summaries": [_summary(1, 2), _summary(3, 4, id="s1")]},
    "no text": {"summaries": [_summary(1, 2), _summary(3, 4, summary=None)]},
    "a NUL": {"summaries": [_summary(1, 2), _summary(3, 4, summary="a\x00")]},
    "no object": {"summaries": [_summary(1, 2), 5]},
    "another chat": {"summaries": [_summary(1, 2), _summary(3, 4, session_id="d")]},
    "no segments": {"summaries": []},
    "no briefs": {"briefs": []},
    "an early brief": {"briefs": [_brief(1, 2)]},
    "a late brief": {"briefs": [_brief(1, 2), _brief(2, 6)]},
    "equal revisions": {"briefs": [_brief(1, 2), _brief(1, 4)]},
    "revision 0": {"briefs": [_brief(0, 2), _brief(1, 4)]},
    "a surrogate": {"briefs": [_brief(1, 2), _brief(2, 4, global_summary="\ud800")]},
    "a brief of another chat": {"briefs": [_brief(1, 2), _brief(2, 4, chat_id="d")]},
    "no brief at all": {"briefs": [_brief(1, 2), None]},
    "a brief beyond the cap": {"briefs": [_brief(1, 2), _brief(2, 4, global_summary="bee " * 600)]},
}


@pytest.mark.parametrize("name", BROKEN_FOLDS)
def test_a_broken_fold_is_left_out_as_a_whole(memory: Memory, name: str) -> None:
    """Summaries and briefs that do not fit the messages are skipped together; every message is stored, unfolded."""
    loaded = memory.load(_small(**BROKEN_FOLDS[name]))
    assert loaded.imported == 9
    assert len(loaded.skipped) == 1 and "left to the next fold" in loaded.skipped[0][1]
    record = memory.chats(chat="c")[0]
    assert (record.folded_position, record.unfolded_messages) == (0, 8)
    assert memory.chat("c").brief(revisions=True).revisions == ()
    check_chat(memory.chat("c"))


def test_ids_that_are_taken_by_another_chat(memory: Memory) -> None:
    """Ids of messages, pins and summaries are the user's: a second chat cannot have them too."""
    document = _small()
    document["chats"].append({**document["chats"][0], "chat_id": "d"})
    loaded = memory.load(document)
    assert (loaded.imported, loaded.duplicates) == (9, 1)
    assert len(loaded.skipped) == 9
    assert memory.chat("d").messages() == [] and memory.chat("d").summaries() == []
    check_chat(memory.chat("c"))
    check_chat(memory.chat("d"))


def test_a_summary_id_of_another_chat(memory: Memory) -> None:
    """A summary whose id is taken does not stop its chat: it is left to the next fold."""
    document = _small()
    said = [{**message, "id": f"d{message['id']}"} for message in document["chats"][0]["messages"]]
    ends = {"start_message_id": "dm1", "end_message_id": "dm4"}
    document["chats"].append(
        {
            "chat_id": "d",
            "messages": said,
            "summaries": [_summary(1, 4, **ends)],
            "briefs": [_brief(1, 4, last_summarized_message_id="dm4")],
        }
    )
    loaded = memory.load(document)
    assert (loaded.imported, len(loaded.skipped)) == (17, 1)
    check_chat(memory.chat("d"))


def test_a_message_of_an_unknown_session_is_kept(memory: Memory) -> None:
    """A message whose session is not there, or is another persona's, is stored without one, and that is said."""
    session = {
        "id": "theirs",
        "persona_id": "coach",
        "startedAt": "2026-01-01T00:00:00Z",
        "lastActivityAt": "2026-01-01T00:00:00Z",
        "endedAt": "2026-01-01T00:30:00Z",
    }
    said = [_message(1, session="nowhere"), _message(2, session="theirs")]
    document = {**_small(messages=said, summaries=[], briefs=[]), "sessions": [session]}
    loaded = memory.load(document)
    assert (loaded.imported, len(loaded.skipped)) == (3, 2)
    assert [item.session_id for item in memory.chat("c").messages()] == [None, None]


def test_pins_beyond_the_room_are_left_out(memory: Memory) -> None:
    """A chat of a file gets as many pins by hand as a chat may have; the others are named."""
    many = [{**PIN, "id": f"p{number}", "content": f"Fact {number}"} for number in range(MAX_PINS + 2)]
    loaded = memory.load(_small(pins=many))
    assert [reason for _, reason in loaded.skipped] == [
        f"chats: pin 'p{number}': its chat has {MAX_PINS:,} pins already."
        for number in (MAX_PINS, MAX_PINS + 1)
    ]
    assert len(memory.chat("c").pins()) == MAX_PINS


def test_a_rules_pin_of_a_file_is_merged(memory: Memory) -> None:
    """Of two doses in a file, or in the file and here, the one that was told last is pinned."""
    said = [{**_message(number), "role": "user", "text": f"I take warfarin {number} mg"} for number in (1, 2)]
    rules = [
        {
            **PIN,
            "id": f"p{number}",
            "content": f"User takes warfarin {number} mg",
            "pin_type": "auto",
            "source_message_id": f"m{number}",
            "derived": True,
            "created_at": f"2026-01-01T00:0{number}:00Z",
        }
        for number in (2, 1)
    ]
    loaded = memory.load(_small(messages=said, summaries=[], briefs=[], pins=rules))
    assert (loaded.imported, loaded.duplicates, loaded.skipped) == (3, 1, ())
    assert [pin.pin_id for pin in memory.chat("c").pins()] == ["p2"]


def test_a_derived_pin_without_its_message(memory: Memory) -> None:
    """A rule's pin whose message is not there would never go away, so it does not come."""
    loaded = memory.load(_small(pins=[{**PIN, "derived": True, "source_message_id": "m99"}]))
    assert (loaded.imported, len(loaded.skipped)) == (8, 1)
    assert _read(memory, lambda tx: pins.of_chat(tx, "local", "c")) == []


@pytest.mark.parametrize(
    "name", ["chats", "sessions", "states", "rolling_summaries", "spines", "seed"], ids=str
)
@pytest.mark.parametrize("value", [None, 5, "all", True], ids=repr)
def test_lists_that_are_none_refuse_the_document(memory: Memory, name: str, value: object) -> None:
    """Where a list or an object belongs nothing else is read, and nothing is stored."""
    with pytest.raises(InvalidInput):
        memory.load({**_small(), name: value})
    assert memory.chats() == []


_NAMES = {
    "chat": sorted(WRONG_CHATS),
    "message": [*WRONG_MESSAGES, "position"],
    "pin": sorted(WRONG_PINS),
    "summary": sorted(_summary(1, 2)),
    "brief": sorted(_brief(1, 2)),
}
_PLACES = st.sampled_from([(kind, name) for kind, names in _NAMES.items() for name in names])
_VALUES = json_values | st.sampled_from(["m1", "m3", "m4", "m8", "c", 1, 2, 3, "2026-01-01T00:00:00Z"])


@settings(parent=quick, max_examples=40)
@given(st.lists(st.tuples(_PLACES, _VALUES), min_size=1, max_size=4))
def test_nothing_but_a_skip_comes_of_any_json(values: list[tuple[tuple[str, str], Any]]) -> None:
    """Whatever JSON stands in a chat, load answers, every chat obeys its rules, and twice is once."""
    document = _small()
    (chat,) = document["chats"]
    places = {
        "chat": chat,
        "message": chat["messages"][2],
        "pin": chat["pins"][0],
        "summary": chat["summaries"][1],
        "brief": chat["briefs"][1],
    }
    for (kind, name), value in values:
        places[kind][name] = value
    with _Open() as (memory, _):
        loaded = memory.load(document)
        assert loaded.imported + len(loaded.skipped) >= 1
        for info in memory.chats():
            check_chat(memory.chat(info.chat_id))
            memory.chat(info.chat_id).context("bees")
            memory.chat(info.chat_id).stats()
        before = memory.export()
        json.dumps(before, allow_nan=False)
        as_markdown(before)
        assert memory.load(document).imported == 0
        assert memory.export() == before


_TALK = st.lists(
    st.tuples(
        st.sampled_from(("talk", "talk", "pause", "edit", "delete", "pin", "fold")), st.integers(0, 30)
    ),
    min_size=2,
    max_size=12,
)


@settings(parent=quick, max_examples=20)
@given(_TALK)
def test_any_talk_survives_the_round_trip(steps: list[tuple[str, int]]) -> None:
    """Whatever was said, edited, deleted and folded, export, load and export again give the same document."""
    small = Settings(sqlite_synchronous="normal", raw_turns=1, fold_threshold_tokens=200)
    with _Open() as (memory, clock), _Open() as (other, there):
        for one in (memory, other):
            object.__setattr__(parts_of(one), "settings", small)
        for verb, number in steps:
            _step(memory, memory.chat(f"c{number % 2}"), clock, verb, number)
            # The worker and a fold by hand would race.
            assert memory.drain()
        document = memory.export()
        there.now = clock.now
        assert other.load(document).skipped == ()
        assert _stable(other.export()) == _stable(document)
        _checked(other)


def _step(memory: Memory, chat: Any, clock: FakeClock, verb: str, number: int) -> None:
    clock.move(seconds=1)
    said = chat.messages(limit=1000)
    match verb:
        case "talk":
            talk(chat, 1 + number % 5, start=number, words="bees " * number)
        case "pause":
            clock.move(minutes=number * 3)
        case "edit" if said:
            memory.edit(said[number % len(said)].message_id, f"Other words {number}", user=chat.user_id)
        case "delete" if said:
            memory.forget(message=said[number % len(said)].message_id, user=chat.user_id)
        case "pin":
            chat.pin(f"Pinned {number}")
        case "fold" if rest := [m for m in said if m.position > record_of(chat).folded_position]:
            chat.summarise(rest[0].message_id, rest[-1].message_id, len(rest))


def test_a_clock_that_is_ahead_does_not_outlive_forgetting(memory: Memory, clock: FakeClock) -> None:
    """A message dated a little ahead counts as said when it is loaded, so what tells of it goes with it."""
    ahead = (clock.now + timedelta(hours=10)).isoformat()
    said = [
        {
            "id": "m1",
            "role": "user",
            "text": "I collect Zsolnay porcelain.",
            "created_at": ahead,
            "position": 1,
        }
    ]
    memory.load({"recollect": 1, "memories": [], "chats": [{"chat_id": "c", "messages": said}]})
    assert memory.chat("c").messages()[0].created_at == clock.now
