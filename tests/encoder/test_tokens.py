"""Token counts against numbers that are known for o200k_base."""

# pyright: reportPrivateUsage=false

import base64
import hashlib
import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import join

from recollect.encoder import tokens

#: sha256 of the published o200k_base.tiktoken, from tiktoken's own source.
PUBLISHED = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", []),
        ("hello world", [24912, 2375]),
        ("tiktoken is great!", [83, 8251, 2488, 382, 2212, 0]),
        ("antidisestablishmentarianism", [493, 129901, 376, 160388, 21203, 2367]),
        ("2 + 2 = 4", [17, 659, 220, 17, 314, 220, 19]),
        ("お誕生日おめでとう", [8930, 9697, 243, 128225, 8930, 17693, 4344, 48669]),
    ],
)
def test_known_texts_have_their_published_ids(text: str, ids: list[int]) -> None:
    """Texts whose ids OpenAI has published are encoded and counted exactly so."""
    assert tokens._encoding().encode_ordinary(text) == ids
    assert tokens.count(text) == len(ids)


def test_the_vocabulary_is_the_published_one() -> None:
    """The compact file holds, byte for byte, what tiktoken would download."""
    encoding = tokens._encoding()
    size = int.from_bytes(tokens._VOCABULARY.read_bytes()[:4], "little")
    lines = (
        base64.b64encode(encoding.decode_single_token_bytes(rank)) + f" {rank}\n".encode()
        for rank in range(size)
    )
    assert hashlib.sha256(b"".join(lines)).hexdigest() == PUBLISHED


def test_special_marks_are_ordinary_text() -> None:
    """A text cannot shrink its own count by spelling a special token."""
    assert tokens.count("<|endoftext|>") == 7
    assert tokens.count("<|endofprompt|>") > 1


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_can_be_counted(text: str) -> None:
    """No text crashes the counter, lone surrogates included, and no token is less than a byte."""
    size = len(text.encode("utf-8", "surrogatepass"))
    assert (size > 0) <= tokens.count(text) <= size


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    """What cannot be encoded is counted as the sign that will stand for it."""
    assert tokens.count("a\ud800b") == tokens.count("a\ufffdb")


@pytest.mark.parametrize(
    "unit", ["a", " ", "\t \u3000", "\n", "!", "=", "1", "A", "😀", "\u0301", "\u200d", "'", " \n"]
)
def test_a_megabyte_of_repetition_is_counted(unit: str) -> None:
    """No repeated sign makes a large text fatal; one that took quadratic time would never end here."""
    text = unit * (1_200_000 // len(unit.encode()))
    assert 0 < tokens.count(text) <= len(text.encode())


def test_a_megabyte_of_random_letters_is_counted() -> None:
    """A long text without a blank stays linear."""
    text = "".join(random.Random(3).choices("abcdefghijklmnopqrstuvwxyzABCDEFGH+/", k=1_000_000))
    assert tokens.count(text) > 300_000


def test_long_texts_are_counted_whole() -> None:
    """A large text with ordinary blanks is counted exactly, not in parts."""
    text = "The quick brown fox  jumps\n\nover the lazy dog. " * 20_000
    assert len(text) > tokens.MAX_BLANKS
    assert tokens.count(text) == len(tokens._encoding().encode_ordinary(text))


@pytest.mark.parametrize("blanks", [400_000, 400_001, 800_001])
def test_counting_in_parts_is_off_by_a_few_at_most(blanks: int) -> None:
    """Where a run of blanks is cut, the count stays within two tokens a cut of the exact one."""
    text = "before" + " " * blanks + "after"
    exact = len(tokens._encoding().encode_ordinary(text))
    cuts = (blanks - 1) // tokens.MAX_BLANKS
    assert abs(tokens.count(text) - exact) <= 2 * cuts
    assert "".join(tokens._parts(text)) == text


def test_threads_may_count_at_once() -> None:
    """The first count may come from many threads; all get the same answer."""
    tokens._encoding.cache_clear()
    tokens._count_again.cache_clear()
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(tokens.count("hello world"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    join(*threads)
    assert found == [2] * 8
    assert tokens._encoding.cache_info().misses == 1
