"""The budget: what is accepted, and how a text is cut to fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.encoder.tokens import count
from recollect.errors import InvalidInput
from recollect.rules.budget import (
    DEFAULT_BUDGET,
    MAX_BUDGET,
    MIN_BUDGET,
    Limits,
    check_budget,
    cut_middle,
    keep_end,
)
from recollect.settings import Settings

texts = st.builds(
    lambda parts, times: "".join(parts) * times,
    st.lists(st.sampled_from(["tea ", "绿茶", "🫖", "\n", "=====", "zqxj" * 9, " "]), min_size=1, max_size=6),
    st.integers(1, 60),
)


@pytest.mark.parametrize("value", [MIN_BUDGET - 1, 0, -1, MAX_BUDGET + 1, True, 8000.0, "8000", None])
def test_what_is_no_budget(value: object) -> None:
    """Anything but a whole number from 200 to a million is refused, and the error names the field."""
    with pytest.raises(InvalidInput) as refused:
        check_budget(value)
    assert refused.value.field == "budget"


@pytest.mark.parametrize("value", [MIN_BUDGET, DEFAULT_BUDGET, MAX_BUDGET])
def test_what_is_a_budget(value: int) -> None:
    """The smallest, the usual and the largest budget are accepted as they are."""
    assert check_budget(value) == value


def test_the_limits_are_the_settings() -> None:
    """The limits have the defaults of the settings they are made from."""
    settings = Settings()
    assert (Limits().raw_turns, Limits().prompt_budget) == (settings.raw_turns, settings.prompt_token_budget)


@given(texts, st.integers(16, 200))
def test_a_cut_text_fits_and_shows_its_ends(text: str, room: int) -> None:
    """What is cut in its middle fits its room, says so, and begins and ends like the whole."""
    tokens = count(text)
    if tokens <= room:
        return
    cut = cut_middle(text, room=room, tokens=tokens, count=count)
    head, mark, end = cut.partition(f"[… about {tokens - room} tokens cut …]")
    assert mark and count(cut) <= room
    assert text.strip().startswith(head.strip()) and text.strip().endswith(end.strip())


def test_a_cut_uses_its_room() -> None:
    """A long text keeps most of the room that it was given."""
    text = "The kettle sings on the stove. " * 2000
    for cut in (cut_middle, keep_end):
        assert 450 <= count(cut(text, room=500, tokens=count(text), count=count)) <= 500


@given(texts, st.integers(8, 200))
def test_the_end_is_kept(text: str, room: int) -> None:
    """What keeps its end fits, begins with a mark, and ends like the whole."""
    tokens = count(text)
    if tokens <= room:
        return
    cut = keep_end(text, room=room, tokens=tokens, count=count)
    assert cut.startswith("…") and count(cut) <= room
    assert text.rstrip().endswith(cut[1:].strip())


def test_no_room_leaves_the_mark() -> None:
    """With no room at all only the mark is left."""
    assert cut_middle("tea " * 50, room=0, tokens=50, count=count) == "[… about 50 tokens cut …]"
    assert keep_end("tea " * 50, room=0, tokens=50, count=count) == "…"
