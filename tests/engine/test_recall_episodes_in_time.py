"""Recall of past messages by time: days that bound what was said, zones, and events that a message or a memory dates."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from recollect import InvalidInput, Memory
from recollect.records.hit import EpisodeHit

from .conftest import Opener
from .fakes import FakeClock
from .test_recall_episodes import IDLE, hits, index, texts

#: A day in each month, the latest last.
MONTHS = [datetime(2025, month, 10, 9, tzinfo=UTC) for month in range(1, 13)]


@pytest.fixture
def idle(opener: Opener, database_url: str) -> Memory:
    """A memory without a worker, on each of the two databases."""
    return opener(database_url, settings=IDLE)


def tell(memory: Memory, said: Iterable[tuple[str | datetime, str]], chat: str = "c") -> None:
    """Ann says things, each at its time."""
    memory.chat(chat, user="ann").add(
        [{"role": "user", "text": text, "created_at": when} for when, text in said]
    )


def inside(found: tuple[EpisodeHit, ...]) -> set[str]:
    """What lies inside the time that was named."""
    return {hit.message.text for hit in found if hit.explain.values["inside"] == 1.0}


@pytest.fixture
def diary(idle: Memory) -> Memory:
    """A line a month through 2025, about tea."""
    tell(idle, [(day, f"Tea in month {day.month}") for day in MONTHS])
    return idle


# -- dates ----------------------------------------------------------------------------------------------


def test_a_certain_date_of_saying_narrows(idle: Memory) -> None:
    """What I told on a day is looked for on that day alone, though other days have the words."""
    tell(
        idle,
        [
            ("2025-05-01T10:00:00Z", "The tea was green tea, a fine green tea"),
            ("2025-05-03T10:00:00Z", "We saw a heron"),
            ("2025-05-03T20:00:00Z", "Then it rained"),
            ("2025-05-06T10:00:00Z", "More tea, more green tea"),
        ],
    )
    on_the_day = texts(idle, "What did I tell you on 3 May 2025? Green tea?")
    assert set(on_the_day) == {"We saw a heron", "Then it rained"}
    assert set(texts(idle, "What did I tell you on 3 May?", at="2025-06-01T12:00:00Z")) == set(on_the_day)


def test_a_day_without_a_word_does_not_hide_everything(diary: Memory) -> None:
    """When nothing was said on the day that is named, the rest is looked through all the same."""
    assert "Tea in month 5" in texts(diary, "What did I tell you on 20 May 2025? Tea?", messages=20)


def test_a_time_that_may_be_the_things_own_only_raises(diary: Memory) -> None:
    """A month of what is asked about raises what was said in it or soon after, and hides nothing."""
    found = hits(diary, "Which tea was there in May 2025?", messages=20)
    assert len(found) == 12
    assert found[0].message.text == "Tea in month 5"
    assert inside(found) == {"Tea in month 5"}
    by_text = {hit.message.text: hit.explain.values["time"] for hit in found}
    assert by_text["Tea in month 5"] == 1 > by_text["Tea in month 6"] > by_text["Tea in month 4"]


def test_yesterday_is_relative_to_the_question(diary: Memory, clock: FakeClock) -> None:
    """Words of time are relative to `at`; without it to the clock, or to the moment of a past that is read."""
    query = "What did I say about tea yesterday?"
    june = datetime(2025, 6, 11, 12, tzinfo=UTC)
    for at in (june, june.isoformat(), june.replace(tzinfo=None)):
        assert inside(hits(diary, query, at=at)) == {"Tea in month 6"}
    assert inside(hits(diary, query, as_of=june)) == {"Tea in month 6"}
    assert inside(hits(diary, query, as_of=june, at=june - timedelta(days=31))) == {"Tea in month 5"}
    assert inside(hits(diary, query)) == set()
    clock.now = june
    assert inside(hits(diary, query)) == {"Tea in month 6"}


def test_the_zone_decides_which_day_it_is(idle: Memory) -> None:
    """Half past eleven in the evening in London is tomorrow in Tokyo, so yesterday is another day there."""
    tell(idle, [("2025-06-08T12:00:00Z", "Tea on the eighth"), ("2025-06-10T03:00:00Z", "Tea on the tenth")])
    asked = {"at": "2025-06-10T22:30:00Z", "messages": 10}
    query = "which tea was it yesterday?"
    assert inside(hits(idle, query, **asked, zone="Asia/Tokyo")) == {"Tea on the tenth"}
    time = {
        zone: {hit.message.text: hit.explain.values["time"] for hit in hits(idle, query, **asked, zone=zone)}
        for zone in ("Asia/Tokyo", "America/Los_Angeles", "UTC")
    }
    assert time["Asia/Tokyo"]["Tea on the tenth"] == 1.0
    assert time["Asia/Tokyo"]["Tea on the eighth"] < time["UTC"]["Tea on the eighth"]
    assert time["America/Los_Angeles"] == time["UTC"] | {
        name: pytest.approx(value) for name, value in time["America/Los_Angeles"].items()
    }


@pytest.mark.parametrize("chat", [None, "today"])
def test_a_context_is_asked_for_somewhere(idle: Memory, clock: FakeClock, chat: str | None) -> None:
    """In Auckland yesterday is another day than in London; a context follows the question's own time and zone."""
    tell(idle, [("2025-06-09T03:00:00Z", "Tea on the ninth"), ("2025-06-10T03:00:00Z", "Tea on the tenth")])
    asked = idle.chat(chat, user="ann").context if chat else partial(idle.context, user="ann")

    def best(**options: Any) -> str:
        built = asked("Which tea was it yesterday?", **options)
        said = [line for section in built.sections for line in section.lines if "said earlier" in line.why]
        assert len(said) == 2
        return max(said, key=lambda line: float(line.why.rpartition(" ")[2])).text.rpartition(" ")[2]

    at = "2025-06-10T22:30:00Z"
    assert best(at=at, zone="Pacific/Auckland") == "tenth"
    assert best(at=at) == "ninth"
    clock.now = datetime.fromisoformat(at)
    assert (best(), best(zone="Pacific/Auckland")) == ("ninth", "tenth")
    for wrong in ({"at": "soon"}, {"zone": "Nowhere/Land"}):
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            asked("Which tea?", **wrong)


def test_the_newest_only_when_asked(diary: Memory, clock: FakeClock) -> None:
    """The last time is the newest; without such words no time counts."""
    clock.now = datetime(2026, 1, 5, tzinfo=UTC)
    newest = hits(diary, "When was the last time I had tea?", messages=12)
    recent = [hit.explain.values["lately"] for hit in newest]
    assert newest[0].message.text == "Tea in month 12" and recent[0] == max(recent) > 0
    plain = hits(diary, "When did I have tea?", messages=12)
    assert {(hit.explain.values["lately"], hit.explain.values["time"]) for hit in plain} == {(0.0, 0.0)}


# -- events ---------------------------------------------------------------------------------------------


@pytest.fixture
def moved(diary: Memory) -> Memory:
    """The diary with a move in June."""
    tell(diary, [("2025-06-20T18:00:00Z", "The move is done, we live in Porto now")], chat="moving")
    index(diary)
    return diary


@pytest.mark.parametrize(
    ("query", "months"),
    [
        ("Which tea did I drink before the move?", range(1, 7)),
        ("Which tea did I drink after the move?", range(7, 13)),
        ("Which tea did I drink since the move?", range(7, 13)),
    ],
)
def test_an_event_is_found_by_the_message_that_tells_of_it(moved: Memory, query: str, months: range) -> None:
    """Before and after a move means before and after the day on which it was told."""
    found = hits(moved, query, messages=20, at="2026-01-05T00:00:00Z")
    tea = {text for text in inside(found) if text.startswith("Tea")}
    assert tea == {f"Tea in month {month}" for month in months}


def test_an_event_of_which_nobody_told(diary: Memory) -> None:
    """An event that was never told of bounds nothing and hides nothing."""
    found = hits(diary, "Which tea did I drink before the wedding?", messages=20)
    assert len(found) == 12 and inside(found) == set()


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("relation", ["before", "after", "around", "on the day of", "since", "until"])
def test_an_event_at_an_end_of_the_calendar(idle: Memory, when: str, relation: str) -> None:
    """A message with an impossible date does not break the questions about what it tells."""
    tell(idle, [(when, "The move is done")])
    query = f"Which tea was there {relation} the move?"
    assert texts(idle, query, zone="Pacific/Kiritimati") == ["The move is done"]
    assert texts(idle, query, zone="America/Los_Angeles", as_of="9999-12-31T23:59:59.999Z") == [
        "The move is done"
    ]


def test_an_event_in_another_personas_chat_is_not_known(diary: Memory) -> None:
    """A move that only the coach was told of does not tell others when it was."""
    diary.chat("coach", user="ann", persona="coach").add(
        [{"role": "user", "text": "The move is done", "created_at": "2025-06-20T18:00:00Z"}]
    )
    query = "Which tea did I drink before the move?"
    assert inside(hits(diary, query, messages=20)) == set()
    assert inside(hits(diary, query, messages=20, persona="coach")) >= {"Tea in month 5"}


@pytest.fixture
def birthdays(idle: Memory) -> Memory:
    """Cakes on three days, and talk about birthdays on another."""
    tell(
        idle,
        [
            ("2024-03-14T15:00:00Z", "Walnut cake today"),
            ("2025-03-14T15:00:00Z", "Cherry cake today"),
            ("2025-06-03T15:00:00Z", "Lemon cake today"),
            ("2025-09-01T15:00:00Z", "My birthday is always fun, cake and all"),
        ],
    )
    return idle


@pytest.mark.parametrize(
    "fact",
    [
        "User's birthday is 14 March",
        "User's birthday is on March 14, 1990",
        "User's birthday: 1990-03-14",
        "User's birthday is 14/03",
        "User was born on 14 March 1990",
        "User turns 36 on March 14th",
    ],
)
def test_an_event_is_found_by_a_remembered_date(birthdays: Memory, fact: str, clock: FakeClock) -> None:
    """A birthday last year is on the remembered day of last year, not on the day on which birthdays were talked of."""
    birthdays.add(fact, user="ann", category="fact")
    index(birthdays)
    assert clock().year == 2026
    found = hits(birthdays, "Which cake was there on my birthday last year?", messages=10)
    assert inside(found) == {"Cherry cake today"}
    cakes = [hit.message.text for hit in found if hit.message.text.endswith("cake today")]
    assert cakes[0] == "Cherry cake today"


def test_a_memory_of_the_past_dates_an_event_too(birthdays: Memory, clock: FakeClock) -> None:
    """Read as of a moment, the day is the one that was remembered then, also after it was corrected or was not known yet."""
    told = birthdays.add("User's birthday is 14 March", user="ann", category="fact").memory
    index(birthdays)
    known = clock()
    clock.move(days=1)
    birthdays.update(told.memory_id, user="ann", content="User's birthday is 3 June")
    clock.move(days=1)
    query = "Which cake was there on my birthday last year?"
    assert inside(hits(birthdays, query, messages=10, as_of=known)) == {"Cherry cake today"}
    assert inside(hits(birthdays, query, messages=10, as_of=clock())) == {"Lemon cake today"}
    unknown = hits(birthdays, query, messages=10, as_of=known - timedelta(days=1))
    # Of the birthday nothing was known: all of last year is meant.
    assert inside(unknown) >= {"Cherry cake today", "Lemon cake today"}


@pytest.mark.parametrize(
    "fact", ["Anna's birthday is 3 June", "Anna's birthday is on June 3, so is her cake"]
)
def test_the_birthday_of_somebody_else_is_not_ones_own(birthdays: Memory, fact: str) -> None:
    """My birthday is the user's, whoever else's birthday is remembered too."""
    birthdays.add(fact, user="ann", category="fact")
    birthdays.add("User's birthday is 14 March and User bakes every time", user="ann", category="fact")
    index(birthdays)
    found = hits(birthdays, "Which cake was there on my birthday?", messages=10, at="2025-12-01T00:00:00Z")
    assert "Cherry cake today" in inside(found)
    assert "Lemon cake today" not in inside(found)


@pytest.mark.parametrize(
    ("said_on", "text"),
    [
        ("2022-01-02", "I was born on 14 March 1990."),
        ("2022-01-02", "My birthday is 14/03."),
        ("2022-01-02", "I turn 30 on March 14th."),
        ("2022-03-14", "It's my birthday today!"),
        ("2022-03-15", "What a week! My birthday was yesterday."),
    ],
)
def test_a_birthday_is_known_however_it_was_told(
    idle: Memory, clock: FakeClock, said_on: str, text: str
) -> None:
    """A birthday that a message told once is known every year, though no memory was made of it."""
    cakes = [
        ("2024-03-14T15:00:00Z", "Walnut cake"),
        ("2025-03-14T15:00:00Z", "Cherry cake"),
        ("2025-06-03T15:00:00Z", "Lemon cake"),
    ]
    tell(idle, [(f"{said_on}T10:00:00Z", text), *cakes])
    index(idle)
    assert clock().year == 2026
    found = hits(idle, "Which cake was there on my birthday last year?", messages=10)
    assert inside(found) == {"Cherry cake"}


@pytest.mark.parametrize("remembered", [True, False])
@pytest.mark.parametrize(
    ("query", "months"),
    [
        ("Which tea did I drink before the move?", range(1, 6)),
        ("Which tea did I drink after the move?", range(7, 13)),
        ("Which tea did I drink during the move?", range(6, 7)),
        ("Which tea did I drink since the move?", range(6, 13)),
    ],
)
def test_an_event_keeps_the_month_in_which_it_was(
    diary: Memory, query: str, months: range, remembered: bool
) -> None:
    """A move in June, told of a year later, ends what was before it when June begins."""
    if remembered:
        diary.add("User moved house in June 2025", user="ann", category="fact")
    else:
        tell(diary, [("2026-06-20T18:00:00Z", "We moved house in June 2025.")], chat="moving")
    index(diary)
    found = hits(diary, query, messages=20, at="2026-07-05T00:00:00Z")
    tea = {text for text in inside(found) if text.startswith("Tea")}
    assert tea == {f"Tea in month {month}" for month in months}


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ("the day after the wedding", {"I ate pizza"}),
        ("a week before the wedding", {"I ate dumplings"}),
        ("the night before the wedding", {"I ate noodles"}),
        ("the day of the wedding", {"I ate cake"}),
        ("the week of the wedding", {"I ate noodles", "I ate cake", "I ate pizza"}),
        ("two days before the wedding", set[str]()),
    ],
)
def test_a_distance_from_an_event_is_counted(idle: Memory, when: str, wanted: set[str]) -> None:
    """The day after is one day, and the day itself is not the week before."""
    tell(
        idle,
        [
            ("2023-03-27T10:00:00Z", "The wedding is on 20 May 2023."),
            ("2023-05-13T10:00:00Z", "I ate dumplings"),
            ("2023-05-19T20:00:00Z", "I ate noodles"),
            ("2023-05-20T10:00:00Z", "I ate cake"),
            ("2023-05-21T10:00:00Z", "I ate pizza"),
        ],
    )
    asked = {"at": "2024-05-01T10:00:00Z", "zone": "Europe/London"}
    assert inside(hits(idle, f"What did I eat {when}?", messages=10, **asked)) == wanted


@pytest.mark.parametrize("remembered", [True, False])
def test_what_happened_counts_before_what_was_planned(
    idle: Memory, clock: FakeClock, remembered: bool
) -> None:
    """A move that was planned for May and took place in February was in February, whether a memory holds the plan or not."""
    said = [
        ("2023-05-12T10:00:00Z", "I ate dumplings"),
        ("2024-02-10T10:00:00Z", "I ate pizza"),
        ("2024-02-20T10:00:00Z", "I moved to Graz on the weekend of 10 February 2024."),
    ]
    now, clock.now = clock.now, datetime(2023, 3, 27, 10, tzinfo=UTC)
    if remembered:
        idle.add("User is moving to Graz in May", user="ann", category="fact")
    else:
        said.insert(0, ("2023-03-27T10:00:00Z", "I'm moving to Graz in May."))
    clock.now = now
    tell(idle, said)
    index(idle)
    query = "What did I eat the weekend I moved to Graz?"
    assert inside(hits(idle, query, at="2024-05-01T00:00:00Z", messages=10)) == {"I ate pizza"}


def test_a_plan_is_better_than_nothing(idle: Memory) -> None:
    """Of a move of which nobody told, the day for which it was planned is known."""
    tell(
        idle,
        [
            ("2023-03-27T10:00:00Z", "I'm moving to Graz in May."),
            ("2023-05-12T10:00:00Z", "I ate dumplings"),
            ("2024-02-10T10:00:00Z", "I ate pizza"),
        ],
    )
    found = hits(idle, "What did I eat the month I moved to Graz?", at="2024-05-01T00:00:00Z")
    assert inside(found) == {"I ate dumplings"}


@pytest.mark.parametrize("remembered", [True, False])
def test_a_gift_does_not_date_a_birthday(idle: Memory, remembered: bool) -> None:
    """A birthday is on its own day, not in the month of a gift for it."""
    if remembered:
        fact = "User got a stand mixer as a birthday gift from User's sister in March 2023"
        idle.add(fact, user="ann", category="fact")
    tell(
        idle,
        [
            ("2023-03-15T18:00:00Z", "We had fondue at home"),
            ("2023-04-27T10:00:00Z", "I got a stand mixer as a birthday gift from my sister in March 2023."),
            ("2023-06-20T18:00:00Z", "I turned 34 today!"),
            ("2023-06-20T18:05:00Z", "We ate a lemon cake with cream"),
        ],
    )
    index(idle)
    found = hits(idle, "What did we eat on my birthday last year?", at="2024-05-01T00:00:00Z")
    assert found[0].message.text == "We ate a lemon cake with cream"
    assert inside(found) == {"I turned 34 today!", "We ate a lemon cake with cream"}


@pytest.mark.parametrize(
    "said",
    [
        {"name": "Nora", "text": "It's my birthday today!"},
        {"name": "Tom", "text": "It's Nora's birthday today!"},
        {"text": "Nora's birthday is today."},
    ],
)
def test_her_birthday_is_that_of_the_one_who_is_named(idle: Memory, said: dict[str, str]) -> None:
    """A question about Nora means Nora's birthday, and not the one of which somebody spoke."""
    idle.chat("c", user="ann").add(
        [
            {
                "role": "user",
                "name": "Tom",
                "text": "We planned the birthday of my aunt",
                "created_at": "2023-04-27T10:00:00Z",
            },
            {"role": "user", "name": "Nora", "text": "We ate fondue", "created_at": "2023-04-27T12:00:00Z"},
            {"role": "user", "created_at": "2023-06-20T10:00:00Z", **said},
            {"role": "user", "name": "Nora", "text": "We ate cake", "created_at": "2023-06-20T12:00:00Z"},
        ]
    )
    index(idle)
    found = hits(idle, "What did Nora eat on her birthday last year?", at="2024-05-01T00:00:00Z", messages=10)
    assert inside(found) == {said["text"], "We ate cake"}


def test_a_birthday_of_which_no_day_is_known(idle: Memory) -> None:
    """Somebody who speaks of a birthday does not say that it is today."""
    tell(
        idle, [("2023-04-27T10:00:00Z", "My birthday is always fun"), ("2023-07-02T10:00:00Z", "We ate cake")]
    )
    found = hits(idle, "What did we eat on my birthday?", at="2024-05-01T00:00:00Z")
    assert len(found) == 2 and inside(found) == set()


def test_a_topic_does_not_hide_what_was_said_of_it(idle: Memory) -> None:
    """What was said about Friday was not said on Friday."""
    tell(
        idle,
        [
            ("2025-02-28T09:00:00Z", "Dentist says I need a crown."),
            ("2025-03-03T09:00:00Z", "The party is on Friday at eight, bring wine."),
        ],
    )
    for query in ("What did I say about Friday?", "What plans did I mention for Friday?"):
        assert len(texts(idle, query, at="2025-03-05T12:00:00Z")) == 2
    said = texts(idle, "What did I say on Friday?", at="2025-03-05T12:00:00Z")
    assert said == ["Dentist says I need a crown."]


# -- nothing but a time -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What happened in May 2025?", ["Tea in month 5"]),
        ("What did we talk about in May 2025?", ["Tea in month 5"]),
        ("What was going on in November 2025?", ["Tea in month 11"]),
    ],
)
def test_nothing_but_a_time_brings_what_was_said_then(
    diary: Memory, question: str, wanted: list[str]
) -> None:
    """A question that names a time and no thing is answered from that time alone."""
    tell(diary, [("2024-03-01T10:00:00Z", "What happened: everything happened before, going on and on")])
    assert texts(diary, question) == wanted


@pytest.mark.parametrize(
    "question", ["What did I say before 1 September 2025?", "Summarize up to August 2025"]
)
def test_a_time_without_a_beginning_brings_all_of_it(diary: Memory, question: str) -> None:
    """Everything before a day is visible and nothing after it; what was shortly before counts more."""
    found = hits(diary, question, messages=20)
    assert (
        inside(found)
        == {hit.message.text for hit in found}
        == {f"Tea in month {month}" for month in range(1, 9)}
    )
    near = {hit.message.text: hit.explain.values["time"] for hit in found}
    ordered = [near[f"Tea in month {month}"] for month in range(1, 9)]
    assert ordered == sorted(ordered) and ordered[-1] > 4 * ordered[0] > 0


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Summarize everything before March 1st 2026", ["lake", "coat", "snow", "cat"]),
        ("What did I tell you before 2026?", ["lake", "coat"]),
        ("What did I tell you up to January 2026?", ["lake", "coat", "snow"]),
        ("What did I tell you since January 2026?", ["snow", "cat", "tulips"]),
    ],
)
def test_years_before_a_day_are_not_its_last_weeks(
    idle: Memory, clock: FakeClock, question: str, wanted: list[str]
) -> None:
    """A summary of what was before a day has what was said months before it."""
    clock.now = datetime(2026, 4, 10, 10, tzinfo=UTC)
    days = {
        "lake": "2025-06-10",
        "coat": "2025-11-10",
        "snow": "2026-01-10",
        "cat": "2026-02-24",
        "tulips": "2026-04-02",
    }
    tell(idle, [(f"{day}T10:00:00Z", f"Here: {thing}") for thing, day in days.items()])
    assert sorted(texts(idle, question, messages=10)) == sorted(f"Here: {thing}" for thing in wanted)


# -- whose day ------------------------------------------------------------------------------------------


@pytest.fixture
def three_days(idle: Memory) -> Memory:
    """An evening, the morning after it, and the next one."""
    tell(
        idle,
        [
            ("2024-03-09T20:00:00Z", "I fixed the bike"),
            ("2024-03-10T09:00:00Z", "I baked bread"),
            ("2024-03-11T08:00:00Z", "I called the plumber"),
        ],
    )
    index(idle)
    return idle


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ("yesterday", "I baked bread"),
        ("today", "I called the plumber"),
        ("this morning", "I called the plumber"),
        ("at 9am today", "I called the plumber"),
        ("yesterday morning", "I baked bread"),
    ],
)
def test_a_day_ends_at_midnight(three_days: Memory, when: str, wanted: str) -> None:
    """In a zone that is named, a day and a morning hide their neighbours."""
    asked = {"at": "2024-03-11T10:00:00Z", "zone": "Europe/Vienna"}
    found = hits(three_days, f"What did I tell you {when}?", **asked)
    assert inside(found) == {wanted} and found[0].message.text == wanted
    assert len(found) == 1


def test_without_a_zone_a_day_may_be_the_readers(three_days: Memory) -> None:
    """Where nobody named a zone the evening before may be the same day, but what surely is counts more."""
    found = hits(three_days, "What did I tell you yesterday?", at="2024-03-11T10:00:00Z")
    nearest = max(found, key=lambda hit: hit.explain.terms["time"])
    assert len(found) == 3 == len(inside(found)) and nearest.message.text == "I baked bread"


# -- relations and contradictions -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ("up to March 2023", {"I sold the car"}),
        ("prior to May 2023", {"I sold the car"}),
        ("in May and June 2023", {"I painted the fence"}),
        ("on Friday the 13th", {"A black cat crossed"}),
        ("on Friday, October 13", {"A black cat crossed"}),
        ("from Monday to Thursday this week", {"Rain again"}),
    ],
)
def test_a_time_hides_no_answer(idle: Memory, when: str, wanted: set[str]) -> None:
    """What a relation, a list or a weekday says of a time decides what is hidden."""
    tell(
        idle,
        [
            ("2023-02-08T10:00:00Z", "I sold the car"),
            ("2023-05-10T10:00:00Z", "I painted the fence"),
            ("2023-10-13T10:00:00Z", "A black cat crossed"),
            ("2024-03-13T10:00:00Z", "Rain again"),
        ],
    )
    assert set(texts(idle, f"What did I tell you {when}?", at="2024-03-14T10:00:00Z")) == wanted


def test_a_thing_beside_the_time_is_looked_for_elsewhere_too(diary: Memory) -> None:
    """Whoever names a thing gets what tells of it at other times as well."""
    assert len(texts(diary, "What happened to my tea in May 2025?")) > 1


def test_a_time_of_which_nothing_is_known(diary: Memory) -> None:
    """Nothing was said then: the nearest is better than nothing."""
    assert texts(diary, "What happened in May 2022?")
