"""A failing embedder delays vectors and refuses nothing: what is stored is found by its words at once, by meaning later."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from patience import LIMIT

from recollect import Memory, Settings
from recollect.admin import Admin
from recollect.api.engine import engine_of
from recollect.engine.parts import Parts
from recollect.engine.reembed import catch_up
from recollect.errors import EmbeddingError
from recollect.records.hit import Hit
from recollect.records.job import MAX_ATTEMPTS, JobKind
from recollect.worker.handlers import handlers
from recollect.worker.worker import Again

from .conftest import Opener
from .conversing import until
from .fakes import FakeClock, MoodyEmbedder

#: Nothing happens in the background: the tests say when.
IDLE = Settings(sqlite_synchronous="normal", judge_model="rules", worker="off")


@pytest.fixture
def memory(opener: Opener, database_url: str, embedder: MoodyEmbedder) -> Memory:
    """A memory that knows a fact, and whose embedder fails from now on, on each of the two databases."""
    memory = opener(database_url, settings=IDLE)
    memory.add("User owns a telescope", user="ann")
    embedder.failing = True
    return memory


def _parts(memory: Memory) -> Parts:
    return engine_of(memory._inner).parts


def _catch_up(memory: Memory, embedder: MoodyEmbedder) -> int:
    """The model is back, and the job does its work."""
    embedder.failing = False
    return memory._thread.run(catch_up(_parts(memory), "ann"))


def _hit(memory: Memory, query: str, content: str) -> Hit | None:
    """The fact among those that are found, if it is."""
    return next((hit for hit in memory.search(query, user="ann") if hit.content.rstrip(".") == content), None)


def _contents(memory: Memory) -> list[str]:
    return sorted(item.content.rstrip(".") for item in memory.memories(user="ann"))


def _check_follows(memory: Memory, embedder: MoodyEmbedder, content: str) -> None:
    """The fact is found by its words now, a job is there for its vector, and then it is found by meaning as well."""
    known = _hit(memory, content, content)
    assert known is not None
    assert (known.explain.vector_rank, known.explain.text_rank, known.explain.cosine) == (None, 1, 0.0)
    assert ("vectors", "memories") in {(job.lane, job.subject) for job in Admin(memory).jobs(user="ann")}
    assert _catch_up(memory, embedder) >= 1
    known = _hit(memory, content, content)
    assert known is not None
    assert known.explain.cosine == pytest.approx(1, abs=0.01)
    assert known.explain.vector_rank == 1
    assert _catch_up(memory, embedder) == 0


# -- every way in -------------------------------------------------------------------------------------------


def _by_tool(memory: Memory) -> None:
    reply = memory.tools.call(
        "saveMemory",
        {"content": "User owns a bicycle", "category": "fact", "reasoning": "the user said so"},
        user="ann",
    )
    assert not reply.is_error


def _by_edit(memory: Memory) -> None:
    (known,) = memory.memories(user="ann")
    memory.update(known.memory_id, user="ann", content="User owns a bicycle")


def _by_import(memory: Memory) -> None:
    record = {
        "memory_id": "2026-01-28T10:30:45.123Z#1a2b3c4d",
        "content": "User owns a bicycle",
        "category": "fact",
    }
    record |= {"importance": 5, "tags": [], "created_at": "2026-01-28T10:30:45.123Z"}
    assert memory.load({"recollect": 1, "memories": [record]}, user="ann").imported == 1


def _by_judge(memory: Memory) -> None:
    memory.chat("c", user="ann").add(user="Please remember that I own a bicycle")
    assert Admin(memory).judge(user="ann").added == 1


WAYS: dict[str, Callable[[Memory], Any]] = {
    "add": lambda memory: memory.add("User owns a bicycle", user="ann"),
    "add_many": lambda memory: memory.add_many(["User owns a bicycle", "User plays the cello"], user="ann"),
    "seed": lambda memory: memory.set_seed([{"content": "User owns a bicycle"}], user="ann"),
    "tool": _by_tool,
    "edit": _by_edit,
    "import": _by_import,
    "judge": _by_judge,
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_refused(memory: Memory, embedder: MoodyEmbedder, way: str) -> None:
    """Whichever way a fact comes, it is stored while the model fails, found by its words, and by meaning afterwards."""
    WAYS[way](memory)
    assert "User owns a bicycle" in _contents(memory)
    _check_follows(memory, embedder, "User owns a bicycle")


def test_an_edited_fact_is_not_found_by_what_it_said(memory: Memory, embedder: MoodyEmbedder) -> None:
    """The vector of the old words goes with them."""
    _by_edit(memory)
    embedder.failing = False
    hits = memory.search("User owns a telescope", user="ann")
    assert [(hit.content, hit.explain.cosine) for hit in hits] == [("User owns a bicycle", 0.0)]


def test_the_first_fact_of_a_user(opener: Opener, database_url: str, embedder: MoodyEmbedder) -> None:
    """Without a single vector a user's facts are found too, in every process, and so is the first that has one."""
    embedder.failing = True
    memory, other = opener(database_url, settings=IDLE), opener(database_url, settings=IDLE)
    memory.add("User owns a bicycle", user="ann")
    assert _hit(other, "bicycle", "User owns a bicycle")
    embedder.failing = False
    memory.add("User plays the cello", user="ann")
    assert _hit(other, "cello", "User plays the cello")
    assert _hit(other, "bicycle", "User owns a bicycle")
    _check_follows(memory, embedder, "User owns a bicycle")
    known = _hit(other, "bicycle", "User owns a bicycle")
    assert known is not None
    assert known.explain.vector_rank == 1


# -- what can be told without vectors -----------------------------------------------------------------------


def test_the_same_words_are_a_duplicate(memory: Memory) -> None:
    """Equal text needs no vector: against what has one, against what has none, and within one call."""
    assert memory.add("user owns a TELESCOPE.", user="ann").outcome == "duplicate"
    assert memory.add("User owns a bicycle", user="ann").outcome == "added"
    assert memory.add("User owns a bicycle!", user="ann").outcome == "duplicate"
    found = memory.add_many(["User plays the cello", "User plays the cello."], user="ann")
    assert [getattr(item, "outcome", "refused") for item in found] == ["added", "duplicate"]
    assert _contents(memory) == ["User owns a bicycle", "User owns a telescope", "User plays the cello"]


def test_a_key_is_taken_over(memory: Memory) -> None:
    """A new value of a known fact replaces the old one by its key."""
    memory.add("User lives in Graz", user="ann")
    assert memory.add("User lives in Vienna", user="ann").outcome == "updated"
    assert _contents(memory) == ["User lives in Vienna", "User owns a telescope"]


def test_what_proves_to_be_the_same_is_tidied(memory: Memory, embedder: MoodyEmbedder) -> None:
    """Near duplicates that only their vectors can tell are looked at again once those are there."""
    memory.consolidate(user="ann")
    memory.add("User owns a telescope at home", user="ann")
    memory.consolidate(user="ann")
    _catch_up(memory, embedder)
    assert memory.consolidate(user="ann", dry_run=True).looked_at == 1


# -- questions ----------------------------------------------------------------------------------------------


def test_a_question_falls_back_to_words(memory: Memory, embedder: MoodyEmbedder, clock: FakeClock) -> None:
    """Without a vector of the question, words find facts, messages and what was known before; contexts are built."""
    embedder.failing = False
    chat = memory.chat("c", user="ann")
    chat.add(user="The otter swims in the lake.", assistant="It does.")
    assert memory._thread.run(_index(_parts(memory))) == 2
    before = clock.now
    clock.move(days=1)
    embedder.failing = True
    found = memory.search("telescope otter", user="ann")
    assert [(hit.content, hit.explain.vector_rank) for hit in found] == [("User owns a telescope", None)]
    assert found.messages[0].message.text == "The otter swims in the lake."
    assert found.messages[0].explain.cosine is None
    assert _hit(memory, "telescope", "User owns a telescope")
    past = memory.search("telescope", user="ann", as_of=before)
    assert [hit.content for hit in past] == ["User owns a telescope"]
    assert "User owns a telescope" in str(memory.context("Where is my telescope?", user="ann"))
    assert len(memory.search("accordion", user="ann")) == 0


async def _index(parts: Parts) -> int:
    from recollect.engine.index_messages import index_messages

    return await index_messages(parts, "ann")


@pytest.mark.parametrize("broken", [ValueError("a bug"), EmbeddingError("away"), TimeoutError()])
def test_whatever_an_embedder_raises(
    opener: Opener, caplog: pytest.LogCaptureFixture, broken: Exception
) -> None:
    """An embedder of the caller's own may fail in any way, or give too few vectors; it is logged without any text."""

    class Broken(MoodyEmbedder):
        async def embed(self, texts: list[str]) -> NDArray[np.float32]:  # type: ignore[override]
            if "bicycle" in texts[0]:
                raise broken
            return np.zeros((0, 64), dtype=np.float32)

    memory = opener(embedder=Broken(), settings=IDLE)
    with caplog.at_level(logging.WARNING):
        memory.add("User owns a bicycle")
        memory.add("User plays the cello")
    assert len(memory.memories()) == 2
    events = {record.getMessage() for record in caplog.records if record.name.endswith("embedders")}
    assert events == {
        f"embedder.failed model=fake-64 error={kind} status=-"
        for kind in (type(broken).__name__, "EmbeddingError")
    }


# -- what an operator sees ----------------------------------------------------------------------------------


def test_the_worker_makes_them(
    opener: Opener, database_url: str, embedder: MoodyEmbedder, clock: FakeClock
) -> None:
    """Who only adds facts has a worker too: it tries, fails visibly, tries again later, and then they are there."""
    memory = opener(database_url)
    embedder.failing = True
    memory.add("User owns a bicycle", user="ann")
    (job,) = [
        job for job in Admin(memory).jobs(user="ann") if job.subject == "memories" and job.lane == "vectors"
    ]

    def failed() -> bool:
        return any(job.last_error for job in Admin(memory).jobs(user="ann"))

    until(failed)
    found = {name: (well, word) for name, well, word in Admin(memory).checks()}
    assert found["embedder"] == (False, "The model cannot be reached.")
    assert found["vectors"] == (True, "fake-64: 1 user; 1 memory waits for its vector")
    embedder.failing = False
    clock.move(minutes=5)
    assert memory.drain(user="ann", timeout=LIMIT)
    known = _hit(memory, "bicycle", "User owns a bicycle")
    assert known is not None
    assert known.explain.vector_rank == 1
    assert job.job_id not in {job.job_id for job in Admin(memory).jobs(user="ann")}


def test_a_long_outage_does_not_end_the_job(memory: Memory) -> None:
    """At its last try the job asks to come again instead of dying: vectors must follow however long the model is away."""
    memory.add("User keeps bees behind the house", user="ann")
    (job,) = [job for job in Admin(memory).jobs(user="ann") if job.lane == "vectors"]
    work = handlers(_parts(memory))[JobKind.INDEX_MESSAGES]

    async def tried(attempts: int) -> object:
        return await work(replace(job, attempts=attempts))

    with pytest.raises(EmbeddingError):
        memory._thread.run(tried(0))
    assert isinstance(memory._thread.run(tried(MAX_ATTEMPTS - 1)), Again)
