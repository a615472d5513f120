"""Parts of a text: a long message is embedded in pieces, so that each says one thing and none is cut off by a model.

A part ends where a paragraph, a sentence or at least a word ends. Together the parts are the text, but for blanks at
their ends. It knows no model and counts characters, not tokens: a limit below what any model reads needs no tokenizer.
A very long text gets vectors for some of its parts only; its words are all found, whatever is embedded.
"""

#: Characters of a part. Most messages are one: the mean of a whole message finds it better than its best paragraph does
#: (benchmarks/recall.py); only what is longer than a long answer is cut.
LONGEST = 4000
#: Parts of one text that get a vector, at most. A part costs the packaged model 0.25 s on one core: all 51 of 200,000
#: characters took 12.6 s, these take 4 to 5 (measured by timing `MiniLM.embed` of random sentences, one thread).
MOST = 16
#: How many of them stand at each end, where people say what a pasted text is and what they want of it.
_EDGE = 3
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


def embedded_parts_of(text: str) -> list[str]:
    """The parts of a text that get a vector: all, or of a very long one both ends and parts evenly between them."""
    parts = parts_of(text)
    if len(parts) <= MOST:
        return parts
    between = MOST - 2 * _EDGE
    inner = len(parts) - 2 * _EDGE
    middle = [parts[_EDGE + (2 * number + 1) * inner // (2 * between)] for number in range(between)]
    return [*parts[:_EDGE], *middle, *parts[-_EDGE:]]


def _end(text: str, start: int) -> int:
    """Where the part that begins here ends: in its second half, so that parts do not become tiny."""
    for mark in _ENDS:
        found = text.rfind(mark, start + LONGEST // 2, start + LONGEST)
        if found >= 0:
            return found + len(mark)
    return start + LONGEST
