"""Birthdays are told in many ways."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.time_words import birthday

SAID_AT = datetime(2022, 6, 14, 10)


@pytest.mark.parametrize(
    ("what", "owner"),
    [
        ("my birthday", "user"), ("My Birthday", "user"), ("our birthday", "user"), ("Anna’s birthday", "anna"),
        ("my mother's birthday", "mother"), ("my son Tom's birthday", "tom"), ("the birthday", None),
        ("my birthday party", None), ("the move", None),
    ],
)  # fmt: skip
def test_whose_birthday_it_is(what: str, owner: str | None) -> None:
    """The last name before it owns it."""
    assert birthday.whose(what) == owner


@pytest.mark.parametrize(
    ("memory", "owner"),
    [
        ("User's birthday is 14 March and User bakes", "user"), ("User has a birthday on 3 May", "user"),
        ("User was born on 14 June 1990.", "user"), ("User turns 30 on June 14th.", "user"),
        ("User's mother's birthday is 3 May", "mother"), ("User's mum was born on 3 May 1960.", "mum"),
        ("User's daughter Anna was born on 3 May 2020.", "anna"), ("User's son Tom turned three", "tom"),
    ],
)  # fmt: skip
def test_a_memory_states_whose_birthday_it_knows(memory: str, owner: str) -> None:
    """It is of nobody else."""
    everyone = ["user", "mother", "mum", "anna", "tom"]
    assert [name for name in everyone if birthday.states(memory, name)] == [owner]


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("It's my birthday today!", (6, 14)), ("It’s my birthday!", (6, 14)), ("Today is my birthday.", (6, 14)),
        ("Today's my birthday and I got a cake", (6, 14)), ("Hey, it's my birthday and I got a cake", (6, 14)),
        ("My birthday was yesterday.", (6, 13)), ("It was my birthday yesterday", (6, 13)),
        ("Tomorrow is my birthday", (6, 15)), ("I can't wait for my birthday tomorrow", (6, 15)),
        ("I turned 30 today!", (6, 14)), ("I'm turning thirty-one tomorrow", (6, 15)), ("Today I turned 30", (6, 14)),
        ("I turn 30 on June 20th.", (6, 20)), ("I was born on 14 May 1990.", (5, 14)), ("My birthday is 14/06.", (6, 14)),
    ],
)  # fmt: skip
def test_a_sentence_says_the_day(sentence: str, day: tuple[int, int]) -> None:
    """By a date, or by the day on which it is said."""
    found = birthday.said_date(sentence, birthday.USER, SAID_AT)
    assert found is not None and (found.first.month, found.first.day) == day


@pytest.mark.parametrize(
    "sentence",
    [
        "Today I bought a dress for my birthday.", "I planned my birthday yesterday", "It's my birthday next week",
        "It's my birthday on Friday", "Is it my birthday today?", "My birthday party is today", "I turned down the job today", "I turned two pages today",
        "It's Anna's birthday today", "It's my mother's birthday today", "My son was born today", "My son turned 3 today",
        "My birthday is always fun, cake and all", "It's my birthday and we leave tomorrow", "Happy birthday to me",
    ],
)  # fmt: skip
def test_a_sentence_about_something_else_says_nothing(sentence: str) -> None:
    """A present, a party or somebody else's day is not the birthday."""
    assert birthday.said_date(sentence, birthday.USER, SAID_AT) is None


@given(st.text(), st.text(min_size=1))
def test_every_text_can_be_asked(text: str, owner: str) -> None:
    """Nothing raises."""
    birthday.whose(text)
    birthday.states(text, owner)
    birthday.said_date(text, owner, SAID_AT)
