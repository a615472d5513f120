"""The budget of a context: how many tokens a caller allows, how they are shared, and how a text is cut to fit.

A rendered context never costs more than its budget. The shares are fixed parts of the budget and not of what is left, so that a
long question does not change what stands before it. Cut texts are counted with the tokenizer that is passed in, not estimated.
"""

from collections.abc import Callable
from dataclasses import dataclass

from recollect.errors import InvalidInput

#: Tokens. A smaller context could not hold a question and one pin (design 11.1).
MIN_BUDGET = 200
MAX_BUDGET = 1_000_000
DEFAULT_BUDGET = 8000

#: Tokens that a provider adds to each message for its role and delimiters.
MESSAGE_TOKENS = 4
#: Up to this share of the budget the sum of stored counts is used; above it the rendered texts are counted, because the
#: tokens of joined texts are not the sum of their parts.
TRUSTED_SHARE = 0.8

#: Shares of the budget that sections may take.
PROFILE_SHARE = 0.30
SPINE_SHARE = 0.10
IMPORTANT_SHARE = 0.10
#: Search results keep this share against older messages that are not folded yet.
RECALL_SHARE = 0.15
#: Memories get this part of the search results and messages the rest; each gets what the other does not need. Decided, not
#: measured: labelled messages cannot tell the value of a memory.
MEMORIES_SHARE = 0.5
#: The question keeps this share against pins that are not critical.
QUESTION_SHARE = 0.25

#: Characters in which a cut looks for the end of a word.
_LONGEST_WORD = 40
#: Tries per cut; each counts about `room` tokens.
_TRIES = 10
#: A cut that uses this share of its room is accepted.
_GOOD = 0.95

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """S1's limits on the conversation itself."""

    #: The last turns, always shown verbatim.
    raw_turns: int = 3
    #: Tokens of the brief and the recent messages together.
    prompt_budget: int = 3000
    #: Recent messages; the last turns are shown even if they have more.
    max_recent: int = 20


def check_budget(value: object, *, field: str = "budget") -> int:
    """Check the budget of a context: a whole number of tokens within the limits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{field} must be a whole number of tokens, not {str(value)[:40]!r}.", field=field)
    if not MIN_BUDGET <= value <= MAX_BUDGET:
        raise InvalidInput(
            f"{field} must be between {MIN_BUDGET} and {MAX_BUDGET} tokens, not {str(value)[:40]}.",
            field=field,
        )
    return value


def cut_middle(text: str, *, room: int, tokens: int, count: Count) -> str:
    """The beginning and the end of a text of `tokens` tokens with a mark between them; at worst the mark alone."""
    mark = f" [… about {max(tokens - room, 1)} tokens cut …] "

    def kept(size: int) -> str:
        head, end = text[: size - size // 2], text[len(text) - size // 2 :]
        return f"{head.rstrip()}{mark}{end.lstrip()}".strip()

    return _longest(kept, len(text), room=room, tokens=tokens, count=count)


def keep_end(text: str, *, room: int, tokens: int, count: Count) -> str:
    """The end of a text after a mark; at worst the mark alone."""

    def kept(size: int) -> str:
        start = len(text) - size
        if 0 < start < len(text) and not text[start - 1].isspace():
            # Not in the middle of a word, if blanks separate words.
            start += (text[start : start + _LONGEST_WORD].find(" ") + 1) if size > _LONGEST_WORD else 0
        return f"… {text[start:].lstrip()}".strip()

    return _longest(kept, len(text), room=room, tokens=tokens, count=count)


def _longest(kept: Callable[[int], str], length: int, *, room: int, tokens: int, count: Count) -> str:
    """The longest of these texts that fits, searched first by proportion and then by bisection."""
    fits, too_long = 0, length
    size = length * room // max(tokens, 1)
    for number in range(_TRIES):
        size = min(max(size, fits + 1), too_long - 1)
        if not fits < size < too_long:
            break
        cost = count(kept(size))
        if cost > room:
            too_long = size
        else:
            fits = size
            if cost >= room * _GOOD:
                break
        size = size * room // max(cost, 1) if number < _TRIES // 2 else (fits + too_long) // 2
    return kept(fits)
