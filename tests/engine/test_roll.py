"""The rolling summary: every fourth message, kept in revisions, and how the last attempt went."""

from recollect import Memory
from recollect.engine.roll import roll

from .conversing import FakeWriter, parts_of, until, written_by
from .fakes import FakeClock


def test_every_fourth_message_brings_a_revision(memory: Memory, clock: FakeClock) -> None:
    """Every revision is kept, each written from the one before and what was said since; the state shows the newest."""
    writer = written_by(memory, FakeWriter())
    chat = memory.chat("c", user="ann", persona="Coach")
    for number in range(1, 10):
        clock.move(seconds=1)
        chat.add(user=f"Word {number}.", assistant="Ok.")
        assert memory.drain(user="ann")
    revisions = memory.state(user="ann", persona="Coach", revisions=True).rolling_summaries
    assert [item.revision for item in revisions] == [1, 2]
    assert writer.asked == ["rolling"] * 2
    assert "Word 4." in revisions[0].summary
    assert "Word 5." not in revisions[0].summary
    assert revisions[1].summary.startswith(revisions[0].summary)
    assert "Word 8." in revisions[1].summary
    state = memory.state(user="ann", persona="Coach")
    assert state.rolling_summary == revisions[1].summary
    assert state.state.last_rolling_success_at == revisions[1].created_at
    assert {item.written_by for item in revisions} == {"fake notes"}


def test_a_rolling_summary_belongs_to_its_persona(memory: Memory, clock: FakeClock) -> None:
    """What one persona heard is in no other persona's rolling summary or context."""
    written_by(memory, FakeWriter())
    for persona in ("Coach", "Chef"):
        for number in range(4):
            clock.move(seconds=1)
            memory.chat(f"chat {persona}", user="ann", persona=persona).add(user=f"{persona} hears {number}.")
    assert memory.drain(user="ann")
    for persona, other in (("Coach", "Chef"), ("Chef", "Coach")):
        assert persona in memory.state(user="ann", persona=persona).rolling_summary
        assert other not in memory.state(user="ann", persona=persona).rolling_summary
        assert (
            f"{other} hears" not in memory.chat("new", user="ann", persona=persona).context("Hm?").to_text()
        )
    assert memory.state(user="ann", revisions=True).rolling_summaries == ()


def test_a_failure_is_noted_and_tried_again(memory: Memory, clock: FakeClock) -> None:
    """The state says why and when; the summary before stays; the next success takes the error away."""
    writer = written_by(memory, FakeWriter())
    chat = memory.chat("c", user="ann")
    for number in range(4):
        chat.add(user=f"Word {number}.")
    assert memory.drain(user="ann")
    known = memory.state(user="ann").rolling_summary
    writer.failing = True
    clock.move(seconds=5)
    for number in range(4, 8):
        chat.add(user=f"Word {number}.")
    until(lambda: memory.state(user="ann").state.last_rolling_error)
    state = memory.state(user="ann").to_dict()
    assert state["rollingSummary"] == known
    assert state["state"]["lastRollingError"]["reason"] == "model_failed"
    assert "cannot be reached" in state["state"]["lastRollingError"]["detail"]
    assert state["state"]["lastRollingAttemptAt"] > state["state"]["lastRollingSuccessAt"]
    writer.failing = False
    clock.move(minutes=5)
    assert memory.drain(user="ann")
    assert memory.state(user="ann").state.last_rolling_error is None
    assert "Word 7." in memory.state(user="ann").rolling_summary
    assert len(memory.state(user="ann", revisions=True).rolling_summaries) == 2


def test_a_rolling_summary_has_600_characters_at_most(memory: Memory) -> None:
    """Whatever the writer gives, and offline as well."""
    for number in range(4):
        memory.chat("c", user="ann").add(user=f"I bought {number} more roses for the garden in Graz. " * 20)
    assert memory.drain(user="ann")
    assert 0 < len(memory.state(user="ann").rolling_summary) <= 600


def test_messages_that_share_a_time_are_all_told(memory: Memory, clock: FakeClock) -> None:
    """An import to the day brings a revision every fourth message, and reading again without news brings none."""
    writer = written_by(memory, FakeWriter())
    chat = memory.chat("c", user="ann")
    for number in range(1, 13):
        clock.move(seconds=1)
        chat.add([{"role": "user", "text": f"Word {number}.", "created_at": "2025-06-02T00:00:00Z"}])
        assert memory.drain(user="ann")
    revisions = memory.state(user="ann", revisions=True).rolling_summaries
    assert [item.revision for item in revisions] == [1, 2, 3]
    assert "Word 8." in revisions[1].summary and "Word 12." in revisions[2].summary
    assert writer.asked.count("rolling") == 3
    assert memory._thread.run(roll(parts_of(memory), "ann", None)) is None
