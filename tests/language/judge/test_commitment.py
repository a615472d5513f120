"""Commitments: what binds the user to a day, and what only sounds like it."""

import pytest

from recollect.records.todo import TodoKind

from .telling import told


@pytest.mark.parametrize(
    ("said", "text", "due"),
    [
        ("I'll go for a walk tomorrow", "User will go for a walk tomorrow.", "2026-03-12T23:59"),
        ("I promise to call Bob on Friday.", "User promises to call Bob on Friday.", "2026-03-13T23:59"),
        ("I promise I'll call Bob on Friday", "User will call Bob on Friday.", "2026-03-13T23:59"),
        ("I will finish the draft by Friday", "User will finish the draft by Friday.", "2026-03-13T23:59"),
        ("I'm going to clean the garage on Monday", "User is going to clean the garage on Monday.", "2026-03-16T23:59"),
        ("Tomorrow I'll call the bank", "Tomorrow User will call the bank.", "2026-03-12T23:59"),
        ("I'll go running tomorrow morning", "User will go running tomorrow morning.", "2026-03-12T12:00"),
        ("i will go for a run this evening", "User will go for a run this evening.", "2026-03-11T22:00"),
        ("I'll go on a hike this weekend", "User will go on a hike this weekend.", "2026-03-15T23:59"),
        ("I'll ask my doctor on Tuesday", "User will ask User's doctor on Tuesday.", "2026-03-17T23:59"),
        ("We'll visit the kindergarten on Tuesday", "User and others will visit the kindergarten on Tuesday.", "2026-03-17T23:59"),
        ("I'll make sure to send the invoice tomorrow.", "User will make sure to send the invoice tomorrow.", "2026-03-12T23:59"),
    ],
)  # fmt: skip
def test_what_is_announced_for_a_day_is_a_commitment(said: str, text: str, due: str) -> None:
    """A first person, a deed and a day make a commitment, due by the message's own clock."""
    (found,) = told(said).todos
    assert (found.text, found.kind) == (text, TodoKind.COMMITMENT)
    assert found.due_at is not None and found.due_at.isoformat()[:16] == due


@pytest.mark.parametrize(
    "said",
    ["I'll kill him tomorrow", "I'm going to strangle my brother tonight", "I'll be dead by Friday", "I'll go crazy this week", "I'll eat my hat tomorrow", "I'll go for a walk tomorrow, just kidding"],
)  # fmt: skip
def test_what_is_not_meant_binds_nobody(said: str) -> None:
    """Anger, figures of speech and jokes are no commitments."""
    assert told(said).todos == ()


@pytest.mark.parametrize(
    "said",
    [
        "If it rains I'll stay home",
        "If the weather is good, I'll go for a walk tomorrow.",
        "I'll go for a walk tomorrow unless it rains",
        "Once she answers, I'll book the flight tomorrow",
        "Maybe I'll go for a walk tomorrow",
        "I think I'll go for a walk tomorrow",
        "I'll probably go for a walk tomorrow",
        "Hopefully I'll finish the draft by Friday",
        "I could go for a walk tomorrow",
        "I won't go for a walk tomorrow",
    ],
)
def test_what_waits_or_wavers_binds_nobody(said: str) -> None:
    """Conditions, hedges and refusals are no commitments."""
    assert told(said).todos == ()


@pytest.mark.parametrize(
    "said",
    [
        'She said "I\'ll go for a walk tomorrow"',
        "My sister said: I'll go for a walk tomorrow",
        "Tom said that I'll call him tomorrow",
        "Translate to French: I'll go for a walk tomorrow",
        "As a user, I will log in on Monday",
    ],
)
def test_words_of_others_bind_nobody(said: str) -> None:
    """Quotations, reports and material are no commitments."""
    assert told(said).todos == ()


@pytest.mark.parametrize(
    "said",
    ["I'll try that tomorrow", "I'll let you know tomorrow", "I'll be right back", "I'll think about it tonight", "I'll test it tomorrow", "I'll see you tomorrow", "I'll go with the second option today", "I'll take the second option today", "I'll go for a walk"],
)  # fmt: skip
def test_the_talk_itself_binds_nobody(said: str) -> None:
    """What goes on in the talk, and what has no day, is no commitment."""
    assert told(said).todos == ()


@pytest.mark.parametrize(
    "said",
    ["I'll turn 40 on Friday", "I'll feel better tomorrow", "I'll get my results on Friday", "I'll run out of milk by Friday", "I'm going to be sick tomorrow"],
)  # fmt: skip
def test_what_happens_by_itself_is_no_deed(said: str) -> None:
    """Nobody commits themself to what happens to them."""
    assert told(said).todos == ()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("I'll go for a walk tomorrow and on Friday I'll clean the garage.", [("User will go for a walk tomorrow.", "2026-03-12"), ("On Friday User will clean the garage.", "2026-03-13")]),
        ("I'll call Bob tomorrow and pay the rent on Friday.", [("User will call Bob tomorrow.", "2026-03-12"), ("User will pay the rent on Friday.", "2026-03-13")]),
        ("Friday I'll clean the garage and Saturday I'll mow the lawn.", [("Friday User will clean the garage.", "2026-03-13"), ("Saturday User will mow the lawn.", "2026-03-14")]),
        ("On 5 May I'll call the bank.", [("On 5 May User will call the bank.", "2026-05-05")]),
        ("I'll call Bob and pay the rent on Friday.", [("User will call Bob and pay the rent on Friday.", "2026-03-13")]),
        ("I'll call Tom and Anna on Friday.", [("User will call Tom and Anna on Friday.", "2026-03-13")]),
        ("I'll go for a walk tomorrow and maybe on Friday I'll clean the garage.", []),
        ("I'll book the holidays by Friday.", [("User will book the holidays by Friday.", "2026-03-13")]),
    ],
)  # fmt: skip
def test_each_day_of_a_sentence_has_its_promise(said: str, found: list[tuple[str, str]]) -> None:
    """Two promises for two days are two; two deeds of one day are one, and a doubtful one is none."""
    assert [(todo.text, f"{todo.due_at:%Y-%m-%d}") for todo in told(said).todos] == found


@pytest.mark.parametrize("said", ["I have to leave in two hours.", "I have a meeting in two hours"])
def test_what_is_hours_away_is_of_the_moment(said: str) -> None:
    """Only a reminder is due to the minute."""
    assert told(said).todos == ()
