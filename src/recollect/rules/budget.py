"""The budget of a context: how many tokens a caller allows, how they are shared, and how a text is cut to fit.

The budget is a law: a rendered context never costs more. The shares below are fixed parts of the budget, not "what is
left", so that a long question does not change what stands before it. This module knows no tokenizer (`count` is passed
in) and no section. Cutting by characters per token was rejected: what is cut is counted.
"""

from collections.abc import Callable
from dataclasses import dataclass

from recollect.errors import InvalidInput

#: Tokens. Below this a context could not even hold a question and one pin (design 11.1).
MIN_BUDGET = 200
MAX_BUDGET = 1_000_000
DEFAULT_BUDGET = 8000

#: Tokens that a provider adds to each message for its role and its ends.
MESSAGE_TOKENS = 4
#: Up to this share of the budget the sum of stored counts is trusted; above it the rendered texts are counted, because
#: tokens of joined texts are not the sum of their parts.
TRUSTED_SHARE = 0.8

#: Shares of the budget that sections may take, whatever else there is.
PROFILE_SHARE = 0.30
SPINE_SHARE = 0.10
IMPORTANT_SHARE = 0.10
#: What the query brought keeps this share against older messages that are not folded yet.
RECALL_SHARE = 0.15
#: Of what the query brings, memories have this part and episodes the rest; what one of them does not need, the other gets.
#: Decided, not measured: labels of messages cannot say what a memory is worth.
MEMORIES_SHARE = 0.5
#: The question keeps this share against pins that are not critical.
QUESTION_SHARE = 0.25

#: Characters within which a cut looks for the end of a word.
_LONGEST_WORD = 40
#: How often a cut is tried; each try counts about `room` tokens.
_TRIES = 10
#: A cut that uses this share of its room is good enough.
_GOOD = 0.95

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """S1's limits on the conversation itself."""

    #: Turns at the end that are always shown verbatim.
    raw_turns: int = 3
    #: Tokens of the brief and the recent messages together.
    prompt_budget: int = 3000
    #: Messages; the last turns are shown even when they hold more.
    max_recent: int = 20


def check_budget(value: object) -> int:
    """A whole number of tokens that a context can live with."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(
            f"budget must be a whole number of tokens, not {str(value)[:40]!r}.", field="budget"
        )
    if not MIN_BUDGET <= value <= MAX_BUDGET:
        raise InvalidInput(
            f"budget must be between {MIN_BUDGET} and {MAX_BUDGET} tokens, not {str(value)[:40]}.",
            field="budget",
        )
    return value


def cut_middle(text: str, *, room: int, tokens: int, count: Count) -> str:
    """Beginning and end of a text of so many tokens, with a visible mark between them; the mark alone at worst."""
    mark = f" [… about {max(tokens - room, 1)} tokens cut …] "

    def kept(size: int) -> str:
        head, end = text[: size - size // 2], text[len(text) - size // 2 :]
        return f"{head.rstrip()}{mark}{end.lstrip()}".strip()

    return _longest(kept, len(text), room=room, tokens=tokens, count=count)


def keep_end(text: str, *, room: int, tokens: int, count: Count) -> str:
    """The end of a text after a visible mark; the mark alone at worst."""

    def kept(size: int) -> str:
        start = len(text) - size
        if 0 < start < len(text) and not text[start - 1].isspace():
            # Not in the middle of a word, where words are parted by blanks.
            start += (text[start : start + _LONGEST_WORD].find(" ") + 1) if size > _LONGEST_WORD else 0
        return f"… {text[start:].lstrip()}".strip()

    return _longest(kept, len(text), room=room, tokens=tokens, count=count)


def _longest(kept: Callable[[int], str], length: int, *, room: int, tokens: int, count: Count) -> str:
    """The longest of these texts that fits, found by proportion first and by halving then."""
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
