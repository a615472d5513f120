"""The seed: what a product knows beforehand becomes memories, and planting again replaces it."""

from pathlib import Path

import pytest

from recollect import InvalidInput, Memory

from .conversing import on_disk


def test_a_seed_becomes_memories_and_notes(memory: Memory) -> None:
    """Facts are remembered with their source, the notes stand in the context, and the seed can be read back."""
    facts = [{"content": "User's name is Alice", "category": "identity"}, {"content": "I live in Graz"}]
    memory.set_seed(facts, notes="Speaks German.", user="ann")
    assert memory.seed(user="ann").to_dict() == {"facts": facts, "notes": "Speaks German."}
    known = memory.memories(user="ann")
    assert {(item.content, item.source) for item in known} == {
        ("User's name is Alice", "seeded_profile"),
        ("User lives in Graz", "seeded_profile"),
    }
    assert "Speaks German." in memory.chat("c", user="ann").context("Who am I?").to_text()
    assert memory.seed(user="bob").to_dict() == {"facts": [], "notes": ""}


def test_planting_again_replaces(memory: Memory) -> None:
    """What the new seed no longer says is archived, what it repeats stays as it is, and twice is once."""
    memory.set_seed([{"content": "I live in Graz"}, {"content": "I have a dog named Rex"}], user="ann")
    kept = next(item for item in memory.memories(user="ann") if "Graz" in item.content)
    for _ in range(2):
        memory.set_seed([{"content": "I live in Graz"}, {"content": "I play the violin"}], user="ann")
    contents = {item.content for item in memory.memories(user="ann")}
    assert contents == {"User lives in Graz", "User plays the violin"}
    assert memory.get(kept.memory_id, user="ann").memory_id == kept.memory_id


def test_a_new_value_replaces_the_old_one(memory: Memory) -> None:
    """A seed that says something else of the same thing supersedes what it said before."""
    memory.set_seed([{"content": "I live in Graz"}], user="ann")
    memory.set_seed([{"content": "I live in Vienna"}], user="ann")
    assert [item.content for item in memory.memories(user="ann")] == ["User lives in Vienna"]


def test_the_user_outranks_the_seed(memory: Memory) -> None:
    """What the user said, corrected or forgot since is not undone when the same seed is planted again."""
    seed = [{"content": "I live in Graz"}]
    for user in ("said", "corrected", "forgot"):
        memory.set_seed(seed, user=user)
    memory.remember("I live in Vienna", user="said")
    memory.update(
        memory.memories(user="corrected")[0].memory_id, user="corrected", content="User lives in Linz"
    )
    memory.forget(memory.memories(user="forgot")[0].memory_id, user="forgot")
    for user, known in (
        ("said", ["User lives in Vienna"]),
        ("corrected", ["User lives in Linz"]),
        ("forgot", []),
    ):
        memory.set_seed(seed, user=user)
        assert [item.content for item in memory.memories(user=user)] == known


def test_a_bad_fact_keeps_the_whole_seed_out(memory: Memory) -> None:
    """The error names the number of the fact, and nothing is stored."""
    for facts, named in (
        ([{"content": "I live in Graz"}, {"content": "x"}], "number 2"),
        ([{"content": "I live in Graz", "colour": "red"}], "colour"),
        ([{"category": "identity"}], "number 1"),
        ([{"content": "I live in Graz", "source": "manual"}], "source"),
        ("I live in Graz", "list"),
    ):
        with pytest.raises(InvalidInput, match=named):
            memory.set_seed(facts, user="ann")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        memory.set_seed([], notes="x" * 4001, user="ann")
    assert memory.memories(user="ann") == []
    assert memory.seed(user="ann").updated_at is None


def test_a_forgotten_fact_leaves_the_seed_for_good(memory: Memory, sqlite_path: Path) -> None:
    """Forgetting a planted memory takes its words out of the seed, and planting the same seed does not bring it back."""
    facts = [{"content": "I live in Graz"}, {"content": "I collect Zsolnay porcelain"}]
    memory.set_seed(facts, user="ann")
    secret = next(item for item in memory.memories(user="ann") if "Zsolnay" in item.content)
    memory.forget(secret.memory_id, user="ann")
    assert memory.seed(user="ann").to_dict()["facts"] == facts[:1]
    assert on_disk(sqlite_path, ["zsolnay"]) == []
    memory.set_seed(facts, user="ann")
    assert [item.content for item in memory.memories(user="ann")] == ["User lives in Graz"]
    assert memory.seed(user="ann").to_dict()["facts"] == facts[:1]
