"""mem0 with `infer=False`: every turn is stored as it is, by our vectors, in its default store (Qdrant, local).

With `infer=True` a language model would rewrite what is stored, and the labels could not be followed. The client of a model
that mem0 insists on is made with a key that is none; nothing calls it. Telemetry is off. Without the package fastembed,
which downloads a model, mem0 searches by meaning alone.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.peers.peer import Matrix, Missing, Vector
from benchmarks.quality.baselines import line
from benchmarks.quality.dataset import Turn

_DIMENSIONS = 384


class _Given:
    """mem0's embedder: hands out vectors that are there already."""

    def __init__(self) -> None:
        self.known: dict[str, list[float]] = {}
        self.config: Any = None

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        # mem0 also asks for the names in a question, to look them up among entities; `infer=False` stores none.
        return self.known.get(text, [0.0] * _DIMENSIONS)

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class Mem0Store:
    """A user a conversation."""

    name = "mem0, infer=False"

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="mem0-")
        # Read when the package is imported.
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = self._folder.name
        try:
            mem0: Any = import_module("mem0")
        except ImportError:
            self._folder.cleanup()
            raise Missing("pip install mem0ai") from None
        model = {"provider": "openai", "config": {"api_key": "none"}}
        store = {
            "collection_name": "talk",
            "path": str(Path(self._folder.name) / "qdrant"),
            "embedding_model_dims": _DIMENSIONS,
        }
        self._memory: Any = mem0.Memory.from_config(
            {
                "llm": model,
                "embedder": model,
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(Path(self._folder.name) / "history.db"),
            }
        )
        self._given = _Given()
        self._memory.embedding_model = self._given
        self._number = 0

    def add(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        for turn, vector in zip(turns, vectors, strict=True):
            text = line(turn)
            self._given.known[text] = vector.tolist()
            self._memory.add(
                [{"role": turn.role.value, "content": text}],
                user_id=self._user,
                metadata={"turn": turn.id},
                infer=False,
            )

    def rank(self, question: str, vector: Vector, count: int) -> list[str]:
        self._given.known[question] = vector.tolist()
        found = self._memory.search(question, top_k=count, filters={"user_id": self._user}, threshold=0.0)
        return [hit["metadata"]["turn"] for hit in found["results"]]

    def clear(self) -> None:
        """The next conversation is another user's; deleting thousands of memories one by one would take minutes."""
        self._number += 1
        self._given.known.clear()

    def close(self) -> None:
        self._memory.vector_store.client.close()
        self._folder.cleanup()

    @property
    def _user(self) -> str:
        return f"user-{self._number}"
