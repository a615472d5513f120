"""BM25, against a plain implementation of its formula."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index import postings
from recollect.index.postings import BITS, K1, WORTH_SORTING, B, Postings, pack
from recollect.language.terms import terms
from recollect.language.word_forms import forms

WORDS = ["garden", "bees", "honey", "rome", "train", "coffee", "guitar", "winter", "eat", "ate", "eaten"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=25)


def plain_bm25(texts: list[str], alive: list[bool], query: list[str]) -> list[float]:
    """BM25 as the textbook has it, over the living texts, divided by the best an average text can reach.

    Forms of one word count as that word.
    """
    query = [forms(word)[0] for word in query]
    counted = [Counter(forms(word)[0] for word in terms(text)) for text in texts]
    living = [counts for counts, lives in zip(counted, alive, strict=True) if lives]
    average = sum(sum(counts.values()) for counts in living) / len(living) or 1.0
    scores = [0.0] * len(texts)
    best = 0.0
    for word in set(query):
        holding = sum(word in counts for counts in living)
        idf = math.log(1 + (len(living) - holding + 0.5) / (holding + 0.5))
        best += idf
        for slot, counts in enumerate(counted):
            length = sum(counts.values())
            damping = K1 * (1 - B + B * length / average)
            scores[slot] += idf * counts[word] * (K1 + 1) / (counts[word] + damping)
    return [score / best for score in scores] if best else scores


@pytest.mark.parametrize("sort_cost", [0, 600])
@given(
    data=st.data(), texts=TEXTS, query=st.lists(st.sampled_from([*WORDS, "unknown"]), min_size=1, max_size=5)
)
def test_scores_equal_the_formula(
    sort_cost: int, data: st.DataObject, texts: list[str], query: list[str]
) -> None:
    """Added in any portions, with any of them dead, sorted in or not: every score is the textbook's."""
    alive = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    alive[data.draw(st.integers(0, len(texts) - 1))] = True
    words = [word for text in query for word in terms(text)]
    held = Postings()
    usual, postings.SORT_COST = postings.SORT_COST, sort_cost
    try:
        position = 0
        while position < len(texts):
            size = data.draw(st.integers(1, len(texts)))
            held.extend([pack(text) for text in texts[position : position + size]])
            position += size
            # A look between two additions is what makes sorting happen at different moments.
            held.scores(
                words, np.ones(len(held.lengths), dtype=np.bool_), total=len(held.lengths), average=1.0
            )
        mask = np.array(alive)
        average = float(held.lengths[mask].mean()) or 1.0
        found = held.scores(words, mask, total=int(mask.sum()), average=average)
    finally:
        postings.SORT_COST = usual
    assert np.allclose(found, plain_bm25(texts, alive, words), rtol=1e-5, atol=1e-7)


def test_no_words_no_scores() -> None:
    """A query without words, or an index without texts, scores nothing."""
    held = Postings()
    held.extend([pack("bees and honey")])
    alive = np.ones(1, dtype=np.bool_)
    assert held.scores([], alive, total=1, average=2.0).tolist() == [0.0]
    assert held.scores(["bee"], alive, total=0, average=2.0).tolist() == [0.0]


@given(data=st.data(), texts=TEXTS, query=st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=8))
def test_presence_says_which_words_a_text_holds(
    data: st.DataObject, texts: list[str], query: list[str]
) -> None:
    """A bit is set exactly where the word is, and each bit's weight is the word's idf among the living."""
    alive = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    asked = [word for text in query for word in terms(text)]
    held = Postings()
    held.extend([pack(text) for text in texts])
    masks, idf = held.presence(asked, np.array(alive), total=sum(alive))
    words = {forms(word)[0] for word in asked}
    stems = [{forms(word)[0] for word in terms(text)} for text in texts]
    living = [one for one, lives in zip(stems, alive, strict=True) if lives]
    weight = {
        word: math.log1p((len(living) - n + 0.5) / (n + 0.5))
        for word in words
        for n in [sum(word in one for one in living)]
    }
    assert np.allclose(idf, sorted(weight.values(), reverse=True))
    for slot, one in enumerate(stems):
        bits = [bit for bit in range(len(idf)) if int(masks[slot]) >> bit & 1]
        assert np.allclose(sorted(idf[bits]), sorted(weight[word] for word in words & one))


@given(texts=TEXTS, query=st.frozensets(st.sampled_from([*WORDS, "unknown"])), known=st.integers(0, 9))
def test_holding_says_which_texts_hold_any_word(texts: list[str], query: frozenset[str], known: int) -> None:
    """Sorted in or not: exactly the texts that hold one of the words."""
    words = frozenset(word for text in query for word in terms(text))
    held = Postings()
    held.extend([pack(text) for text in texts[:known]])
    held._sort()
    held.extend([pack(text) for text in texts[known:]])
    assert held.holding(words).tolist() == [not words.isdisjoint(terms(text)) for text in texts]


def test_what_was_read_is_sorted_at_once() -> None:
    """Settling changes no score, whether the words are many enough to be sorted or not, and more may come after it."""
    texts = [f"bees w{number} w{number + 1} honey" for number in range(WORTH_SORTING // 3)]
    usual, settled = Postings(), Postings()
    for held in (usual, settled):
        for start in range(0, len(texts), 2500):
            held.extend([pack(text) for text in texts[start : start + 2500]])
            if held is settled:
                held.settle()
        held.extend([pack("late bees")])
    alive = np.ones(len(texts) + 1, dtype=np.bool_)
    for words in (["bee", "w77"], ["late", "honey"]):
        scores = [held.scores(words, alive, total=len(alive), average=4.0) for held in (usual, settled)]
        assert np.array_equal(*scores) and scores[0].any()


def test_of_many_words_the_rarest_have_a_bit() -> None:
    """Of more words than bits the commonest are left out."""
    common = [f"common{number}" for number in range(10)]
    rare = [f"rare{number}" for number in range(BITS)]
    held = Postings()
    held.extend([pack(" ".join([*common, *rare])), pack(" ".join(common))])
    words = [word for text in (*common, *rare) for word in terms(text)]
    masks, idf = held.presence(words, np.ones(2, dtype=np.bool_), total=2)
    assert masks.tolist() == [2**BITS - 1, 0] and len(idf) == BITS


def test_a_text_without_words_is_stored_as_nothing() -> None:
    """Punctuation alone has no words and costs no byte."""
    assert pack("… !!") == b""
