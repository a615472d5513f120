"""Other products' exports in the store: twice is once, a later export adds what is new, and nothing is lost in silence."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from foreign_exports import (
    TALK,
    chatgpt_conversation,
    chatgpt_message,
    claude_conversation,
    lines,
    mem0_memory,
    node,
    openai_messages,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import InvalidInput, Memory, Settings
from recollect.admin import Admin
from recollect.interchange import load_chats

from .conftest import Opener
from .conversing import QUICK, check_chat, parts_of
from .fakes import FakeEmbedder
from .judged_talk import FakeJudge, contents, judged_by
from .test_past import _Open, quick

Said = list[tuple[str, str]]
#: What each format makes of a talk.
TALKS: dict[str, Callable[[Said], Any]] = {
    "chatgpt": lambda said: [chatgpt_conversation(said)],
    "claude": lambda said: [claude_conversation(said)],
    "jsonl": lambda said: lines([{"role": role, "text": text, "chat_id": "c"} for role, text in said]),
    "openai": lambda said: openai_messages(said),
}
MORE = [*TALK, ("user", "Which hill is the highest?"), ("assistant", "The Schoeckl, I think.")]


def _everything(memory: Memory) -> dict[str, Any]:
    exported = memory.export()
    return {name: exported[name] for name in ("memories", "chats", "states", "todos")}


def _said(memory: Memory, chat: int = 0) -> Said:
    return [(item["role"], item["text"]) for item in memory.export()["chats"][chat]["messages"]]


@pytest.mark.parametrize("format", TALKS)
def test_twice_is_once_and_a_later_export_adds_what_is_new(
    opener: Opener, format: str, clock: Any, database_url: str
) -> None:
    """Messages come once with their words, roles and order, in either database; a later export adds its end."""
    memory = opener(database_url)
    build = TALKS[format]
    first = memory.load(build(list(TALK)))
    assert (first.imported, first.duplicates, first.skipped) == (2, 0, ())
    before = _everything(memory)
    clock.move(days=3)
    again = memory.load(build(list(TALK)))
    assert (again.imported, again.duplicates, again.skipped) == (0, 2, ())
    assert _everything(memory) == before
    later = memory.load(build(MORE))
    assert (later.imported, later.duplicates, later.skipped) == (2, 2, ())
    assert _said(memory) == MORE
    (info,) = memory.chats()
    check_chat(memory.chat(info.chat_id))


def test_memories_of_mem0(memory: Memory, clock: Any) -> None:
    """They are found, are an import's words, and come once; two with the same words are one."""
    trip = mem0_memory("User plans a trip to Japan in April", "a")
    document = {
        "results": [trip, {**trip, "id": "b"}, mem0_memory("I live in Graz", "c"), mem0_memory("short", "d")]
    }
    first = memory.load(document)
    assert (first.imported, first.duplicates) == (2, 1)
    assert first.skipped == ((4, "Content too short (minimum 10 characters)"),)
    records = {record.content: record for record in memory.memories()}
    assert set(records) == {"User plans a trip to Japan in April", "User lives in Graz"}
    assert {record.origin for record in records.values()} == {"import"}
    assert records["User lives in Graz"].memory_key is not None
    before = _everything(memory)
    clock.move(days=1)
    again = memory.load(document)
    assert (again.imported, again.duplicates, len(again.skipped)) == (0, 3, 1)
    assert _everything(memory) == before


def test_an_import_does_not_outrank_the_user(memory: Memory) -> None:
    """What the user said stays, also where a newer import says otherwise."""
    memory.add("I live in Graz")
    memory.load([mem0_memory("User lives in Vienna", created_at="2026-02-28", updated_at="2026-02-28")])
    current = {record.content: record.memory_key for record in memory.memories()}
    assert current["User lives in Graz"] is not None
    assert current["User lives in Vienna"] is None


def test_the_newer_of_two_imported_values_is_current(memory: Memory) -> None:
    """Of one fact in two versions the later stays, in whatever order they stand."""
    memory.load(
        [
            mem0_memory("User lives in Vienna", "b", updated_at="2025-06-01"),
            mem0_memory("User lives in Graz", "a", updated_at="2024-06-01"),
        ]
    )
    assert [record.content for record in memory.memories()] == ["User lives in Vienna"]


def test_another_branch_goes_to_the_end(memory: Memory) -> None:
    """What was answered anew since the first import is added; what was there stays."""
    memory.load([chatgpt_conversation()])
    conversation = chatgpt_conversation()
    conversation["mapping"]["again"] = node("again", "n0", chatgpt_message("assistant", "Another answer"))
    conversation["current_node"] = "again"
    loaded = memory.load([conversation])
    assert (loaded.imported, loaded.duplicates, loaded.skipped) == (1, 1, ())
    assert _said(memory) == [*TALK, ("assistant", "Another answer")]


def test_what_was_deleted_here_does_not_come_back_in_a_wrong_place(memory: Memory) -> None:
    """A message that the file has before known ones is left out and told."""
    memory.load([claude_conversation(MORE)])
    (info,) = memory.chats()
    chat = memory.chat(info.chat_id)
    memory.forget(message=chat.messages()[1].message_id, user=chat.user_id)
    loaded = memory.load([claude_conversation([*MORE, ("user", "Thanks")])])
    assert (loaded.imported, loaded.duplicates) == (1, 3)
    assert loaded.skipped == ((1, "chats: unknown messages before known ones cannot be placed: 1."),)
    assert [text for _, text in _said(memory)] == [MORE[0][1], MORE[2][1], MORE[3][1], "Thanks"]


def test_lines_continue_a_known_chat(memory: Memory) -> None:
    """Entries that name a chat which is there already go to its end."""
    memory.chat("c").add(user="Good morning")
    memory.load(TALKS["jsonl"](list(TALK)))
    assert _said(memory) == [("user", "Good morning"), *TALK]


def test_skipped_entries_have_their_places(memory: Memory) -> None:
    """A place is that of the source, also of what only the store could refuse."""
    memory.chat("mine", persona="coach").add(user="Good morning")
    document = [
        5,
        {"role": "user", "text": "Hello", "chat_id": "mine"},
        {"content": "User keeps bees at home"},
    ]
    loaded = memory.load(document)
    assert [line for line, _ in loaded.skipped] == [1, 2]
    assert "belongs to persona 'coach'" in loaded.skipped[1][1]
    assert loaded.imported == 1


def test_a_wrong_format_is_refused(memory: Memory) -> None:
    """A format that is none, or that the document is not of, changes nothing."""
    with pytest.raises(InvalidInput, match="Unknown format"):
        memory.load([chatgpt_conversation()], format="xml")
    with pytest.raises(InvalidInput, match="not an export of Recollect"):
        memory.load([chatgpt_conversation()], format="recollect")
    assert memory.load([chatgpt_conversation()], format="claude").skipped == ((1, "it has no uuid."),)
    assert _everything(memory)["chats"] == []


# -- what follows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", TALKS)
def test_imported_messages_are_judged_once(opener: Opener, format: str) -> None:
    """The judge reads what was imported, and of a later export only what is new."""
    memory = opener(settings=Settings(judge_model="rules", worker="off", sqlite_synchronous="normal"))
    judge = FakeJudge()
    judged_by(parts_of(memory), judge)
    build = TALKS[format]
    said = [("user", "fact: I live in Graz"), ("assistant", "Nice.")]
    memory.load(build(said))
    assert memory.stats().messages_unjudged == 1
    Admin(memory).judge()
    assert contents(memory, user="local") == ["User lives in Graz"]
    memory.load(build(said))
    assert Admin(memory).judge().messages == 0
    memory.load(build([*said, ("user", "fact: I like jazz")]))
    Admin(memory).judge()
    assert [message.text for message in judge.asked[-1].messages] == ["fact: I like jazz"]
    assert contents(memory, user="local") == ["User likes jazz", "User lives in Graz"]


def test_a_folded_chat_is_judged_further(opener: Opener) -> None:
    """Messages that are appended to a chat which was folded meanwhile wait for the judge too."""
    memory = opener(settings=QUICK)
    judged_by(parts_of(memory), judge := FakeJudge())
    said = [
        (role, f"{role} number {number} about the hills")
        for number in range(30)
        for role in ("user", "assistant")
    ]
    memory.load([claude_conversation(said)])
    assert memory.drain()
    Admin(memory).judge()
    (info,) = memory.chats()
    assert (
        memory.chats(chat=memory.chat(info.chat_id).chat_id, user=memory.chat(info.chat_id).user_id)[
            0
        ].folded_position
        > 0
    )
    memory.load([claude_conversation([*said, ("user", "fact: I like jazz")])])
    Admin(memory).judge()
    assert [message.text for message in judge.asked[-1].messages] == ["fact: I like jazz"]


# -- any talk -----------------------------------------------------------------------------------------------

_TALKS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from(["Yes", "No", "Hills", "More hills"])),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("format", TALKS)
def test_any_talk_comes_once(format: str) -> None:
    """However an export grows and how often it is read, each message is there once and in order."""

    @settings(parent=quick, max_examples=25)
    @given(_TALKS, st.lists(st.integers(1, 8), min_size=1, max_size=4))
    def check(said: Said, cuts: list[int]) -> None:
        with _Open() as (memory, _):
            for cut in sorted(cuts):
                memory.load(TALKS[format](said[:cut]))
                shown = _said(memory)
                assert shown == said[:cut]
                again = memory.load(TALKS[format](said[:cut]))
                assert (again.imported, again.duplicates) == (0, len(said[:cut]))

    check()


_FACTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["Graz", "Vienna", "Linz"]), st.integers(1, 28)),
    max_size=6,
)


@settings(parent=quick, max_examples=25)
@given(_FACTS, _FACTS)
def test_any_memories_come_once(first: list[tuple[str, str, int]], more: list[tuple[str, str, int]]) -> None:
    """However a list of mem0's memories changes and how often it is read, a second time it changes nothing."""

    def built(facts: list[tuple[str, str, int]]) -> dict[str, Any]:
        return {
            "results": [
                mem0_memory(f"User lives in {city}", name, updated_at=f"2025-01-{day:02}")
                for name, city, day in facts
            ]
        }

    idle = Settings(worker="off", sqlite_synchronous="normal")
    with (
        TemporaryDirectory() as folder,
        Memory(f"{folder}/m.db", embedder=FakeEmbedder(), settings=idle) as memory,
    ):
        for facts in (first, [*more, *first]):
            memory.load(built(facts))
            before = _everything(memory)
            again = memory.load(built(facts))
            assert (again.imported, again.skipped) == (0, ())
            assert _everything(memory) == before


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
@pytest.mark.parametrize("format", TALKS)
def test_a_killed_import_goes_on(opener: Opener, tmp_path: Path, format: str) -> None:
    """Stopped after any transaction and run again, it ends where an undisturbed one does."""
    said = [(role, f"{role} number {number}") for number in range(5) for role in ("user", "assistant")]
    for allowed in (1, 2, 3):
        memory = opener(tmp_path / f"{allowed}.db")
        left = allowed

        def tell(done: int, total: int) -> None:
            nonlocal left
            left -= done > 0
            if left < 0:
                raise _Killed

        with pytest.raises(_Killed):
            memory.load(TALKS[format](said), progress=tell)
        assert 0 < len(_said(memory)) <= len(said)
        loaded = memory.load(TALKS[format](said))
        assert loaded.imported + loaded.duplicates == len(said)
        assert _said(memory) == said


@pytest.mark.parametrize("newer_first", [True, False])
def test_what_was_said_last_counts_whatever_came_in_first(
    opener: Opener, clock: Any, database_url: str, newer_first: bool
) -> None:
    """Messages of other makers are as old as they say: an old export does not undo what was told since, in either order."""
    memory = opener(database_url, settings=Settings(sqlite_synchronous="normal"))

    def imported(text: str, chat: str, day: str) -> None:
        memory.load(
            lines([{"role": "user", "text": text, "chat_id": chat, "created_at": f"{day}T10:00:00Z"}])
        )
        assert memory.drain()

    steps = [("I live in Bern.", "old", "2020-01-01"), ("I moved to Graz.", "new", "2023-05-01")]
    for text, chat, day in reversed(steps) if newer_first else steps:
        imported(text, chat, day)
        clock.move(days=1)
    (home,) = memory.memories()
    assert home.content == "User moved to Graz."
    assert home.valid_from.isoformat() == "2023-05-01T10:00:00+00:00"
    memory.chat("now").add(user="I moved to Linz.")
    assert memory.drain()
    imported("I live in Wels.", "older", "2024-01-01")
    assert contents(memory, "local") == ["User moved to Linz."]
