"""Recall of past messages while they change: edits and erasure, other processes, other databases, little memory."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, Memory, Settings
from recollect.errors import EmbeddingError

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeEmbedder, MoodyEmbedder
from .test_recall_episodes import IDLE, hits, holding, index, texts

WORDS = (
    "otter pond heron mill garden rose hedge gate gravel kettle tea lemon cake train station river bridge boat"
    " lantern window candle piano violin letter postcard winter summer storm thunder mountain valley lake"
).split()
QUERIES = (
    "otter in the pond",
    "What did I say about the lemon cake?",
    "what did Berta tell about the mountain storm",
    "the last time we took a train",
    "Which boat was it in May 2025?",
    "nothing of the kind",
    "before the winter storm",
)


@pytest.fixture
def idle(opener: Opener, database_url: str) -> Memory:
    """A memory without a worker, on each of the two databases."""
    return opener(database_url, settings=IDLE)


@pytest.fixture
def pair(opener: Opener, database_url: str) -> tuple[Memory, Memory]:
    """Two memories on one database, as two processes have them."""
    return opener(database_url, settings=IDLE), opener(database_url, settings=IDLE)


def corpus(count: int) -> list[dict[str, Any]]:
    """Made-up messages of three people over a year, the same each time."""
    dice = random.Random(5)
    said: list[dict[str, Any]] = []
    for number in range(count):
        speaker = dice.choice([None, "Anna", "Berta"])
        said.append(
            {
                "role": dice.choice(["user", "user", "assistant"]),
                "text": " ".join(dice.choices(WORDS, k=dice.randint(2, 14))) + dice.choice([".", "?", "!"]),
                "created_at": f"2025-{number * 12 // count + 1:02}-{number % 28 + 1:02}T{dice.randint(0, 23):02}:00:00Z",
                **({"name": speaker} if speaker else {}),
            }
        )
    return said


def fill(memory: Memory, count: int, chats: int = 4) -> None:
    """Record the corpus in several chats, in portions."""
    said = corpus(count)
    for start in range(0, count, 25):
        memory.chat(f"c{start // 25 % chats}", user="ann").add(said[start : start + 25])


def answers(memory: Memory) -> list[list[tuple[str, float]]]:
    """What each of the questions finds, with scores."""
    return [
        [(hit.message.text, hit.score) for hit in hits(memory, query, messages=10, at="2025-12-30T12:00:00Z")]
        for query in QUERIES
    ]


def agree(one: list[list[tuple[str, float]]], other: list[list[tuple[str, float]]]) -> None:
    """The same hits with the same scores to four digits, in the same order."""
    for query, first, second in zip(QUERIES, one, other, strict=True):
        assert [text for text, _ in first] == [text for text, _ in second], query
        assert [score for _, score in first] == pytest.approx([score for _, score in second], abs=1e-4), query


# -- edits and erasure ----------------------------------------------------------------------------------


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "waiting"])
def test_an_edited_message(pair: tuple[Memory, Memory], indexed: bool) -> None:
    """The new words are found at once and the old ones no more, in every process, with its vector or without."""
    one, other = pair
    chat = one.chat("c", user="ann")
    (message,) = chat.add(user="The otter swims").messages
    chat.add(assistant="Nice.")
    for memory in pair if indexed else ():
        index(memory)
    assert holding(other, "otter") == {"The otter swims"}
    one.edit(message.message_id, "The heron flies", user="ann")
    for _ in range(2):
        for memory in pair:
            assert holding(memory, "heron") == {"The heron flies"}
            assert hits(memory, "otter")[0].explain.bm25 == 0
            assert not any("otter" in text for text in texts(memory, "the otter swims"))
            found = {hit.message.text: hit for hit in hits(memory, "heron")}
            assert [item.text for item in found["Nice."].before] == ["The heron flies"]
        index(one)


FORGETTING: dict[str, Callable[[Memory, str], object]] = {
    "message": lambda memory, id: memory.forget(message=id, user="ann"),
    "chat": lambda memory, id: memory.forget(chat=memory.chat("c", user="ann").chat_id, user="ann"),
    "everything": lambda memory, id: memory.forget(user="ann", everything=True),
}


@pytest.mark.parametrize("how", FORGETTING)
def test_what_was_forgotten_is_gone(pair: tuple[Memory, Memory], how: str) -> None:
    """Erased words are found nowhere, not as neighbours either, nor by another process that held them in its index."""
    one, other = pair
    (message,) = (
        one.chat("c", user="ann").add([{"role": "user", "text": "The otter", "name": "Ottilie"}]).messages
    )
    one.chat("c", user="ann").add(assistant="A heron, too")
    one.chat("d", user="ann").add(user="A rose")
    index(one)
    for memory in pair:
        assert hits(memory, "what did Ottilie say of the otter")[0].message.text == "The otter"
        assert parts_of(memory).speakers.get("ann") == ("Ottilie",)
    FORGETTING[how](one, message.message_id)
    left = {"message": {"A heron, too", "A rose"}, "chat": {"A rose"}, "everything": set[str]()}[how]
    for memory in pair:
        found = hits(memory, "what did Ottilie say of the otter", neighbours=3)
        assert {hit.message.text for hit in found} == left
        around = [item.text for hit in found for item in (*hit.before, *hit.after)]
        assert not any("otter" in text for text in around)
        assert parts_of(memory).speakers.get("ann") == () or memory is other
    one.chat("c", user="ann").add(user="An otter again")
    for memory in pair:
        assert holding(memory, "otter") == {"An otter again"}


def test_what_moved_around_a_deleted_message(idle: Memory) -> None:
    """When a message is deleted those beside it become neighbours."""
    chat = idle.chat("c", user="ann")
    first, middle, last = (chat.add(user=text).messages[0] for text in ("a rose", "an otter", "a heron"))
    assert [item.message_id for item in hits(idle, "rose")[0].after] == [middle.message_id]
    idle.forget(message=middle.message_id, user=chat.user_id)
    assert [item.message_id for item in hits(idle, "rose")[0].after] == [last.message_id]
    assert [item.message_id for item in hits(idle, "heron")[0].before] == [first.message_id]


# -- several of them ------------------------------------------------------------------------------------


def test_two_see_each_others_words(pair: tuple[Memory, Memory]) -> None:
    """Whichever of two memories records, both find it in the next call."""
    for number in range(6):
        pair[number % 2].chat("c", user="ann").add(user=f"otter number{number}")
        for memory in pair:
            assert len(holding(memory, "otter", messages=20)) == number + 1
        if number == 3:
            index(pair[1])


def test_a_speaker_heard_of_elsewhere(pair: tuple[Memory, Memory], embedder: MoodyEmbedder) -> None:
    """A name that another process recorded a moment ago is known to the next question."""
    one, other = pair
    other.chat("c", user="ann").add(user="The race was long")
    assert texts(other, "Ottilie and the race") == ["The race was long"]
    one.chat("c", user="ann").add([{"role": "user", "text": "The race was wet", "name": "Ottilie"}])
    embedder.seen.clear()
    assert texts(other, "How was the race for Ottilie?")[0] == "The race was wet"
    assert "How was the race for ?" in embedder.seen


def test_both_databases_give_the_same_answers(opener: Opener, sqlite_path: Path, postgres_url: str) -> None:
    """Three hundred messages on SQLite and on PostgreSQL: the same hits in the same order."""
    both = [opener(address, settings=IDLE) for address in (sqlite_path, postgres_url)]
    for memory in both:
        fill(memory, 300)
    agree(answers(both[0]), answers(both[1]))
    for memory in both:
        index(memory)
    agree(answers(both[0]), answers(both[1]))


def test_an_index_that_followed_equals_one_read_anew(opener: Opener, database_url: str) -> None:
    """After records, edits, deletions and vectors that came late, a held index answers like a fresh one."""
    held = opener(database_url, settings=IDLE)
    chat = held.chat("c0", user="ann")
    for step in range(4):
        fill(held, 75)
        answers(held)
        said = chat.messages(limit=1000)
        held.edit(said[3 + step].message_id, f"an edited otter in pond {step}", user="ann")
        answers(held)
        if step == 1:
            held.forget(message=said[10].message_id, user="ann")
        if step != 2:
            index(held)
        agree(answers(held), answers(opener(database_url, settings=IDLE)))


# -- while work goes on ---------------------------------------------------------------------------------


def test_questions_while_messages_are_indexed(database_url: str) -> None:
    """Readers beside a recorder and a worker never see an error, and never fewer messages than were acknowledged."""

    async def work() -> list[tuple[int, int]]:
        settings = Settings(sqlite_synchronous="normal")
        async with AsyncMemory(database_url, embedder=FakeEmbedder(), settings=settings) as memory:
            chat = memory.chat("c", user="ann")
            said, seen, talking = 0, list[tuple[int, int]](), True

            async def read() -> None:
                while talking:
                    least = said
                    found = await memory.search("otter", user="ann", messages=200)
                    seen.append((least, len(found.messages)))

            readers = [asyncio.create_task(read()) for _ in range(3)]
            for number in range(40):
                await chat.add(user=f"otter number{number}", assistant=f"heron number{number}")
                said += 2
            talking = False
            await asyncio.gather(*readers)
            assert await memory.drain(user="ann")
            return [*seen, (80, len((await memory.search("otter", user="ann", messages=200)).messages))]

    seen = asyncio.run(work())
    assert all(least <= found <= 80 for least, found in seen)
    assert seen[-1] == (80, 80)


def test_many_users_in_little_memory(opener: Opener, database_url: str) -> None:
    """When the indexes of all do not fit, each user is still answered, from an index that is read again."""
    memory = opener(
        database_url,
        settings=Settings(sqlite_synchronous="normal", worker="off", index_memory_mb=1),
        embedder=FakeEmbedder("wide", 1024),
    )
    people = [f"user{number}" for number in range(8)]
    said = [item | {"text": f"{item['text']} {number}"} for number, item in enumerate(corpus(60))]
    for user in people:
        memory.chat("c", user=user).add([*said, {"role": "user", "text": f"The otter of {user}"}])
        index(memory, user)
    for _ in range(2):
        for user in people:
            assert texts(memory, f"otter of {user}", user=user)[0] == f"The otter of {user}"
    assert parts_of(memory).indexes.nbytes <= 1_000_000 * 1.05


def test_a_model_that_fails_leaves_words(idle: Memory, embedder: MoodyEmbedder) -> None:
    """Messages that could not be embedded yet are found by their words beside those that were."""
    chat = idle.chat("c", user="ann")
    chat.add(user="The otter swims")
    index(idle)
    embedder.failing = True
    chat.add(user="The otter sleeps")
    with pytest.raises(EmbeddingError):
        index(idle)
    embedder.failing = False
    found = {hit.message.text: hit.explain.cosine for hit in hits(idle, "otter")}
    assert found["The otter swims"] is not None
    assert found["The otter sleeps"] is None
