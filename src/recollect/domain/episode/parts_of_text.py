"""Parts of a text: a long message is embedded in pieces, so that each says one thing and none is cut off by a model.

A part ends where a paragraph, a sentence or at least a word ends. Together the parts are the text, but for blanks at
their ends. It knows no model and counts characters, not tokens: a limit below what any model reads needs no tokenizer.
"""

#: Characters of a part. Most messages are one: the mean of a whole message finds it better than its best paragraph does
#: (benchmarks/recall.py); only what is longer than a long answer is cut.
LONGEST = 4000
#: Where a part may end, the best place first.
_ENDS = ("\n\n", "\n", ". ", "? ", "! ", "。", " ")


def parts_of(text: str) -> list[str]:
    """The parts of a text in order; at least one, and a short text is its own."""
    parts: list[str] = []
    start = 0
    while len(text) - start > LONGEST:
        end = _end(text, start)
        parts.append(text[start:end].strip())
        start = end
    parts.append(text[start:].strip())
    return [part for part in parts if part] or [text]


def _end(text: str, start: int) -> int:
    """Where the part that begins here ends: in its second half, so that parts do not become tiny."""
    for mark in _ENDS:
        found = text.rfind(mark, start + LONGEST // 2, start + LONGEST)
        if found >= 0:
            return found + len(mark)
    return start + LONGEST
