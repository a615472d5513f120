"""Chroma, inside the process, with cosine distance and our vectors."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.peers.peer import Matrix, Missing, Vector
from benchmarks.quality.baselines import line
from benchmarks.quality.dataset import Turn

#: Rows that Chroma takes at a time.
_BATCH = 1000


class ChromaStore:
    """A collection a conversation."""

    name = "Chroma"

    def __init__(self) -> None:
        try:
            chromadb: Any = import_module("chromadb")
        except ImportError:
            raise Missing("pip install chromadb") from None
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        self._client: Any = chromadb.EphemeralClient(settings=settings)
        self._number = 0
        self._collection: Any = self._new()

    def _new(self) -> Any:
        self._number += 1
        return self._client.create_collection(
            f"talk-{self._number}", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def add(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        for start in range(0, len(turns), _BATCH):
            batch = turns[start : start + _BATCH]
            self._collection.add(
                ids=[turn.id for turn in batch],
                embeddings=vectors[start : start + _BATCH],
                documents=[line(turn) for turn in batch],
            )

    def rank(self, question: str, vector: Vector, count: int) -> list[str]:
        held = self._collection.count()
        if not held:
            return []
        found = self._collection.query(
            query_embeddings=vector[None, :], n_results=min(count, held), include=["distances"]
        )
        return list(found["ids"][0])

    def clear(self) -> None:
        self._client.delete_collection(self._collection.name)
        self._collection = self._new()

    def close(self) -> None:
        self._client.delete_collection(self._collection.name)
