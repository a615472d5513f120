"""Count which entities are mentioned together, over all current memories, treating merged names as one.

All rows are read and counted here, because aliases are resolved in Python; a user with 10,000 memories has about 20,000
rows. Counting from the search index was rejected, because it would load all vectors just for a picture.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from recollect.engine.parts import Parts
from recollect.records.entity import canonical
from recollect.store import aliases, entities
from recollect.store.database import Connection

#: Edges per node in the picture; with more, it becomes unreadable.
_EDGES_PER_NODE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityNode:
    """An entity in the graph."""

    key: str
    label: str
    type: str
    #: Current memories that mention it under any of its names.
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityEdge:
    """Two entities mentioned together; `a` sorts before `b`."""

    a: str
    b: str
    #: Current memories that mention both.
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """The most mentioned entities and the links between them."""

    nodes: tuple[EntityNode, ...] = ()
    edges: tuple[EntityEdge, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "nodes": [
                {"key": node.key, "label": node.label, "type": node.type, "count": node.count}
                for node in self.nodes
            ],
            "edges": [{"a": edge.a, "b": edge.b, "count": edge.count} for edge in self.edges],
        }


async def graph(parts: Parts, user_id: str, limit: int = 300) -> EntityGraph:
    """The most mentioned entities and the links between them, strongest first."""

    def load(tx: Connection) -> EntityGraph:
        alias_of = aliases.of_user(tx, user_id)
        together = _together(entities.mentions(tx, user_id), alias_of)
        counts = Counter(key for keys in together for key in keys)
        chosen = [key for key, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]]
        labels = _labels(tx, user_id, chosen)
        shown = set(chosen)
        pairs = Counter(pair for keys in together for pair in combinations(sorted(shown & keys), 2))
        strongest = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[: _EDGES_PER_NODE * limit]
        return EntityGraph(
            nodes=tuple(
                EntityNode(key=key, label=labels[key], type=key.partition(":")[0], count=counts[key])
                for key in chosen
            ),
            edges=tuple(EntityEdge(a=a, b=b, count=count) for (a, b), count in strongest),
        )

    return await parts.database.read(user_id, load)


def _together(rows: Iterable[tuple[str, str]], alias_of: Mapping[str, str]) -> list[set[str]]:
    """Each memory's entities, under their current names."""
    found: dict[str, set[str]] = defaultdict(set)
    for memory_id, key in rows:
        found[memory_id].add(canonical(key, alias_of))
    return list(found.values())


def _labels(tx: Connection, user_id: str, keys: Sequence[str]) -> dict[str, str]:
    known = entities.labels(tx, user_id, keys)
    return {key: known.get(key) or key.partition(":")[2].replace("_", " ").title() for key in keys}


def neighbours(
    tx: Connection, user_id: str, names: Sequence[str], alias_of: Mapping[str, str]
) -> tuple[tuple[str, int], ...]:
    """Entities mentioned together with the entity of these names, with the number of memories; most frequent first."""
    own = canonical(names[0], alias_of)
    together = _together(entities.mentions_beside(tx, user_id, names), alias_of)
    counts = Counter(key for keys in together for key in keys if key != own)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
