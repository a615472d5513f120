"""Todos: commitments, habits, threads and frictions, through the judge that finds them."""

import pytest

from recollect.records.message import Role
from recollect.records.todo import TodoKind

from .telling import told


@pytest.mark.parametrize(
    ("said", "text", "due"),
    [
        ("I'll send the report by Friday", "User will send the report by Friday.", "2026-03-13"),
        ("I need to call the dentist next Tuesday", "User needs to call the dentist next Tuesday.", "2026-03-17"),
        ("remind me to water the plants", "Water the plants.", None),
        ("Remind me tomorrow to pay the rent", "Pay the rent.", "2026-03-12"),
        ("don't forget to book the hotel on Monday", "Book the hotel on Monday.", "2026-03-16"),
        ("I promised Tom I'd review his slides tomorrow", "User promised Tom User would review his slides tomorrow.", "2026-03-12"),
        ("I have a dentist appointment on March 20", "User has a dentist appointment on March 20.", "2026-03-20"),
    ],
)  # fmt: skip
def test_a_commitment_has_its_words_and_its_day(said: str, text: str, due: str | None) -> None:
    """A promise, a reminder or a task with a date is a commitment."""
    (found,) = told(said).todos
    assert (found.text, found.kind) == (text, TodoKind.COMMITMENT)
    assert (found.due_at.isoformat()[:10] if found.due_at else None) == due


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I want to meditate every morning", TodoKind.HABIT),
        ("I'm trying to run three times a week", TodoKind.HABIT),
        ("I'm trying to drink less coffee", TodoKind.HABIT),
        ("let's continue this tomorrow", TodoKind.THREAD),
        ("I still have to decide whether to take the job", TodoKind.THREAD),
        ("I haven't decided yet which school", TodoKind.THREAD),
        ("still waiting for the insurer to approve the MRI", TodoKind.THREAD),
        ("I keep forgetting my keys", TodoKind.FRICTION),
        ("it annoys me every time that the tool logs me out", TodoKind.FRICTION),
        ("The parking app crashes every single time", TodoKind.FRICTION),
    ],
)
def test_the_other_kinds(said: str, kind: TodoKind) -> None:
    """Habits that are wished for, threads that are left, frictions that return."""
    assert [todo.kind for todo in told(said).todos] == [kind]


@pytest.mark.parametrize(
    "said",
    [
        "I have a meeting in ten minutes",
        "I need to fix this bug",
        "I'll try that",
        "I have to go now",
        "Maybe I'll call her tomorrow",
        "I'll do the dishes at some point",
        "Should I call the dentist tomorrow?",
        "I keep getting this error",
        "remind me what a closure is",
        "can you remind me how many points I need to reach gold",
        "If I win tomorrow I'll call you",
        "You need to restart by Friday",
        "I was late yesterday",
    ],
)
def test_the_task_at_hand_is_no_todo(said: str) -> None:
    """What is done at once, asked, doubtful or somebody else's leaves nothing open."""
    assert told(said).todos == ()


def test_only_the_user_commits() -> None:
    """What the assistant promises is no todo of the user's."""
    assert told((Role.ASSISTANT, "I'll send the report by Friday")).todos == ()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My neighbour plays loud music every night and it drives me mad.", "User's neighbour plays loud music every night and it drives User mad."),
        ("My neighbour plays loud music every night. It drives me mad.", "User's neighbour plays loud music every night and it drives User mad."),
        ("My neighbour plays loud music every night, which drives me crazy.", "User's neighbour plays loud music every night, which drives User crazy."),
        ("The app logs me out every day and it really annoys me.", "The app logs User out every day, and it really annoys User."),
    ],
)  # fmt: skip
def test_a_friction_says_what(said: str, text: str) -> None:
    """How something is felt is told with what is felt so, in this sentence or the one before, and once."""
    (found,) = told(said).todos
    assert (found.text, found.kind) == (text, TodoKind.FRICTION)


@pytest.mark.parametrize(
    "said",
    [
        "It drives me mad.",
        "He does this every night and it drives me mad.",
        "I missed the bus and it drives me mad.",
        "Why does the test fail every time? It drives me mad.",
    ],
)
def test_a_friction_of_which_nobody_knows_what_is_none(said: str) -> None:
    """What only the talk knows, what happened once and what is asked are no frictions."""
    assert told(said).todos == ()
