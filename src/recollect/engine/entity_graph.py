"""Who is mentioned with whom: counted over every current memory, with merged names as one.

The rows are read at once and counted here, because aliases are followed in Python: a user with 10,000 memories has some
20,000 of them. Counting from the search index was rejected: it would load all vectors for a picture.
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

#: Lines of a picture for each of its points; beyond that nobody can follow one.
_EDGES_PER_NODE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityNode:
    """An entity in the picture."""

    key: str
    label: str
    type: str
    #: Current memories that mention it, under any of its names.
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityEdge:
    """Two entities that are mentioned together; `a` sorts before `b`."""

    a: str
    b: str
    #: Current memories that mention both.
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """The most mentioned entities, and what ties them."""

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
    """The most mentioned entities and who of them is mentioned with whom, the strongest first."""

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
    """The entities of each memory, under their present names."""
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
    """Who is mentioned with the entity of these names, and in how many memories; the most frequent first."""
    own = canonical(names[0], alias_of)
    together = _together(entities.mentions_beside(tx, user_id, names), alias_of)
    counts = Counter(key for keys in together for key in keys if key != own)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
