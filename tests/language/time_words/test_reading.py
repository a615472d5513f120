"""Questions are read as people mean them: stretches, order, saying, and what is left of the words."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.time_words import EARLIEST, MOST, Precision, Stretch, TimeWords, read

from .phrases import PHRASES, Row

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2023, 6, 14, 10, 30, tzinfo=BERLIN)


def _read(question: str) -> TimeWords:
    return read(question, now=NOW, zone=BERLIN)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC) if text else EARLIEST


@pytest.mark.parametrize("row", PHRASES, ids=[row[0] for row in PHRASES])
def test_a_phrase_names_its_stretch(row: Row) -> None:
    """Each phrase of the table names exactly the stretch beside it."""
    phrase, start, end, precision, certain = row
    found = _read(phrase).stretches
    assert [(one.start, one.end) for one in found] == [(_moment(start), _moment(end))]
    assert (found[0].precision, found[0].certain) == (precision, certain)
    assert found[0].start.tzinfo is UTC and found[0].end.tzinfo is UTC


@pytest.mark.parametrize("row", PHRASES[::4], ids=[row[0] for row in PHRASES[::4]])
def test_a_phrase_means_the_same_inside_a_question(row: Row) -> None:
    """Words before and after, spaces and line ends do not change what a phrase names."""
    phrase, start, end, *_ = row
    found = _read(f"Tell me:\n  {phrase.replace(' ', '   ')} , please").stretches
    assert [(one.start, one.end) for one in found] == [(_moment(start), _moment(end))]


#: Zone, the moment of the question in UTC, phrase, start, end.
ZONES = (
    # Days on which the clocks change.
    ("Europe/Berlin", "2023-03-27T10:00", "yesterday", "2023-03-25T23:00", "2023-03-26T22:00"),
    ("Europe/Berlin", "2023-10-30T10:00", "yesterday", "2023-10-28T22:00", "2023-10-29T23:00"),
    ("Europe/Berlin", "2023-10-30T10:00", "last week", "2023-10-22T22:00", "2023-10-29T23:00"),
    ("Europe/Berlin", "2023-03-26T01:30", "an hour ago", "2023-03-26T00:00", "2023-03-26T01:00"),
    ("Europe/Berlin", "2023-10-29T01:30", "since yesterday", "2023-10-27T22:00", "2023-10-29T01:30"),
    ("America/New_York", "2023-03-13T16:00", "yesterday", "2023-03-12T05:00", "2023-03-13T04:00"),
    ("America/New_York", "2023-03-13T16:00", "at 3 pm yesterday", "2023-03-12T19:00", "2023-03-12T20:00"),
    ("America/New_York", "2023-06-14T12:00", "in November 2022", "2022-11-01T04:00", "2022-12-01T05:00"),
    # Days that begin while the clocks are put forward, and a day that never was.
    ("America/Sao_Paulo", "2018-11-05T12:00", "yesterday", "2018-11-04T03:00", "2018-11-05T02:00"),
    ("America/Toronto", "2023-06-14T12:00", "1919-03-31", "1919-03-31T04:30", "1919-04-01T04:00"),
    ("Pacific/Apia", "2023-06-14T12:00", "2011-12-30", "2011-12-30T10:00", "2011-12-31T10:00"),
    # It is already tomorrow there, or still yesterday.
    ("Asia/Kolkata", "2023-06-14T20:00", "today", "2023-06-14T18:30", "2023-06-15T18:30"),
    ("Asia/Kolkata", "2023-06-14T20:00", "yesterday morning", "2023-06-13T23:30", "2023-06-14T06:30"),
    ("Pacific/Auckland", "2023-06-14T13:00", "today", "2023-06-14T12:00", "2023-06-15T12:00"),
    ("Pacific/Auckland", "2023-12-31T23:30", "this year", "2023-12-31T11:00", "2024-12-31T11:00"),
    ("America/New_York", "2024-01-01T03:00", "this year", "2023-01-01T05:00", "2024-01-01T05:00"),
    ("UTC", "2024-01-01T00:30", "last year", "2023-01-01T00:00", "2024-01-01T00:00"),
    ("UTC", "2024-01-01T00:30", "last month", "2023-12-01T00:00", "2024-01-01T00:00"),
    ("UTC", "2024-01-01T00:30", "last week", "2023-12-25T00:00", "2024-01-01T00:00"),
    ("UTC", "2023-01-01T12:00", "last week", "2022-12-19T00:00", "2022-12-26T00:00"),
    # Summer is in December there.
    ("Pacific/Auckland", "2023-06-14T13:00", "last summer", "2022-11-30T11:00", "2023-02-28T11:00"),
    ("Australia/Sydney", "2023-06-14T13:00", "this winter", "2023-05-31T14:00", "2023-08-31T14:00"),
    # Leap days and the ends of months.
    ("UTC", "2024-03-01T12:00", "yesterday", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("UTC", "2024-03-01T12:00", "29 February", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("UTC", "2024-03-31T12:00", "last month", "2024-02-01T00:00", "2024-03-01T00:00"),
    ("UTC", "2024-03-31T12:00", "one month ago", "2024-02-14T00:00", "2024-03-16T00:00"),
    ("UTC", "2024-02-29T12:00", "this time last year", "2023-02-13T00:00", "2023-03-16T00:00"),
    ("UTC", "2104-01-10T12:00", "29 February", "2096-02-29T00:00", "2096-03-01T00:00"),
    ("UTC", "2024-02-29T12:00", "a year ago today", "2023-02-28T00:00", "2023-03-01T00:00"),
    ("UTC", "2024-02-29T12:00", "four years ago today", "2020-02-29T00:00", "2020-03-01T00:00"),
    ("UTC", "2024-02-29T12:00", "on February 29 last year", "2023-02-01T00:00", "2023-03-01T00:00"),
    ("UTC", "2024-02-29T12:00", "Feb 29 2023", "2023-02-01T00:00", "2023-03-01T00:00"),
    ("UTC", "2024-03-31T12:00", "a month ago today", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("UTC", "2024-01-01T12:00", "two years ago in May", "2022-05-01T00:00", "2022-06-01T00:00"),
    # Counted over a change of the clocks, and where it is still yesterday.
    ("America/New_York", "2024-03-12T03:00", "a week ago today", "2024-03-04T05:00", "2024-03-05T05:00"),
    ("America/New_York", "2024-03-13T16:00", "three Fridays ago", "2024-02-23T05:00", "2024-02-24T05:00"),
    ("Pacific/Auckland", "2024-02-05T12:00", "two summers ago", "2021-11-30T11:00", "2022-02-28T11:00"),
    ("Asia/Tokyo", "2024-06-14T12:00", "2024-W07", "2024-02-11T15:00", "2024-02-18T15:00"),
    # Early in a month its end is last year's.
    ("UTC", "2024-12-05T12:00", "at the end of December", "2023-12-21T00:00", "2024-01-01T00:00"),
    ("UTC", "2024-03-05T12:00", "in late March", "2023-03-21T00:00", "2023-04-01T00:00"),
    ("UTC", "2024-03-05T12:00", "mid-March", "2023-03-11T00:00", "2023-03-21T00:00"),
    ("UTC", "2024-03-15T12:00", "mid-March", "2024-03-11T00:00", "2024-03-21T00:00"),
    ("UTC", "2024-03-05T12:00", "late March 2024", "2024-03-21T00:00", "2024-04-01T00:00"),
    ("UTC", "2024-03-05T12:00", "late this month", "2024-03-21T00:00", "2024-04-01T00:00"),
    # Weekdays and weekends by the day of the question.
    ("UTC", "2023-06-12T12:00", "last Sunday", "2023-06-11T00:00", "2023-06-12T00:00"),
    ("UTC", "2023-06-12T12:00", "this weekend", "2023-06-10T00:00", "2023-06-12T00:00"),
    ("UTC", "2023-06-17T12:00", "this weekend", "2023-06-17T00:00", "2023-06-19T00:00"),
    ("UTC", "2023-06-18T12:00", "last weekend", "2023-06-10T00:00", "2023-06-12T00:00"),
    ("UTC", "2023-01-10T12:00", "this Christmas", "2022-12-24T00:00", "2022-12-27T00:00"),
    ("UTC", "2023-01-10T12:00", "last winter", "2021-12-01T00:00", "2022-03-01T00:00"),
    # A weekday says which year or month is meant, in the zone's own days.
    ("UTC", "2024-03-14T12:00", "on Friday the 13th", "2023-10-13T00:00", "2023-10-14T00:00"),
    ("UTC", "2024-03-14T12:00", "on Sunday, March 5", "2023-03-05T00:00", "2023-03-06T00:00"),
    ("UTC", "2024-03-14T12:00", "Sunday the 5th", "2023-11-05T00:00", "2023-11-06T00:00"),
    ("America/New_York", "2024-03-14T02:00", "Wednesday the 13th", "2024-03-13T04:00", "2024-03-14T04:00"),
    ("Asia/Tokyo", "2024-03-12T16:00", "on Wednesday, 13 March", "2024-03-12T15:00", "2024-03-13T15:00"),
    ("UTC", "2024-03-14T12:00", "Saturday, 29 February", "2020-02-29T00:00", "2020-03-01T00:00"),
    # Ranges over a change of the clocks, the end of a year and a leap day.
    ("Europe/Berlin", "2023-04-05T10:00", "from Saturday to Monday", "2023-03-31T22:00", "2023-04-03T22:00"),
    ("Europe/Berlin", "2023-03-29T10:00", "from Friday to Monday", "2023-03-23T23:00", "2023-03-27T22:00"),
    ("UTC", "2024-01-03T12:00", "between the 28th and the 2nd", "2023-12-28T00:00", "2024-01-03T00:00"),
    ("UTC", "2024-01-03T12:00", "December and January last year", "2022-12-01T00:00", "2023-02-01T00:00"),
    ("UTC", "2024-03-05T12:00", "the last two days of February", "2024-02-28T00:00", "2024-03-01T00:00"),
    ("UTC", "2024-02-29T12:00", "less than a year ago", "2023-02-28T00:00", "2024-02-29T12:00"),
    ("America/New_York", "2024-03-10T16:00", "the last 24h", "2024-03-09T16:00", "2024-03-10T16:00"),
    ("Asia/Kolkata", "2023-06-14T20:00", "up to yesterday", "1000-01-01T00:00", "2023-06-14T18:30"),
)


@pytest.mark.parametrize(("zone", "now", "phrase", "start", "end"), ZONES)
def test_days_are_the_days_of_the_zone(zone: str, now: str, phrase: str, start: str, end: str) -> None:
    """A phrase names calendar days where it is said, whatever the clocks do there."""
    asked = datetime.fromisoformat(now).replace(tzinfo=UTC)
    (found,) = read(phrase, now=asked, zone=ZoneInfo(zone)).stretches
    assert found.start.isoformat()[:16] == start
    assert found.end.isoformat()[:16] == end


def test_the_last_hour_is_an_hour_when_the_clocks_go_back() -> None:
    """Hours are counted in time that passes, not on the clock's face."""
    now = datetime(2023, 10, 29, 1, 30, tzinfo=UTC)
    (found,) = read("the past hour", now=now, zone=BERLIN).stretches
    assert (found.start, found.end) == (now - timedelta(hours=1), now)


NO_TIME = """
may I ask something|this may be wrong|they march on|the march in Washington|wait a second|the second one|
What do I like for Sunday roast?|did I fall down|spring a leak|sitting in the sun|my friend June said hi|
what is the next step|What is my last name?|the last one|the last chance|at the last minute|the next day|
how long ago did I move|when did I move|how many weeks was I there|how many years ago did we meet|room 2023|it cost $2023|
2000 people came|open 24/7|call 555-2023|version 2023.1.2|every Monday|on Tuesdays|take the pill at 3 pm|I'm in my 30s|
Who is April?|Black Friday deals|in the fall of Rome|for two weeks|two weeks of holiday|next step by June|the Christmas tree|
Easter eggs|2023-13-45|0000-00-00|30/30/2023|99999999999999999999 years ago|9999 years ago|a letter from June|
Do you like the movie May December?|1,950 euros|the other car|the end of the movie|early bird|a week|weekend plans|
What about Will and Mark?|half of it|a few friends|the class of '09|I saw '22 Jump Street'|in '22 Jump Street|week 7|
two summers|ten Fridays|my holidays|the turn of the key|this time it works|on the same day|
February 30|on Feb 30th|on 30 February|30/02|the 31st of June|Chinese New Year|at Lunar New Year|Orthodox Easter 2023|
Canadian Thanksgiving|a while|over a year|more than a year|how many years ago|a million years ago|up to you|prior to that|
up to 3 people|not later than that|on or off|as of yet|H1N1|H1|June and August said hi|may to march|3 or 4 friends|
the first two weeks|in the sun|13/2023|05/2023/7|it sat on top|they wed|2y
""".replace("\n", "").split("|")


@pytest.mark.parametrize("question", NO_TIME)
def test_no_time_is_found_where_none_is_named(question: str) -> None:
    """Words that only look like time are left alone, and so is the question."""
    words = _read(question)
    assert words.stretches == ()
    assert words.rest == question


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("What did I do last week?", "What did I do?"),
        ("Yesterday, what did I eat?", "what did I eat?"),
        ("Back in May 2023 we met Anna.", "we met Anna."),
        ("What  did I\nread in the last two months , please?", "What did I read, please?"),
        ("When was the last time I saw Anna?", "When was I saw Anna?"),
        ("What did I get at Christmas last year?", "What did I get Christmas?"),
        ("Where did I live before the move?", "Where did I live before the move?"),
        ("What did I get on my birthday last year?", "What did I get on my birthday?"),
        ("What is my name , please?", "What is my name , please?"),
    ],
)
def test_the_rest_has_no_words_of_time(question: str, rest: str) -> None:
    """The rest is for matching by words: times are gone, feasts and events are not."""
    assert _read(question).rest == rest


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("Was it the 3rd or the 9th of May 2022?", ["2022-05-03", "2022-05-09"]),
        ("Did I run on 3 May and 4 June 2022?", ["2022-05-03", "2022-06-04"]),
        ("What did I do in April and June 2022?", ["2022-04-01", "2022-06-01"]),
        ("What did I do in June and May 2022?", ["2022-06-01", "2022-05-01"]),
        ("Was it Monday or Thursday last week?", ["2023-06-05", "2023-06-08"]),
        ("Was it on Monday or on 3 May 2021?", ["2023-06-12", "2021-05-03"]),
    ],
)
def test_times_of_a_list_that_do_not_touch_stay_apart(question: str, days: list[str]) -> None:
    """Each is a stretch of its own, and those before the last borrow what they lack."""
    found = _read(question).stretches
    assert [str(one.start.astimezone(BERLIN).date()) for one in found] == days
    assert all(one.certain for one in found)


def test_two_stretches_stand_in_order() -> None:
    """A question can name several times."""
    found = _read("Did I run more in May 2023 or in April 2022?").stretches
    assert [one.phrase for one in found] == ["in May 2023", "in April 2022"]


def test_only_so_many_stretches_are_read() -> None:
    """A pasted calendar does not make a question of a thousand times."""
    assert len(_read("2023-05-08, " * 500).stretches) == MOST


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you last week?",
        "What did we talk about yesterday?",
        "WHAT  DID WE\nDISCUSS LAST WEEK?",
        "What have we discussed since Monday?",
        "Yesterday, what did I tell you about the car?",
        "I told you two days ago that I like tea",
        "What did you recommend in March 2023?",
        "What was said in our conversation on 8 May 2023?",
        "What did I tell you last week about Rome?",
        "What did I tell you on Friday about the car?",
        "What did we talk about on Friday?",
        "What did we talk about last month?",
        "What did I say about it on Friday?",
        "Who did I tell you about last week?",
        "What did I ask you for yesterday?",
        "What did I ask for on Friday?",
        "What did you say in our chat of 8 May 2023?",
        "What did I say a week ago today?",
        "What did I tell you up to March 2023?",
        "What did I tell you prior to May 2023?",
        "What did we talk about up to March 2023?",
        "What did I tell you in May and June 2022?",
        "What did we discuss from Monday to Friday last week?",
        "What did I tell you on Sunday, March 6?",
    ],
)
def test_a_time_of_saying_bounds_the_messages(question: str) -> None:
    """When the question says when something was said, no other message can be meant."""
    words = _read(question)
    assert words.narrowing == words.stretches[0]


@pytest.mark.parametrize(
    "question",
    [
        "What did I do last week?",
        "What did I tell you about my trip in May 2023?",
        "Did I tell you about yesterday?",
        "Did I tell you about last week's trip?",
        "Did I tell you that yesterday I fell?",
        "What did I tell you in May?",
        "What did I tell you two weeks ago?",
        "What did I tell you about next week?",
        "What did I tell you last week or yesterday?",
        "What did I tell you last week before the move?",
        "What did I tell my boss yesterday?",
        "What did I say to Anna yesterday?",
        "What did I say about Friday?",
        "What did we talk about Friday?",
        "What plans did I mention for Friday?",
        "What did I tell you about last Christmas?",
        "What did I say about May 2023?",
        "What did we discuss about March 2019?",
        "What did I say about today?",
        "Which appointment did I mention for Monday?",
        "What did you recommend for last weekend?",
        "What did you suggest to me for the last weekend?",
        "Which book did I mention for last week?",
        "For Friday, what did you advise?",
        "Who did I say comes on Friday?",
        "What did I ask you for Friday?",
        "What did I tell you on Friday the 13th?",
        "What did I tell you on Sunday, 5 March 2024?",
        "What did I tell you more than a year ago?",
        "What did I tell you as of May 2023?",
        "What did I tell you in April or June 2022?",
        "What did I tell you a while ago?",
    ],
)
def test_a_doubtful_time_bounds_nothing(question: str) -> None:
    """A time that may be that of the thing told, or another one, only attracts."""
    words = _read(question)
    assert words.stretches
    assert words.narrowing is None


_MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC))
_ZONES = st.sampled_from(
    [UTC, BERLIN, ZoneInfo("Pacific/Auckland"), ZoneInfo("America/St_Johns"), timezone(timedelta(hours=-12))]
)
_PIECES = st.sampled_from(
    "the a of in on at before after since until between and from to last this next past early mid late end week weekend "
    "month year day may March monday Sunday summer winter Christmas easter noon 3 pm 8 29 31 2023 1999 -05 /8/ 90 s th "
    "two couple few half ago yesterday today , . ' ’ : + T Z W07 summers turn holidays about for first second quarter q3 my birthday when i was İ ſ "
    "prior up than later no or & / h1 hundred mo y more almost tues weeks years once following wedding night Friday".split()
)
_TEXTS = st.one_of(
    st.text(), st.lists(_PIECES, max_size=25).map(" ".join), st.lists(_PIECES, max_size=25).map("".join)
)


@given(_TEXTS, st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)), _ZONES)
def test_every_text_can_be_read(text: str, now: datetime, zone: ZoneInfo) -> None:
    """Nothing raises, stretches go forward, and their phrases stand in the question in order."""
    words = read(text, now=now, zone=zone)
    at = 0
    for one in words.stretches:
        assert EARLIEST <= one.start < one.end
        at = text.index(one.phrase, at) + len(one.phrase)
    for anchor in words.anchors:
        assert anchor.phrase in text and anchor.what in anchor.phrase
    assert words.narrowing in (None, *words.stretches)


@given(_TEXTS, _MOMENTS, _ZONES)
def test_any_time_will_do(text: str, now: datetime, zone: ZoneInfo) -> None:
    """A question at the ends of the calendar can be read too."""
    assert all(one.start < one.end for one in read(text, now=now, zone=zone).stretches)


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)), _ZONES)
def test_days_weeks_and_years_lie_as_they_should(now: datetime, zone: ZoneInfo) -> None:
    """Today holds now, follows yesterday, and lies in this week and this year."""

    def one(phrase: str) -> Stretch:
        return read(phrase, now=now, zone=zone).stretches[0]

    today = one("today")
    assert today.start <= now < today.end
    for first, second in pairwise(["last week", "this week", "next week"]):
        assert one(first).end == one(second).start
    assert one("yesterday").end == today.start and one("tomorrow").start == today.end
    assert one("this week").start <= today.start and today.end <= one("this week").end
    assert one("this year").start <= one("this month").start < one("this month").end <= one("this year").end
    assert one("on Tuesday").end <= today.start


@pytest.mark.parametrize(
    "piece",
    [
        "1 ",
        "1/",
        "monday before ",
        "the end of ",
        "early ",
        "a year ago ",
        "between march and ",
        "our x ",
        "'",
        "3, ",
        "May and ",
        "monday or ",
        "more than a ",
        "up to ",
        "the day after the ",
    ],
)
def test_a_long_text_is_read_to_its_end(piece: str) -> None:
    """Twenty thousand characters of one word neither raise nor exhaust the stack."""
    words = _read((piece * 20_000)[:20_000])
    assert len(words.stretches) <= MOST


def test_a_time_without_a_zone_is_utc() -> None:
    """A naive time of the question is taken as UTC, not as that of the machine."""
    assert read("an hour ago", now=datetime(2023, 6, 14, 8, 30), zone=BERLIN) == _read("an hour ago")


def test_precision_has_the_words_of_the_design() -> None:
    """Whoever stores a precision finds the same word again."""
    assert [one.value for one in Precision] == (
        "hour day weekend week month season quarter year decade span".split()
    )
