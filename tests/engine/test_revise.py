"""Revise: edit, pin, archive and restore; all of an edit or nothing, and the history keeps what was."""

from recollect import Memory


def test_an_edited_text_does_not_keep_the_key_of_the_old_one(memory: Memory) -> None:
    """A key never loses a fact of another attribute, also not one that an edit put there."""
    edited = memory.add("User's favourite editor is Vim", category="preference").memory
    memory.update(edited.memory_id, content="User keeps a brown dog in the garden behind the house")
    memory.add("User's favourite editor is Helix", category="preference")
    assert "User keeps a brown dog in the garden behind the house" in [r.content for r in memory.memories()]


def test_another_fact_about_the_same_person_does_not_keep_the_key(memory: Memory) -> None:
    """An edit from who Jane is to what happened to her must not be replaced by the next word about who she is."""
    stored = memory.add("My wife is Jane").memory
    memory.update(stored.memory_id, content="Jane broke her left arm in the mountains last winter")
    memory.add("My boss is Jane")
    assert "Jane broke her left arm in the mountains last winter" in [r.content for r in memory.memories()]
