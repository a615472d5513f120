"""Where a text may be taken apart or cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.sentence import LONGEST, Kind, cut_at_sentence, sentences, shorten


def _words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith gave him 3.5 mg. He is fine.", ["Dr. Smith gave him 3.5 mg.", "He is fine."]),
        ("I like fruit, e.g. pears. And nuts!", ["I like fruit, e.g. pears.", "And nuts!"]),
        ("i took my meds. now i sleep", ["i took my meds.", "now i sleep"]),
        ("Well... maybe not. Really?", ["Well... maybe not.", "Really?"]),
        ("Am 3. Mai fahren wir. Er ist 78.", ["Am 3. Mai fahren wir.", "Er ist 78."]),
        ("Born in 1990. My wife too.", ["Born in 1990.", "My wife too."]),
        ("John F. Kennedy spoke. He left.", ["John F. Kennedy spoke.", "He left."]),
        ('"Really?" she asked. Yes.', ['"Really?" she asked.', "Yes."]),
        ("父は糖尿病です。薬は？はい", ["父は糖尿病です。", "薬は？", "はい"]),
        ("It starts at 9 a.m. on Monday. Bring tea.", ["It starts at 9 a.m. on Monday.", "Bring tea."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    """Abbreviations, decimals, initials, ordinals and quotations do not end a sentence; wide stops do."""
    assert [piece.text for piece in sentences(text)] == expected


def test_lists_headings_and_code_come_apart() -> None:
    """A message of a model is prose, headings, items and code, each for itself and without marks."""
    text = "Plan:\n## Setup\n1. **Install** it. Then run.\n- [docs](http://a.b/c)\n```py\nx = 1. y\n```\n| a | b |\nDone."
    assert [(piece.kind, piece.text) for piece in sentences(text)] == [
        (Kind.PROSE, "Plan:"),
        (Kind.HEADING, "Setup"),
        (Kind.ITEM, "Install it."),
        (Kind.ITEM, "Then run."),
        (Kind.ITEM, "docs"),
        (Kind.CODE, "```py\nx = 1. y\n```"),
        (Kind.CODE, "| a | b |"),
        (Kind.PROSE, "Done."),
    ]


def test_a_wrapped_line_goes_on() -> None:
    """A long line that does not end is continued by one in lower case, and by nothing else."""
    text = "This is a line that a mail program has wrapped at some place\nand it goes on.\nNew"
    assert [piece.text for piece in sentences(text)] == [
        "This is a line that a mail program has wrapped at some place and it goes on.",
        "New",
    ]


def test_speech_without_stops_is_cut_between_clauses() -> None:
    """Nobody's sentence is longer than the limit, and no word is lost."""
    text = "so my dad went out and then he came back " * 60
    pieces = [piece.text for piece in sentences(text)]
    assert max(map(len, pieces)) <= LONGEST
    assert " ".join(pieces).split() == text.split()


def test_code_that_is_never_closed_is_code_to_the_end() -> None:
    """An open fence does not turn the rest into prose."""
    assert [piece.kind for piece in sentences("Look:\n```\na. b. c.")] == [Kind.PROSE, Kind.CODE]


@pytest.mark.parametrize(
    ("cap", "expected"),
    [
        (6, "One two three. Four five six."),
        (5, "One two three."),
        (2, "One two"),
        (0, ""),
        (99, "One two three. Four five six. Seven"),
    ],
)
def test_a_text_is_cut_at_a_sentence_then_at_a_word(cap: int, expected: str) -> None:
    """The longest beginning within the cap ends with a sentence, or with a word when not even one fits."""
    assert cut_at_sentence("One two three. Four five six. Seven", cap, _words) == expected


def test_a_text_without_words_is_cut_anywhere() -> None:
    """One endless word is better cut than lost."""
    assert cut_at_sentence("abcdef", 3, len) == "abc"


@given(st.text(max_size=400), st.integers(0, 60))
def test_a_cut_is_a_beginning_within_the_cap(text: str, cap: int) -> None:
    """Whatever the text, the cut is its beginning and never longer than allowed."""
    cut = cut_at_sentence(text, cap, len)
    assert text.strip().startswith(cut)
    assert len(cut) <= cap


@given(st.text(max_size=600))
def test_no_letter_of_prose_is_lost(text: str) -> None:
    """Splitting drops marks and blanks, never a letter or a digit, but for code fences and list marks."""
    plain = "".join(char for char in text if char.isalpha())
    kept = "".join(char for piece in sentences(plain) for char in piece.text)
    assert kept == plain


def test_shortening_ends_with_a_word() -> None:
    """What is cut says so."""
    assert shorten("one two three four", 12) == "one two\u2026"
    assert shorten("short", 12) == "short"
