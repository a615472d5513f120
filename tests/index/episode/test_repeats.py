"""Repeats: what says the same again is told apart from what only sounds like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.episode.repeats import repeats

LONG = (
    "we walked along the river in the early evening and talked about her plans for school while both our dogs ran"
    " far ahead through high wet grass"
)


@pytest.mark.parametrize(
    "again",
    [
        "good morning to you",
        "Good morning, to you!",
        "  GOOD morning\nto you… ",
        "“Good morning to you”",
    ],
)
def test_the_same_words_are_a_repeat(again: str) -> None:
    """Case, blanks and marks make no difference."""
    assert repeats(["Good morning to you.", again]) == [None, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I called her", "She called me"),
        ("We moved to Berlin", "We moved from Berlin"),
        ("I can do it", "I can't do it"),
        ("He likes C++", "He likes C#"),
        ("Room 12", "Room 21"),
        ("It costs 1.5", "It costs 15"),
        ("👍", "👎"),
        ("?", "!"),
        ("はい", "いいえ"),
        ("the dog bit the man", "the man bit the dog"),
        ("yes", "yes yes"),
        ("", "yes"),
    ],
)
def test_short_texts_that_differ_both_stay(one: str, other: str) -> None:
    """In a short text every word and its place counts."""
    assert repeats([one, other]) == [None, None]


PASSWORD = "My wifi password is swordfish."


@pytest.mark.parametrize(
    "again",
    [
        "My wifi password is swordfish. Thanks!",
        "Hi, my wifi password is swordfish",
        "My wi-fi password is swordfish",
        "My wifi password is swordfish now.",
        "By the way, my wifi password is swordfish, thank you so much!",
        "Good morning! Oh, my wifi password is swordfish, please",
    ],
)
def test_politeness_around_the_same_words_makes_no_other_text(again: str) -> None:
    """A greeting before, thanks behind and a hyphen within leave a short text the same."""
    assert repeats([PASSWORD, again]) == [None, 0]
    assert repeats([again, PASSWORD]) == [None, 0]


@pytest.mark.parametrize(
    "other",
    [
        "My wifi password is swordfish2",
        "My wifi password is swordfish 2, thanks",
        "My wifi password is not swordfish",
        "My wifi password was swordfish",
        "No, my wifi password is swordfish",
        "Hi Tom, my wifi password is swordfish",
        "My old wifi password is swordfish",
    ],
)
def test_a_word_that_tells_makes_another_text(other: str) -> None:
    """A number, a name, a negation or any other word keeps two short texts apart."""
    assert repeats([PASSWORD, other]) == [None, None]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Yes please", "Yes"), ("Thanks, ok", "ok thanks"), ("I sleep well here", "I sleep here"), ("I re-signed the contract", "I resigned the contract")],
)  # fmt: skip
def test_politeness_counts_where_it_is_all_or_stands_within(one: str, other: str) -> None:
    """Nothing is taken from a text of few words, nor from its middle."""
    assert repeats([one, other]) == [None, None]


def test_a_long_text_may_differ_a_little() -> None:
    """One word in ten of a long text may be another: a corrected typo."""
    assert repeats([LONG, LONG.replace("school", "shcool")]) == [None, 0]
    assert repeats([LONG, f"{LONG} again"]) == [None, 0]
    assert repeats([LONG, f"{LONG} again when nobody else was near"]) == [None, None]


@pytest.mark.parametrize("word", ["2019", "Anna", "not", "never", "didn't", "didn’t", "NASA"])
def test_a_number_a_name_or_a_negation_makes_another_text(word: str) -> None:
    """However long two texts are, they differ when a number, a name or a negation does."""
    assert repeats([LONG, LONG.replace("early", word)]) == [None, None]
    assert repeats([LONG.replace("early", word), LONG]) == [None, None]
    assert repeats([LONG, f"{LONG} {word}"]) == [None, None]


def test_a_repeat_points_at_the_first() -> None:
    """All repeats of a text name its first place, and none a repeat."""
    assert repeats(["a", "b", "a", "B", "c", "A."]) == [None, None, 0, 1, None, 0]
    assert repeats([]) == []


@given(st.lists(st.one_of(st.sampled_from(["yes", "no", LONG, f"{LONG} again", ""]), st.text()), max_size=8))
def test_repeats_of_any_texts(texts: list[str]) -> None:
    """A repeat points back to something new, the same text again is always a repeat, and the first never is."""
    found = repeats(texts)
    assert len(found) == len(texts)
    for place, first in enumerate(found):
        assert first is None or (first < place and found[first] is None)
    for text, again in zip(texts, repeats([*texts, *texts])[len(texts) :], strict=True):
        assert again is not None, text


_NEGATIONS = {"no", "not", "never", "none", "nor", "without", "cannot"}


def _plainly(texts: list[str]) -> list[int | None]:
    """Repeats by comparing every text with every new one before it, as the rule says it."""
    found: list[int | None] = []
    for place, text in enumerate(texts):
        earlier = (first for first in range(place) if found[first] is None)
        found.append(next((first for first in earlier if _alike(text, texts[first])), None))
    return found


def _alike(one: str, other: str) -> bool:
    low, written = one.casefold().split(), {word.casefold(): word for word in (one.split() + other.split())}
    other_low = other.casefold().split()
    shared, both = set(low) & set(other_low), set(low) | set(other_low)
    if low == other_low:
        return True
    if min(len(set(low)), len(set(other_low))) < 10 or 10 * len(shared) < 9 * len(both):
        return False
    words = [written[word] for word in both - shared]
    return not any(
        word.casefold() in _NEGATIONS or not word.islower() or not word.isalpha() for word in words
    )


_WORDS = LONG.split()
_OTHERS = ["again", "Again", "anna", "Anna", "not", "Not", "soon", "2019"]


@st.composite
def _variants(draw: st.DrawFn) -> str:
    """A part of a long text with a few other words in it."""
    words = _WORDS[: draw(st.integers(8, len(_WORDS)))]
    for _ in range(draw(st.integers(0, 3))):
        place, word = draw(st.integers(0, len(words))), draw(st.sampled_from(_OTHERS))
        words = [*words[:place], word, *words[place + draw(st.integers(0, 1)) :]]
    return " ".join(words)


@given(st.lists(_variants(), max_size=25))
def test_only_the_work_is_less(texts: list[str]) -> None:
    """What is found is what a comparison of every two texts finds."""
    assert repeats(texts) == _plainly(texts)


def test_an_equal_text_may_be_like_an_even_earlier_one() -> None:
    """A name that makes a text another one makes it none when it is written as a word; the first one alike counts."""
    texts = [LONG, LONG.replace("early", "Early"), LONG.replace("early", "warm")]
    changed = f"{LONG} Again"
    assert repeats([LONG, changed, changed.lower()]) == [None, None, 0]
    assert repeats(texts) == [None, 0, 0]


def test_what_comes_after_many_words_must_be_the_same() -> None:
    """Of a very long text 2,000 words may differ a little; no different end is taken for a repeat."""
    words = " ".join(f"w{chr(97 + number % 26)}{'x' * (number // 26)}" for number in range(2000))
    assert repeats([f"{words} one end", f"{words} one end ", f"{words} another end"]) == [None, 0, None]
    assert repeats([f"{words} one end", f"{words.replace('wb ', 'wbb ', 1)} one end"]) == [None, 0]


def test_an_apostrophe_of_either_kind_is_one() -> None:
    """Phones write another one than keyboards do."""
    assert repeats(["It\u2019s raining in the valley", "It's raining in the valley"]) == [None, 0]
