"""The transcript: turns as a model reads them, in S1's form, and safe to stand between delimiters.

What was said stays as it was said, line breaks included, unless it would forge the form: no text can spell a delimiter or
begin a line with a speaker's or a turn's label. It does not know what the transcript is for. Escaping everything on one
line was rejected: code, lists and verses are half their line breaks.
"""

import re
from collections.abc import Sequence

from recollect.records.turn import SPEAKERS, Turn

#: Characters of one message, about 6,000 tokens; the beginning and the end say most.
MAX_MESSAGE = 24_000
#: Characters of a transcript that need not be complete, about 12,000 tokens: what small contexts still hold.
MAX_TRANSCRIPT = 48_000

_DELIMITER = re.compile(r"={3,}")
#: Signs, numbers and invisible characters before a label do not make it harmless, nor does a remark behind it.
_LABEL = re.compile(
    rf"[\W_]*(?:\d+[\W_]*)?(?:turn[\s_]*\d+|{'|'.join(SPEAKERS.values())})[\s*_]*(?:\([^\n)]*\)[\s*_]*)?[:：]",
    re.IGNORECASE,
)


def transcript(turns: Sequence[Turn]) -> str:
    """Every turn, numbered, with a blank line between."""
    return "\n\n".join(_turn(number, turn) for number, turn in enumerate(turns, 1))


def shortened(turns: Sequence[Turn], limit: int = MAX_TRANSCRIPT) -> str:
    """The same within a length: the first turn and as many of the last as fit, and how many are left out."""
    texts = [_turn(number, turn) for number, turn in enumerate(turns, 1)]
    first = texts[:1]
    room = limit - sum(map(len, first))
    last: list[str] = []
    for text in reversed(texts[1:]):
        room -= len(text) + 2
        if room < 0 and last:
            break
        last.insert(0, text)
    left_out = len(texts) - len(first) - len(last)
    return "\n\n".join([*first, *([f"[… {left_out} turns left out …]"] if left_out else []), *last])


def escaped(text: str) -> str:
    """A text that cannot spell a delimiter; its lines stay as they are."""
    return _DELIMITER.sub(lambda found: " ".join(found.group()), "\n".join(text.splitlines()).strip())


def said(text: str, limit: int = MAX_MESSAGE) -> str:
    """One message after its label: lines that look like labels are quoted as in a letter."""
    first, *rest = escaped(_cut(text, limit)).split("\n")
    return "\n".join([first, *(f"> {line}" if _LABEL.match(line) else line for line in rest)])


def _turn(number: int, turn: Turn) -> str:
    lines = (f"{SPEAKERS[message.role]}: {said(message.text)}" for message in turn.messages)
    return "\n".join((f"Turn {number}:", *lines))


def _cut(text: str, limit: int) -> str:
    """A long message without its middle, and with a mark where it was."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
