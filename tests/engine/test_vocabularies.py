"""Reading the vocabularies."""

from pathlib import Path

import pytest

from recollect import Settings
from recollect.engine.vocabularies import MAX_BYTES, load
from recollect.errors import InvalidInput


@pytest.mark.parametrize(
    "text",
    [
        "What time for evening meds?",
        "He takes Metformin",
        "her blood pressure",
        "allergies",
        "two X-rays",
        "A1C: 7.2%",
    ],
)
def test_medical_terms_are_in_the_package(text: str) -> None:
    """Without a setting the medical terms are known."""
    assert load(Settings()).occurs_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had a great day at the beach",
        "Please be patient with me",
        "a stroke of luck",
        "The train is late",
        "cold beer",
    ],
)
def test_everyday_words_are_no_medical_terms(text: str) -> None:
    """Words that mostly mean something else were left out."""
    assert not load(Settings()).occurs_in(text)


def test_own_terms_come_on_top(tmp_path: Path) -> None:
    """A deployment's file adds to the medical terms."""
    own = tmp_path / "terms.txt"
    own.write_text("# law\nplaintiff\nforce majeure\n", "utf-8")
    vocabulary = load(Settings(vocabulary=str(own)))
    assert vocabulary.occurs_in("The plaintiffs")
    assert vocabulary.occurs_in("Force Majeure clause")
    assert vocabulary.occurs_in("metformin")


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A missing, foreign, huge or malformed file is an error that names the variable."""
    binary, long_line, huge = tmp_path / "binary", tmp_path / "long", tmp_path / "huge"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    long_line.write_text("x" * 500, "utf-8")
    huge.write_bytes(b"\n" * (MAX_BYTES + 1))
    for path in (tmp_path / "missing", tmp_path, binary, long_line, huge, "nul\0byte"):
        with pytest.raises(InvalidInput, match="RECOLLECT_VOCABULARY") as raised:
            load(Settings(vocabulary=str(path)))
        assert raised.value.field == "RECOLLECT_VOCABULARY"
