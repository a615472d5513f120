"""Made-up facts and vectors: enough variety that nothing is a duplicate, the same on every run."""

import random
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
_SUBJECTS = "User|User's sister|User's manager|User's neighbour|User's cousin|User's oldest friend".split("|")
_VERBS = "keeps|bought|repaired|painted|sold|borrowed|collects|photographed|described|remembers".split("|")
_THINGS = (
    "bicycle violin garden kettle ladder notebook telescope lantern jacket suitcase clock radio sofa mirror hammock "
    "canoe teapot blanket camera compass drum easel fiddle globe hammer inkwell jug kite loom mandolin"
).split()
_PLACES = (
    "Lisbon Turin Ghent Aarhus Bergen Cork Dresden Exeter Graz Haifa Izmir Jena Kyoto Leeds Malmo Nantes Oslo Porto "
    "Quito Riga Siena Tartu Utrecht Verona Wroclaw Xalapa York Zagreb"
).split()
_COLOURS = (
    "amber blue crimson dun emerald fawn green hazel ivory jade khaki lilac mauve navy ochre pink".split()
)


def fact(number: int, dice: random.Random) -> str:
    """A third-person sentence of about fifteen words."""
    return (
        f"{dice.choice(_SUBJECTS)} {dice.choice(_VERBS)} the {dice.choice(_COLOURS)} {dice.choice(_THINGS)} number {number} "
        f"near the old {dice.choice(_THINGS)} shop in {dice.choice(_PLACES)}"
    )


def question(dice: random.Random) -> str:
    """Six or so words that a few facts share."""
    return f"Who {dice.choice(_VERBS)} the {dice.choice(_COLOURS)} {dice.choice(_THINGS)} in {dice.choice(_PLACES)}?"


def unit_vectors(count: int, dice: np.random.Generator) -> NDArray[np.float32]:
    """Random directions."""
    vectors = dice.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class WordEmbedder:
    """Vectors at little cost in which texts that share words are near, as they are with a real model."""

    model = "canned"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._direction: dict[str, NDArray[np.float32]] = {}

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = np.stack([np.sum([self._of(word) for word in text.lower().split()], axis=0) for text in texts])
        return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)

    async def aclose(self) -> None:
        return None

    def _of(self, word: str) -> NDArray[np.float32]:
        if word not in self._direction:
            dice = np.random.default_rng(zlib.crc32(word.encode()))
            self._direction[word] = unit_vectors(1, dice)[0]
        return self._direction[word]


class CannedEmbedder:
    """Vectors at no cost, so that everything but the embedding is measured."""

    model = "canned"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._dice = np.random.default_rng(7)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return unit_vectors(len(texts), self._dice)

    async def aclose(self) -> None:
        return None
