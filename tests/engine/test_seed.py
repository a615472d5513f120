"""The seed: what a product knows beforehand becomes memories, and planting again replaces it."""

from recollect import Memory


def test_the_user_outranks_the_seed(memory: Memory) -> None:
    """What the user said, corrected or forgot since is not undone when the same seed is planted again."""
    seed = [{"content": "I live in Graz"}]
    for user in ("said", "corrected", "forgot"):
        memory.set_seed(seed, user=user)
    memory.add("I live in Vienna", user="said")
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
