"""Profiles: kept from turn to turn, made anew when a memory changes or a day begins."""

from recollect import Memory

from .conversing import parts_of
from .fakes import FakeClock


def _block(memory: Memory, user: str = "ann", persona: str | None = None) -> str:
    return memory.chat("c", user=user, persona=persona).context("Hello?").memory_block()


def test_a_change_is_seen_at_once(memory: Memory) -> None:
    """A new, edited, archived or forgotten memory is in the very next context, or no longer."""
    assert "Alice" not in _block(memory)
    known = memory.add("User's name is Alice", user="ann").memory
    assert "Alice" in _block(memory)
    memory.update(known.memory_id, user="ann", content="User's name is Alicia")
    assert "Alicia" in _block(memory)
    memory.update(known.memory_id, user="ann", status="ARCHIVED")
    assert "Alicia" not in _block(memory)
    memory.update(known.memory_id, user="ann", status="ACTIVE")
    memory.forget(known.memory_id, user="ann")
    assert "Alicia" not in _block(memory)


def test_what_is_new_for_a_week_goes_after_it(memory: Memory, clock: FakeClock) -> None:
    """A notable fact of an unloaded category stands in the profile for seven days."""
    memory.add("User is building a greenhouse", user="ann", category="project")
    assert "greenhouse" in _block(memory)
    clock.move(days=8)
    assert "greenhouse" not in _block(memory)


def test_profiles_are_kept_apart(memory: Memory) -> None:
    """Users and personas have profiles of their own, and a forgotten user leaves none behind."""
    memory.add("User's name is Alice", user="ann")
    memory.add("User's name is Bob", user="bob")
    memory.add("User's favourite pastry is strudel", user="ann", persona="Chef")
    assert "Bob" not in _block(memory)
    assert "Alice" not in _block(memory, "bob")
    assert "strudel" in memory.chat("x", user="ann", persona="Chef").context("Hello?").memory_block()
    assert "strudel" not in memory.chat("y", user="ann", persona="Coach").context("Hello?").memory_block()
    memory.forget(everything=True, user="ann")
    assert not [key for key in parts_of(memory).profiles._kept._held if key[0] == "ann"]
    assert "Alice" not in _block(memory)
