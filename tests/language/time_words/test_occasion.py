"""Events by which a question says when."""

from datetime import UTC, datetime

import pytest

from recollect.language.time_words import Precision, Relation, TimeWords, read
from recollect.language.time_words.beside import Distance


def _read(question: str) -> TimeWords:
    return read(question, now=datetime(2023, 6, 14, 10, 30, tzinfo=UTC), zone=UTC)


@pytest.mark.parametrize(
    ("question", "relation", "what"),
    [
        ("Where did I live before the move?", Relation.BEFORE, "the move"),
        ("Before the move, where did I live?", Relation.BEFORE, "the move"),
        ("before the move to Berlin did I have a cat", Relation.BEFORE, "the move to Berlin"),
        ("How did I feel after my surgery?", Relation.AFTER, "my surgery"),
        ("What changed since we got the dog?", Relation.SINCE, "we got the dog"),
        ("What did I eat when I was in Rome?", Relation.DURING, "I was in Rome"),
        ("When I was in Rome, what did I eat?", Relation.DURING, "I was in Rome"),
        ("What did I read while travelling through Japan?", Relation.DURING, "travelling through Japan"),
        ("What did I get on my birthday?", Relation.ON, "my birthday"),
        ("What did Anna wear at our wedding?", Relation.ON, "our wedding"),
        ("What did I get for Anna’s birthday?", Relation.ON, "Anna’s birthday"),
        ("How was I around the wedding?", Relation.AROUND, "the wedding"),
        ("Who did I meet during the trip?", Relation.DURING, "the trip"),
        ("Where did I work until the pandemic?", Relation.UNTIL, "the pandemic"),
        ("What did I do before moving to Berlin?", Relation.BEFORE, "moving to Berlin"),
        ("How old was I when my aunt gave me the ring?", Relation.DURING, "my aunt gave me the ring"),
        ("Did I run before the 'Run for the Cure' event?", Relation.BEFORE, "the 'Run for the Cure' event"),
        ("what did i do after i left the firm", Relation.AFTER, "i left the firm"),
        ("Where did I work prior to joining Google?", Relation.BEFORE, "joining Google"),
        ("How did I feel following the surgery?", Relation.AFTER, "the surgery"),
        ("What did I do once I finished school?", Relation.AFTER, "I finished school"),
        ("What did I own by the time I moved to Graz?", Relation.BEFORE, "I moved to Graz"),
        ("What did I eat as soon as we got home?", Relation.AFTER, "we got home"),
        ("What did I read up until the exam?", Relation.UNTIL, "the exam"),
        ("What did I eat since the day I moved?", Relation.SINCE, "I moved"),
    ],
)
def test_an_event_says_when(question: str, relation: Relation, what: str) -> None:
    """The event is found in the question's words."""
    (anchor,) = _read(question).anchors
    assert (anchor.relation, anchor.what, anchor.within) == (relation, what, None)
    assert anchor.phrase in question and anchor.phrase.endswith(what)


@pytest.mark.parametrize(
    ("question", "what", "within"),
    [
        ("What did I get on my birthday last year?", "my birthday", "last year"),
        ("Last year on my birthday, what did I do?", "my birthday", "Last year"),
        ("Who came during the trip in May 2022?", "the trip", "in May 2022"),
    ],
)
def test_an_event_can_lie_within_a_stretch(question: str, what: str, within: str) -> None:
    """A time beside the event says which of its kind is meant; it is also a stretch of the question."""
    words = _read(question)
    (anchor,) = words.anchors
    assert anchor.what == what
    assert anchor.within == words.stretches[0] and words.stretches[0].phrase == within


@pytest.mark.parametrize(
    ("question", "phrase", "relation", "what", "distance"),
    [
        ("What did I eat the day after the wedding?", "the day after the wedding", Relation.AFTER, "the wedding", Distance(unit=Precision.DAY)),
        ("How did I feel two days after the surgery?", "two days after the surgery", Relation.AFTER, "the surgery", Distance(low=2, high=2, unit=Precision.DAY)),
        ("What did I buy a week before the wedding?", "a week before the wedding", Relation.BEFORE, "the wedding", Distance(low=1, high=1, unit=Precision.WEEK)),
        ("What did I eat the night before the exam?", "the night before the exam", Relation.BEFORE, "the exam", Distance(unit=Precision.DAY, part="night")),
        ("A few months after we got the dog, what did I buy?", "A few months after we got the dog", Relation.AFTER, "we got the dog", Distance(low=2, high=6, unit=Precision.MONTH)),
        ("one and a half years after the move", "one and a half years after the move", Relation.AFTER, "the move", Distance(low=1.5, high=1.5, unit=Precision.YEAR)),
        ("a fortnight prior to the move", "a fortnight prior to the move", Relation.BEFORE, "the move", Distance(low=2, high=2, unit=Precision.WEEK)),
        ("How was I weeks after the breakup?", "weeks after the breakup", Relation.AFTER, "the breakup", Distance(low=2, high=8, unit=Precision.WEEK)),
        ("How was I in the days after the breakup?", "the days after the breakup", Relation.AFTER, "the breakup", Distance(low=0, high=7, unit=Precision.DAY)),
        ("What did I read shortly before the exam?", "shortly before the exam", Relation.BEFORE, "the exam", Distance(low=1, high=14, unit=Precision.DAY)),
        ("What did I eat an hour before the exam?", "an hour before the exam", Relation.BEFORE, "the exam", Distance(low=0, high=0, unit=Precision.DAY)),
        ("What did I eat the week I moved?", "the week I moved", Relation.ON, "I moved", Distance(unit=Precision.WEEK)),
        ("What did I tell you the day I got married?", "the day I got married", Relation.ON, "I got married", Distance(unit=Precision.DAY)),
        ("Where did I live the year my brother was born?", "the year my brother was born", Relation.ON, "my brother was born", Distance(unit=Precision.YEAR)),
        ("Who called the evening that we met?", "the evening that we met", Relation.ON, "we met", Distance(unit=Precision.DAY, part="evening")),
        ("What did I wear on the morning of the wedding?", "the morning of the wedding", Relation.ON, "the wedding", Distance(unit=Precision.DAY, part="morning")),
    ],
)  # fmt: skip
def test_a_distance_belongs_to_the_event(
    question: str, phrase: str, relation: Relation, what: str, distance: Distance
) -> None:
    """What is counted before the event, or around it, is kept with its unit."""
    (anchor,) = _read(question).anchors
    assert (anchor.phrase, anchor.relation, anchor.what, anchor.distance) == (
        phrase,
        relation,
        what,
        distance,
    )


def test_a_stretch_before_the_event_is_no_distance() -> None:
    """ "Last week before the move" is last week."""
    words = _read("What did I do last week before the move?")
    assert words.anchors[0].distance is None and words.stretches[0].phrase == "last week"


def test_there_can_be_several() -> None:
    """Each event is one anchor."""
    found = _read("What did I eat before the move and after the wedding?").anchors
    assert [(one.relation, one.what) for one in found] == [
        (Relation.BEFORE, "the move"),
        (Relation.AFTER, "the wedding"),
    ]


@pytest.mark.parametrize(
    "question",
    [
        "When did I move?", "Do you know when I moved?", "Did I mention when I am leaving?", "Put it on my desk",
        "Who will look after my dog?", "I was named after my aunt", "a walk around the house", "after the fact",
        "since nothing helps", "What did I do before 2020?", "What do I do during the day?", "after work", "for my mother",
        "I am following the news", "the day of the week", "once a week", "a week before", "the year of the dragon", "How many days were there between the day I moved and the day I left?", "the next day I",
    ],
)  # fmt: skip
def test_no_event_is_found_where_none_is_named(question: str) -> None:
    """Places, habits, and questions for a time are no events."""
    assert _read(question).anchors == ()
