"""A judgement is compared with labels: what is right, missed, wrong and junk."""

import asyncio
from datetime import UTC, datetime

import pytest

from benchmarks.quality.judge_labels import Dialogue, packaged, parsed
from benchmarks.quality.judging import Assessment, Fault, Kind, assess, compare, material
from recollect.records.category import Category
from recollect.records.judgement import (
    Judgement,
    Material,
    ProposedForgetting,
    ProposedMemory,
    ProposedPin,
    ProposedTodo,
)
from recollect.records.pin import PinType
from recollect.records.todo import TodoKind

_LINE = """{"id": "d", "area": "work", "said_at": "2026-01-05T08:00:00Z",
"turns": [{"role": "user", "text": "I am a welder and I love tea, and I might drink coffee"},
{"role": "assistant", "text": "You own a boat."}, {"role": "user", "text": "lol"},
{"role": "user", "text": "I must call Jo tomorrow. Forget that I like jazz."}],
"expect": [{"turn": 0, "category": "identity", "must": ["welder"], "content": "User is a welder"},
{"turn": 0, "category": "preference", "must": ["tea"], "content": "User loves tea"},
{"turn": 0, "category": null, "must": ["coffee"], "content": "User may drink coffee", "optional": true}],
"todos": [{"turn": 3, "kind": "commitment", "due": "2026-01-06", "must": ["call", "Jo"]}],
"forget": [{"turn": 3, "must": ["jazz"]}]}""".replace("\n", " ")


@pytest.fixture
def dialogue() -> Dialogue:
    [one] = parsed(_LINE, "test")
    return one


def _memory(content: str, turn: int = 0, category: Category | None = None) -> ProposedMemory:
    return ProposedMemory(
        content=content,
        category=category,
        confidence=0.9,
        reasoning="said so",
        said="",
        source_message_ids=(f"d:{turn}",),
    )


def _todo(
    text: str, due: datetime | None, kind: TodoKind = TodoKind.COMMITMENT, turn: int = 3
) -> ProposedTodo:
    return ProposedTodo(
        text=text, kind=kind, due_at=due, confidence=0.9, reasoning="", source_message_ids=(f"d:{turn}",)
    )


def _forgetting(what: str, turn: int = 3) -> ProposedForgetting:
    return ProposedForgetting(what=what, said="", source_message_ids=(f"d:{turn}",))


def _compared(dialogue: Dialogue, judgement: Judgement) -> Assessment:
    made = Assessment()
    compare(dialogue, judgement, made)
    return made


def _faults(found: Assessment, kind: Kind = Kind.MEMORY) -> list[tuple[Fault, str, str]]:
    return [(one.fault, one.told, one.reason) for one in found.mistakes if one.kind is kind]


def test_a_perfect_judge(dialogue: Dialogue) -> None:
    """Everything labelled and nothing else is a precision and a recall of one, without junk or mistakes."""
    found = _compared(
        dialogue,
        Judgement(
            memories=(
                _memory("User is a welder", category=Category.IDENTITY),
                _memory("User loves tea", category=Category.FACT),
            ),
            todos=(_todo("Call Jo", datetime(2026, 1, 6, 23, tzinfo=UTC)),),
            forgettings=(_forgetting("User likes jazz"),),
        ),
    )
    for tally in (found.memories, found.todos, found.forgettings):
        assert (tally.precision, tally.recall, tally.f1) == (1.0, 1.0, 1.0)
    assert (found.traps.rate, found.mistakes) == (0.0, [])
    assert found.category_agrees.precision == 0.5
    assert found.kind_agrees.precision == 1.0


def test_a_silent_judge(dialogue: Dialogue) -> None:
    """Nothing proposed has no precision, a recall of zero, and every label that is not optional is missed."""
    found = _compared(dialogue, Judgement())
    assert (found.memories.precision, found.memories.recall) == (None, 0.0)
    assert [fault for fault, _, _ in _faults(found)] == [Fault.MISSED, Fault.MISSED]
    assert (found.memories.f1, found.traps.rate) == (None, 0.0)


def test_one_memory_may_state_two_facts(dialogue: Dialogue) -> None:
    """It is one right proposal, and both labels are found."""
    found = _compared(dialogue, Judgement(memories=(_memory("User is a welder and loves tea"),)))
    assert (found.memories.proposed, found.memories.right, found.memories.found) == (1, 1, 2)


def test_a_fact_counts_once(dialogue: Dialogue) -> None:
    """Said a second time, it is wrong."""
    found = _compared(dialogue, Judgement(memories=(_memory("User loves tea"), _memory("User adores tea"))))
    assert (found.memories.proposed, found.memories.right) == (2, 1)
    assert (Fault.WRONG, "User adores tea", "said before") in _faults(found)


def test_an_optional_label_is_neither_right_nor_wrong(dialogue: Dialogue) -> None:
    """What careful people disagree about changes no count."""
    found = _compared(dialogue, Judgement(memories=(_memory("User may drink coffee"),)))
    assert (found.memories.proposed, found.memories.expected, found.traps.junk) == (0, 2, 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("User has a yacht", "matches no label"),
        ("I love tea", "not in the third person"),
        ("She loves tea", "points at what was said before"),
    ],
)
def test_what_is_wrong_about_a_labelled_turn(dialogue: Dialogue, content: str, reason: str) -> None:
    """A proposal that states no label, or cannot stand alone, is a false positive and no junk."""
    found = _compared(dialogue, Judgement(memories=(_memory(content),)))
    assert (found.memories.proposed, found.memories.right, found.traps.junk) == (1, 0, 0)
    assert (Fault.WRONG, content, reason) in _faults(found)


@pytest.mark.parametrize("turn", [1, 2, 9])
def test_junk(dialogue: Dialogue, turn: int) -> None:
    """A proposal from a trap, from another's words or from nowhere is junk, even with the words of a label."""
    found = _compared(dialogue, Judgement(memories=(_memory("User loves tea", turn),)))
    assert (found.traps.junk, found.traps.utterances, found.traps.rate) == (1, 1, 1.0)
    assert (found.memories.proposed, found.memories.right) == (1, 0)
    assert (Fault.JUNK, "User loves tea", "from a trap") in _faults(found)


def test_todos_forgettings_and_pins_from_traps_are_junk_too(dialogue: Dialogue) -> None:
    """Every kind of proposal can be junk; a pin of a labelled turn is not judged."""
    pins = tuple(
        ProposedPin(
            content="User loves tea",
            pin_type=PinType.MANUAL,
            importance_score=9,
            reasoning="",
            source_message_id=f"d:{turn}",
        )
        for turn in (0, 2)
    )
    found = _compared(
        dialogue,
        Judgement(todos=(_todo("Laugh", None, turn=2),), forgettings=(_forgetting("x", 2),), pins=pins),
    )
    assert found.traps.junk == 3
    assert {one.kind for one in found.mistakes if one.fault is Fault.JUNK} == {
        Kind.OPEN_THING,
        Kind.FORGETTING,
        Kind.PIN,
    }


def test_a_todo_for_the_wrong_day_is_wrong_and_missed(dialogue: Dialogue) -> None:
    """A date that was misunderstood misleads more than none."""
    found = _compared(dialogue, Judgement(todos=(_todo("Call Jo", datetime(2026, 1, 7, tzinfo=UTC)),)))
    assert (found.todos.right, found.todos.found) == (0, 0)
    assert [fault for fault, _, _ in _faults(found, Kind.OPEN_THING)] == [Fault.WRONG, Fault.MISSED]


def test_the_kind_of_a_todo_is_told_apart(dialogue: Dialogue) -> None:
    """A habit that should be a commitment is found, and its kind is counted as wrong."""
    due = datetime(2026, 1, 6, tzinfo=UTC)
    found = _compared(dialogue, Judgement(todos=(_todo("Call Jo", due, TodoKind.HABIT),)))
    assert (found.todos.recall, found.kind_agrees.precision) == (1.0, 0.0)


def test_counts_by_category_and_area(dialogue: Dialogue) -> None:
    """Labels count under their category; what is wrong counts under its own."""
    found = _compared(
        dialogue,
        Judgement(
            memories=(_memory("User is a welder"), _memory("User plays golf", category=Category.SKILL))
        ),
    )
    rows = found.by_category
    assert (rows["identity"].precision, rows["identity"].recall) == (1.0, 1.0)
    assert (rows["preference"].proposed, rows["preference"].recall) == (0, 0.0)
    assert (rows["skill"].precision, rows["skill"].recall) == (0.0, None)
    assert (found.by_area["work"].precision, found.traps_by_area["work"].utterances) == (0.5, 1)


class _Labels:
    """A judge that has read the labels."""

    name = "labels"

    def __init__(self, dialogues: tuple[Dialogue, ...]) -> None:
        self._known = {one.id: one for one in dialogues}

    async def judge(self, material: Material) -> Judgement:
        messages = material.messages
        dialogue = self._known[messages[0].chat_id]
        return Judgement(
            memories=tuple(
                ProposedMemory(
                    content=label.content,
                    category=label.category,
                    confidence=1.0,
                    reasoning="",
                    said="",
                    source_message_ids=(messages[label.turn].message_id,),
                )
                for label in dialogue.expect
            ),
            todos=tuple(
                ProposedTodo(
                    text=" ".join(word[0] for word in label.must),
                    kind=label.kind,
                    due_at=datetime(label.due.year, label.due.month, label.due.day, tzinfo=UTC)
                    if label.due
                    else None,
                    confidence=1.0,
                    reasoning="",
                    source_message_ids=(messages[label.turn].message_id,),
                )
                for label in dialogue.todos
            ),
            judged_by=self.name,
        )

    async def aclose(self) -> None:
        pass


@pytest.mark.parametrize("unseen", [False, True])
def test_the_packaged_labels_can_be_met(unseen: bool) -> None:
    """A judge that knows the labels makes no mistake but that it forgets nothing; progress is told."""
    told: list[tuple[int, int]] = []
    dialogues = packaged(unseen=unseen)
    found = asyncio.run(
        assess(_Labels(dialogues), dialogues, progress=lambda done, of: told.append((done, of)))
    )
    for tally in (found.memories, found.todos):
        assert (tally.precision, tally.recall) == (1.0, 1.0)
    assert {one.kind for one in found.mistakes} == {Kind.FORGETTING}
    assert found.traps.junk == 0
    assert found.judged_by == {"labels": len(dialogues)}
    assert told[-1] == (len(dialogues), len(dialogues))


def test_a_memory_that_says_more_does_not_use_up_what_is_optional(dialogue: Dialogue) -> None:
    """The optional fact may still be proposed alone, once."""
    both, alone, again = (
        _memory(text)
        for text in ("User loves tea and may drink coffee", "User may drink coffee", "User drinks coffee")
    )
    found = _compared(dialogue, Judgement(memories=(both, alone, again)))
    assert (found.memories.proposed, found.memories.right) == (2, 1)
    assert (Fault.WRONG, "User drinks coffee", "said before") in _faults(found)


def test_material_is_in_order(dialogue: Dialogue) -> None:
    """Messages have positions from one, and each follows the one before."""
    messages = material(dialogue).messages
    assert [one.position for one in messages] == [1, 2, 3, 4]
    assert [one.created_at.minute for one in messages] == [0, 1, 2, 3]
