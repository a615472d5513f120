"""Tests of evaluation/report.py."""

import io
import json
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from benchmarks.quality.measures import MEASURES, Score
from benchmarks.quality.report import (
    Evaluation,
    SystemRun,
    categories_table,
    costs_table,
    question_lines,
    systems_table,
    to_dict,
)
from recollect.errors import InvalidInput


def _score(question: str, *ranks: int | None, category: str = "single") -> Score:
    evidence = tuple(f"{question}-{place}" for place in range(len(ranks)))
    return Score(conversation="c1", question=question, category=category, evidence=evidence, ranks=ranks)


def _ours(**changed: Any) -> SystemRun:
    usual: dict[str, Any] = {
        "name": "recollect",
        "turns": (_score("q1", 1), _score("q2", 6, None, category="multi")),
        "sessions": (
            _score("q1", 1),
            _score("q2", 2, 6, category="multi"),
            _score("q3", 1, category="vague"),
        ),
        "ranked_sessions": (
            _score("q1", 1),
            _score("q2", 2, 3, category="multi"),
            _score("q3", 1, category="vague"),
        ),
        "ingest_seconds": 1234.56,
        "index_seconds": 12.34,
        "query_seconds": tuple(number / 1000 for number in range(1, 102)),
        "tokens": (100, 200, 600),
    }
    return SystemRun(**{**usual, **changed})


def _other(**changed: Any) -> SystemRun:
    untimed = {"ingest_seconds": None, "index_seconds": None, "query_seconds": (), "tokens": ()}
    return _ours(**{"name": "bm25", "ranked_sessions": (), **untimed, **changed})


def _evaluation(*systems: SystemRun, **changed: Any) -> Evaluation:
    usual: dict[str, Any] = {"dataset": "tiny", "part": "dev", "licence": "CC0", "ours": "recollect"}
    return Evaluation(**{**usual, "systems": systems or (_ours(), _other()), **changed})


def _shown(table: Table, width: int = 250) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(table)
    return stream.getvalue()


def _rows(table: Table) -> list[list[str]]:
    """The cells of every row as they are shown."""
    lines = [line for line in _shown(table).splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_a_row_a_system() -> None:
    """Means in per cent, recall@10 with its interval; turns first, then sessions by their turns, then as they are ranked."""
    shown = _shown(systems_table(_evaluation()))
    for heading in (
        "recall@5",
        "recall@10",
        "recall@20",
        "NDCG@10",
        "MRR",
        "all@5",
        "sessions",
        "ranked",
    ):
        assert heading in shown
    assert "tiny (dev): 3 questions" in shown
    ours, other = _rows(systems_table(_evaluation()))
    assert (ours[0], other[0]) == ("recollect", "bm25")
    # Recall: q1 has 1; q2 has 0 among five and a half among ten. Sessions: q1 and q3 whole, q2 not.
    assert [cell.split(" ")[0] for cell in (ours[1], ours[2], ours[6])] == ["50.0", "75.0", "66.7"]
    assert (ours[1], ours[2]) == ("50.0", "75.0 (50.0–100.0)")
    assert ours[1:-1] == other[1:-1]
    # Ranked as sessions q2 is whole, too; the other system ranks none.
    assert (ours[-1], other[-1]) == ("100.0", "–")


def test_labels_out_of_reach_are_told() -> None:
    """The table says that some labels cannot be found by anybody, and is silent when there are none."""
    assert "7 labels name what was not stored" in _shown(systems_table(_evaluation(unreachable=7)))
    one = _shown(systems_table(_evaluation(unreachable=1)))
    assert "1 label names what was not stored when asked; nobody can find it." in one
    assert "labels" not in _shown(systems_table(_evaluation()))


def test_a_row_a_category() -> None:
    """Our own system by category, with a dash where a level has no labels, and all at the end."""
    rows = _rows(categories_table(_evaluation(_other(), _ours())))
    assert [row[:4] for row in rows] == [
        ["multi", "1", "0.0", "50.0 (50.0–50.0)"],
        ["single", "1", "100.0", "100.0 (100.0–100.0)"],
        ["vague", "1", "–", "–"],
        ["all", "3", "50.0", "75.0 (50.0–100.0)"],
    ]
    assert rows[2][-1] == "100.0"


def test_costs() -> None:
    """Seconds to fill, the median and the 95th per cent of queries, tokens; a dash for what was not taken."""
    ours, other = _rows(costs_table(_evaluation()))
    assert ours == ["recollect", "1,234.6", "12.3", "51.0", "96.0", "200"]
    assert other == ["bm25", "–", "–", "–", "–", "–"]


def test_names_from_a_file_stay_text() -> None:
    """Markup in a name is shown, not followed, and control characters cannot reach the terminal."""
    evil = "[red]x[/red]\x1b[2J"
    ours = _ours(turns=(_score("q1", 1, category=evil),), sessions=(), ranked_sessions=())
    evaluation = _evaluation(ours, dataset=evil)
    for table in (systems_table(evaluation), categories_table(evaluation), costs_table(evaluation)):
        assert "\x1b" not in _shown(table)
    assert "[red]x[/red]\\x1b[2J" in _shown(categories_table(evaluation)).splitlines()[-4]
    assert "[red]x[/red]\\x1b[2J" in _shown(systems_table(evaluation)).splitlines()[0]


@pytest.mark.parametrize("width", [80, 100, 125, 126, 250])
def test_every_width_is_readable(width: int) -> None:
    """No heading, name, mean or interval is cut; where space is short there are fewer columns, never halves of them."""
    long = "single-session-preference"
    ours = _ours(
        turns=(_score("q1", 1, category=long), _score("q2", 1, None, category=long)),
        sessions=(_score("q1", 1, category=long),),
        ranked_sessions=(_score("q1", 1, category=long),),
    )
    others = [
        _other(name=name, turns=ours.turns, sessions=ours.sessions) for name in ("rank fusion", "score sum")
    ]
    evaluation = _evaluation(ours, *others)
    tables = systems_table(evaluation, width), categories_table(evaluation, width), costs_table(evaluation)
    for table in tables:
        shown = _shown(table, width)
        assert "…" not in shown
        assert all(len(line) <= width for line in shown.splitlines())
    first, second, _ = (_shown(table, width) for table in tables)
    words = ("system", "rank fusion", "score sum", "recall@10", "NDCG@10", "MRR", "sessions", "(50.0–100.0)")
    assert all(word in first for word in words)
    assert all(word in second for word in (long, "questions", "recall@10", "(50.0–100.0)"))
    assert ("recall@20" in first, "recall@20" in second) == (width >= 126, width >= 126)


def test_one_question_is_one_question() -> None:
    """The title counts as people do."""
    lone = {"turns": (_score("q1", 1),), "sessions": (), "ranked_sessions": ()}
    assert "tiny (dev): 1 question, per cent" in _shown(systems_table(_evaluation(_ours(**lone))))


def test_the_document_for_programs() -> None:
    """All measures at both levels and by category, the costs, and None for what was not taken."""
    told = json.loads(json.dumps(to_dict(_evaluation(unreachable=2))))
    assert (told["dataset"], told["licence"], told["ours"], told["unreachable_labels"]) == (
        "tiny",
        "CC0",
        "recollect",
        2,
    )
    assert list(told["systems"]) == ["recollect", "bm25"]
    ours = told["systems"]["recollect"]
    assert set(ours["turns"]) == {"questions", *(measure.name for measure in MEASURES)}
    assert (ours["turns"]["questions"], ours["sessions"]["questions"]) == (2, 3)
    assert ours["turns"]["recall@10"] == {"mean": 0.75, "low": 0.5, "high": 1.0}
    assert ours["turns"]["mrr"]["mean"] == 0.583333
    assert ours["categories"]["turns"]["multi"]["recall@10"]["mean"] == 0.5
    assert ours["categories"]["sessions"]["vague"]["questions"] == 1
    assert ours["costs"] == {
        "ingest_seconds": 1234.56,
        "index_seconds": 12.34,
        "query_ms_median": 51.0,
        "query_ms_p95": 96.0,
        "tokens_median": 200.0,
        "tokens_p95": 560.0,
    }
    assert set(told["systems"]["bm25"]["costs"].values()) == {None}


def test_a_line_a_question() -> None:
    """Each question once, with the place of each piece of evidence in each system."""
    better = _other(turns=(_score("q1", 3), _score("q2", 1, 2, category="multi")))
    lines = [json.loads(line) for line in question_lines(_evaluation(_ours(), better))]
    assert [line["question"] for line in lines] == ["q1", "q2", "q3"]
    second = lines[1]
    assert (second["dataset"], second["conversation"], second["category"]) == ("tiny", "c1", "multi")
    assert second["systems"]["recollect"] == {
        "ranks": {"q2-0": 6, "q2-1": None},
        "hit@10": True,
        "recall@10": 0.5,
        "ndcg@10": 0.218407,
        "reciprocal_rank": 0.166667,
        "session_ranks": {"q2-0": 2, "q2-1": 6},
        "sessions_all@5": False,
        "ranked_session_ranks": {"q2-0": 2, "q2-1": 3},
        "ranked_sessions_all@5": True,
    }
    assert second["systems"]["bm25"]["ranks"] == {"q2-0": 1, "q2-1": 2}
    assert set(lines[2]["systems"]["bm25"]) == {"session_ranks", "sessions_all@5"}


def test_a_line_is_one_line() -> None:
    """Whatever a question's id holds, a line of JSON stays one line of ASCII."""
    odd = _ours(turns=(_score("q\n\u2028é", 1),), sessions=(), ranked_sessions=())
    (line,) = question_lines(_evaluation(odd))
    assert line.isascii() and "\n" not in line
    assert json.loads(line)["question"] == "q\n\u2028é"


@pytest.mark.parametrize(
    "systems",
    [
        (_ours(), _other(turns=(_score("q1", 1),))),
        (_ours(), _other(turns=(_score("q1", 1), _score("q2", 1, 2, 3)))),
        (_ours(), _other(turns=(*_ours().turns, _score("q1", 1)))),
        (_ours(), _other(turns=_ours().sessions, sessions=_ours().turns)),
    ],
    ids=["fewer", "other evidence", "one twice", "levels exchanged"],
)
def test_systems_that_were_asked_other_questions_are_not_compared(systems: tuple[SystemRun, ...]) -> None:
    """Means over different questions side by side would mislead."""
    with pytest.raises(InvalidInput, match="bm25 and recollect were asked different questions"):
        _evaluation(*systems)


def test_systems_have_names_of_their_own() -> None:
    """Two of one name, or none of ours, are refused."""
    with pytest.raises(InvalidInput, match="names of their own"):
        _evaluation(_ours(), _ours())
    with pytest.raises(InvalidInput, match="must be one"):
        _evaluation(_other())


def test_the_same_scores_give_the_same_report() -> None:
    """Nothing in a report depends on when or how often it is made."""
    assert to_dict(_evaluation()) == to_dict(_evaluation())
    assert _shown(systems_table(_evaluation())) == _shown(systems_table(_evaluation()))
