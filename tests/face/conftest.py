"""The face's tests start from what the engine's tests start from."""

from engine.conftest import Opener, embedder, meaning, memory, minilm, opener

__all__ = ["Opener", "embedder", "meaning", "memory", "minilm", "opener"]
