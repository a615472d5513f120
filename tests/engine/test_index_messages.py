"""Index messages: found by words at once and by meaning soon; edits, deletions and imports follow, in every process."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from patience import LIMIT

from recollect import AsyncMemory, Memory, Settings
from recollect.admin import Admin, AsyncAdmin
from recollect.engine import index_messages as indexing
from recollect.engine.index_messages import index_messages
from recollect.engine.parts import Parts
from recollect.errors import EmbeddingError, StoreUnavailable
from recollect.index.episode.parts_of_text import MOST
from recollect.index.episode.parts_of_text import parts_of as parts_of_text
from recollect.index.message_index import MessageIndex
from recollect.records.job import JobKind
from recollect.store import message_entries, message_vectors, messages, users
from recollect.store.database import Connection

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeEmbedder, MoodyEmbedder

T = TypeVar("T")
#: Nobody indexes but the test.
IDLE = Settings(sqlite_synchronous="normal", worker="off")


@pytest.fixture
def idle(opener: Opener, database_url: str) -> Memory:
    """A memory without a worker, on each of the two databases."""
    return opener(database_url, settings=IDLE)


def _read(memory: Memory, load: Callable[[Connection], T]) -> T:
    """Read from ann's rows."""
    return memory._thread.run(parts_of(memory).database.read("ann", load))


def _index(memory: Memory) -> int:
    """Do the job, whether or not it is written down."""
    return memory._thread.run(index_messages(parts_of(memory), "ann"))


@contextmanager
def _looked(parts: Parts, tx: Connection) -> Iterator[MessageIndex]:
    state = users.state(tx, "ann")
    assert state is not None
    with parts.indexes.messages_of(tx, "ann", state) as index:
        yield index


def _by_words(parts: Parts, word: str, tx: Connection) -> set[str]:
    with _looked(parts, tx) as index:
        scores = index.matches([word])[0]
        return {message_id for message_id, slot in index.slot_of.items() if scores[slot] > 0}


def _by_meaning(parts: Parts, text: str, tx: Connection) -> set[str]:
    """Those that mean nearly the same, by the test's embedder."""
    with _looked(parts, tx) as index:
        near = index.cosines(FakeEmbedder().vector(text)[None, :])[:, 0]
        return {message_id for message_id, slot in index.slot_of.items() if near[slot] > 0.99}


def words(memory: Memory, word: str) -> set[str]:
    """Which of ann's messages are found by a word."""
    return _read(memory, lambda tx: _by_words(parts_of(memory), word, tx))


def meaning(memory: Memory, text: str) -> set[str]:
    """Which of ann's messages are found by what they mean."""
    return _read(memory, lambda tx: _by_meaning(parts_of(memory), text, tx))


def rows(memory: Memory) -> tuple[int, int, int]:
    """How many of ann's messages have entries, how many vectors there are, and how many messages wait."""
    return _read(
        memory,
        lambda tx: (
            message_entries.count(tx, "ann"),
            message_vectors.count(tx, "ann"),
            messages.count_unindexed(tx, "ann"),
        ),
    )


def test_what_is_said_is_found(idle: Memory) -> None:
    """A message is found by its words in the next call, and by its meaning when its job has run; once is enough."""
    chat = idle.chat("c", user="ann")
    first, second = chat.add(user="The otter swims.", assistant="Otters do that.").messages
    assert words(idle, "otter") == {first.message_id, second.message_id}
    assert meaning(idle, "The otter swims.") == set()
    assert (rows(idle), idle.stats(user="ann").messages_waiting) == ((0, 0, 2), 2)
    assert _index(idle) == 2
    assert meaning(idle, "The otter swims.") == {first.message_id}
    assert words(idle, "otter") == {first.message_id, second.message_id}
    assert (rows(idle), idle.stats(user="ann").messages_waiting) == ((2, 2, 0), 0)
    assert _index(idle) == 0


def test_every_recording_leaves_one_job(idle: Memory) -> None:
    """However many turns wait, one job will do them all; nobody else's, and nothing for nobody."""
    for number in range(3):
        idle.chat(f"c{number}", user="ann").add(user="Hello.")
    jobs = [job for job in Admin(idle).jobs(user="ann") if job.kind == JobKind.INDEX_MESSAGES]
    assert [(job.lane, job.subject, job.payload) for job in jobs] == [("index", "messages", {})]
    assert Admin(idle).jobs(user="bob") == []
    assert idle._thread.run(index_messages(parts_of(idle), "nobody")) == 0


def test_draining_waits_for_it(opener: Opener, database_url: str) -> None:
    """Whoever waits for the background work finds everything indexed, without asking for it."""
    memory = opener(database_url)
    for number in range(5):
        memory.chat("c", user="ann").add(user=f"Number {number}.", assistant="Yes.")
    assert memory.drain(user="ann")
    assert rows(memory) == (10, 10, 0)


def test_a_speakers_name_is_a_word_and_no_meaning(idle: Memory) -> None:
    """Who speaks is found by name; what was said means the same, whoever says it."""
    said = {"role": "user", "text": "The otter swims.", "name": "Melanie Huber"}
    (message,) = idle.chat("c", user="ann").add([said]).messages
    assert words(idle, "melani") == {message.message_id}
    _index(idle)
    assert words(idle, "melani") == {message.message_id}
    assert meaning(idle, "The otter swims.") == {message.message_id}


def test_a_long_message_has_a_vector_a_part(idle: Memory) -> None:
    """What stands at the end of a long message is found by its meaning, too."""
    text = "\n\n".join(f"Paragraph {number} about the garden." * 80 for number in range(5))
    last = parts_of_text(text)[-1]
    (message,) = idle.chat("c", user="ann").add(user=text).messages
    idle.chat("c", user="ann").add(assistant="Short.")
    assert _index(idle) == 2
    assert rows(idle)[1] == len(parts_of_text(text)) + 1 > 3
    assert message.message_id in meaning(idle, last)


def test_a_very_long_message_is_not_embedded_whole(idle: Memory) -> None:
    """The largest message gets a bounded number of vectors, and every word of it is found."""
    paragraphs = [f"Paragraph word{number} about the garden.".ljust(3900, ".") for number in range(51)]
    (message,) = idle.chat("c", user="ann").add(user="\n\n".join(paragraphs)).messages
    assert _index(idle) == 1
    assert rows(idle)[1] == MOST
    for number in (0, 17, 18, 19, 50):
        assert words(idle, f"word{number}") == {message.message_id}


@pytest.mark.parametrize(("batch", "characters"), [(4, 10_000), (256, 30), (256, 1)])
def test_a_backlog_goes_in_batches(
    idle: Memory, monkeypatch: pytest.MonkeyPatch, batch: int, characters: int
) -> None:
    """A batch ends by number or by size; one message alone may be larger, and none is left out."""
    monkeypatch.setattr(indexing, "BATCH", batch)
    monkeypatch.setattr(indexing, "MAX_CHARACTERS", characters)
    said = [{"role": "user", "text": f"Number {number}."} for number in range(11)]
    idle.chat("c", user="ann").add(said)
    assert _index(idle) == 11
    assert rows(idle) == (11, 11, 0)


def test_an_edit_is_found_and_the_old_words_are_not(idle: Memory, opener: Opener, database_url: str) -> None:
    """From the edit on nothing finds the old words, in another process neither; the new meaning comes with the job."""
    other = opener(database_url, settings=IDLE)
    chat = idle.chat("c", user="ann")
    (message,) = chat.add(user="The otter swims.").messages
    _index(idle)
    assert meaning(other, "The otter swims.") == {message.message_id}
    idle.edit(message.message_id, "The badger digs.", user=chat.user_id)
    for memory in (idle, other):
        assert words(memory, "otter") == meaning(memory, "The otter swims.") == set()
        assert words(memory, "badger") == {message.message_id}
        assert meaning(memory, "The badger digs.") == set()
    assert rows(idle) == (0, 0, 1)
    assert JobKind.INDEX_MESSAGES in {job.kind for job in Admin(idle).jobs(user="ann")}
    _index(idle)
    for memory in (idle, other):
        assert words(memory, "otter") == set()
        assert meaning(memory, "The badger digs.") == {message.message_id}
    assert rows(idle) == (1, 1, 0)


@pytest.mark.parametrize("indexed", [True, False])
def test_what_is_forgotten_leaves_nothing(
    idle: Memory, opener: Opener, database_url: str, indexed: bool
) -> None:
    """Message, chat, user: no entry, no vector, no hit in any process; the receipt counts the vectors."""
    other = opener(database_url, settings=IDLE)
    first = (
        idle.chat("kept", user="ann").add(user="The otter swims.", assistant="The otter dives.").messages[0]
    )
    idle.chat("gone", user="ann").add(user="The otter sleeps.", assistant="Let it.")
    if indexed:
        _index(idle)
    assert len(words(other, "otter")) == 3
    assert idle.forget(message=first.message_id, user="ann").counts.get("message_vectors", 0) == (
        1 if indexed else 0
    )
    assert len(words(other, "otter")) == len(words(idle, "otter")) == 2
    assert idle.forget(chat="gone", user="ann").counts.get("message_vectors", 0) == (2 if indexed else 0)
    assert len(words(other, "otter")) == len(words(idle, "otter")) == 1
    assert rows(idle) == ((1, 1, 0) if indexed else (0, 0, 1))
    receipt = idle.forget(everything=True, user="ann")
    assert receipt.counts["message_vectors"] == receipt.counts["message_entries"] == (1 if indexed else 0)
    assert rows(idle) == (0, 0, 0)
    idle.chat("kept", user="ann").add(user="The badger digs.")
    for memory in (idle, other):
        assert words(memory, "otter") == set()
        assert len(words(memory, "badger")) == 1


def test_an_import_is_indexed_by_the_job(idle: Memory, opener: Opener, tmp_path: Path) -> None:
    """What comes from a file is found by its words at once, and by meaning after the job; twice is once."""
    said = [
        {"role": "user", "text": "The otter swims.", "name": "Zoë Lee"},
        {"role": "assistant", "text": "Does it?"},
    ]
    (first, _) = idle.chat("c", user="ann").add(said).messages
    document = idle.export(user="ann")
    other = opener(tmp_path / "other.db", settings=IDLE)
    for _ in range(2):
        other.load(document, user="ann")
        assert words(other, "otter") == words(other, "zoe") == {first.message_id}
    assert [message.name for message in other.chat("c", user="ann").messages()] == ["Zoë Lee", None]
    assert [job.kind for job in Admin(other).jobs(user="ann")].count(JobKind.INDEX_MESSAGES) == 1
    assert _index(other) == 2
    assert meaning(other, "The otter swims.") == {first.message_id}
    other.load(document, user="ann")
    assert rows(other) == (2, 2, 0)


# -- what happens while a batch is being embedded -----------------------------------------------------------


Meanwhile = Callable[[AsyncMemory], Any]


async def _while_embedding(url: str, meanwhile: Meanwhile) -> tuple[AsyncMemory, list[str]]:
    """Three messages, and something that happens while their vectors are made; their ids."""
    model = MoodyEmbedder()
    memory = AsyncMemory(url, settings=IDLE, embedder=[model, MoodyEmbedder("fake-32", 32)])
    chat = memory.chat("c", user="ann")
    said = [{"role": "user", "text": f"The {animal} swims."} for animal in ("otter", "beaver", "newt")]
    ids = [message.message_id for message in (await chat.add(said)).messages]
    model.held = "beaver"
    job = asyncio.create_task(index_messages(memory._engine.parts, "ann"))
    async with asyncio.timeout(LIMIT):
        await model.waiting.wait()
    await meanwhile(memory)
    model.held = None
    await job
    return memory, ids


def _after(url: str, meanwhile: Meanwhile, check: Callable[[Parts, Connection, list[str]], None]) -> None:
    async def run() -> None:
        memory, ids = await _while_embedding(url, meanwhile)
        async with memory:
            await memory._engine.parts.database.read("ann", lambda tx: check(memory._engine.parts, tx, ids))

    asyncio.run(run())


def test_an_edit_while_it_runs(database_url: str) -> None:
    """The vector of the old words is thrown away, and the new ones get theirs in the same run."""

    async def edit(memory: AsyncMemory) -> None:
        first = (await memory.chat("c", user="ann").messages())[0]
        await memory.edit(first.message_id, "The heron flies.", user="ann")

    def check(parts: Parts, tx: Connection, ids: list[str]) -> None:
        assert _by_words(parts, "otter", tx) == _by_meaning(parts, "The otter swims.", tx) == set()
        assert _by_meaning(parts, "The heron flies.", tx) == {ids[0]}
        assert message_entries.count(tx, "ann") == message_vectors.count(tx, "ann") == 3
        assert messages.count_unindexed(tx, "ann") == 0

    _after(database_url, edit, check)


def test_a_deletion_while_it_runs(database_url: str) -> None:
    """A message that went leaves no entry and no vector behind, though those were being made."""

    async def delete(memory: AsyncMemory) -> None:
        first = (await memory.chat("c", user="ann").messages())[0]
        await memory.forget(message=first.message_id, user="ann")

    def check(parts: Parts, tx: Connection, ids: list[str]) -> None:
        assert message_entries.count(tx, "ann") == message_vectors.count(tx, "ann") == 2
        assert _by_meaning(parts, "The newt swims.", tx) == {ids[2]}

    _after(database_url, delete, check)


def test_another_model_while_it_runs(database_url: str) -> None:
    """When another model took over, everything is embedded by that one, and nothing stays of the old."""

    async def switch(memory: AsyncMemory) -> None:
        await AsyncAdmin(memory).reembed("fake-32")

    def check(parts: Parts, tx: Connection, ids: list[str]) -> None:
        found = tx.all("SELECT model, count(*) FROM message_vectors GROUP BY model")
        assert found == [("fake-32", 3)]
        assert messages.count_unindexed(tx, "ann") == 0

    _after(database_url, switch, check)


def test_a_user_who_came_back_while_it_runs(database_url: str) -> None:
    """A user forgotten and begun anew is indexed whole, though the revisions began again."""

    async def again(memory: AsyncMemory) -> None:
        await memory.forget(everything=True, user="ann")
        await memory.chat("new", user="ann").add(user="The heron flies.")

    def check(parts: Parts, tx: Connection, ids: list[str]) -> None:
        assert len(_by_meaning(parts, "The heron flies.", tx)) == 1
        assert message_entries.count(tx, "ann") == message_vectors.count(tx, "ann") == 1

    _after(database_url, again, check)


def test_a_word_said_while_it_runs(database_url: str) -> None:
    """What is said meanwhile is found by its words, and the run takes it along."""

    async def say(memory: AsyncMemory) -> None:
        await memory.chat("c", user="ann").add(user="The heron flies.")
        parts = memory._engine.parts
        found = await parts.database.read("ann", lambda tx: _by_words(parts, "heron", tx))
        assert len(found) == 1

    def check(parts: Parts, tx: Connection, ids: list[str]) -> None:
        assert len(_by_meaning(parts, "The heron flies.", tx)) == 1
        assert message_entries.count(tx, "ann") == 4

    _after(database_url, say, check)


def test_two_at_once_are_one(database_url: str) -> None:
    """Two workers with the same job, one of them thought dead, leave each message indexed once."""

    async def run() -> None:
        async with AsyncMemory(database_url, settings=IDLE, embedder=MoodyEmbedder()) as memory:
            said = [{"role": "user", "text": f"Number {number}."} for number in range(20)]
            await memory.chat("c", user="ann").add(said)
            parts = memory._engine.parts
            await asyncio.gather(index_messages(parts, "ann"), index_messages(parts, "ann"))

            def count(tx: Connection) -> tuple[int, int, int]:
                return (
                    message_entries.count(tx, "ann"),
                    message_vectors.count(tx, "ann"),
                    messages.count_unindexed(tx, "ann"),
                )

            assert await parts.database.read("ann", count) == (20, 20, 0)

    asyncio.run(run())


def test_a_batch_is_written_whole_or_not_at_all(idle: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends in the middle of a write leaves nothing of it, and the next run does all of it."""
    (first, _) = idle.chat("c", user="ann").add(user="The otter swims.", assistant="It does.").messages

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as broken:
        broken.setattr(message_vectors, "put", fail)
        with pytest.raises(StoreUnavailable):
            _index(idle)
    assert rows(idle) == (0, 0, 2)
    assert _index(idle) == 2
    assert meaning(idle, "The otter swims.") == {first.message_id}


def test_a_model_that_fails_leaves_the_words(opener: Opener, embedder: MoodyEmbedder) -> None:
    """Without a model messages are found by their words, and the job is there to be done when it is back."""
    memory = opener(settings=IDLE)
    embedder.failing = True
    memory.chat("c", user="ann").add(user="The otter swims.")
    with pytest.raises(EmbeddingError):
        _index(memory)
    assert len(words(memory, "otter")) == 1
    assert rows(memory) == (0, 0, 1)
    embedder.failing = False
    assert _index(memory) == 1
