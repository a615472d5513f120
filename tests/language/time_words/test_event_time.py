"""Texts say when events were."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.time_words import Anchor, Relation, Stretch, read, remembered_time, said_time

NOW = datetime(2025, 3, 5, 12, tzinfo=UTC)
TOLD = datetime(2022, 6, 14, 10, tzinfo=UTC)


def _event(what: str, within: str | None = None) -> Anchor:
    inside = read(within, now=NOW, zone=UTC).stretches[0] if within else None
    return Anchor(phrase=f"on {what}", relation=Relation.ON, what=what, within=inside)


def _days(found: Stretch | None) -> tuple[str, str] | None:
    return found and (str(found.start.date()), str(found.end.date()))


@pytest.mark.parametrize(
    ("memory", "days"),
    [
        ("User moved house in June 2023.", ("2023-06-01", "2023-07-01")),
        ("User moved to Rome in 2021.", ("2021-01-01", "2022-01-01")),
        ("User moved on 2 June 2023.", ("2023-06-02", "2023-06-03")),
        ("User moved on 2 July.", ("2021-07-02", "2021-07-03")),
        ("User is moving on 2 July.", ("2022-07-02", "2022-07-03")),
        ("User will move in the summer.", ("2023-06-01", "2023-09-01")),
        ("User moved on Sunday, 4 July.", ("2021-07-04", "2021-07-05")),
        ("User moved on Saturday, 4 July.", ("2020-07-04", "2020-07-05")),
        ("User moved in May or June 2020.", ("2020-05-01", "2020-07-01")),
        ("User moved last week.", None),
        ("User moved.", None),
    ],
)
def test_a_memory_dates_what_happened_once(memory: str, days: tuple[str, str] | None) -> None:
    """As precisely as it was told; a year that is missing is the one of the telling."""
    found = remembered_time(memory, _event("the move"), told_at=TOLD, now=NOW, zone=UTC)
    assert _days(found) == days


@pytest.mark.parametrize(
    ("memory", "within", "days"),
    [
        ("User's birthday is 14 June", "last year", ("2024-06-14", "2024-06-15")),
        ("User was born on 14 June 1990.", "last year", ("2024-06-14", "2024-06-15")),
        ("User was born on 14 June 1990.", "in 2021", ("2021-06-14", "2021-06-15")),
        ("User turns 30 on June 14th.", None, ("2024-06-14", "2024-06-15")),
        ("User's birthday is in June.", "last year", ("2024-06-01", "2024-07-01")),
        ("User was born on 29 February 1992.", "in 2023", ("2023-02-28", "2023-03-02")),
        ("User was born on 29 February 1992.", "last year", ("2024-02-29", "2024-03-01")),
        ("User was born in 1990.", "last year", None),
        ("User's mum was born on 3 May 1960.", "last year", None),
        ("User's mother's birthday is 3 May", "last year", None),
    ],
)
def test_a_birthday_comes_every_year(memory: str, within: str | None, days: tuple[str, str] | None) -> None:
    """In the year that is meant, or the last one."""
    found = remembered_time(memory, _event("my birthday", within), told_at=TOLD, now=NOW, zone=UTC)
    assert _days(found) == days


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("We're moving in July.", True), ("We will move in May 2023.", True), ("The move is planned for 3 July.", True),
        ("The move is in July and I need boxes.", True), ("We moved in May.", False), ("We moved on 3 May 2022.", False),
        ("The move is in May 2021.", False),
    ],
)  # fmt: skip
def test_a_plan_is_marked(text: str, planned: bool) -> None:
    """A time to which a text only looks ahead may not be the one at which it happened."""
    found = said_time(text, _event("the move"), said_at=TOLD, now=NOW, zone=UTC)
    assert found is not None and found.planned is planned


def test_nobodys_birthday_is_dated_by_none() -> None:
    """ "Her birthday" without a name is not any birthday that somebody speaks of."""
    text = "We planned the birthday of my aunt for 3 May 2022."
    assert said_time(text, _event("her birthday"), said_at=TOLD, now=NOW, zone=UTC) is None
    assert remembered_time(text, _event("the birthday"), told_at=TOLD, now=NOW, zone=UTC) is None


def test_another_year_is_another_event() -> None:
    """The trip of last year is not the trip of 2021."""
    memory = "User's trip was in May 2021."
    assert remembered_time(memory, _event("the trip", "last year"), told_at=TOLD, now=NOW, zone=UTC) is None
    found = remembered_time(memory, _event("the trip", "in 2021"), told_at=TOLD, now=NOW, zone=UTC)
    assert _days(found) == ("2021-05-01", "2021-06-01")


def test_my_wedding_is_not_annas() -> None:
    """A date of somebody else's is none of one's own."""
    event = _event("my wedding")
    anna = "User is invited to Anna's wedding on 3 May 2023"
    assert remembered_time(anna, event, told_at=TOLD, now=NOW, zone=UTC) is None
    own = "User's wedding is on 3 May 2023"
    assert _days(remembered_time(own, event, told_at=TOLD, now=NOW, zone=UTC)) == ("2023-05-03", "2023-05-04")


@pytest.mark.parametrize(
    ("text", "what", "days"),
    [
        ("It's my birthday today!", "my birthday", ("2024-06-14", "2024-06-15")),
        ("So much rain. My birthday was yesterday, by the way.", "my birthday", ("2024-06-13", "2024-06-14")),
        ("Anna turned 30 today.", "Anna's birthday", ("2024-06-14", "2024-06-15")),
        ("We moved house in June 2021.", "the move", ("2021-06-01", "2021-07-01")),
        ("The move is on 3 July.", "the move", ("2022-07-03", "2022-07-04")),
        ("I'm so glad the move was in April.", "the move", ("2022-04-01", "2022-05-01")),
        ("The wedding was in May and the photos are lovely", "the wedding", ("2022-05-01", "2022-06-01")),
        (
            "My sister is proud that I ran the marathon in April.",
            "the marathon",
            ("2022-04-01", "2022-05-01"),
        ),
        ("Was the move in May 2021?", "the move", None),
        ("I don\u2019t think the move was in May 2021.", "the move", None),
        ("My birthday is not on June 14th.", "my birthday", None),
        ("I wish I was born on 14 June 1990", "my birthday", None),
        ("Since the move I was in Rome in May 2021.", "the move", None),
        ("We moved. Rome was great in May 2021.", "the move", None),
        ("Today I bought a gift for my birthday", "my birthday", None),
    ],
)
def test_a_message_dates_an_event(text: str, what: str, days: tuple[str, str] | None) -> None:
    """The sentence about it says when, seen from the day on which it was said."""
    assert _days(said_time(text, _event(what), said_at=TOLD, now=NOW, zone=UTC)) == days


def test_the_day_is_the_day_of_the_zone() -> None:
    """Late in the evening in London it is the next day's birthday in Tokyo."""
    late, tokyo = datetime(2022, 6, 14, 22, tzinfo=UTC), ZoneInfo("Asia/Tokyo")
    found = said_time("It's my birthday today!", _event("my birthday"), said_at=late, now=NOW, zone=tokyo)
    assert found is not None and found.start == datetime(2024, 6, 15, tzinfo=tokyo)


@given(
    st.sampled_from(["User moved on 2 June", "User is moving in the winter", "User was born on 29 February", "2023-05-08"]),
    st.datetimes(timezones=st.just(UTC)),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(["my birthday", "the move"]),
)  # fmt: skip
def test_any_time_will_do(text: str, told: datetime, now: datetime, what: str) -> None:
    """At the ends of the calendar nothing raises either."""
    remembered_time(text, _event(what), told_at=told, now=now, zone=UTC)
    said_time(text, _event(what), said_at=told, now=now, zone=UTC)
