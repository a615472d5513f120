"""Sessions: S4's timeline from the first message to the spine, and its fuzzy edges."""

from datetime import timedelta

import pytest

from recollect import Context, Memory, NotFound
from recollect.engine.close_session import MAX_TOKENS
from recollect.engine.look_back import PastSession

from .conftest import Opener
from .conversing import FakeWriter, talk, until, written_by
from .fakes import FakeClock


@pytest.fixture
def stored(opener: Opener, database_url: str) -> Memory:
    """A memory on each of the two databases."""
    return opener(database_url)


def test_the_timeline_of_s4(stored: Memory, clock: FakeClock) -> None:
    """t=0 … t=n with persona "Coach": counters, rolling at the fourth, closed after 30 idle minutes, the spine at 20."""
    memory, start = stored, clock.now
    chat = memory.chat("training", user="ann", persona="Coach")

    def state() -> dict[str, object]:
        return memory.state(user="ann", persona="Coach").to_dict()

    def drained() -> None:
        assert memory.drain(user="ann")

    # t=0: the first message makes user, session and state.
    chat.add(user="I want to run the marathon in Vienna in April.", assistant="Then let us plan it.")
    (past,) = memory.sessions(user="ann", persona="Coach")
    assert (past.session.started_at, past.session.ended_at, past.session.turn_count) == (start, None, 1)
    assert state()["state"]["messageCount"] == 1  # type: ignore[index]
    # t=1, t=2: it goes on.
    for number in (2, 3):
        clock.move(minutes=1)
        chat.add(user=f"I ran {number} miles with my sister Jane.", assistant="Well done.")
        assert memory.sessions(user="ann")[0].session.turn_count == number
    drained()
    assert state()["rollingSummary"] == ""
    # t=3: the fourth message brings the rolling summary.
    clock.move(minutes=1)
    chat.add(user="My knee hurts a little.", assistant="Rest for a day. I'll ask you about it tomorrow.")
    drained()
    rolling = str(state()["rollingSummary"])
    assert 0 < len(rolling) <= 600
    assert state()["state"]["lastRollingSuccessAt"] is not None  # type: ignore[index]
    assert state()["state"]["lastUserMessage"] == "My knee hurts a little."  # type: ignore[index]
    # In its own session it tells nothing that the messages do not.
    assert "LATELY" not in chat.context("And now?").to_text()
    # 29 idle minutes do not end it; 30 do, whenever the worker looks.
    clock.move(minutes=29)
    drained()
    assert memory.sessions(user="ann")[0].session.ended_at is None
    clock.now = start + timedelta(minutes=35)
    drained()
    (past,) = memory.sessions(user="ann", persona="Coach")
    assert past.session.ended_at == start + timedelta(minutes=33)
    assert past.summary is not None
    assert past.to_dict()["summary"] == past.summary.digest.to_dict()
    assert past.summary.digest.one_liner
    # Later than 35 minutes after the last word: a new session, whose context tells of the last one.
    clock.now = start + timedelta(minutes=3 + 36)
    assert _is_told(chat.context("Hello again!"), past, rolling)
    chat.add(user="Hello again!", assistant="Welcome back.")
    drained()
    now, before = memory.sessions(user="ann", persona="Coach")
    assert (now.session.turn_count, now.session.ended_at) == (1, None)
    assert before.session == past.session
    assert state()["state"]["messageCount"] == 5  # type: ignore[index]
    assert _is_told(chat.context("Where were we?"), past, rolling)
    fresh = memory.chat("another", user="ann", persona="Coach")
    assert _is_told(fresh.context("Where were we?"), past, rolling)
    # t=n: the twentieth message of the user brings the spine.
    assert memory.spine(user="ann") is None
    for number in range(14):
        chat.add(user=f"Lap {number}.")
    drained()
    assert memory.spine(user="ann") is None
    chat.add(user="I live in Graz.")
    drained()
    spine = memory.spine(user="ann")
    assert spine is not None
    assert (spine.version, spine.message_count) == (1, 20)
    assert "lives in Graz" in spine.content.profile


def _is_told(context: Context, past: PastSession, rolling: str) -> bool:
    """Whether a context has the summary of the last session and the rolling summary, as lines of their own."""
    assert past.summary is not None
    lines = [line for section in context.sections for line in section.lines]
    last = [line.text for line in lines if line.why.startswith("last session")]
    lately = [line.text for line in lines if line.why.startswith("rolling summary")]
    return any(past.summary.digest.one_liner in text for text in last) and lately == [
        f"- {' '.join(rolling.split())}"
    ]


@pytest.mark.parametrize(("idle", "count"), [(30, 1), (33, 1), (35, 1), (36, 2)])
@pytest.mark.parametrize("worked", [True, False])
def test_who_returns_soon_resumes(
    memory: Memory, clock: FakeClock, idle: int, count: int, worked: bool
) -> None:
    """Within 35 minutes the same session goes on, later a new one begins, whether or not a worker had closed it."""
    chat = memory.chat("c", user="ann")
    chat.add(user="Hello.", assistant="Hi.")
    clock.move(minutes=idle)
    if worked:
        assert memory.drain(user="ann")
        assert memory.sessions(user="ann")[0].session.ended_at is not None
    chat.add(user="I am back.")
    sessions = memory.sessions(user="ann")
    assert len(sessions) == count
    assert sessions[0].session.ended_at is None
    assert sessions[0].session.turn_count == (2 if count == 1 else 1)
    assert memory.drain(user="ann")
    assert all(past.session.ended_at is not None for past in memory.sessions(user="ann")[1:])


def test_a_resumed_session_keeps_its_summary_as_a_revision(memory: Memory, clock: FakeClock) -> None:
    """What was summarised at the first close stays, and the next close writes the next revision."""
    writer = written_by(memory, FakeWriter())
    chat = memory.chat("c", user="ann", persona="Coach")
    chat.add(user="First half.")
    clock.move(minutes=31)
    assert memory.drain(user="ann")
    session_id = memory.sessions(user="ann")[0].session.session_id
    clock.move(minutes=2)
    chat.add(user="Second half.")
    assert memory.drain(user="ann")
    assert "LAST SESSION" not in chat.context("And?").to_text()
    clock.move(minutes=31)
    assert memory.drain(user="ann")
    revisions = memory.sessions(session=session_id, revisions=True, user="ann")[0].summaries
    assert [item.digest.one_liner for item in revisions] == ["First half.", "First half. Second half."]
    assert [item.revision for item in revisions] == [1, 2]
    assert memory.sessions(user="ann")[0].summary == revisions[-1]
    assert writer.asked.count("session") == 2


def test_a_session_resumed_while_it_is_summarised(memory: Memory, clock: FakeClock) -> None:
    """The summary that was being written is thrown away; the session is summarised when it ends."""
    writer = written_by(memory, FakeWriter())
    writer.held.add("session")
    chat = memory.chat("c", user="ann")
    chat.add(user="First half.")
    clock.move(minutes=31)
    until(lambda: "session" in writer.asked)
    chat.add(user="Second half.")
    writer.held.clear()
    assert memory.drain(user="ann")
    (past,) = memory.sessions(user="ann")
    assert (past.summary, past.session.ended_at) == (None, None)
    clock.move(minutes=31)
    assert memory.drain(user="ann")
    (past,) = memory.sessions(user="ann")
    assert past.summary is not None
    assert past.summary.digest.one_liner == "First half. Second half."


def test_a_late_message_is_in_the_summary(memory: Memory, clock: FakeClock) -> None:
    """A message of an earlier time that arrives while its session is summarised is told as well."""
    writer = written_by(memory, FakeWriter())
    writer.held.add("session")
    chat = memory.chat("c", user="ann")
    at = clock.now
    chat.add(user="First.")
    clock.move(minutes=31)
    until(lambda: "session" in writer.asked)
    chat.add(user="Delivered late.", created_at=at)
    writer.held.clear()
    assert memory.drain(user="ann")
    (past,) = memory.sessions(user="ann")
    assert past.summary is not None
    assert "Delivered late." in past.summary.digest.one_liner


def test_a_session_spans_chats(memory: Memory, clock: FakeClock) -> None:
    """A session is a stretch of time with a persona, in whichever chats; its summary tells of all of them."""
    written_by(memory, FakeWriter())
    memory.chat("one", user="ann").add(user="Roses.")
    clock.move(minutes=1)
    memory.chat("two", user="ann").add(user="Hedges.")
    clock.move(minutes=31)
    assert memory.drain(user="ann")
    (past,) = memory.sessions(user="ann")
    assert past.summary is not None
    assert past.summary.digest.one_liner == "Roses. Hedges."
    assert past.summary.written_by == "fake notes"


def test_a_long_session_is_summarised_from_its_end(memory: Memory, clock: FakeClock) -> None:
    """More than the writer can read is cut at a turn; the end is what the next session follows."""
    seen: list[int] = []
    writer = written_by(memory, FakeWriter())
    session = writer.session

    async def noted(turns):  # type: ignore[no-untyped-def]
        seen.append(sum(turn.tokens for turn in turns))
        return await session(turns)

    writer.session = noted  # type: ignore[method-assign]
    chat = memory.chat("c", user="ann")
    chat.add([{"role": "user", "text": f"{number} " + "word " * 1000} for number in range(20)])
    clock.move(minutes=31)
    assert memory.drain(user="ann")
    assert seen
    assert MAX_TOKENS - 1100 < seen[0] <= MAX_TOKENS


def test_sessions_of_others_are_not_found(memory: Memory, clock: FakeClock) -> None:
    """A session's id of another user names nothing."""
    talk(memory.chat("c", user="ann"), 1)
    session_id = memory.sessions(user="ann")[0].session.session_id
    with pytest.raises(NotFound):
        memory.sessions(session=session_id, revisions=True, user="bob")
    assert memory.sessions(session=session_id, revisions=True, user="ann")[0].summaries == ()
