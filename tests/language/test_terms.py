"""The analyser for full text."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import join

from recollect.language.terms import STOP_WORDS, term_hash, terms

ROWS: list[tuple[str, list[str]]] = [
    ("User prefers dark mode", ["user", "prefer", "dark", "mode"]),
    ("running runs runner", ["run", "run", "runner"]),
    ("Python 3.12+", ["python", "3.12"]),
    ("C++ and C# but C", ["c++", "c#", "c"]),
    (".NET and dotnet", ["dotnet", "net", "dotnet"]),
    ("Node.js", ["nodej", "node"]),
    ("nodejs", ["nodej"]),
    ("blah.chat", ["blah", "chat"]),
    ("dark_mode", ["dark", "mode"]),
    ("User's wife's O'Brien", ["user", "wife", "obrien"]),
    ("User\u2019s café", ["user", "cafe"]),
    ("ＡＣＭＥ Straße", ["acm", "strass"]),
    ("1,000,000 euros", ["1000000", "euro"]),
    ("555-1234", ["555", "1234"]),
    ("does not like", ["not", "like"]),
    ("the who", ["the", "who"]),
    ("Who am I?", ["who", "am", "i"]),
    ("東京", ["東", "京", "東京"]),
    ("iPhone東京", ["iphon", "東", "京", "東京"]),
    ("नरेंद्र मोदी", ["नरेंद्र", "मोदी"]),
    ("a\x00b \ud800x", ["b", "x"]),
    ("", []),
    ("?!", []),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_terms(text: str, expected: list[str]) -> None:
    """Words are folded, filtered and stemmed; names, versions and other scripts stay findable."""
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("nodejs", "User knows Node.js"),
        ("node", "User knows Node.js"),
        ("cafe", "User loves the Café"),
        ("編集者", "好きな編集者はVim"),
        ("編", "編集者"),
        ("JOHN", "john's birthday"),
        ("preferences", "User's preference"),
    ],
)
def test_a_query_meets_the_text_it_means(query: str, text: str) -> None:
    """Every term of the query is among the terms of the text."""
    assert set(terms(query)) <= set(terms(text))


def test_c_c_plus_plus_and_c_sharp_are_three_languages() -> None:
    """Signs that tell names apart are kept."""
    assert len({tuple(terms(name)) for name in ("C", "C++", "C#", "F#", ".NET")}) == 5


def test_negation_is_no_stop_word() -> None:
    """A query with "not" means it."""
    assert not {"not", "no", "never"} & STOP_WORDS


@given(st.text())
def test_any_text_has_terms_and_always_the_same(text: str) -> None:
    """No input crashes the analyser, and it is deterministic."""
    first = terms(text)
    assert first == terms(text)
    assert all(first) and all(len(term) <= 64 for term in first)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_case_does_not_matter(text: str) -> None:
    """Text in capitals has the terms of its own lower case."""
    assert terms(text.upper()) == terms(text.upper().lower()) or not text.isascii()


def test_hashes_are_stable() -> None:
    """The numbers in an index written today still mean the same terms tomorrow."""
    assert term_hash("123456789") == 0xCBF43926  # the published check value of CRC-32
    assert term_hash("") == 0
    assert 0 <= term_hash("\ud800") < 2**32


def test_threads_do_not_disturb_each_other() -> None:
    """Each thread stems for itself and gets the same terms."""
    text = "relational organisations preferring happily running generalisations"
    expected, seen = terms(text), list[list[str]]()
    threads = [
        threading.Thread(target=lambda: seen.extend(terms(text) for _ in range(200))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    join(*threads)
    assert seen == [expected] * 800


@pytest.mark.parametrize("piece", ["word ", "a", "'a", "1,", "1.", "a.", "é", "東", "\u0301", "\x00", "c++"])
def test_cost_grows_with_length_not_faster(piece: str) -> None:
    """Hostile repetition of half a million characters is done in seconds, not minutes."""
    started = time.perf_counter()
    terms(piece * (500_000 // len(piece)))
    assert time.perf_counter() - started < 5
