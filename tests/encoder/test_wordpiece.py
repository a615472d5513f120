"""WordPiece against ids that the reference tokenizer gave (wordpiece_golden.json)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recollect.encoder
from recollect.encoder.wordpiece import WordPiece

HERE = Path(__file__).parent
GOLDEN: list[tuple[str, list[int]]] = [
    (case["text"], case["ids"])
    for case in json.loads((HERE / "wordpiece_golden.json").read_text(encoding="utf-8"))
]
WORDPIECE = WordPiece.read(Path(recollect.encoder.__file__).parent / "data" / "vocab.txt")
UNKNOWN = 100


@pytest.mark.parametrize(("text", "ids"), GOLDEN)
def test_ids_are_those_of_the_reference(text: str, ids: list[int]) -> None:
    """A text gets exactly the ids that the reference tokenizer gives it."""
    assert WORDPIECE.encode(text) == ids


def test_frame_pieces_have_their_known_ids() -> None:
    """[CLS] is 101 and [SEP] is 102 in BERT's uncased vocabulary."""
    assert (WORDPIECE.cls, WORDPIECE.sep) == (101, 102)


def test_written_control_pieces_are_ordinary_text() -> None:
    """A text that spells [SEP] or [PAD] cannot put those pieces into the model."""
    ids = WORDPIECE.encode("one [SEP] two [PAD] three [CLS] four [MASK]")
    assert not {0, 101, 102, 103} & set(ids)
    assert WORDPIECE.encode("[") + WORDPIECE.encode("sep") == ids[1:3]


def test_lone_surrogates_and_nuls_vanish() -> None:
    """Characters that are no text are dropped and do not split a word."""
    assert WORDPIECE.encode("hel\ud800lo\0 wor\udfffld") == WORDPIECE.encode("hello world")


def test_a_word_is_unknown_only_beyond_a_hundred_characters() -> None:
    """The hundredth character still makes pieces; the hundred-and-first makes one [UNK]."""
    assert UNKNOWN not in WORDPIECE.encode("x" * 100)
    assert WORDPIECE.encode("x" * 101) == [UNKNOWN]


def test_case_and_accents_do_not_matter() -> None:
    """Words that differ in case or accents only share their ids."""
    assert WORDPIECE.encode("RÉSUMÉ Müller") == WORDPIECE.encode("resume muller")


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_has_ids_inside_the_vocabulary(text: str) -> None:
    """No text crashes the tokenizer or yields padding."""
    assert all(0 < number < 30_522 for number in WORDPIECE.encode(text))


@given(st.text(), st.text())
def test_a_blank_separates_completely(left: str, right: str) -> None:
    """Two texts joined by a blank have the ids of the one, then of the other."""
    assert WORDPIECE.encode(f"{left} {right}") == WORDPIECE.encode(left) + WORDPIECE.encode(right)
