"""Looking back: sessions, the state and a chat in numbers."""

import pytest

from recollect import Memory, NotFound
from recollect.admin import Admin

from .conftest import Opener
from .conversing import QUICK, FakeWriter, talk, written_by
from .fakes import FakeClock


def test_the_numbers_of_a_chat(opener: Opener, database_url: str, clock: FakeClock) -> None:
    """S0's MemoryStats and ours equal a count by hand, on both databases."""
    memory = opener(database_url, settings=QUICK)
    written_by(memory, FakeWriter())
    chat = memory.chat("c", user="ann")
    oldest = clock.now
    talk(chat, 6)
    clock.move(minutes=1)
    talk(chat, 4)
    chat.pin("The gate is green")
    assert memory.drain(user="ann")
    said, segments = chat.messages(limit=100), chat.summaries()
    stats = chat.stats()
    assert (stats.total_messages, stats.total_summaries, stats.total_pins) == (20, len(segments), 1)
    assert (stats.oldest_message, stats.newest_message) == (oldest, clock.now)
    assert stats.average_importance_score == pytest.approx(sum(item.importance_score for item in said) / 20)
    assert stats.total_tokens == sum(item.tokens for item in said)
    assert stats.covered_tokens == sum(item.covered_tokens for item in segments) > 0
    assert stats.covered_tokens + stats.unfolded_tokens == stats.total_tokens
    assert stats.brief_tokens == chat.brief().tokens > 0
    assert stats.compression_ratio == pytest.approx(
        sum(item.tokens for item in segments) / stats.covered_tokens
    )
    assert (stats.open_jobs, stats.dead_jobs, stats.lag_seconds) == (0, 0, 0.0)
    assert list(stats.to_dict())[:6] == [
        "totalMessages", "totalSummaries", "totalPins", "oldestMessage", "newestMessage", "averageImportanceScore",
    ]  # fmt: skip


def test_lag_is_seen(opener: Opener, clock: FakeClock) -> None:
    """Without a worker the open work and its age are in the numbers."""
    memory = opener(settings=QUICK.__class__(worker="off", sqlite_synchronous="normal"))
    chat = memory.chat("c", user="ann")
    talk(chat, 4)
    clock.move(seconds=90)
    stats = chat.stats()
    assert stats.open_jobs == 3, "a rolling summary, the index and the judge"
    assert stats.lag_seconds == 90
    assert Admin(memory).metrics().work.lag_seconds == 90


def test_an_empty_chat_in_numbers(memory: Memory) -> None:
    """A chat with a pin alone has zeros and no times; an unknown chat is not found."""
    chat = memory.chat("c", user="ann")
    with pytest.raises(NotFound):
        chat.stats()
    chat.pin("The gate is green")
    stats = chat.stats().to_dict()
    assert (stats["totalMessages"], stats["oldestMessage"], stats["compressionRatio"]) == (0, None, None)


def test_sessions_are_paged_last_first(memory: Memory, clock: FakeClock) -> None:
    """Pages of sessions continue where the last one ended, and keep to a persona."""
    for number in range(5):
        memory.chat("c", user="ann", persona="Coach").add(user=f"Day {number}.")
        clock.move(days=1)
    memory.chat("d", user="ann", persona="Chef").add(user="Soup.")
    every = memory.sessions(user="ann", persona="Coach")
    assert len(every) == 5
    first = memory.sessions(user="ann", persona="Coach", limit=2)
    rest = memory.sessions(user="ann", persona="Coach", limit=2, cursor=first.next_cursor)
    assert [past.session for past in rest] == [past.session for past in every[2:4]]


def test_a_state_before_the_first_word(memory: Memory) -> None:
    """Nobody has spoken: an empty state in S4's shape."""
    state = memory.state(user="ann", persona="Coach").to_dict()
    assert (state["rollingSummary"], state["state"]["messageCount"], state["state"]["lastInteraction"]) == (
        "",
        0,
        None,
    )
