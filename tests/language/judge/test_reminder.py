"""Reminders: when they come, how often, and how many they are."""

import pytest

from recollect.records.todo import TodoKind

from .telling import told


@pytest.mark.parametrize(
    ("said", "text", "due"),
    [
        ("Remind me on 3 May at 9:30 to call Dr. Weiss.", "Call Dr. Weiss.", "2026-05-03T09:30"),
        ("Remind me on Monday, 4 May, at 9:30 to call Mr. Brown.", "Call Mr. Brown.", "2026-05-04T09:30"),
        ("Please remind me by the end of May to renew my passport", "Renew User's passport.", "2026-05-31T23:59"),
        ("Can you remind me next Tuesday afternoon to send the slides?", "Send the slides.", "2026-03-17T18:00"),
        ("Remind me in two hours to check the oven.", "Check the oven.", "2026-03-11T12:00"),
        ("Remind me to check the oven in 20 minutes", "Check the oven in 20 minutes.", "2026-03-11T10:20"),
        ("Remind me at 6pm to call mom", "Call mom.", "2026-03-11T18:00"),
        ("Remind me tomorrow about the invoice", "The invoice.", "2026-03-12T23:59"),
        ("Remind me later to call mom", "Call mom.", None),
        ("Remind me to buy birthday presents", "Buy birthday presents.", None),
    ],
)  # fmt: skip
def test_a_reminder_comes_when_it_is_asked_for(said: str, text: str, due: str | None) -> None:
    """The time may stand before the deed or in it."""
    (found,) = told(said).todos
    assert (found.text, found.kind) == (text, TodoKind.COMMITMENT)
    assert (found.due_at.isoformat()[:16] if found.due_at else None) == due


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Remind me every Monday to take out the bins.", "Take out the bins every Monday."),
        ("Remind me to take out the bins on Mondays.", "Take out the bins on Mondays."),
        ("Remind me each evening at 8 to take my pills", "Take User's pills each evening at 8."),
        ("Remind me to pay rent every month.", "Pay rent every month."),
    ],
)
def test_what_returns_is_a_habit(said: str, text: str) -> None:
    """A reminder that comes again and again has no day on which it is done."""
    (found,) = told(said).todos
    assert (found.text, found.kind, found.due_at) == (text, TodoKind.HABIT, None)


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("Todo: buy stamps, call plumber, book flights", ["Buy stamps.", "Call plumber.", "Book flights."]),
        ("Remind me to buy milk, call the plumber and book flights.", ["Buy milk.", "Call the plumber.", "Book flights."]),
        ("don't forget to buy stamps and call the plumber", ["Buy stamps.", "Call the plumber."]),
        ("Todo:\n- buy stamps\n- call plumber", ["Buy stamps.", "Call plumber."]),
        ("Errands: buy stamps, post the parcel", ["Buy stamps.", "Post the parcel."]),
        ("Remind me to buy milk, eggs and bread.", ["Buy milk, eggs and bread."]),
        ("Todo: dentist, taxes, laundry", ["Dentist, taxes, laundry."]),
        ("Remind me to call Bob tomorrow, he is ill", ["Call Bob tomorrow."]),
        ("Remind me to call the bank and ask about the loan", ["Call the bank and ask about the loan."]),
    ],
)  # fmt: skip
def test_each_deed_of_a_list_is_a_todo(said: str, texts: list[str]) -> None:
    """Where it is not certain that each is one, one todo has all the words."""
    assert [todo.text for todo in told(said).todos] == texts


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("My list for today: email Tom, fix printer", ["2026-03-11", "2026-03-11"]),
        ("Remind me tomorrow to buy milk and call mom", ["2026-03-12", "2026-03-12"]),
        ("Remind me to buy milk and call mom tomorrow", ["2026-03-12", "2026-03-12"]),
        ("Remind me to call Bob on Friday and pay the rent", ["2026-03-13", None]),
        ("Remind me tomorrow to call Bob and on Friday to pay the rent", ["2026-03-12", "2026-03-13"]),
    ],
)
def test_each_deed_has_its_day(said: str, days: list[str | None]) -> None:
    """A day before a list, or at its end, is that of all; another is that of its deed."""
    found = told(said).todos
    assert [todo.due_at.isoformat()[:10] if todo.due_at else None for todo in found] == days


@pytest.mark.parametrize(
    "said",
    [
        "Remind me what I said on Friday to Anna",
        "Remind me how to cook rice",
        "todo bien, gracias",
        "Todo: nothing today!",
        "todo: maybe call Bob",
        "My todo list: a React app that I built last year",
        "Todo list: 12 items, none of them done",
        "Note to self: never lend books to Tom",
        "Things to do in Rome: museums, beaches",
        "Plan: refactor the module, write tests, fix the bug",
        "Imagine a man. Todo: buy stamps, call plumber.",
    ],
)
def test_what_asks_for_no_reminder(said: str) -> None:
    """Questions, other languages, and lists of things leave nothing open."""
    assert told(said).todos == ()
