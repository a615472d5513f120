"""eval judge."""

import json
from pathlib import Path

import pytest

from tests.scripted_model import ScriptedModel, says_json

from .conftest import Cli

LINE = {
    "id": "d1",
    "area": "work",
    "said_at": "2026-01-05T08:00:00Z",
    "turns": [{"role": "user", "text": "My wife is Jane."}, {"role": "user", "text": "lol ok"}],
    "expect": [
        {
            "turn": 0,
            "category": "relationship",
            "must": ["wife", "Jane"],
            "content": "User's wife is named Jane",
        },
        {"turn": 0, "category": None, "must": ["zeppelin"], "content": "User has a zeppelin"},
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(LINE), "utf-8")
    return path


def test_rules_are_measured(cli: Cli, data: Path, db: Path) -> None:
    """The tables show what was found; the list of errors shows what was said; nothing is stored."""
    ran = cli("eval", "judge", "--data", str(data), "--errors")
    assert (ran.code, ran.err) == (0, "")
    assert "mine.jsonl: 1 dialogue, 2 utterances of users, judged by rules (1)" in ran.out
    assert "Junk: 0 proposals from 1 trap, 0.0 %." in ran.out
    assert "missed memory d1: User has a zeppelin (not proposed)" in ran.out
    assert "My wife is Jane." in ran.out
    assert not db.exists()


def test_errors_are_listed_only_when_asked_for(cli: Cli, data: Path) -> None:
    """Without --errors their number is told."""
    ran = cli("eval", "judge", "--data", str(data))
    assert "zeppelin" not in ran.out
    assert "1 mistake; --errors lists them." in ran.out


def test_json(cli: Cli, data: Path) -> None:
    """Programs get every count and every mistake."""
    told = cli("eval", "judge", "--data", str(data), "--json").json
    assert told["data"] == "mine.jsonl"
    assert (told["memories"]["expected"], told["memories"]["found"]) == (2, 1)
    assert [one["told"] for one in told["mistakes"]] == ["User has a zeppelin"]
    assert "model" not in told


@pytest.mark.parametrize(("flag", "least"), [((), 360), (("--unseen",), 120)])
def test_packaged_dialogues_are_the_default(cli: Cli, flag: tuple[str, ...], least: int) -> None:
    """Without a file the dialogues of the package are judged, the unseen ones when asked for."""
    told = cli("eval", "judge", *flag, "--json").json
    assert told["utterances"] >= least
    assert told["judged_by"] == {"rules": told["dialogues"]}


def test_observations(cli: Cli, tmp_path: Path) -> None:
    """Conversations are measured by their observations; without any, that is said."""
    turn = {"id": "D1:1", "speaker": "Ann", "role": "user", "text": "My wife is Jane."}
    conversation = {
        "id": "c1",
        "speakers": ["Ann"],
        "sessions": [{"id": "s1", "date": "2023-05-08T13:56", "turns": [turn]}],
        "questions": [],
    }
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"conversations": [conversation]}), "utf-8")
    ran = cli("eval", "judge", "--data", str(path))
    assert ran.code != 0
    assert "no conversation there has observations" in ran.err
    noted = {"session_1": {"Ann": [["Ann's wife is named Jane.", "D1:1"], ["Ann flew a zeppelin.", "D1:1"]]}}
    path.write_text(json.dumps({"conversations": [{**conversation, "observations": noted}]}), "utf-8")
    ran = cli("eval", "judge", "--data", str(path), "--errors")
    assert "talk.json: 2 observations, 1 memory proposed" in ran.out
    assert "Carried: 1, 50.0 %" in ran.out
    assert "missed c1 Ann: Ann flew a zeppelin." in ran.out
    assert cli("eval", "judge", "--data", str(path), "--json").json["recall_proxy"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--data", "x.jsonl", "--unseen"), "not both"),
        (("--data", "nowhere.jsonl"), "cannot be read"),
        (("--data", "nowhere.json"), "nowhere.json: cannot be read: No such file or directory."),
        (
            ("--model",),
            "--model needs the name of a model that OPENAI_BASE_URL serves: set RECOLLECT_JUDGE_MODEL.",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """One line says what is wrong."""
    monkeypatch.delenv("RECOLLECT_JUDGE_MODEL", raising=False)
    ran = cli("eval", "judge", *arguments)
    assert ran.code != 0
    assert message in ran.err


def test_a_model_is_measured(cli: Cli, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --model the model of the settings judges, and its cost is told."""
    memory = {
        "reasoning": "family",
        "content": "User's wife is named Jane",
        "category": "relationship",
        "entities": [],
        "confidence": 0.9,
        "message": 1,
    }
    reply = {"reasoning": "", "memories": [memory], "pins": [], "todos": [], "forget": []}
    with ScriptedModel() as model:
        model.script(says_json(reply))
        monkeypatch.setenv("RECOLLECT_JUDGE_MODEL", "scripted")
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        told = cli("eval", "judge", "--data", str(data), "--model", "--json").json
        shown = cli("eval", "judge", "--data", str(data), "--model").out
    assert told["judged_by"] == {"scripted": 1}
    assert told["memories"]["right"] == 1
    assert told["model"]["calls"] == 1
    assert "1 calls, 10 + 5 tokens, 0 failed." in shown
