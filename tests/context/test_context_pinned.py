"""Pins in a context: what goes before them, which of them go, and what thousands of them cost."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembered import NOTHING, context, costs, exchanges, message, pin, talk

from recollect.context import Context, SectionName, assemble, wording
from recollect.context.draft import MIN_QUESTION
from recollect.encoder.tokens import count
from recollect.records.pin import Pin
from recollect.rules import trust
from recollect.rules.budget import QUESTION_SHARE, Limits

ALLERGY = pin(1, "Dad is allergic to penicillin", 10.0)


def _pinned(shown: Context) -> list[str]:
    return [
        line.sources[0]
        for section in shown.sections
        if section.name is SectionName.PINS
        for line in section.lines
    ]


def _many(number: int) -> tuple[Pin, ...]:
    return tuple(
        pin(place, f"Fact {place}: number {place} likes green tea", place % 11) for place in range(number)
    )


# -- the question goes before the pins ------------------------------------------------------------------


@pytest.mark.parametrize("words", [200, 240, 251, 275, 299, 306, 1000])
@pytest.mark.parametrize("weight", [2.0, 10.0])
def test_the_question_is_cut_before_a_pin_goes(words: int, weight: float) -> None:
    """Whether it is just below the budget or far above it, a question costs no pin its place, and says what is cut."""
    query = "first " + "tea " * words + "last?"
    shown = context(300, query=query, pins=(replace(ALLERGY, importance_score=weight),), recent=exchanges(2))
    assert _pinned(shown) == ["p1"]
    assert shown.question.startswith("first tea") and shown.question.endswith("last?")
    assert max(costs(shown)) <= 300
    cut = [item for item in shown.dropped if item.section is SectionName.QUERY]
    assert [item.cut for item in cut] == ([True] if shown.question != query else [])


@settings(max_examples=100)
@given(st.integers(200, 500), st.integers(1, 700), st.integers(1, 40), st.integers(0, 60))
def test_a_critical_pin_stays_whatever_is_asked(budget: int, asked: int, pinned: int, said: int) -> None:
    """A short critical pin is there for every length of the question and of the last turn."""
    fact = pin(1, "tea " * pinned + "is poison", 8.0)
    shown = context(
        budget,
        query="Which bread? " * asked,
        pins=(fact, pin(2, "A note. " * pinned, 7.9)),
        recent=exchanges(1, words=said + 1),
    )
    assert "p1" in _pinned(shown)
    assert max(costs(shown)) <= budget


def test_a_question_keeps_its_share_against_minor_pins() -> None:
    """Any number of minor pins leaves the question a share of the budget, and only critical ones cut it further."""
    query = "Which tea? " * 300
    share = int(1000 * QUESTION_SHARE)
    minor = context(1000, query=query, pins=tuple(replace(item, importance_score=7.9) for item in _many(200)))
    assert share * 0.9 <= count(minor.question) <= share * 1.1
    assert 0 < len(_pinned(minor)) < 200
    critical = context(
        1000, query=query, pins=tuple(replace(item, importance_score=8.0) for item in _many(200))
    )
    # Beside what the last pin that had to go would have needed.
    assert count(critical.question) <= MIN_QUESTION + max(item.tokens for item in _many(200))
    assert len(_pinned(critical)) > len(_pinned(minor))


def test_a_recorded_question_is_cut_like_any_other() -> None:
    """A question that stands in the chat already is cut as well, and the report names its message."""
    text = "first " + "tea " * 260 + "last?"
    shown = context(300, query=text, recent=(*exchanges(1), message(3, "user", text)), pins=(ALLERGY,))
    assert _pinned(shown) == ["p1"]
    assert shown.asked is not None and shown.asked.text == shown.question
    assert ("m3",) in {item.sources for item in shown.dropped if item.cut}


# -- which pins go --------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [200, 500, 1000, 3000])
def test_no_pin_goes_without_need(budget: int) -> None:
    """However many go at once, the best of them would not have fitted."""
    pins = _many(400)
    shown = context(budget, pins=pins, recent=exchanges(1))
    kept = set(_pinned(shown))
    weights = {item.pin_id: (item.importance_score, item.created_at) for item in pins}
    gone = [item.sources[0] for item in shown.dropped if item.section is SectionName.PINS]
    assert set(gone) | kept == set(weights) and not set(gone) & kept
    assert gone == sorted(gone, key=lambda pin_id: weights[pin_id])
    assert min(weights[pin_id] for pin_id in kept) > max(weights[pin_id] for pin_id in gone)
    one_more = tuple(item for item in pins if item.pin_id in kept or item.pin_id == gone[-1])
    assert len(_pinned(context(budget, pins=one_more, recent=exchanges(1)))) == len(kept)


def test_what_fits_comes_back() -> None:
    """A pin that is too large for the budget costs no smaller one its place, nor the rest of the context."""
    large = pin(2, "tea " * 380, 9.0)
    shown = context(
        400, pins=(ALLERGY, large, pin(3, "The gate is green", 3.0)), recent=exchanges(2, words=20)
    )
    assert _pinned(shown) == ["p1", "p3"]
    assert [item.text for item in shown.tail] == [item.text for item in exchanges(2, words=20)]
    assert [(item.section, item.sources) for item in shown.dropped] == [(SectionName.PINS, ("p2",))]
    assert _pinned(context(400, pins=(pin(9, "tea " * 900, 10.0), ALLERGY))) == ["p1"]


def test_the_rest_gets_what_a_large_pin_left() -> None:
    """When a large pin had to go, the last turn and the question are no shorter than they must be."""
    large = pin(2, "tea " * 700, 9.0)
    query, recent = "Which bread? " * 60, exchanges(1, words=60)
    shown = context(1000, pins=(pin(1, "bread " * 250, 10.0), large), query=query, recent=recent)
    assert _pinned(shown) == ["p1"]
    assert shown.question == query and shown.tail == recent
    assert [item.sources for item in shown.dropped] == [("p2",)]


# -- thousands of them ----------------------------------------------------------------------------------


def test_thousands_of_pins_are_not_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that cannot fit are neither read for instructions nor counted, and the whole is counted a few times."""
    read: list[str] = []
    counted: list[str] = []

    def instructs(text: str) -> bool:
        read.append(text)
        return trust.instructs_model(text)

    def counting(text: str) -> int:
        counted.append(text)
        return count(text)

    monkeypatch.setattr(wording, "instructs_model", instructs)
    parts = replace(NOTHING, pins=_many(5000), recent=exchanges(2), query="Which tea?")
    shown = assemble(parts, budget=2000, limits=Limits(), count=counting)
    assert len(_pinned(shown)) + sum(item.section is SectionName.PINS for item in shown.dropped) == 5000
    assert len(read) < 2 * len(_pinned(shown))
    assert len(counted) < 100
    assert sum(map(len, counted)) < 60 * len(shown.to_text())


def test_a_last_turn_of_many_long_messages_is_cut_at_once() -> None:
    """Messages of the last turn are cut together, not one after each count of the whole."""
    counted: list[str] = []

    def counting(text: str) -> int:
        counted.append(text)
        return count(text)

    said = talk(("user", "go"), *[("tool", f"step {number} " + "tea " * 300) for number in range(100)])
    shown = assemble(replace(NOTHING, recent=said), budget=400, limits=Limits(), count=counting)
    assert shown.tail[0].text == "go" and shown.tail[-1].message_id == "m101"
    assert max(costs(shown)) <= 400
    assert sum(len(text) > 50_000 for text in counted) < 10
