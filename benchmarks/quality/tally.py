"""A tally: what one system gave for each question, until it is a row of the report.

It takes rankings of turns from anybody: the product, a baseline, another store. Both levels follow from one ranking; a system
that ranks sessions by itself is counted for that besides. It asks nothing itself, so that every system is counted in
the same way.
"""

from collections.abc import Mapping, Sequence
from itertools import islice

from benchmarks.quality.dataset import Asked, Conversation, Level, labelled, labels
from benchmarks.quality.measures import Score, by_session, score
from benchmarks.quality.report import SystemRun

#: Hits whose tokens are counted: as many as a model might be shown.
SHOWN = 10


class Tally:
    """One system over one data set."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._scores: dict[Level, list[Score]] = {level: [] for level in Level}
        self._ranked: list[Score] = []
        self._seconds: list[float] = []
        self._tokens: list[int] = []

    def add(
        self,
        conversation: Conversation,
        question: Asked,
        ranked: Sequence[str],
        *,
        session_of: Mapping[str, str],
        tokens: Mapping[str, int],
        seconds: float | None = None,
        sessions: Sequence[str] | None = None,
    ) -> None:
        """Count one answer: the ids of turns, best first, and those of sessions from a system that ranks them."""
        counted = [
            (self._scores[Level.TURN], Level.TURN, ranked),
            (self._scores[Level.SESSION], Level.SESSION, by_session(ranked, session_of)),
        ]
        if sessions is not None:
            counted.append((self._ranked, Level.SESSION, sessions))
        for scores, level, ranking in counted:
            if labelled(question, level):
                found = score(
                    ranking,
                    labels(question, level),
                    conversation=conversation.id,
                    question=question.id,
                    category=question.category,
                )
                scores.append(found)
        first = islice(dict.fromkeys(ranked), SHOWN)
        self._tokens.append(sum(tokens.get(turn, 0) for turn in first))
        if seconds is not None:
            self._seconds.append(seconds)

    def result(self, *, ingest_seconds: float | None = None, index_seconds: float | None = None) -> SystemRun:
        """The row of the report."""
        return SystemRun(
            name=self.name,
            turns=tuple(self._scores[Level.TURN]),
            sessions=tuple(self._scores[Level.SESSION]),
            ranked_sessions=tuple(self._ranked),
            ingest_seconds=ingest_seconds,
            index_seconds=index_seconds,
            query_seconds=tuple(self._seconds),
            tokens=tuple(self._tokens),
        )
