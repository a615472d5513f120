"""Report: the numbers of a user, and whether all is well."""

from recollect import Memory, NewMemory, Settings
from recollect.admin import Admin

from .conftest import Opener
from .conversing import flush, until
from .fakes import FakeClock, MoodyEmbedder


def test_stats(memory: Memory, clock: FakeClock) -> None:
    """Counts by category, type, status, source and importance, of chats and messages; superseded versions are not counted."""
    memory.add("User lives in Berlin", category="identity")
    clock.move(days=7)
    memory.add("User lives in Paris", category="identity")
    memory.add(NewMemory("User prefers dark mode", category="preference", source="tool", importance=8))
    hidden = memory.add("User's wife is named Jane", category="relationship", importance=6).memory
    memory.update(hidden.memory_id, status="ARCHIVED")
    memory.add("User keeps bees behind the house", user="bob")
    memory.chat("a").add(user="Good morning.", assistant="Good morning!")
    memory.chat("b").add(user="And good night.")
    memory.chat("c", user="bob").add(user="Hello there.")
    memory.search("dark mode", limit=1)
    memory.search("dark mode", limit=1)
    flush(memory)
    assert memory.drain()
    stats = memory.stats().to_dict()
    assert {name: stats[name] for name in stats if name != "most_used"} == {
        "total": 3,
        "by_category": {"identity": 1, "preference": 1, "relationship": 1},
        "by_type": {"PROFILE": 2, "PEOPLE": 1},
        "by_status": {"ACTIVE": 2, "ARCHIVED": 1},
        "by_source": {"manual": 2, "tool": 1},
        "by_importance": {"6": 1, "8": 1, "10": 1},
        "average_importance": 8.0,
        "growth": [{"week": "2026-03-02", "count": 3}],
        "chats": 2,
        "messages": 3,
        "messages_waiting": 0,
        "messages_unjudged": 0,
    }
    assert [(item["content"], item["access_count"]) for item in stats["most_used"]] == [
        ("User prefers dark mode", 2)
    ]


def test_stats_of_nobody(memory: Memory) -> None:
    """Nobody has no memories, and that is no division by zero."""
    assert memory.stats(user="nobody").to_dict()["total"] == 0
    assert memory.stats(user="nobody").average_importance == 0.0


def test_checks(memory: Memory, embedder: MoodyEmbedder) -> None:
    """The doctor sees the database, the embedder and the vectors, and says which of them is ill."""
    memory.add("User keeps bees behind the house")
    checks = {name: (well, word) for name, well, word in Admin(memory).checks()}
    assert all(well for well, _ in checks.values())
    assert checks["embedder"][1] == "fake-64, 64 dimensions"
    assert checks["vectors"][1] == "fake-64: 1 user"
    embedder.failing = True
    assert [name for name, well, _ in Admin(memory).checks() if not well] == ["embedder"]


def test_the_messages_that_wait(opener: Opener, embedder: MoodyEmbedder, database_url: str) -> None:
    """Numbers and doctor say how many messages have no vectors yet, of one user and of all, and what vectors take."""
    memory = opener(database_url, settings=Settings(worker="off"))
    memory.chat("c", user="ann").add(user="The otter swims.", assistant="It does.")
    memory.chat("c", user="bob").add(user="Hello.")
    told = {name: word for name, _, word in Admin(memory).checks()}
    assert told["messages"] == "0 vectors; 3 messages wait for their vectors"
    assert [memory.stats(user=user).messages_waiting for user in ("ann", "bob", "eve")] == [2, 1, 0]
    worker = opener(database_url)
    assert worker.drain(user="ann")
    until(lambda: not memory.stats(user="bob").messages_waiting)
    told = {name: word for name, _, word in Admin(memory).checks()}
    assert told["messages"] == "3 vectors, under 0.1 MB"
    embedder.failing = True
    told = {name: word for name, _, word in Admin(memory).checks()}
    assert told["messages"] == "3 vectors"


def test_users_of_another_model_are_noticed(memory: Memory, opener: Opener) -> None:
    """Vectors of a model that is no longer the chosen one are reported with what to do."""
    memory.add("User keeps bees behind the house")
    other = opener(embedder=MoodyEmbedder("fake-32", 32))
    checks = {name: (well, word) for name, well, word in Admin(other).checks()}
    assert checks["vectors"] == (False, "fake-64: 1 user. Run `recollect db reembed`.")


def test_checks_on_both_databases(database_url: str, opener: Opener) -> None:
    """All is well with a fresh database of either kind."""
    memory = opener(database_url)
    memory.add("User keeps bees behind the house")
    assert [name for name, well, _ in Admin(memory).checks() if not well] == []


def test_the_store_as_a_whole(memory: Memory) -> None:
    """Whoever runs the store can list its users and see its size, schema and models."""
    for user in ("bob", "alice"):
        memory.add("User keeps bees behind the house", user=user)
    assert Admin(memory).users() == ["alice", "bob"]
    page = Admin(memory).users(limit=1)
    assert page == ["alice"]
    assert Admin(memory).users(limit=1, cursor=page.next_cursor) == ["bob"]
    info = Admin(memory).info().to_dict()
    assert info["users"] == 2
    assert info["size_bytes"] > 0
    assert info["schema"] >= 1
