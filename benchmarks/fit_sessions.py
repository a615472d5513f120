"""How much likeness counts in the order of sessions: every strength on every set, and what choosing on other data gives.

    python -m benchmarks.fit_sessions FOLDER [--only NAME …]

A strength of 0 is the order of the sessions' best messages. It is chosen by LongMemEval and RealMem, as the weights of
messages are; LoCoMo and BEAM are measured. The same data give the same tables.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.labelled_data import EVERY, FITTED, add_options, folder_of, load
from benchmarks.quality.dataset import Dataset, Level, labelled
from benchmarks.quality.measures import Score, score
from benchmarks.quality.replay import Due, Spent, Workbench, replay, workbench
from benchmarks.quality.run import tasks
from recollect.engine.parts import Parts
from recollect.engine.recall import WantedEpisodes, ask
from recollect.index.answer import Question
from recollect.index.episode.theme import STRENGTH, themed
from recollect.index.query import MemoryFilter, MessageFilter
from recollect.index.recall_episodes import rank_candidates
from recollect.index.recall_sessions import sittings_of
from recollect.settings import Settings
from recollect.store import users
from recollect.store.database import Connection

STRENGTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
#: Sessions among which all of a question's must be.
FIRST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sittings:
    """The sessions that recall chooses from for one question."""

    conversation: str
    question: str
    category: str
    evidence: tuple[str, ...]
    #: Best message first: whose session it is, its score, and the vector of what was said around it.
    sessions: tuple[str, ...]
    scores: NDArray[np.float64]
    vectors: NDArray[np.float32]

    def ranked(self, strength: float) -> Score:
        """Where the evidence comes back with likeness that counts so much."""
        order = themed(self.scores, self.vectors, count=FIRST, strength=strength)
        return score(
            [self.sessions[place] for place, _ in order],
            self.evidence,
            conversation=self.conversation,
            question=self.question,
            category=self.category,
        )


async def gather(bench: Workbench, dataset: Dataset, limit: int | None, progress: Progress) -> list[Sittings]:
    """The sessions of every question that has labels of sessions, from the product."""
    found: list[Sittings] = []
    for task in progress.track(tasks(dataset, questions=limit), description=dataset.name):
        questions = [item for item in task.questions if labelled(item, Level.SESSION)]
        async for due in replay(bench, task.conversation, questions, Spent()):
            parts, user_id = await bench.inside(due.user)
            ids, scores, vectors = await _sittings(parts, user_id, due)
            session_of = task.conversation.session_of()
            found.append(
                Sittings(
                    conversation=task.conversation.id,
                    question=due.question.id,
                    category=due.question.category,
                    evidence=due.question.evidence_sessions,
                    sessions=tuple(session_of[due.turn_of[id]] for id in ids),
                    scores=scores,
                    vectors=vectors,
                )
            )
    return found


async def _sittings(
    parts: Parts, user_id: str, due: Due
) -> tuple[list[str], NDArray[np.float64], NDArray[np.float32]]:
    """Recall's own path, without the choice."""

    def looked(
        question: Question, tx: Connection
    ) -> tuple[list[str], NDArray[np.float64], NDArray[np.float32]]:
        state = users.state(tx, user_id)
        assert state is not None
        assert question.episodes is not None
        with parts.indexes.messages_of(tx, user_id, state) as index:
            found = rank_candidates(parts.ranker, index, question.episodes, {})
            if found is None:
                return [], np.zeros(0), np.zeros((0, 0), dtype=np.float32)
            sittings = sittings_of(index, found)
            slots: list[int] = found.slots[sittings.places].tolist()
            return [index.ids[slot] for slot in slots], sittings.scores, sittings.vectors

    return await ask(
        parts,
        due.question.question.strip(),
        user_id=user_id,
        wanted=MemoryFilter(),
        limit=1,
        now=due.at,
        episodes=WantedEpisodes(limit=1, wanted=MessageFilter(), now=due.at),
        read=lambda question: parts.database.read(user_id, partial(looked, question)),
    )


def measured(found: Sequence[Sittings], strength: float) -> tuple[float, float]:
    """The share of questions whose sessions are all among the first, and the share of sessions that are."""
    scores = [item.ranked(strength) for item in found]
    return (
        float(np.mean([one.all(FIRST) for one in scores])),
        float(np.mean([one.recall(FIRST) for one in scores])),
    )


def by_strength(sets: Mapping[str, Sequence[Sittings]]) -> Table:
    """Every strength on every set."""
    table = Table(
        title=f"all@{FIRST} / recall@{FIRST} of sessions by what likeness counts, per cent",
        title_justify="left",
        caption="* the strength of the package",
    )
    table.add_column("strength", justify="right")
    for name, found in sets.items():
        table.add_column(f"{name} ({len(found)})", justify="right")
    for strength in STRENGTHS:
        cells = [measured(found, strength) for found in sets.values()]
        mark = " *" if strength == STRENGTH else ""
        table.add_row(
            f"{strength:g}{mark}", *(f"{100 * whole:.1f} / {100 * part:.1f}" for whole, part in cells)
        )
    return table


def left_out(sets: Mapping[str, Sequence[Sittings]]) -> Table:
    """What a source gets from the strength that is best for the other one; of equals the weakest."""
    table = Table(title=f"Left out: all@{FIRST}, strength chosen by the other source", title_justify="left")
    for heading in ("measured on", "chosen on", "strength", f"all@{FIRST}"):
        table.add_column(heading, justify="right" if heading in ("strength", f"all@{FIRST}") else "left")
    known = [name for name in FITTED if name in sets]
    for name in sets:
        others = [other for other in known if other.partition("_")[0] != name.partition("_")[0]]
        if others:
            best = max(STRENGTHS, key=lambda strength: (_mean(sets, others, strength), -strength))
            found = measured(sets[name], best)[0]
            table.add_row(name, ", ".join(others), f"{best:g}", f"{100 * found:.1f}")
    return table


def _mean(sets: Mapping[str, Sequence[Sittings]], names: Sequence[str], strength: float) -> float:
    """Sources count alike: LongMemEval is there twice and counts once."""
    sources: dict[str, list[float]] = {}
    for name in names:
        sources.setdefault(name.partition("_")[0], []).append(measured(sets[name], strength)[0])
    return round(float(np.mean([np.mean(values) for values in sources.values()])), 6)


async def run(folder: Path, names: Sequence[str], *, cache: Path, limit: int | None) -> None:
    console, sets = Console(width=150), dict[str, Sequence[Sittings]]()
    with Progress(transient=True) as progress:
        for name in names:
            async with workbench(cache=cache, settings=Settings()) as bench:
                sets[name] = await gather(bench, load(folder, name), limit, progress)
    for table in (by_strength(sets), left_out(sets)):
        console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_sessions", description=__doc__)
    add_options(parser)
    parser.add_argument("--only", choices=EVERY, action="append", help="one set; may be repeated")
    options = parser.parse_args()
    names = options.only or EVERY
    asyncio.run(run(folder_of(options), names, cache=options.cache, limit=options.limit))


if __name__ == "__main__":
    main()
