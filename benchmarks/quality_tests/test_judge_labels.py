"""Labelled dialogues: the packaged ones keep their promises, and a wrong file is refused by line and field."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.judge_labels import AREAS, Dialogue, packaged, parsed, read
from benchmarks.quality.wording import carries, flaw
from recollect.errors import InvalidInput
from recollect.records.message import Role


def _line(**changed: Any) -> str:
    made: dict[str, Any] = {
        "id": "d1",
        "area": "work",
        "said_at": "2026-01-05T08:00:00Z",
        "turns": [{"role": "user", "text": "I am a welder"}, {"role": "assistant", "text": "Nice."}],
        "expect": [{"turn": 0, "category": "identity", "must": ["welder"], "content": "User is a welder"}],
    }
    return json.dumps({**made, **changed})


def _utterances(dialogues: tuple[Dialogue, ...]) -> list[str]:
    return [one.turns[place].text for one in dialogues for place in one.utterances()]


@pytest.mark.parametrize(("unseen", "least"), [(False, 360), (True, 120)])
def test_packaged_dialogues_are_many_and_half_of_them_traps(unseen: bool, least: int) -> None:
    """Both files hold as many utterances as promised, about half of which must yield nothing, from every area."""
    dialogues = packaged(unseen=unseen)
    said = _utterances(dialogues)
    traps = sum(len(one.traps()) for one in dialogues)
    assert len(said) >= least
    assert 0.45 <= traps / len(said) <= 0.6
    assert {one.area for one in dialogues} == set(AREAS)


def test_no_utterance_stands_there_twice() -> None:
    """What nobody tunes on shares no utterance with what is tuned on, and neither repeats itself."""
    said = [text.casefold() for unseen in (False, True) for text in _utterances(packaged(unseen=unseen))]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("unseen", [False, True])
def test_every_label_is_met_by_its_own_wording(unseen: bool) -> None:
    """A judge that words a memory as the label does would be right."""
    for dialogue in packaged(unseen=unseen):
        for label in dialogue.expect:
            assert carries(label.content, label.must), (dialogue.id, label)
            assert flaw(label.content) is None, (dialogue.id, label)


@pytest.mark.parametrize("unseen", [False, True])
def test_due_days_lie_ahead(unseen: bool) -> None:
    """Nothing is due before it was said, or more than a year later."""
    for dialogue in packaged(unseen=unseen):
        for label in dialogue.todos:
            if label.due is not None:
                assert 0 <= (label.due - dialogue.said_at.date()).days < 366, dialogue.id


def test_scenarios_of_the_sources_are_there() -> None:
    """The save-memory tool's four scenarios and the state model's five edge cases have dialogues of their own."""
    names = {one.id for one in packaged()}
    assert {"s2-scenarios-1-3-4", "s2-scenario-2"} <= names
    assert {
        "s4-race",
        "s4-rolling-summary",
        "s4-session-boundary",
        "s4-entity-variants",
        "s4-importance",
    } <= names


def test_other_voices_are_there() -> None:
    """Assistants and tools speak too, and nothing they say is labelled."""
    dialogues = packaged()
    roles = {said.role for one in dialogues for said in one.turns}
    assert {Role.USER, Role.ASSISTANT, Role.TOOL} <= roles


def test_a_file_is_read(tmp_path: Path) -> None:
    """A dialogue a line, blank lines between them; turns without labels are traps."""
    path = tmp_path / "mine.jsonl"
    path.write_text(f"\n{_line()}\n\n{_line(id='d2', expect=[])}\n", "utf-8")
    first, second = read(path)
    assert first.expect[0].must == (("welder",),)
    assert (first.traps(), second.traps()) == ((), (0,))


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"area": "cooking"}, "area"),
        ({"id": " "}, "id"),
        ({"said_at": "yesterday"}, "said_at"),
        ({"turns": []}, "turns"),
        ({"turns": [{"role": "narrator", "text": "x"}]}, "turns[0].role"),
        ({"turns": [{"role": "user", "text": 3}]}, "turns[0].text"),
        ({"expects": []}, "expects"),
        ({"expect": [{"turn": 1, "must": ["x"], "content": "x"}]}, "expect[0].turn"),
        ({"expect": [{"turn": 9, "must": ["x"], "content": "x"}]}, "expect[0].turn"),
        ({"expect": [{"turn": 0, "must": [], "content": "x"}]}, "expect[0].must"),
        ({"expect": [{"turn": 0, "must": ["a|"], "content": "x"}]}, "expect[0].must"),
        ({"expect": [{"turn": 0, "must": ["x"]}]}, "expect[0].content"),
        ({"expect": [{"turn": 0, "must": ["x"], "content": "x", "category": "mood"}]}, "expect[0].category"),
        ({"expect": [{"turn": 0, "must": ["x"], "content": "x", "note": ""}]}, "expect[0].note"),
        ({"todos": [{"turn": 0, "must": ["x"], "kind": "wish"}]}, "todos[0].kind"),
        ({"todos": [{"turn": 0, "must": ["x"], "kind": "habit", "due": "soon"}]}, "todos[0].due"),
        ({"forget": [{"turn": 0, "must": "jazz"}]}, "forget[0].must"),
        ({"forget": [{"turn": 0, "must": ["x"], "optional": 1}]}, "forget[0].optional"),
    ],
)
def test_a_wrong_label_is_named(changed: dict[str, Any], field: str) -> None:
    """An error says the line and the field."""
    with pytest.raises(InvalidInput) as caught:
        parsed(f"{_line()}\n{_line(**{'id': 'd2', **changed})}", "mine.jsonl")
    assert "mine.jsonl, line 2: " in caught.value.message
    assert caught.value.field == field
    assert field in caught.value.message


def test_what_is_no_json_is_named() -> None:
    """So are lines that cannot be read, ids that stand there twice, and a file without dialogues."""
    with pytest.raises(InvalidInput, match="line 1: is not JSON"):
        parsed("{", "x")
    with pytest.raises(InvalidInput, match="line 2: id 'd1' stands there twice"):
        parsed(f"{_line()}\n{_line()}", "x")
    with pytest.raises(InvalidInput, match="x holds no dialogue"):
        parsed("\n", "x")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is an error of the input."""
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path / "nowhere.jsonl")


def _counted(dialogues: tuple[Dialogue, ...]) -> str:
    counts = (
        len(dialogues),
        len(_utterances(dialogues)),
        sum(len(one.traps()) for one in dialogues),
        *(
            sum(not label.optional for one in dialogues for label in labels(one))
            for labels in (lambda one: one.expect, lambda one: one.todos, lambda one: one.forget)
        ),
    )
    return " | ".join(map(str, counts))


def test_the_page_states_what_the_files_hold() -> None:
    """The counts of the how-to are those of the files."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "howto" / "measure-judge.md").read_text("utf-8")
    assert f"| `judge_dialogues.jsonl` | {_counted(packaged())} |" in page
    assert f"| `judge_unseen.jsonl` (`--unseen`) | {_counted(packaged(unseen=True))} |" in page
