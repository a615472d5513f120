"""Rederive: memories that came from an edited message alone follow its new words."""

from recollect import Memory, NewMemory
from recollect.records.memory import MemoryRecord

from .conversing import spines_of


def _told(memory: Memory, text: str, fact: str, *more: str) -> tuple[str, MemoryRecord]:
    """A message, and a memory that names it and these others as its sources."""
    message = memory.chat("c", user="ann").add(user=text).messages[0]
    known = memory.add(NewMemory(fact, source_message_ids=[message.message_id, *more]), user="ann")
    return message.message_id, known.memory


def test_the_same_fact_in_new_words(memory: Memory) -> None:
    """A fact that the new words state with another value is rewritten in place, with the reason in its history."""
    message_id, known = _told(memory, "I live in Graz.", "I live in Graz.")
    memory.edit(message_id, "Nice day. I live in Vienna.", user="ann")
    assert memory.drain(user="ann")
    after = memory.get(known.memory_id, user="ann")
    assert "Vienna" in after.content
    assert after.source_message_ids == (message_id,)
    entry = memory.history(known.memory_id, user="ann")[-1]
    assert (entry.by, entry.reason) == ("rederive", "the message that it came from was edited")


def test_a_fact_that_is_no_longer_stated_is_archived(memory: Memory) -> None:
    """Nothing supports it any more: it is archived, not erased, and can be restored."""
    message_id, known = _told(memory, "I live in Graz.", "I live in Graz.")
    memory.edit(message_id, "Never mind.", user="ann")
    assert memory.drain(user="ann")
    assert memory.get(known.memory_id, user="ann").status == "ARCHIVED"
    assert "Graz" not in memory.chat("c", user="ann").context("Where do I live?").to_text()
    assert memory.update(known.memory_id, user="ann", status="ACTIVE").status == "ACTIVE"


def test_a_fact_that_still_stands_is_left_alone(memory: Memory) -> None:
    """New words around the same statement change nothing."""
    message_id, known = _told(memory, "I live in Graz.", "I live in Graz.")
    memory.edit(message_id, "It rains a lot here. I live in Graz.", user="ann")
    assert memory.drain(user="ann")
    assert memory.get(known.memory_id, user="ann") == known


def test_a_fact_with_another_source_is_left_alone(memory: Memory) -> None:
    """What a second message supports does not follow the first."""
    second = memory.chat("c", user="ann").add(user="As I said, I live in Graz.").messages[0].message_id
    message_id, known = _told(memory, "I live in Graz.", "I live in Graz.", second)
    memory.edit(message_id, "Never mind.", user="ann")
    assert memory.drain(user="ann")
    assert memory.get(known.memory_id, user="ann") == known


def test_twice_is_once(memory: Memory) -> None:
    """A second edit to the same words leaves the memory and its history as they are."""
    message_id, known = _told(memory, "I live in Graz.", "I live in Graz.")
    for _ in range(2):
        memory.edit(message_id, "I live in Vienna.", user="ann")
        assert memory.drain(user="ann")
    assert len(memory.history(known.memory_id, user="ann")) == 2


def test_the_long_view_follows_the_memory(memory: Memory) -> None:
    """Whichever is done first, the spine or the memory: in the end both tell the new words."""
    message_id, _ = _told(memory, "I live in Graz.", "I live in Graz.")
    chat = memory.chat("c", user="ann")
    chat.add([{"role": "user", "text": "How are you?"}] * 40)
    assert memory.drain(user="ann")
    assert "Graz" in str(memory.spine(user="ann"))
    memory.edit(message_id, "I live in Vienna.", user=chat.user_id)
    assert memory.drain(user="ann")
    assert "Vienna" in str(memory.spine(user="ann"))
    assert "Graz" not in str(spines_of(memory, user="ann"))
