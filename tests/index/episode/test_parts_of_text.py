"""Parts of a text: nothing is lost, none is too long, and words stay whole."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from recollect.index.episode.parts_of_text import LONGEST, MOST, embedded_parts_of, parts_of

texts = st.lists(
    st.sampled_from(["tea", "Tea. ", "a\n\n", "b\n", " ", "お茶。", "x" * 900]), max_size=60
).map("".join)


@given(texts)
def test_nothing_is_lost(text: str) -> None:
    """The parts are the text but for blanks; there is always one, and none is longer than allowed."""
    parts = parts_of(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert parts and all(len(part) <= LONGEST for part in parts)


def test_a_short_text_is_its_own_part() -> None:
    """Most messages have one part: themselves."""
    assert parts_of("Hello there.") == ["Hello there."]
    assert parts_of(" ") == [" "]


def test_a_part_ends_where_something_ends() -> None:
    """Paragraphs before sentences, sentences before words, and a word is only cut when it alone is too long."""
    filler = "word " * (LONGEST // 8)
    assert parts_of(f"{filler}One.\n\nTwo. {filler}")[0].endswith("One.")
    assert parts_of(f"{filler}One. Two {filler}")[0].endswith("One.")
    assert all(part.split() == ["word"] * len(part.split()) for part in parts_of(filler * 3))
    assert parts_of("x" * (LONGEST + 5)) == ["x" * LONGEST, "x" * 5]


@given(st.integers(1, 60))
def test_a_very_long_text_is_embedded_in_part(count: int) -> None:
    """No more parts than allowed, in order and none twice; both ends are among them, and no wide gap is between them."""
    text = "".join(f"{number:04d} ".ljust(LONGEST, "x") for number in range(count))
    parts, chosen = parts_of(text), embedded_parts_of(text)
    assert len(chosen) == min(len(parts), MOST)
    places = [parts.index(part) for part in chosen]
    assert places == sorted(set(places))
    assert (places[0], places[-1]) == (0, len(parts) - 1)
    assert max((later - place for place, later in pairwise(places)), default=1) <= -(-len(parts) // 10) + 1
