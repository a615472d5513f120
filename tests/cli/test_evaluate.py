"""eval recall, eval fit, eval context."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.index.episode.features import FEATURES

from .conftest import Cli


def _turn(id: str, text: str, role: str = "user") -> dict[str, Any]:
    return {"id": id, "speaker": "Ann" if role == "user" else "Ben", "role": role, "text": text}


SAID = (
    ("a", "I adopted a ginger cat from the shelter", "Which animal did Ann adopt?"),
    ("b", "My brother moved to Lisbon", "Where did Ann's brother move?"),
    ("c", "I am learning to play the cello", "Which instrument does Ann learn?"),
    ("d", "We painted the kitchen green", "Which colour is the kitchen?"),
    ("e", "My flight to Oslo was cancelled", "Where was the cancelled flight going?"),
    ("f", "Grandmother bakes plum cake on Sundays", "What does grandmother bake?"),
)


def _file(folder: Path, name: str = "tiny", **changed: Any) -> Path:
    sessions = [
        {"id": id, "date": f"2023-05-0{number}T10:00", "turns": [_turn(f"{id}:1", text), _turn(f"{id}:2", "I see.", "assistant")]}
        for number, (id, text, _) in enumerate(SAID, 1)
    ]  # fmt: skip
    questions = [
        {
            "id": f"q-{id}",
            "question": question,
            "category": "single",
            "evidence": [f"{id}:1"],
            "evidence_sessions": [id],
        }
        for id, _, question in SAID
    ]
    conversation = {"id": "c1", "speakers": ["Ann", "Ben"], "sessions": sessions, "questions": questions}
    document = {
        "dataset": name,
        "part": "dev",
        "license": "CC0",
        "conversations": [{**conversation, **changed}],
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny data set, and a cache directory that vanishes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return _file(tmp_path)


def test_recall_is_measured(cli: Cli, data: Path, db: Path, tmp_path: Path) -> None:
    """The tables show every system; files hold the measures and the questions; the user's database stays untouched."""
    report, lines = tmp_path / "report.json", tmp_path / "questions.jsonl"
    ran = cli("eval", "recall", "--data", str(data), "-o", str(report), "--questions", str(lines))
    assert (ran.code, ran.err) == (0, "")
    for name in ("recollect", "bm25", "dense", "rank fusion", "score sum", "single"):
        assert name in ran.out
    [told] = json.loads(report.read_text("utf-8"))["evaluations"]
    assert told["systems"]["recollect"]["turns"]["questions"] == 6
    assert told["systems"]["recollect"]["turns"]["recall@10"]["mean"] == 1.0
    assert [json.loads(line)["question"] for line in lines.read_text("utf-8").splitlines()] == [
        f"q-{id}" for id, _, _ in SAID
    ]
    assert not db.exists()
    assert list((tmp_path / "cache" / "recollect" / "vectors").iterdir())


def test_several_files_and_limits(cli: Cli, data: Path, tmp_path: Path) -> None:
    """Each file has its own evaluation, with as many questions as were wanted; nothing is kept without a cache."""
    other = _file(tmp_path, "other")
    ran = cli("eval", "recall", "--data", str(data), "--data", str(other), "-n", "2", "--no-cache", "--json")
    found = ran.json["evaluations"]
    assert [item["dataset"] for item in found] == ["tiny", "other"]
    assert [item["systems"]["bm25"]["turns"]["questions"] for item in found] == [2, 2]
    assert not (tmp_path / "cache").exists()


def test_a_database_of_your_own(cli: Cli, data: Path, tmp_path: Path) -> None:
    """What is measured in a named database is erased from it again."""
    mine = tmp_path / "mine.db"
    cli("chats", "record", "dad", "Dad likes tea", "--db", str(mine))
    assert cli("eval", "recall", "--data", str(data), "--db", str(mine), "-n", "1").code == 0
    assert cli("users", "--db", str(mine), "--json").json["users"] == ["local"]


def test_weights_are_fitted(cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are told and written, with how to use them; the file serves recall."""
    weights = tmp_path / "weights.json"
    ran = cli("eval", "fit", "--data", str(data), "-o", str(weights), "--leave-out")
    assert (ran.code, ran.err) == (0, "")
    assert f"RECOLLECT_EPISODE_WEIGHTS={weights}" in ran.out
    assert all(name in ran.out for name in FEATURES)
    assert json.loads(weights.read_text("utf-8"))["data"][0]["questions"] == 6
    monkeypatch.setenv("RECOLLECT_EPISODE_WEIGHTS", str(weights))
    again = cli("eval", "recall", "--data", str(data), "-n", "1", "--json").json["evaluations"][0]
    assert again["systems"]["recollect"]["turns"]["recall@10"]["mean"] == 1.0


def test_a_fit_in_json(cli: Cli, data: Path) -> None:
    """Programs get recall before and after and every weight; without a name no file is written."""
    told = cli("eval", "fit", "--data", str(data), "--strength", "2", "--json").json
    assert (told["strength"], told["file"]) == (2.0, None)
    assert told["weights"].keys() == set(FEATURES)
    [row] = told["recall@10"]
    assert (row["dataset"], row["questions"]) == ("tiny", 6)
    assert row["before"] == row["after"] == 1.0


def test_contexts_are_measured(cli: Cli, data: Path) -> None:
    """Each budget has its line; a large one holds everything that was said."""
    ran = cli("eval", "context", "--data", str(data), "-b", "500", "-b", "4000")
    assert ran.code == 0
    assert "500" in ran.out and "4,000" in ran.out
    points = cli("eval", "context", "--data", str(data), "-b", "4000", "--json").json["contexts"][0]["points"]
    assert (points[0]["budget"], points[0]["questions"], points[0]["all_evidence"]) == (4000, 6, 1.0)


@pytest.mark.parametrize("command", ["recall", "fit", "context"])
def test_files_that_cannot_serve(cli: Cli, data: Path, tmp_path: Path, command: str) -> None:
    """A file that is missing, wrong or without labels is named, before anything is measured."""
    missing = cli("eval", command, "--data", str(data), "--data", str(tmp_path / "no.json"))
    assert (missing.code, missing.out) == (2, "")
    assert "no.json" in missing.err
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[]")
    assert "wrong.json" in cli("eval", command, "--data", str(wrong), "--json").json["error"]
    bare = _file(tmp_path, "bare", questions=[])
    assert "no question there can be judged" in cli("eval", command, "--data", str(bare)).err


def test_a_budget_that_is_none(cli: Cli, data: Path) -> None:
    """A context has a least size, which is said."""
    ran = cli("eval", "context", "--data", str(data), "-b", "5")
    assert ran.code == 2
    assert "budget" in ran.err


def test_two_words_about_the_cache(cli: Cli, data: Path, tmp_path: Path) -> None:
    """Naming a cache and wanting none is refused."""
    ran = cli("eval", "recall", "--data", str(data), "--cache", str(tmp_path), "--no-cache")
    assert (ran.code, ran.err) == (2, "recollect: Say --cache or --no-cache, not both.\n")
