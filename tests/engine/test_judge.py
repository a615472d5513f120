"""Judge: what is said is read once, in batches, and what was found is written together with the cursor."""

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import AsyncMemory, Memory, NotFound, Settings
from recollect.admin import Admin, AsyncAdmin
from recollect.engine import judge as judging
from recollect.errors import ModelError
from recollect.records.job import MAX_ATTEMPTS, Job, JobKind
from recollect.rules.follow_up import ENOUGH_TOKENS, WAIT
from recollect.worker.handlers import handlers
from recollect.worker.worker import Again

from .conftest import Opener
from .conversing import parts_of, record_of
from .fakes import FakeClock, FakeEmbedder, MoodyEmbedder
from .judged_talk import FakeJudge, asked, contents, judged_by

#: Nothing is done behind: the tests say when.
_IDLE = Settings(sqlite_synchronous="normal", worker="off")


@pytest.fixture
def memory(opener: Opener, database_url: str) -> Memory:
    """A memory on each of the two databases, in which nothing happens by itself."""
    return opener(database_url, settings=_IDLE)


@pytest.fixture
def judge(memory: Memory) -> FakeJudge:
    """Who judges it."""
    fake = FakeJudge()
    judged_by(parts_of(memory), fake)
    return fake


def _judge_job(memory: Memory) -> Job:
    (job,) = [job for job in Admin(memory).jobs(user="ann") if job.kind == JobKind.JUDGE]
    return job


def test_what_is_said_becomes_memories(memory: Memory, judge: FakeJudge) -> None:
    """A fact that the user states is known afterwards, with its source, its words, its reason and who found it."""
    message = memory.chat("c", user="ann").add(user="fact: I live in Graz", assistant="Nice.").messages[0]
    done = Admin(memory).judge(user="ann")
    assert (done.messages, done.proposed, done.added, done.judged_by) == (2, 1, 1, ("rules",))
    (known,) = memory.memories(user="ann")
    assert known.content == "User lives in Graz"
    assert known.source_message_ids == (message.message_id,)
    assert (known.source, known.origin, known.confidence) == ("shadow_extraction", "user", 0.95)
    assert (known.source_context, known.persona_id) == ("I live in Graz", None)
    assert memory.history(known.memory_id, user="ann")[0].by == "judge"


def test_the_worker_judges(opener: Opener, database_url: str) -> None:
    """A turn leaves a job in its own transaction, and the worker does it without being asked."""
    memory = opener(database_url, settings=Settings(sqlite_synchronous="normal"))
    judged_by(parts_of(memory), FakeJudge())
    memory.chat("c", user="ann").add(user="fact: I live in Graz")
    assert memory.drain(user="ann")
    assert contents(memory) == ["User lives in Graz"]


def test_a_burst_is_one_job(memory: Memory, judge: FakeJudge) -> None:
    """Turns that come while a job waits are read with it; replies alone call for none."""
    chat = memory.chat("c", user="ann")
    chat.add([{"role": "assistant", "text": "How may I help?"}])
    assert [job for job in Admin(memory).jobs(user="ann") if job.kind == JobKind.JUDGE] == []
    for number in range(5):
        chat.add(user=f"fact: I have visited country number {number}")
    assert _judge_job(memory).lane == "judge:c"
    assert Admin(memory).judge(user="ann").messages == 6
    assert len(judge.asked) == 1


def test_a_chat_is_read_in_batches(memory: Memory, judge: FakeJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    """No batch holds more messages or tokens than it may, each sees the end of the one before, and nothing is left out."""
    monkeypatch.setattr(judging, "RULES_MESSAGES", 4)
    monkeypatch.setattr(judging, "RULES_TOKENS", 30)
    chat = memory.chat("c", user="ann")
    for number in range(5):
        chat.add(user=f"Number {number}.", assistant="Yes.")
    chat.add(user="A long one. " * 40)
    assert Admin(memory).judge(user="ann").messages == 11
    read = [[message.position for message in material.messages] for material in judge.asked]
    assert [position for batch in read for position in batch] == list(range(1, 12))
    assert max(map(len, read)) == 4
    assert read[-1] == [11]
    assert [message.position for message in judge.asked[1].earlier] == [1, 2, 3, 4]


def test_a_batch_that_makes_nothing_moves_the_cursor(memory: Memory, judge: FakeJudge) -> None:
    """Small talk is read once and never again."""
    chat = memory.chat("c", user="ann")
    chat.add(user="Good morning.", assistant="Good morning!")
    assert memory.stats(user="ann").messages_unjudged == 1
    Admin(memory).judge(user="ann")
    assert record_of(chat).judged_position == 2
    assert memory.stats(user="ann").messages_unjudged == 0
    assert Admin(memory).judge(user="ann").messages == 0
    assert len(judge.asked) == 1


def test_reading_again_changes_nothing(memory: Memory, judge: FakeJudge, clock: FakeClock) -> None:
    """From the beginning once more: no memory, no mention, no todo, no history is added, and newer values stand."""
    chat = memory.chat("c", user="ann")
    said = (
        "fact: I live in Graz",
        "fact: I like jazz",
        "fact: I live in Vienna",
        "fact: I like jazz",
        "todo: call Tom",
    )
    for text in said:
        clock.move(seconds=1)
        chat.add(user=text)
    Admin(memory).judge(user="ann")
    before = memory.export(user="ann")
    done = Admin(memory).judge(user="ann", again=True)
    assert (done.messages, done.added, done.updated, done.todos) == (5, 0, 0, 0)
    assert memory.export(user="ann") == before
    assert [item.mention_count for item in memory.memories(user="ann") if "jazz" in item.content] == [2]


def test_an_older_chat_does_not_replace_what_is_newer(
    memory: Memory, judge: FakeJudge, clock: FakeClock
) -> None:
    """Read last, said first: a value from an old conversation does not overwrite the present one."""
    memory.chat("old", user="ann").add(user="fact: I live in Graz")
    clock.move(days=300)
    memory.chat("new", user="ann").add(user="fact: I live in Vienna")
    Admin(memory).judge(user="ann", chat="new")
    Admin(memory).judge(user="ann", chat="old")
    assert contents(memory) == ["User lives in Vienna"]


def test_a_failure_loses_nothing(memory: Memory, judge: FakeJudge, embedder: MoodyEmbedder) -> None:
    """A judge that fails leaves cursor and memories as they were; the next try does all of it, once, with an embedder or without."""
    memory.chat("c", user="ann").add(user="fact: I live in Graz\nfact: I like jazz")
    judge.failing = True
    with pytest.raises(ModelError):
        Admin(memory).judge(user="ann")
    assert memory.chats(chat="c", user="ann")[0].judged_position == 0
    assert contents(memory) == []
    judge.failing, embedder.failing = False, True
    Admin(memory).judge(user="ann")
    assert [item.mention_count for item in memory.memories(user="ann")] == [1, 1]


def test_two_processes_judge_once(database_url: str, clock: FakeClock) -> None:
    """Two who read the same batch at the same time write it once: the slower one finds the cursor moved."""

    async def run() -> None:
        async with (
            AsyncMemory(database_url, settings=_IDLE, embedder=FakeEmbedder(), clock=clock) as one,
            AsyncMemory(database_url, settings=_IDLE, embedder=FakeEmbedder(), clock=clock) as two,
        ):
            judges = [FakeJudge(), FakeJudge()]
            for memory, fake in zip((one, two), judges, strict=True):
                judged_by(memory._engine.parts, fake)
                fake.held = True
            await one.chat("c", user="ann").add(user="fact: I live in Graz\ntodo: call Tom")
            both = asyncio.gather(AsyncAdmin(one).judge(user="ann"), AsyncAdmin(two).judge(user="ann"))
            await asked(*judges)
            first, second = await both
            assert first.added + second.added == 1
            assert first.messages + second.messages == 1
            (known,) = await one.memories(user="ann")
            assert known.mention_count == 1
            assert len(await one.todos(user="ann")) == 1

    asyncio.run(run())


def test_a_message_that_is_edited_meanwhile(memory: Memory, judge: FakeJudge) -> None:
    """Words that change while they are judged are judged in their new form, and the old form leaves nothing."""
    chat = memory.chat("c", user="ann")
    message = chat.add(user="fact: I live in Graz").messages[0]

    def edit() -> None:
        judge.before = lambda: None
        # From the judge's own loop no synchronous form can be called: the store is changed as another process would.
        second.edit(message.message_id, "fact: I live in Vienna", user="ann")

    with Memory(parts_of(memory).settings.database_url, settings=_IDLE, embedder=FakeEmbedder()) as second:
        judge.before = edit
        Admin(memory).judge(user="ann")
    assert contents(memory) == ["User lives in Vienna"]
    assert len(judge.asked) == 2


def test_a_message_that_is_deleted_meanwhile(memory: Memory, judge: FakeJudge) -> None:
    """What is gone when the judge answers leaves no memory."""
    message = memory.chat("c", user="ann").add(user="fact: I live in Graz").messages[0]
    memory.chat("c", user="ann").add(user="fact: I like jazz")
    with Memory(parts_of(memory).settings.database_url, settings=_IDLE, embedder=FakeEmbedder()) as second:

        def delete() -> None:
            judge.before = lambda: None
            second.forget(message=message.message_id, user="ann")

        judge.before = delete
        Admin(memory).judge(user="ann")
    assert contents(memory) == ["User likes jazz"]


def test_who_is_not_there(memory: Memory, judge: FakeJudge) -> None:
    """A chat that does not exist is told by name, another user's as well; a user without chats has nothing to read."""
    memory.chat("c", user="ann").add(user="fact: I live in Graz")
    with pytest.raises(NotFound, match="'d'"):
        Admin(memory).judge(user="ann", chat="d")
    with pytest.raises(NotFound, match="'c'"):
        Admin(memory).judge(user="bob", chat="c")
    assert Admin(memory).judge(user="bob").messages == 0
    assert judge.asked == []


def test_where_several_speak_as_users(memory: Memory, judge: FakeJudge) -> None:
    """One name is the user's own; where others speak under theirs, only words without a name are the user's."""
    one = memory.chat("one", user="ann")
    one.add([{"role": "user", "name": "Ann", "text": "fact: I live in Graz"}])
    many = memory.chat("many", user="ann")
    many.add([{"role": "user", "name": "Bo", "text": "fact: I hate olives"}])
    many.add([{"role": "user", "name": "Cy", "text": "fact: I am a pilot"}])
    many.add([{"role": "user", "text": "fact: I like jazz"}])
    Admin(memory).judge(user="ann")
    assert contents(memory) == ["User likes jazz", "User lives in Graz"]


def test_said_again_is_not_embedded_again(memory: Memory, judge: FakeJudge, embedder: MoodyEmbedder) -> None:
    """A statement that a memory has word for word counts as a mention, without a call of the embedder."""
    chat = memory.chat("c", user="ann")
    chat.add(user="fact: I like jazz\nfact: I like jazz")
    Admin(memory).judge(user="ann")
    embedder.seen.clear()
    chat.add(user="fact: I like jazz.")
    chat.add(user="fact: I like jazz\nfact: I live in Graz")
    Admin(memory).judge(user="ann")
    assert embedder.seen == ["User lives in Graz"]
    (jazz,) = [item for item in memory.memories(user="ann") if "jazz" in item.content]
    assert jazz.mention_count == 3


_SAID = ("I live in Graz", "I live in Vienna", "I like jazz", "I hate olives", "I have a dog named Rex")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(st.sampled_from(_SAID), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 5), min_size=1, max_size=4),
)
def test_how_it_is_cut_does_not_matter(
    said: list[str], cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However a conversation is cut into batches and interrupted, the same is known afterwards, as often mentioned."""

    async def known(batches: list[int]) -> dict[str, int]:
        clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        path = tmp_path_factory.mktemp("cut") / "memory.db"
        async with AsyncMemory(path, settings=_IDLE, embedder=FakeEmbedder(), clock=clock) as memory:
            judged_by(memory._engine.parts, FakeJudge())
            waiting = list(said)
            while waiting:
                for size in batches:
                    for text in waiting[:size]:
                        clock.move(seconds=1)
                        await memory.chat("c", user="ann").add(user=f"fact: {text}")
                    waiting = waiting[size:]
                    await AsyncAdmin(memory).judge(user="ann")
            await AsyncAdmin(memory).judge(user="ann", again=True)
            return {item.content: item.mention_count for item in await memory.memories(user="ann")}

    assert asyncio.run(known(cuts)) == asyncio.run(known([len(said)]))


# -- when ---------------------------------------------------------------------------------------------------


def test_rules_read_at_once(memory: Memory, judge: FakeJudge, clock: FakeClock) -> None:
    """By rules the job is due with the turn."""
    memory.chat("c", user="ann").add(user="Hello there.")
    assert _judge_job(memory).run_at == clock.now


def test_a_model_waits_for_more(memory: Memory, clock: FakeClock) -> None:
    """By a model it is due after a while, counted from the first unread turn, or as soon as enough was said."""
    judged_by(parts_of(memory), FakeJudge("tiny"))
    began = clock.now
    chat = memory.chat("c", user="ann")
    chat.add(user="Hello there.")
    clock.move(seconds=30)
    chat.add(user="Are you there?")
    assert _judge_job(memory).run_at == began + WAIT
    chat.add(user="word " * (ENOUGH_TOKENS + 10))
    assert _judge_job(memory).run_at == clock.now
    Admin(memory).judge(user="ann")
    clock.move(minutes=2)
    memory.chat("d", user="ann").add(user="And now?")
    assert {job.run_at for job in Admin(memory).jobs(user="ann") if job.subject == "d"} == {clock.now + WAIT}


def test_a_closing_session_leaves_nothing_unread(memory: Memory, clock: FakeClock) -> None:
    """When a session closes, whatever nobody has read is read at once, also what a dead job left behind."""
    judged_by(parts_of(memory), FakeJudge("tiny"))
    memory.chat("c", user="ann").add(user="fact: I live in Graz")

    async def forget_the_job() -> None:
        parts = parts_of(memory)
        await parts.database.write("ann", lambda tx: tx.run("DELETE FROM jobs WHERE kind = 'judge'"))

    memory._thread.run(forget_the_job())
    clock.move(minutes=31)
    (closing,) = [job for job in Admin(memory).jobs(user="ann") if job.kind == JobKind.CLOSE_SESSION]
    memory._thread.run(handlers(parts_of(memory))[JobKind.CLOSE_SESSION](closing))  # type: ignore[arg-type]
    assert _judge_job(memory).run_at == clock.now


def test_nobody_judges(memory: Memory) -> None:
    """Without a judge there is no job, nothing counts as unread, and a judge that comes later starts with what is new."""
    judged_by(parts_of(memory), None)
    chat = memory.chat("c", user="ann")
    chat.add(user="fact: I live in Graz", assistant="Nice.")
    assert [job for job in Admin(memory).jobs(user="ann") if job.kind == JobKind.JUDGE] == []
    assert Admin(memory).judge(user="ann").messages == 0
    assert memory.stats(user="ann").messages_unjudged == 0
    judged_by(parts_of(memory), FakeJudge())
    chat.add(user="fact: I like jazz")
    assert Admin(memory).judge(user="ann").messages == 1
    assert contents(memory) == ["User likes jazz"]
    assert Admin(memory).judge(user="ann", again=True).added == 1
    assert contents(memory) == ["User likes jazz", "User lives in Graz"]


def test_rules_take_over_at_the_last_try(
    memory: Memory, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """While a model cannot be reached the job fails and is tried again; the last try is left to the rules, visibly."""
    fake = FakeJudge("tiny")
    fake.failing = True
    judged_by(parts_of(memory), fake)
    memory.chat("c", user="ann").add(user="My sister Maria lives in Oslo.")
    do = handlers(parts_of(memory))[JobKind.JUDGE]
    job = _judge_job(memory)
    with pytest.raises(ModelError):
        memory._thread.run(do(_tried(job, 1)))  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING):
        assert memory._thread.run(do(_tried(job, MAX_ATTEMPTS))) is None  # type: ignore[arg-type]
    assert "judge.left_to_rules user=ann chat=c" in caplog.text
    assert memory.stats(user="ann").messages_unjudged == 0
    assert any("Oslo" in content for content in contents(memory))


def _tried(job: Job, attempts: int) -> Job:
    object.__setattr__(job, "attempts", attempts)
    return job


def test_a_long_chat_lets_others_go_first(
    memory: Memory, judge: FakeJudge, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many messages the job says that it wants another turn."""
    monkeypatch.setattr("recollect.worker.handlers.MESSAGES_A_TURN", 3)
    monkeypatch.setattr(judging, "RULES_MESSAGES", 2)
    for number in range(5):
        memory.chat("c", user="ann").add(user=f"Number {number}.")
    do = handlers(parts_of(memory))[JobKind.JUDGE]
    assert memory._thread.run(do(_judge_job(memory))) == Again(at=clock.now)  # type: ignore[arg-type]
    assert memory.stats(user="ann").messages_unjudged == 1
    assert memory._thread.run(do(_judge_job(memory))) is None  # type: ignore[arg-type]


def test_a_model_is_shown_what_is_known(memory: Memory) -> None:
    """A model sees the facts and the names that have to do with what is said; rules are not given facts."""
    memory.add("My sister Maria lives in Oslo", user="ann")
    for thing in "cake fish music soup rain snow boats trams hills parks cheese bread wine beer tea".split():
        memory.add(f"I like the {thing} in Oslo", user="ann")
    tiny, rules = FakeJudge("tiny"), FakeJudge()
    judged_by(parts_of(memory), tiny)
    memory.chat("c", user="ann").add(user="Maria says that Oslo is cold, my sister lives in Oslo")
    Admin(memory).judge(user="ann")
    assert "User's sister Maria lives in Oslo" in tiny.asked[0].known
    assert len(tiny.asked[0].known) == judging.KNOWN
    assert tiny.asked[0].names["person:maria"] == "Maria"
    judged_by(parts_of(memory), rules)
    Admin(memory).judge(user="ann", again=True)
    assert list(rules.asked[0].known) == []


# -- what moves with a chat ------------------------------------------------------------------------------------


def test_an_export_knows_how_far_it_was_judged(
    opener: Opener, memory: Memory, judge: FakeJudge, tmp_path: Path
) -> None:
    """What was judged is not judged again where an export is loaded; what was not, is."""
    chat = memory.chat("c", user="ann")
    chat.add(user="fact: I live in Graz", assistant="Nice.")
    Admin(memory).judge(user="ann")
    chat.add(user="fact: I like jazz")
    document = memory.export(user="ann")
    second = opener(f"{tmp_path}/second.db", settings=_IDLE)
    fake = FakeJudge()
    judged_by(parts_of(second), fake)
    second.load(document, user="ann")
    assert _judge_job(second).subject == "c"
    assert second.stats(user="ann").messages_unjudged == 1
    Admin(second).judge(user="ann")
    assert [message.position for message in fake.asked[0].messages] == [3]
    assert contents(second) == ["User likes jazz", "User lives in Graz"]
    assert second.load(document, user="ann").imported == 0
    assert Admin(second).judge(user="ann").messages == 0


def test_a_foreign_file_is_judged_when_somebody_asks(
    opener: Opener, memory: Memory, judge: FakeJudge
) -> None:
    """A file that does not say how far it was judged brings conversations, and no sudden memories of them."""
    said = {"id": "m1", "role": "user", "text": "fact: I live in Graz", "created_at": "2026-01-28T10:30:45Z"}
    document = {"recollect": 1, "memories": [], "chats": [{"chat_id": "c", "messages": [said]}]}
    memory.load(document, user="ann")
    assert memory.stats(user="ann").messages_unjudged == 0
    assert Admin(memory).judge(user="ann").messages == 0
    assert Admin(memory).judge(user="ann", again=True).added == 1


def test_a_forgotten_chat_takes_its_job_along(memory: Memory, judge: FakeJudge) -> None:
    """Nobody comes to read a chat that is gone."""
    memory.chat("c", user="ann").add(user="fact: I live in Graz")
    memory.forget(chat="c", user="ann")
    assert [job for job in Admin(memory).jobs(user="ann") if job.kind == JobKind.JUDGE] == []
    assert Admin(memory).judge(user="ann").messages == 0
