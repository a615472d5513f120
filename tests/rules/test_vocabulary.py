"""Domain terms, and whether a text uses one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.rules.vocabulary import MAX_TERM, parse_vocabulary

TERMS = """
# Comments and blank lines say nothing.
aspirin
X-ray     # so does what follows a term
heart attack
allergy
diagnosis
Crohn's
B12
œdème
Überdosis
過敏
"""


@pytest.mark.parametrize(
    "text",
    [
        "I took an aspirin.",
        "ASPIRIN!",
        "aspirins,aspirins",
        "(aspirin)",
        "two x-rays were made",
        "an X ray",
        "He had a heart attack",
        "heart   attacks\nrun in the family",
        "Heart-attack risk",
        "Her allergies got worse",
        "two diagnoses",
        "Crohn's disease",
        "Crohn\u2019s disease",
        "low B12",
        "un ŒDÈME",
        "u\u0308berdosis",
        "彼は過敏です",
        "\uff21\uff33\uff30\uff29\uff32\uff29\uff2e",
    ],
)
def test_a_term_is_found(text: str) -> None:
    """Case, width, punctuation, spacing and plurals do not matter."""
    assert parse_vocabulary(TERMS).occurs_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aspiring",
        "my heart is under attack",
        "attack heart",
        "raylike x",
        "comments say nothing",
        "heart",
        "過",
    ],
)
def test_what_is_no_term_is_not_found(text: str) -> None:
    """Only whole words in their order count, and comments are no terms."""
    assert not parse_vocabulary(TERMS).occurs_in(text)


def test_two_vocabularies_are_one() -> None:
    """Joined, the terms of both are found."""
    both = parse_vocabulary("aspirin\nheart attack") | parse_vocabulary("contract\nheart failure\n過敏")
    for text in ("aspirin", "heart attack", "a contract", "heart failure", "過敏"):
        assert both.occurs_in(text)
    assert not both.occurs_in("heart")


def test_an_empty_vocabulary_finds_nothing() -> None:
    """No terms, no find."""
    assert not parse_vocabulary("# nothing\n\n").occurs_in("aspirin")


@pytest.mark.parametrize("line", ["a" * (MAX_TERM + 1), "!!!"])
def test_what_is_no_term_is_refused(line: str) -> None:
    """A sentence or a line of signs is an error that names its line."""
    with pytest.raises(InvalidInput, match="line 2"):
        parse_vocabulary(f"aspirin\n{line}")


@given(
    st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=20),
    st.text(max_size=40),
)
def test_a_term_is_found_in_any_surroundings(term: str, rest: str) -> None:
    """Whatever stands around it, a term between blanks is found."""
    assert parse_vocabulary(term).occurs_in(f"{rest} {term} {rest}")


@pytest.mark.parametrize("piece", [" ", "heart ", "a", "heart\n\n", "-", "中"])
def test_hostile_lengths_end(piece: str) -> None:
    """200,000 characters of any shape are searched; what takes more than linear time would not end here."""
    assert not parse_vocabulary(TERMS).occurs_in((piece * 200_000)[:200_000])
