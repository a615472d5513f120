"""Made-up facts and vectors: enough variety that nothing is a duplicate, the same on every run."""

import random
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
