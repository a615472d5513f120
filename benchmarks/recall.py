"""`make bench-recall`: how well recall finds the evidence, beside baselines and, where they are installed, other stores.

    python -m benchmarks.recall FOLDER [--only NAME …] [--peers] [--peer-conversations N]

Peers store one turn at a time and take minutes, so they get the first conversations of a set only; beside them stands
our own row for the same questions. A peer whose package is missing is named with the line that installs it.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.labelled_data import EVERY, add_options, folder_of, load
from benchmarks.peers.chroma_store import ChromaStore
from benchmarks.peers.mem0_store import Mem0Store
from benchmarks.peers.numpy_store import NumpyStore
from benchmarks.peers.peer import Missing, Peer
from benchmarks.quality import report
from benchmarks.quality.dataset import Dataset
from benchmarks.quality.replay import Workbench, workbench
from benchmarks.quality.report import Evaluation, SystemRun
from benchmarks.quality.run import ASKED_FOR, Task, embedded, evaluate, said, tasks
from benchmarks.quality.tally import Tally
from recollect.settings import Settings

PEERS: tuple[Callable[[], Peer], ...] = (NumpyStore, ChromaStore, Mem0Store)
#: Conversations of a set that peers get: some minutes for the slowest of them.
PEER_CONVERSATIONS = {"locomo": 2, "lme_s48": 10, "lme_pool": 1, "beam100k": 5, "realmem": 1}


async def run_peer(bench: Workbench, peer: Peer, work: Sequence[Task]) -> SystemRun:
    """A peer over the same questions, filled in the same order."""
    tally, filling = Tally(peer.name), 0.0
    for task in work:
        peer.clear()
        session_of, stored = task.conversation.session_of(), 0
        all_sessions = len(task.conversation.sessions)
        due = sorted(task.questions, key=lambda item: all_sessions if item.after is None else item.after)
        for question in due:
            wanted = all_sessions if question.after is None else question.after
            turns = said([turn for each in task.conversation.sessions[stored:wanted] for turn in each.turns])
            stored = wanted
            vectors = await bench.embedder.embed([embedded(turn) for turn in turns])
            began = time.perf_counter()
            if turns:
                peer.add(turns, vectors)
            filling += time.perf_counter() - began
            vector = (await bench.embedder.embed([question.question]))[0]
            began = time.perf_counter()
            ranked = peer.rank(question.question, vector, ASKED_FOR)
            seconds = time.perf_counter() - began
            tally.add(task.conversation, question, ranked, session_of=session_of, tokens={}, seconds=seconds)
    # No tokens were counted here: a peer's hits are the same turns.
    return replace(tally.result(ingest_seconds=filling), tokens=())


async def measure(bench: Workbench, dataset: Dataset, work: Sequence[Task]) -> Evaluation:
    """Ours and the baselines, with a bar."""
    with Progress(transient=True) as progress:
        bar = progress.add_task(dataset.name, total=None)

        def show(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return await evaluate(bench, dataset, work, progress=show)


async def with_peers(bench: Workbench, dataset: Dataset, conversations: int, console: Console) -> Evaluation:
    """Ours, the baselines and every peer that is installed, on the first conversations of a set."""
    work = tasks(dataset, conversations=conversations)
    found = await measure(bench, dataset, work)
    for make in PEERS:
        try:
            peer = make()
        except Missing as missing:
            console.print(f"{make.__name__} was not measured: {missing}", style="yellow")
            continue
        try:
            row = await run_peer(bench, peer, work)
        finally:
            peer.close()
        found = replace(found, systems=(*found.systems, row))
    return replace(found, part=f"{dataset.part}, first {len(work)} conversations")


async def run(options: argparse.Namespace, console: Console) -> list[Evaluation]:
    folder = folder_of(options)
    found: list[Evaluation] = []
    for name in options.only or EVERY:
        dataset = load(folder, name)
        async with workbench(options.db, cache=options.cache, settings=Settings.from_env()) as bench:
            if options.peers:
                count = options.peer_conversations or PEER_CONVERSATIONS[name]
                evaluation = await with_peers(bench, dataset, count, console)
            else:
                evaluation = await measure(bench, dataset, tasks(dataset, questions=options.limit))
        found.append(evaluation)
        for table in (report.systems_table, report.categories_table, report.costs_table):
            console.print(table(evaluation))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    add_options(parser)
    parser.add_argument("--only", choices=EVERY, action="append", help="one set; may be repeated")
    parser.add_argument("--db", help="a database to measure in, such as postgresql://…")
    parser.add_argument("--peers", action="store_true", help="with other stores, on the first conversations")
    parser.add_argument("--peer-conversations", type=int, help="how many conversations peers get")
    parser.add_argument("--output", type=Path, help="write all measures here, as JSON")
    options = parser.parse_args()
    found = asyncio.run(run(options, Console(width=170)))
    if options.output:
        told = [report.to_dict(evaluation) for evaluation in found]
        options.output.write_text(json.dumps({"evaluations": told}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
