"""The spine: a new version every 20 messages, from what all personas may know."""

from recollect import Memory

from .conversing import FakeWriter, spines_of, until, written_by
from .fakes import FakeClock


def _say(memory: Memory, clock: FakeClock, *texts: str, persona: str | None = None) -> None:
    for text in texts:
        clock.move(seconds=1)
        memory.chat(f"chat of {persona}", user="ann", persona=persona).add(user=text, assistant="I see.")


def test_a_version_every_twenty_messages_over_all_chats(memory: Memory, clock: FakeClock) -> None:
    """The user's messages of all chats and personas count together; every version is kept and counts its messages."""
    _say(memory, clock, "I live in Graz.", *["Mhm."] * 9, persona="Coach")
    _say(memory, clock, *["Mhm."] * 9, persona="Chef")
    assert memory.drain(user="ann")
    assert memory.spine(user="ann") is None
    _say(memory, clock, "My sister Jane is a doctor.", persona="Chef")
    assert memory.drain(user="ann")
    clock.move(minutes=5)
    _say(memory, clock, "I have a dog named Rex.", *["Mhm."] * 19)
    assert memory.drain(user="ann")
    first, second = spines_of(memory, user="ann")
    assert [(item.version, item.message_count) for item in (first, second)] == [(1, 20), (2, 20)]
    assert "Graz" in first.content.profile
    assert "Jane" in first.content.people
    assert "Rex" in str(second.content)
    assert "Graz" in str(second.content), "what the version before knew is lost"
    assert memory.spine(user="ann") == second
    assert memory.spine(version=1, user="ann") == first
    assert list(second.to_dict()["content"]) == ["PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS"]


def test_it_knows_memories_and_shared_todos_only(memory: Memory, clock: FakeClock) -> None:
    """Shared memories and todos are in it; those that belong to one persona are not."""
    memory.add("User is working on the Kornblume web shop", user="ann")
    memory.add("User's favourite pastry is strudel", user="ann", persona="Chef")
    memory.add_todo("Renew the passport", user="ann")
    memory.add_todo("Try the strudel", user="ann", persona="Chef")
    _say(memory, clock, *["Mhm."] * 20)
    assert memory.drain(user="ann")
    told = str(memory.spine(user="ann"))
    assert "Kornblume" in told
    assert "Renew the passport" in told
    assert "strudel" not in told


def test_nothing_to_tell_is_not_told(memory: Memory, clock: FakeClock) -> None:
    """Twenty empty messages bring no version."""
    _say(memory, clock, *["Mhm."] * 20)
    assert memory.drain(user="ann")
    assert spines_of(memory, user="ann") == []


def test_what_is_said_meanwhile_is_in_the_next_version(memory: Memory, clock: FakeClock) -> None:
    """A version that took long to write does not hide what was said while it was written."""
    writer = written_by(memory, FakeWriter())
    writer.held.add("spine")
    _say(memory, clock, "I live in Graz.", *["Mhm."] * 19)
    until(lambda: "spine" in writer.asked)
    _say(memory, clock, "I have a dog named Rex.")
    clock.move(seconds=5)
    writer.held.clear()
    assert memory.drain(user="ann")
    _say(memory, clock, *["Mhm."] * 19)
    assert memory.drain(user="ann")
    first, second = spines_of(memory, user="ann")
    assert "Rex" not in str(first.content)
    assert "Rex" in str(second.content)


def test_a_memory_that_changes_meanwhile_is_told_as_it_is(memory: Memory, clock: FakeClock) -> None:
    """A version that was written from words that a memory no longer has is written anew."""
    known = memory.add("User lives in Graz", user="ann").memory
    writer = written_by(memory, FakeWriter())
    writer.held.add("spine")
    _say(memory, clock, *["Mhm."] * 20)
    until(lambda: "spine" in writer.asked)
    memory.update(known.memory_id, content="User lives in Vienna", user="ann")
    writer.held.clear()
    assert memory.drain(user="ann")
    (only,) = spines_of(memory, user="ann")
    assert only.content.profile == "User lives in Vienna"
