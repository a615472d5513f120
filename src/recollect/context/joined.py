"""What a text costs after a label, told from what it costs alone.

A message's tokens were counted when it was recorded. Behind a label and before a line's end only its first and its last
word are counted differently: the tokenizer never merges across words, and a blank belongs to the word after it. Counting
those two instead of every line again takes a tenth of the time, and is exact. Where that is not certain (a text that does
not begin and end with a plain word) the whole line is counted.
"""

from recollect.rules.budget import Count


def spoken_tokens(label: str, text: str, tokens: int, count: Count) -> int:
    """Tokens of a label, a blank, a text of one line that has so many tokens alone, and the line's end.

    The label ends with a colon.
    """
    words = text.split(None, 1)
    if len(words) == 2:
        first, last = words[0], words[1].rsplit(None, 1)[-1]
        if _is_plain(first) and _is_plain(last) and text.startswith(first) and text.endswith(last):
            more = count(f" {first}") - count(first) + count(f"{last}\n") - count(last)
            return count(label) + tokens + more
    return count(f"{label} {text}\n")


def _is_plain(word: str) -> bool:
    """Whether a word begins with a letter of which the tokenizer's borders are known."""
    return word.isascii() and word[0].isalpha()
