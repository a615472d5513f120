"""Tests of evaluation/dataset.py."""

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.dataset import Dataset, Level, labelled, read
from recollect.errors import InvalidInput
from recollect.records.message import Role


def _turn(id: str, text: str = "hello", role: str = "user") -> dict[str, Any]:
    return {"id": id, "speaker": "Ann", "role": role, "text": text}


def _question(id: str, **changed: Any) -> dict[str, Any]:
    usual = {
        "id": id,
        "question": "Where does Ann live?",
        "answer": "Rome",
        "category": "single-hop",
        "answerable": True,
        "date": None,
        "after": None,
        "evidence": ["a1"],
        "evidence_sessions": ["a"],
    }
    return {**usual, **changed}


def _file() -> dict[str, Any]:
    """A small file with its sessions in place."""
    return {
        "dataset": "tiny",
        "part": "dev",
        "license": "CC0",
        "source": "made here",
        "conversations": [
            {
                "id": "c1",
                "speakers": ["Ann", "Ben"],
                "sessions": [
                    {
                        "id": "a",
                        "date": "2023-05-08T13:56",
                        "turns": [_turn("a1"), _turn("a2", "", "assistant")],
                    },
                    {"id": "b", "date": None, "turns": [_turn("b1")]},
                ],
                "questions": [_question("q1"), _question("q2", after=1, date="2023-06-01T10:00")],
            }
        ],
    }


def _pool_file() -> dict[str, Any]:
    """The same kind of file with a pool that two conversations share."""
    return {
        "dataset": "pooled",
        "part": "dev",
        "license": "MIT",
        "pool": {"a": [_turn("a1")], "b": [_turn("b1")]},
        "conversations": [
            {
                "id": "c1",
                "speakers": ["Ann"],
                "session_refs": [["a", "2023-01-01T08:00"], ["b", "2023-01-02T08:00"]],
                "questions": [_question("q1")],
            },
            {
                "id": "c2",
                "speakers": ["Ann"],
                "session_refs": [["b", None], ["a", "2024-01-01T08:00"]],
                "questions": [_question("q1")],
            },
        ],
    }


def _read(folder: Path, content: object) -> Dataset:
    path = folder / "tiny.json"
    path.write_text(json.dumps(content), "utf-8")
    return read(path)


def test_a_file_with_sessions(tmp_path: Path) -> None:
    """Every field arrives, and a date without a zone is UTC."""
    data = _read(tmp_path, _file())
    assert (data.name, data.part, data.licence) == ("tiny", "dev", "CC0")
    (conversation,) = data.conversations
    assert (conversation.id, conversation.speakers) == ("c1", ("Ann", "Ben"))
    assert [session.date for session in conversation.sessions] == [
        datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
        None,
    ]
    second = conversation.sessions[0].turns[1]
    assert (second.id, second.speaker, second.role, second.text) == ("a2", "Ann", Role.ASSISTANT, "")
    asked = conversation.questions[1]
    assert (asked.after, asked.date) == (1, datetime(2023, 6, 1, 10, tzinfo=UTC))
    assert (asked.evidence, asked.evidence_sessions) == (("a1",), ("a",))
    assert (asked.question, asked.answer, asked.category) == ("Where does Ann live?", "Rome", "single-hop")


def test_a_compressed_file(tmp_path: Path) -> None:
    """The same text, packed by gzip, is the same data set."""
    packed = tmp_path / "tiny.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(_file()).encode()))
    assert read(packed) == _read(tmp_path, _file())


def test_a_pool_is_shared(tmp_path: Path) -> None:
    """Conversations hold the same turns, not copies, each with its own date and order."""
    first, second = _read(tmp_path, _pool_file()).conversations
    assert [session.id for session in second.sessions] == ["b", "a"]
    assert first.sessions[0].turns is second.sessions[1].turns
    assert first.sessions[0].date == datetime(2023, 1, 1, 8, tzinfo=UTC)
    assert second.sessions[1].date == datetime(2024, 1, 1, 8, tzinfo=UTC)


def test_what_was_said_before_a_question(tmp_path: Path) -> None:
    """Turns of the first sessions only, or all of them; and every turn knows its session."""
    (conversation,) = _read(tmp_path, _file()).conversations
    assert [turn.id for turn in conversation.turns()] == ["a1", "a2", "b1"]
    assert [turn.id for turn in conversation.turns(1)] == ["a1", "a2"]
    assert conversation.turns(0) == ()
    assert conversation.session_of() == {"a1": "a", "a2": "a", "b1": "b"}


def test_labels_that_nobody_can_find_are_told(tmp_path: Path) -> None:
    """A label of a later session or of nothing at all is kept and named as unreachable."""
    content = _file()
    content["conversations"][0]["questions"] = [
        _question("q1", after=1, evidence=["a1", "b1", "zz"], evidence_sessions=["a", "b"])
    ]
    (conversation,) = _read(tmp_path, content).conversations
    (asked,) = conversation.questions
    assert asked.evidence == ("a1", "b1", "zz")
    assert conversation.unreachable(asked, Level.TURN) == ("b1", "zz")
    assert conversation.unreachable(asked, Level.SESSION) == ("b",)


def test_which_questions_judge(tmp_path: Path) -> None:
    """A question counts at a level when it has an answer and labels there."""
    content = _file()
    content["conversations"][0]["questions"] = [
        _question("both"),
        _question("sessions", evidence=[]),
        _question("none", answerable=False),
    ]
    asked = _read(tmp_path, content).conversations[0].questions
    assert [labelled(one, Level.TURN) for one in asked] == [True, False, False]
    assert [labelled(one, Level.SESSION) for one in asked] == [True, True, False]


def test_what_may_be_left_out(tmp_path: Path) -> None:
    """Dates, `after`, the answer and labels may be missing; a question is answerable unless it says otherwise."""
    content = _file()
    del content["dataset"], content["part"], content["license"]
    content["conversations"][0]["questions"] = [{"id": "q1", "question": "Where?"}]
    data = _read(tmp_path, content)
    (asked,) = data.conversations[0].questions
    assert (data.name, data.part, data.licence) == ("tiny", "", "")
    assert (asked.answerable, asked.after, asked.date, asked.evidence, asked.answer) == (
        True,
        None,
        None,
        (),
        "",
    )


def _set(*path: str | int) -> Callable[[Any, Any], None]:
    """Something that puts a value at a place of a file."""

    def put(content: Any, value: Any) -> None:
        for step in path[:-1]:
            content = content[step]
        content[path[-1]] = value

    return put


_FIRST = ("conversations", 0)


@pytest.mark.parametrize(
    ("place", "value", "field", "words"),
    [
        (("conversations",), [], "conversations", "empty"),
        (("conversations",), {"c1": []}, "conversations", "must be a list"),
        ((*_FIRST,), 5, "conversations[0]", "must be an object"),
        ((*_FIRST, "id"), 5, "conversations[0].id", "must be text"),
        ((*_FIRST, "id"), " ", "conversations[0].id", "is empty"),
        ((*_FIRST, "sessions"), None, "sessions", "must be a list"),
        ((*_FIRST, "session_refs"), [], "sessions", "either sessions or session_refs"),
        ((*_FIRST, "sessions", 1, "date"), "yesterday", "sessions[1].date", "yesterday"),
        ((*_FIRST, "sessions", 1, "date"), 2023, "sessions[1].date", "2023"),
        ((*_FIRST, "sessions", 1, "id"), "a", "sessions", "'a' stands there twice"),
        ((*_FIRST, "sessions", 1, "turns", 0, "id"), "a2", "turns", "'a2' stands there twice"),
        (
            (*_FIRST, "sessions", 1, "turns", 0, "role"),
            "tool",
            "sessions[1].turns[0].role",
            '"user" or "assistant"',
        ),
        (
            (*_FIRST, "sessions", 1, "turns", 0, "role"),
            [],
            "sessions[1].turns[0].role",
            '"user" or "assistant"',
        ),
        ((*_FIRST, "sessions", 0, "turns", 1, "text"), None, "sessions[0].turns[1].text", "must be text"),
        ((*_FIRST, "sessions", 0, "turns", 1, "text"), "a\ud800", "sessions[0].turns[1].text", "surrogate"),
        ((*_FIRST, "questions"), "Where?", "questions", "must be a list"),
        ((*_FIRST, "questions", 1, "id"), "q1", "questions", "'q1' stands there twice"),
        ((*_FIRST, "questions", 1, "question"), "", "questions[1].question", "is empty"),
        ((*_FIRST, "questions", 1, "after"), 3, "questions[1].after", "there are 2 sessions"),
        ((*_FIRST, "questions", 1, "after"), -1, "questions[1].after", "whole number"),
        ((*_FIRST, "questions", 1, "after"), True, "questions[1].after", "whole number"),
        ((*_FIRST, "questions", 1, "answerable"), "yes", "questions[1].answerable", "true or false"),
        ((*_FIRST, "questions", 1, "evidence"), "a1", "questions[1].evidence", "must be a list"),
        ((*_FIRST, "questions", 1, "evidence"), [1], "questions[1].evidence[0]", "must be text"),
    ],
)
def test_a_wrong_file_is_told_by_file_conversation_and_field(
    tmp_path: Path, place: tuple[str | int, ...], value: object, field: str, words: str
) -> None:
    """Whatever is wrong, the error names the file, the conversation as soon as it has a name, and the field."""
    content = _file()
    _set(*place)(content, value)
    with pytest.raises(InvalidInput) as caught:
        _read(tmp_path, content)
    assert caught.value.field == field
    assert str(tmp_path / "tiny.json") in caught.value.message
    assert words in caught.value.message
    assert len(place) < 3 or place[2] == "id" or "conversation 'c1'" in caught.value.message


@pytest.mark.parametrize(
    ("place", "value", "field", "words"),
    [
        ((*_FIRST, "session_refs", 1), ["zz", None], "session_refs[1]", "no session 'zz'"),
        ((*_FIRST, "session_refs", 1), ["a"], "session_refs[1]", "id and its date"),
        ((*_FIRST, "session_refs", 1), ["a", "2023-01-01T08:00"], "sessions", "'a' stands there twice"),
        ((*_FIRST, "session_refs", 1, 1), "never", "session_refs[1][1]", "never"),
        (("pool", "b"), [_turn("a1")], "turns", "'a1' stands there twice"),
        (("pool", "b"), [{"id": "b1"}], "pool.b[0].role", '"user" or "assistant"'),
        (("pool",), [], "pool", "must be an object"),
        (("conversations", 1, "id"), "c1", "conversations", "'c1' stands there twice"),
    ],
)
def test_a_wrong_pool_is_told(
    tmp_path: Path, place: tuple[str | int, ...], value: object, field: str, words: str
) -> None:
    """A session that the pool lacks, or that is wrong there, is named."""
    content = _pool_file()
    _set(*place)(content, value)
    with pytest.raises(InvalidInput) as caught:
        _read(tmp_path, content)
    assert caught.value.field == field
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not JSON"),
        (b'{"conversations": [', "is not JSON"),
        (b"\xff\xfe\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "must be an object"),
        (gzip.compress(b"{}", mtime=0)[:12], "cannot be read"),
        (b"\x1f\x8b but no more", "cannot be read"),
    ],
)
def test_a_file_that_is_no_data_set(tmp_path: Path, content: bytes, words: str) -> None:
    """Damaged or foreign files get a sentence, not a traceback."""
    path = tmp_path / "broken.json.gz"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=words) as caught:
        read(path)
    assert str(path) in caught.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file and a folder are named once, with the reason and without its number."""
    for path, reason in ((tmp_path / "none.json", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(InvalidInput) as caught:
            read(path)
        assert caught.value.message == f"{path}: cannot be read: {reason}."
