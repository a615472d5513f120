"""What cannot be seen is taken out, and nothing else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.invisible import visible
from recollect.rules.draft import Request, compose


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("I l\u200bive in Os\u200blo", "I live in Oslo"),
        ("User likes \x1b[31mred\x1b[0m wine\x07", "User likes red wine"),
        ("\x1b]0;title\x07User likes tea", "User likes tea"),
        ("User\u202e likes\u2066 tea\u00ad\ufeff", "User likes tea"),
        ("tea\u200dcup and te\u200ca", "teacup and tea"),
        ("harmless\U000e0049\U000e0067 text", "harmless text"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ],
)
def test_hidden_characters_go(text: str, seen: str) -> None:
    """Controls, escapes and format characters go; lines and tabs stay."""
    assert visible(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "Family \U0001f468\u200d\U0001f469\u200d\U0001f467, heart \u2764\ufe0f\u200d\U0001f525",
        "England \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "کاربر می\u200cخواهد",
        "क्\u200dष",
        "naïve 我住在上海",
    ],
)
def test_what_spells_a_word_stays(text: str) -> None:
    """Joiners of scripts and emoji, and the tags of a flag, are letters there."""
    assert visible(text) == text


@given(st.text())
def test_what_is_left_is_part_of_the_text(text: str) -> None:
    """Nothing is added, no letter is lost that no escape sequence holds, and a second look finds no control."""
    seen = visible(text)
    assert not any(unicodedata.category(char) == "Cc" and char not in "\t\n\r" for char in seen)
    if "\x1b" not in text and "\x9b" not in text:
        shown = [char for char in text if unicodedata.category(char) not in ("Cc", "Cf")]
        assert [char for char in seen if unicodedata.category(char) not in ("Cc", "Cf")] == shown


def test_a_memory_is_written_without_them() -> None:
    """The content has no hidden characters; a text that hid words is flagged all the same."""
    assert compose(Request(content="I l\u200bive in Os\u200blo"), {}).content == "User lives in Oslo"
    assert compose(Request(content="I live in \x1b[1mOslo\x07"), {}).content == "User lives in Oslo"
    hidden = compose(Request(content="I live in Oslo\U000e0049\U000e0067\U000e006e"), {})
    assert (hidden.content, hidden.flagged) == ("User lives in Oslo", True)
