"""Events by which a question says when."""

from datetime import UTC, datetime

import pytest

from recollect.domain.time_words import Relation, TimeWords, read


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
    ],
)  # fmt: skip
def test_no_event_is_found_where_none_is_named(question: str) -> None:
    """Places, habits, and questions for a time are no events."""
    assert _read(question).anchors == ()
