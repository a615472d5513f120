"""Birthdays are told in many ways."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.time_words import birthday

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
        ("User's daughter Anna was born on 3 May 2020.", "anna"), ("User's son Tom turned three on 3 May", "tom"),
        ("User's 30th birthday was on 3 May 2020", "user"), ("3 May is User's birthday.", "user"),
        ("User's birthday (Sept. 3) is a holiday", "user"), ("User has two cats and a birthday in May", "user"),
        ("User was married in Rome. User was born on March 3, 1990, in Graz", "user"),
    ],
)  # fmt: skip
def test_a_memory_states_whose_birthday_it_knows(memory: str, owner: str) -> None:
    """It is of nobody else."""
    everyone = ["user", "mother", "mum", "anna", "tom"]
    assert [name for name in everyone if birthday.stated_date(memory, name)] == [owner]


@pytest.mark.parametrize(
    "memory",
    [
        "User got a stand mixer as a birthday gift from User's sister in March 2023", "User's birthday party is on 3 May",
        "User's birthday is fun, and User moved on 3 May 2020", "User's birthday was great; in May 2020 User moved",
        "User has a gift for Anna's birthday on 3 May", "User planned the birthday of User's aunt in May", "User's son Tom turned three",
        "User talked about User's birthday in May 2023", "User's birthday cake was from 3 May",
    ],
)  # fmt: skip
def test_another_date_is_not_the_birthdays(memory: str) -> None:
    """A gift, a party or whatever else was in March does not say when the birthday is."""
    assert birthday.stated_date(memory, birthday.USER) is None


@pytest.mark.parametrize(
    ("what", "question", "speakers", "meant"),
    [
        ("her birthday", "What did Nora eat on her birthday last year?", ("Nora Smith",), "Nora's birthday"),
        ("her birthday", "What did Nora eat on her birthday last May?", (), "Nora's birthday"),
        ("his birthday", "What did Nora and Tom eat on his birthday?", ("Nora", "Tom"), "his birthday"),
        ("her birthday", "What did she eat on her birthday?", (), "her birthday"),
        ("my birthday", "What did Nora eat on my birthday?", ("Nora",), "my birthday"),
    ],
)
def test_whose_her_birthday_is(what: str, question: str, speakers: tuple[str, ...], meant: str) -> None:
    """That of the one whom the question names; of two, nobody knows."""
    assert birthday.resolved(what, question, speakers) == meant


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
    birthday.stated_date(text, owner)
    birthday.resolved(text, owner, ())
    birthday.said_date(text, owner, SAID_AT)
