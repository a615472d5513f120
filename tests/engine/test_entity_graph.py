"""Who is mentioned with whom, over all memories."""

import pytest

from recollect import Memory, NewMemory
from recollect.api.hosting import service_of
from recollect.engine.entity_graph import EntityGraph

from .conftest import Opener


@pytest.fixture
def memory(database_url: str, opener: Opener) -> Memory:
    return opener(database_url)


def _graph(memory: Memory, limit: int = 300) -> EntityGraph:
    return memory._thread.run(service_of(memory._inner).entity_graph("local", limit))


def _together(memory: Memory, *rows: str) -> None:
    for number, row in enumerate(rows):
        memory.add(NewMemory(f"User told story number {number} of {row}", entity_refs=row.split()))


def test_neighbours_count_every_memory(memory: Memory) -> None:
    """Not only the memories that are shown: 120 with Anna, one with Tom, the most frequent first."""
    requests = [f"User told story number {number} about a day" for number in range(121)]
    for number, content in enumerate(requests):
        other = "person:tom" if number == 0 else "person:anna"
        memory.add(NewMemory(content, entity_refs=["person:jane", other]))
    assert memory.entity("person:jane").neighbours == (("person:anna", 120), ("person:tom", 1))


def test_neighbours_under_merged_names(memory: Memory) -> None:
    """Two names of one entity are one neighbour, counted once a memory, and nobody is their own neighbour."""
    _together(
        memory, "person:jane person:bob person:robert", "person:jane person:robert", "person:bob org:acme"
    )
    memory.merge("person:robert", "person:bob")
    assert memory.entity("person:jane").neighbours == (("person:bob", 2),)
    assert memory.entity("person:robert").neighbours == (("person:jane", 2), ("org:acme", 1))


def test_only_current_memories_count(memory: Memory) -> None:
    """What is archived ties nobody any more."""
    _together(memory, "person:jane org:acme")
    memory.update(memory.memories()[0].memory_id, status="ARCHIVED")
    assert memory.entity("person:jane").neighbours == ()
    assert _graph(memory).nodes == ()


def test_the_graph(memory: Memory) -> None:
    """Nodes by how often they are mentioned, edges by how often together; a limit keeps the strongest."""
    _together(memory, "person:jane org:acme", "person:jane org:acme", "person:jane place:oslo", "person:tom")
    graph = _graph(memory)
    assert [(node.key, node.count) for node in graph.nodes] == [
        ("person:jane", 3),
        ("org:acme", 2),
        ("person:tom", 1),
        ("place:oslo", 1),
    ]
    assert [(edge.a, edge.b, edge.count) for edge in graph.edges] == [
        ("org:acme", "person:jane", 2),
        ("person:jane", "place:oslo", 1),
    ]
    small = _graph(memory, limit=2).to_dict()
    assert small == {
        "nodes": [
            {"key": "person:jane", "label": "Jane", "type": "person", "count": 3},
            {"key": "org:acme", "label": "Acme", "type": "org", "count": 2},
        ],
        "edges": [{"a": "org:acme", "b": "person:jane", "count": 2}],
    }


def test_nobody_yet(memory: Memory) -> None:
    """An empty memory has an empty graph."""
    assert _graph(memory).to_dict() == {"nodes": [], "edges": []}
