"""How much meaning and how much words: recall of the evidence by the share of the cosine in the similarity.

    python -m benchmarks.fusion FOLDER      a folder with locomo.json.gz, realmem.json.gz, beam100k.json.gz

The data sets are not part of this repository; each holds conversations, questions and the turns that answer them.
"""

import asyncio
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from recollect.encoder.minilm import MiniLM
from recollect.index.postings import Postings, pack
from recollect.language.terms import terms

SHARES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0)
CONVERSATIONS, TURNS, QUESTIONS, FIRST = 3, 1200, 120, 10


async def recall_by_share(conversation: dict[str, Any], embedder: MiniLM) -> list[list[float]]:
    """For each question the recall among the first ten, one value a share."""
    turns = [turn for session in conversation["sessions"] for turn in session["turns"]][:TURNS]
    place = {turn["id"]: number for number, turn in enumerate(turns)}
    asked = [
        item
        for item in conversation["questions"]
        if item.get("answerable", True)
        and item["evidence"]
        and all(turn in place for turn in item["evidence"])
    ][:QUESTIONS]
    matrix = await embedder.embed([turn["text"][:600] for turn in turns])
    words = Postings()
    words.extend([pack(f"{turn['speaker']}: {turn['text'][:1000]}") for turn in turns])
    alive, average = np.ones(len(turns), dtype=np.bool_), float(words.lengths.mean())
    found: list[list[float]] = []
    for item, vector in zip(asked, await embedder.embed([item["question"] for item in asked]), strict=True):
        cosine = np.clip(matrix @ vector, 0, 1)
        said = np.clip(words.scores(terms(item["question"]), alive, total=len(turns), average=average), 0, 1)
        wanted = np.array([place[turn] for turn in item["evidence"]])
        best = [np.argsort(-(share * cosine + (1 - share) * said))[:FIRST] for share in SHARES]
        found.append([float(np.isin(wanted, top).mean()) for top in best])
    return found


async def main(folder: Path) -> None:
    embedder = MiniLM()
    print("share of meaning  " + "  ".join(f"{share:>5.1f}" for share in SHARES))
    for name in ("locomo", "realmem", "beam100k"):
        with gzip.open(folder / f"{name}.json.gz", "rt") as file:
            conversations = json.load(file)["conversations"][:CONVERSATIONS]
        rows = [row for item in conversations for row in await recall_by_share(item, embedder)]
        print(f"{name:<16}  " + "  ".join(f"{100 * value:5.1f}" for value in np.mean(rows, axis=0)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
