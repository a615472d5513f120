"""Exact token counts in o200k_base, offline.

`tiktoken` counts; the vocabulary comes from the package, because tiktoken alone would download it. Marks such as
`<|endoftext|>` are counted as ordinary text. Dividing characters by four would be too inexact, because budgets are guarantees.
"""

import re
import threading
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

_VOCABULARY = Path(__file__).parent / "data" / "o200k_base.zlib"

_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
#: How o200k_base splits a text before merging, as published with tiktoken.
_SPLIT = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_ENDING}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_ENDING}"
    r"|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+"
    r"|\s+(?!\S)"
    r"|\s+"
)

#: Adjacent blanks that are counted in one go. tiktoken's splitter panics near a million; every
#: other repetition stays linear (1 MB of anything: under 0.6 s).
MAX_BLANKS = 400_000

#: Lengths of texts with cached counts: many of the length of a line, some of the length of a brief.
_SHORT = 1000
_LONG = 20_000
_BLANKS = re.compile(r"\s+")
_loading = threading.Lock()


def count(text: str) -> int:
    """The number of o200k_base tokens in `text`.

    Exact, but for runs of more than `MAX_BLANKS` blanks: those are counted in parts, which can differ from
    the whole by a few tokens per part. A lone surrogate counts as the replacement character.
    """
    if len(text) <= _SHORT:
        return _count_again(text)
    return _count_long(text) if len(text) <= _LONG else _count(text)


@lru_cache(maxsize=8192)
def _count_again(text: str) -> int:
    """Cached, because context after context has the same lines."""
    return _count(text)


@lru_cache(maxsize=128)
def _count_long(text: str) -> int:
    """Cached, because each context of a chat contains its brief."""
    return _count(text)


def _count(text: str) -> int:
    with _loading:
        encoding = _encoding()
    if len(text) <= MAX_BLANKS:
        return len(encoding.encode_ordinary(text))
    return sum(len(encoding.encode_ordinary(part)) for part in _parts(text))


def is_loaded() -> bool:
    """Whether counting is immediate; the first count reads the vocabulary."""
    return _encoding.cache_info().currsize > 0


def _parts(text: str) -> Iterator[str]:
    """The text, cut inside runs of blanks that are too long."""
    start = 0
    for run in _BLANKS.finditer(text):
        for end in range(run.start() + MAX_BLANKS, run.end(), MAX_BLANKS):
            yield text[start:end]
            start = end
    yield text[start:]


@cache
def _encoding() -> "Encoding":
    """Read the compact vocabulary (see tools/build_tokens.py) and build the encoder; 0.2 s, once."""
    # Deferred: tiktoken is heavy, and most processes never count.
    from tiktoken import Encoding

    packed = _VOCABULARY.read_bytes()
    size = int.from_bytes(packed[:4], "little")
    tokens = zlib.decompress(packed[4:])
    ranks: dict[bytes, int] = {}
    start = size
    for rank in range(size):
        end = start + tokens[rank]
        ranks[tokens[start:end]] = rank
        start = end
    encoding = Encoding("o200k_base", pat_str=_SPLIT, mergeable_ranks=ranks, special_tokens={})
    # The encoder has its own copy; this one would keep 20 MB for nothing.
    ranks.clear()
    return encoding
