"""Errands: what is a deed, and when a list of them comes apart."""

import pytest

from recollect.language.judge.errand import deeds, in_one_line, lists_orders

from .telling import contents


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("buy milk, call the plumber and book flights", ("buy milk", "call the plumber", "book flights")),
        ("buy milk and call mum", ("buy milk", "call mum")),
        ("water the plants; feed the cat", ("water the plants", "feed the cat")),
        ("buy milk and eggs, call Tom and Anna", ("buy milk and eggs", "call Tom and Anna")),
        ("wash and iron the shirts", ("wash and iron the shirts",)),
        ("call the bank and ask about the loan", ("call the bank and ask about the loan",)),
        ("go to the shop and buy milk", ("go to the shop and buy milk",)),
    ],
)
def test_a_list_comes_apart_at_its_deeds(words: str, expected: tuple[str, ...]) -> None:
    """Each item is a verb with a thing; what goes on with a deed stays with it."""
    assert deeds(words, headed=False) == expected


@pytest.mark.parametrize(
    "words",
    [
        "buy milk, eggs and bread",
        "buy soy sauce, fish sauce and paint brushes",
        "call Anna, ask her about the key",
        "dentist, taxes, laundry",
    ],
)
def test_what_is_no_deed_leaves_a_list_whole(words: str) -> None:
    """Things, and deeds that only the one before explains, make no list of deeds."""
    assert deeds(words, headed=False) == ()


def test_under_a_heading_things_are_deeds() -> None:
    """ "Water plants" is one below "todo", and may be a thing behind "buy milk"."""
    assert deeds("buy milk, water plants", headed=True) == ("buy milk", "water plants")
    assert deeds("buy milk, water plants", headed=False) == ()


def test_lines_under_a_heading_are_read_as_one() -> None:
    """A list with bullets says what the same list says in one line; other lists stay as they are."""
    assert in_one_line("Todo:\n- buy stamps\n- call Tom\n").strip() == "Todo: buy stamps; call Tom."
    assert in_one_line("my stack:\n- pnpm\n") == "my stack:\n- pnpm\n"


@pytest.mark.parametrize(
    "said",
    [
        "Todo: buy stamps, call plumber, book flights",
        "My list for today: email Tom, fix printer, call singer",
        "buy stamps, call plumber, book flights",
        "call plumber, fix printer",
        "For tomorrow: call singer, fix printer",
        "Todo: rent a car, call nanny, pay cleaner",
        "Guest list: Anna, a singer, a nurse",
        "Todo:\n- buy stamps\n- call plumber",
        "Remind me to email Tom, call singer",
        "Band plan: a singer, a drummer, Tom",
    ],
)
def test_a_list_tells_nothing_about_its_author(said: str) -> None:
    """Orders and other lists are no statements about the user."""
    assert contents(said) == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("36, Berlin, book editor", "User is a book editor."),
        ("Retired postman, 67, bad hip", "User is a retired postman."),
        ("I'm a nurse, call me Joe", "User is a nurse."),
    ],
)
def test_a_portrait_in_fragments_is_no_list_of_orders(said: str, content: str) -> None:
    """Who presents themself is still believed."""
    assert content in contents(said) and not lists_orders(said)
