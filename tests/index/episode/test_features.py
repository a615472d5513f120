"""Features of candidates: numbers between 0 and 1 that only what may be seen decides."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.episode.features import FEATURES, MEANINGS, Fit, Floats, Runs, Talk, best_slots, share
from recollect.index.episode.question import Asked, ask
from recollect.language import time_words

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = 86_400_000.0
QUESTIONS = (
    "what about tea",
    "What did I say yesterday?",
    "what did we do in May 2025",
    "the last time it rained",
    "It rained. We went home.",
)

#: What nothing but the arms brings.
NOBODY = np.zeros(0, dtype=np.intp)


def _asked(text: str = "what about tea") -> Asked:
    return ask(text, (), time_words.read(text, now=NOW, zone=UTC))


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of a made-up talk."""

    cosine: float = 0.0
    bm25: float = 0.0
    visible: bool = True
    chat: int = 0
    #: Of the chat.
    session: int = 0
    length: float = 12.0
    asks: bool = False
    #: Whether the one whom the question is about speaks.
    speaks: bool = False
    #: Whether it holds the kind of thing that the question asks for.
    kind: bool = False
    days_ago: float = 1.0
    mask: int = 0


def _talk(
    said: list[Said],
    *,
    about_somebody: bool = False,
    of_a_kind: bool = False,
    idf: tuple[float, ...] = (2.0, 1.0, 0.5),
    heard: int = 60,
) -> Talk:
    size = len(said)
    before, after = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    last: dict[int, int] = {}
    for slot, item in enumerate(said):
        if item.chat in last:
            before[slot] = last[item.chat]
            after[last[item.chat]] = slot
        last[item.chat] = slot
    stretches: dict[tuple[int, int], int] = {}
    now = NOW.timestamp() * 1000
    stretch = np.array(
        [stretches.setdefault((item.chat, item.session), len(stretches)) for item in said], np.int32
    )
    bm25 = np.array([item.bm25 for item in said], np.float64)
    visible = np.array([item.visible for item in said], np.bool_)
    return Talk(
        cosine=np.array([item.cosine for item in said], np.float32),
        bm25=bm25,
        visible=visible,
        heard=best_slots(bm25, visible & (bm25 > 0), heard),
        nearest=None,
        before=before,
        after=after,
        stretch=stretch,
        runs=Runs.of(stretch),
        length=np.array([item.length for item in said], np.float32),
        asks=np.array([item.asks for item in said], np.bool_),
        asked_speaks=np.array([item.speaks for item in said], np.bool_) if about_somebody else None,
        holds_kind=np.array([item.kind for item in said], np.bool_) if of_a_kind else None,
        created=np.array([now - item.days_ago * DAY for item in said], np.float64),
        masks=np.array([item.mask for item in said], np.uint64),
        idf=np.array(idf),
    )


def _values(talk: Talk, asked: Asked | None = None) -> dict[int, dict[str, float]]:
    """The features of all candidates, by slot."""
    fit = Fit(talk, asked or _asked())
    slots = fit.candidates(60, NOBODY)
    rows = fit.values(slots)
    return {
        slot: dict(zip(FEATURES, row.tolist(), strict=True))
        for slot, row in zip(slots.tolist(), rows, strict=True)
    }


_SAID = st.builds(
    Said,
    cosine=st.one_of(st.just(-1.0), st.floats(-0.875, 1.0, width=32)),
    bm25=st.one_of(st.just(0.0), st.floats(0, 3)),
    visible=st.booleans(),
    chat=st.integers(0, 1),
    session=st.integers(0, 2),
    length=st.floats(0, 400, width=32),
    asks=st.booleans(),
    speaks=st.booleans(),
    kind=st.booleans(),
    days_ago=st.floats(-3, 500),
    mask=st.integers(0, 7),
)
_TALKS = st.lists(_SAID, max_size=14)


def test_there_are_thirteen_with_a_meaning() -> None:
    """Every feature has a name and a line that says what it means."""
    assert len(FEATURES) == len(set(FEATURES)) == 13
    assert all(MEANINGS[name] for name in FEATURES)


@given(_TALKS, st.sampled_from(QUESTIONS), st.booleans(), st.integers(1, 5))
def test_values_are_between_0_and_1(said: list[Said], question: str, about: bool, count: int) -> None:
    """Whatever was said, every value of every candidate is a number from 0 to 1, and candidates are visible."""
    talk = _talk(said, about_somebody=about, of_a_kind=about)
    fit = Fit(talk, _asked(question))
    slots = fit.candidates(count, NOBODY)
    values = fit.values(slots)
    assert values.shape == (len(slots), len(FEATURES))
    assert np.isfinite(values).all()
    assert (values >= 0).all() and (values <= 1 + 1e-12).all()
    assert talk.visible[slots].all()
    assert len(set(slots.tolist())) == len(slots)
    assert len(slots) >= min(count, int(talk.visible.sum()))


@given(
    _TALKS,
    _SAID,
    st.floats(-0.875, 1.0, width=32),
    st.floats(0.01, 1.0),
    st.sampled_from(["meaning", "words"]),
)
def test_more_alike_never_falls_behind(
    said: list[Said], chosen: Said, cosine: float, more: float, name: str
) -> None:
    """A message whose cosine or BM25 rises does not lose against any other, in that feature."""
    chosen = replace(chosen, visible=True, cosine=cosine)
    raised = (
        replace(chosen, cosine=min(cosine + more, 1.0))
        if name == "meaning"
        else replace(chosen, bm25=chosen.bm25 + more)
    )
    old, new = _values(_talk([chosen, *said])), _values(_talk([raised, *said]))
    assert old.keys() == new.keys()
    for other in old:
        before, after = (values[0][name] - values[other][name] for values in (old, new))
        assert after >= before - 1e-6


@given(_TALKS, _TALKS, st.sampled_from(QUESTIONS), st.booleans())
def test_what_may_not_be_seen_changes_nothing(
    said: list[Said], hidden: list[Said], question: str, about: bool
) -> None:
    """Other words, vectors and times of hidden messages leave every value of the visible ones as it was."""
    seen = [item for item in said if item.visible]
    others = [replace(item, visible=False) for item in hidden]
    first = [*seen, *others]
    second = [
        *seen,
        *(replace(item, cosine=0.99, bm25=9.0, mask=7, asks=True, days_ago=600.0) for item in others),
    ]
    one, two = (_values(_talk(talk, about_somebody=about), _asked(question)) for talk in (first, second))
    assert one == two
    assert set(one) == set(range(len(seen)))


def test_hidden_neighbours_lend_nothing() -> None:
    """A message beside a hidden one that fits perfectly is valued as if it stood alone."""
    beside = Said(cosine=0.1, length=2.0)
    hidden = Said(cosine=1.0, bm25=5.0, mask=7, asks=True, visible=False)
    alone = _values(_talk([beside]))[0]
    assert _values(_talk([hidden, beside, hidden]))[1] == alone
    assert alone["passage"] == alone["answers"] == alone["echo"] == 0


def test_without_vectors_words_still_work() -> None:
    """Messages that wait for their vectors are candidates by their words, with no meaning yet."""
    values = _values(
        _talk([Said(cosine=-1.0), Said(cosine=-1.0, bm25=0.8, mask=1), Said(cosine=-1.0, bm25=0.2)])
    )
    assert [values[slot]["words"] for slot in range(3)] == pytest.approx([0, 1, 0.25])
    assert {row["meaning"] for row in values.values()} == {0.0}
    assert values[1]["coverage"] == pytest.approx(2 / 3.5)


def test_one_without_a_vector_is_average() -> None:
    """A message that waits for its vector neither gains nor loses by meaning, and does not shift the average."""
    known = [Said(cosine=0.8), Said(cosine=0.2)]
    with_one = _values(_talk([*known, Said(cosine=-1.0)]))
    assert [with_one[slot]["meaning"] for slot in range(3)] == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_was_said(question: str) -> None:
    """Without messages, or without a visible one, there are no candidates and no rows."""
    for said in ([], [Said(visible=False)]):
        fit = Fit(_talk(said), _asked(question))
        slots = fit.candidates(10, NOBODY)
        assert len(slots) == 0
        assert fit.values(slots).shape == (0, len(FEATURES))
        assert fit.ranks() == {"vector": {}, "text": {}}


def test_one_message() -> None:
    """The only message has all words and no meaning above the average, which it is itself."""
    (row,) = _values(_talk([Said(cosine=0.4, bm25=1.0, mask=7)])).values()
    assert (row["meaning"], row["words"], row["coverage"], row["speaker"]) == pytest.approx((0, 1, 1, 0.5))


def test_who_speaks() -> None:
    """1 for the one whom the question is about, 0 for others, 0.5 for all when nobody is meant."""
    said = [Said(speaks=True), Said()]
    assert [row["speaker"] for row in _values(_talk(said, about_somebody=True)).values()] == [1.0, 0.0]
    assert {row["speaker"] for row in _values(_talk(said)).values()} == {0.5}


def test_what_kind_of_answer_it_holds() -> None:
    """1 for a message that holds what is asked for, a number or a time, 0 for others, 0.5 for all when it can be anything."""
    said = [Said(kind=True), Said()]
    assert [row["kind"] for row in _values(_talk(said, of_a_kind=True)).values()] == [1.0, 0.0]
    assert {row["kind"] for row in _values(_talk(said)).values()} == {0.5}


def test_a_short_message_leans_on_its_neighbours() -> None:
    """The shorter a message, the more the words beside it count; a very long one stands alone."""
    beside = Said(mask=0b110, asks=True, bm25=1.0)

    def passage(length: float) -> float:
        return _values(_talk([beside, Said(mask=0b001, length=length)]))[1]["passage"]

    whole, own = 1.0, 2 / 3.5
    assert whole >= passage(0) > passage(5) > passage(50) > passage(5000) > own - 1e-12
    assert passage(0) == pytest.approx(whole)
    assert passage(12) == pytest.approx((whole + own) / 2)


def test_an_answer_and_an_echo() -> None:
    """What follows a fitting question answers it, what precedes something fitting echoes it."""
    fitting = Said(cosine=1.0, bm25=1.0, asks=True)
    values = _values(_talk([Said(length=1), fitting, Said(length=1)]))
    assert values[2]["answers"] > 0.9 and values[0]["answers"] == 0
    assert values[0]["echo"] > 0.9 and values[2]["echo"] == 0
    statement = _values(_talk([Said(length=1), replace(fitting, asks=False), Said(length=1)]))
    assert statement[2]["answers"] == 0


def test_neighbours_are_of_the_same_stretch() -> None:
    """What was said in another session of the same chat lends nothing, nor does another chat."""
    fitting = Said(cosine=1.0, bm25=1.0, asks=True, mask=7)
    for far in (Said(length=1, session=1), Said(length=1, chat=1)):
        values = _values(_talk([fitting, far]))[1]
        assert (values["answers"], values["passage"], values["stretch_best"]) == (0, 0, 0)
    near = _values(_talk([fitting, Said(length=1)]))[1]
    assert min(near["answers"], near["passage"], near["stretch_best"]) > 0.9


def test_the_stretch_counts_as_a_whole() -> None:
    """A message shares the best fit and the mean of its stretch of talk; for a bare question the mean counts a third."""
    good = [Said(cosine=0.9, bm25=1.0), Said(cosine=0.5)]
    bad = [Said(cosine=0.1, session=1), Said(cosine=0.0, session=1)]
    for question, whole in (("what about tea", 1 / 3), ("I like tea. What else was there?", 1)):
        values = _values(_talk([*good, *bad]), _asked(question))
        assert values[0]["stretch_best"] == values[1]["stretch_best"] == pytest.approx(1)
        assert values[0]["stretch_meaning"] == values[1]["stretch_meaning"] == pytest.approx(whole)
        assert values[2]["stretch_best"] == values[3]["stretch_meaning"] == 0


def test_time_is_near_and_inside() -> None:
    """Inside the time that is named both are 1; later it falls off slowly, earlier quickly, and far away is 0."""
    asked = _asked("what happened on 10 February 2026?")
    noon = (NOW - datetime(2026, 2, 10, 12, tzinfo=UTC)) / timedelta(days=1)
    ago = [noon, noon - 3, noon + 3, noon - 300]
    values = _values(_talk([Said(days_ago=days) for days in ago]), asked)
    assert [values[slot]["inside"] for slot in range(4)] == [1, 0, 0, 0]
    inside, after, before, _ = (values[slot]["time"] for slot in range(4))
    assert inside == 1 and 1 > after > before > 0
    assert all(row["time"] == row["inside"] == 0 for row in _values(_talk([Said(), Said()])).values())


def test_lately_only_when_it_is_asked() -> None:
    """The newest stretch of talk counts 1 and older ones less, when a question goes on or asks for the newest."""
    said = [Said(session=number, days_ago=100.0 - number) for number in range(4)]
    for question in ("the last time it rained", "It rained. We went home."):
        values = _values(_talk(said), _asked(question))
        lately = [values[slot]["lately"] for slot in range(4)]
        assert lately == sorted(lately) and lately[-1] == 1.0 and len(set(lately)) == 4
    assert {row["lately"] for row in _values(_talk(said)).values()} == {0.0}


def test_every_arm_brings_its_best() -> None:
    """The best by words and the nearest by meaning are candidates, however few each arm brings, and are ranked 1."""
    said = [Said(cosine=0.01 * number, bm25=0.01 * (50 - number), session=number) for number in range(50)]
    fit = Fit(_talk(said, heard=1), _asked())
    assert {0, 49} <= set(fit.candidates(1, NOBODY).tolist())
    fit = Fit(_talk(said, heard=2), _asked())
    fit.candidates(2, NOBODY)
    assert fit.ranks() == {"vector": {49: 1, 48: 2}, "text": {0: 1, 1: 2}}
    assert fit.raw(49) == pytest.approx((0.49, 0.01))


def test_the_nearest_are_looked_for_where_they_are_known_to_be() -> None:
    """Of a large user the arm of meaning brings the best of those whose cosine is exact, estimates elsewhere or not."""
    said = [Said(cosine=0.01 * number, session=number) for number in range(50)]
    fit = Fit(replace(_talk(said), nearest=np.array([3, 30, 40], dtype=np.intp)), _asked())
    fit.candidates(2, NOBODY)
    assert fit.ranks()["vector"] == {40: 1, 30: 2}


def test_estimates_become_exact_before_candidates_are_compared() -> None:
    """A candidate whose cosine was an estimate has the same features, once it is exact, as if it had been so all along."""
    exact = [Said(cosine=0.1 + 0.02 * number, bm25=1.0, session=number) for number in range(20)]
    rough = [
        replace(item, cosine=item.cosine + 0.015) if at in (4, 11) else item for at, item in enumerate(exact)
    ]
    known = np.array([slot for slot in range(20) if slot not in (4, 11)], dtype=np.intp)
    fit = Fit(replace(_talk(rough), nearest=known), _asked())
    slots = fit.candidates(60, NOBODY)
    assert fit.estimated(slots).tolist() == [4, 11]
    fit.sharpen(fit.estimated(slots), np.array([exact[4].cosine, exact[11].cosine], np.float32))
    whole = Fit(_talk(exact), _asked())
    meaning = FEATURES.index("meaning")
    assert fit.values(slots)[:, meaning] == pytest.approx(whole.values(slots)[:, meaning], abs=0.01)
    assert fit.raw(4)[0] == pytest.approx(exact[4].cosine)


@given(st.lists(st.integers(0, 2**64 - 1), max_size=5), st.integers(0, 64))
def test_a_share_of_words(masks: list[int], words: int) -> None:
    """The share of all words is 1, of none 0, and a word more never lessens it."""
    idf: Floats = np.linspace(2.0, 0.1, words)
    held = np.array(masks, np.uint64)
    shares = share(held, idf)
    assert shares.shape == (len(masks),)
    assert (shares >= 0).all() and (shares <= 1 + 1e-12).all()
    if words:
        every = share(np.array([2**64 - 1], np.uint64), idf)
        assert every == pytest.approx([1.0])
        assert (share(held | np.uint64(1), idf) >= shares - 1e-12).all()


@pytest.mark.parametrize("size", [50, 1500, 5000, 60_000])
@pytest.mark.parametrize("count", [1, 3, 60, 400])
@pytest.mark.parametrize("seen", [0.001, 0.2, 1.0])
def test_the_best_slots_are_those_of_a_sort(size: int, count: int, seen: float) -> None:
    """However many slots there are, and however many are equal or unseen: the best, with up to as many equals of the last."""
    dice = np.random.default_rng(size + count)
    mask = dice.random(size) < seen
    for scores in (
        dice.random(size),
        dice.integers(0, 50, size) / 50,
        np.maximum(dice.standard_normal(size), 0),
    ):
        slots = np.flatnonzero(mask)
        held = np.sort(scores[slots])
        last = held[-count] if len(held) > count else -1.0
        better = slots[scores[slots] > last]
        equal = slots[scores[slots] == last][: 2 * count - len(better)]
        found = best_slots(scores.astype(np.float64), mask, count)
        assert sorted(found.tolist()) == sorted([*better.tolist(), *equal.tolist()])
