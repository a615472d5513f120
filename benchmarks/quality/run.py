"""A run: one data set through the product and, beside it, through what a user could take instead.

Times of queries are those of searching: without what embedding took, which a cache would falsify. The baselines get the same turns and the
vectors of lines that name the speaker, as somebody would who has no field for names; a role is no name. Messages that recall folds into a hit,
because they say the same, stand right behind it and take a place each. Sessions that the product ranks by itself are counted
beside those that follow from its turns. It prints nothing.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.quality.baselines import Baselines, line
from benchmarks.quality.dataset import Asked, Conversation, Dataset, Level, Turn, labelled
from benchmarks.quality.replay import Due, Spent, Workbench, replay, speaker_of
from benchmarks.quality.report import Evaluation
from benchmarks.quality.tally import Tally

#: Our row.
OURS = "recollect"
#: Messages that recall is asked for: 20 turns and, as a rule, five sessions are among them.
ASKED_FOR = 50
#: Sessions that recall is asked for: the deepest place that is measured.
ASKED_SESSIONS = 20

#: Called with how many questions are done and how many there are.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For those who do not watch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A conversation and those of its questions that are asked."""

    conversation: Conversation
    questions: tuple[Asked, ...]


def tasks(dataset: Dataset, *, questions: int | None = None, conversations: int | None = None) -> list[Task]:
    """What can be judged, in the order of the file: the first so many questions of the first so many conversations."""
    found: list[Task] = []
    left = questions
    for conversation in dataset.conversations[:conversations]:
        judged = [item for item in conversation.questions if any(labelled(item, level) for level in Level)]
        judged = judged[:left]
        if left is not None:
            left -= len(judged)
        if judged:
            found.append(Task(conversation=conversation, questions=tuple(judged)))
    return found


async def evaluate(
    bench: Workbench, dataset: Dataset, work: Sequence[Task], *, progress: Progress = no_progress
) -> Evaluation:
    """Measure the product and the baselines."""
    ours, spent = Tally(OURS), Spent()
    others, baselines = {name: Tally(name) for name in Baselines.NAMES}, Baselines()
    done, total = 0, sum(len(task.questions) for task in work)
    progress(0, total)
    for task in work:
        conversation, session_of = task.conversation, task.conversation.session_of()
        turns = said(conversation.turns())
        vectors = await bench.embedder.embed([embedded(turn) for turn in turns])
        baselines.index(turns, vectors)
        async for due in replay(bench, conversation, task.questions, spent):
            vector = (await bench.embedder.embed([due.question.question]))[0]
            embedding, began = bench.embedder.seconds, time.perf_counter()
            found = await ask(bench, due)
            seconds = time.perf_counter() - began - (bench.embedder.seconds - embedding)
            ours.add(
                conversation,
                due.question,
                found.turns,
                session_of=session_of,
                tokens=due.tokens,
                seconds=seconds,
                sessions=[session_of[turn] for turn in found.sessions],
            )
            allowed = due.tokens.keys() if due.sessions < len(conversation.sessions) else None
            for name, ranking in baselines.rank(due.question.question, vector, allowed).items():
                others[name].add(
                    conversation, due.question, ranking, session_of=session_of, tokens=due.tokens
                )
            done += 1
            progress(done, total)
    mine = ours.result(ingest_seconds=spent.recording, index_seconds=spent.indexing)
    return Evaluation(
        dataset=dataset.name,
        part=dataset.part,
        licence=dataset.licence,
        ours=OURS,
        systems=(mine, *(tally.result() for tally in others.values())),
        unreachable=unreachable(work),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What recall gives for a question, best first: turns, and of each session its best turn."""

    turns: list[str]
    sessions: list[str]


async def ask(bench: Workbench, due: Due) -> Found:
    """Ask the product."""
    found = await bench.search(
        due.question.question,
        user=due.user,
        limit=1,
        messages=ASKED_FOR,
        neighbours=0,
        sessions=ASKED_SESSIONS,
        at=due.at,
    )
    ids = [id for hit in found.messages for id in (hit.message.message_id, *hit.repeats)]
    return Found(
        turns=list(dict.fromkeys(due.turn_of[id] for id in ids)),
        sessions=[due.turn_of[hit.message.message_id] for hit in found.sessions],
    )


def unreachable(work: Sequence[Task]) -> int:
    """Labels of turns that name what was not stored when their question is asked."""
    return sum(
        len(task.conversation.unreachable(question, Level.TURN))
        for task in work
        for question in task.questions
        if labelled(question, Level.TURN)
    )


def embedded(turn: Turn) -> str:
    """What the baselines' vectors are made of: the line with its speaker, if that is a name and not a role."""
    return line(turn) if speaker_of(turn) else turn.text


def said(turns: Sequence[Turn]) -> list[Turn]:
    """Without blank turns: the product refuses them, and nobody is asked to find nothing."""
    return [turn for turn in turns if turn.text.strip()]
