"""Asking: whether a message ends with a question, so that the message after it is likely to be the answer.

Only the mark counts, near the end: people ask and add a word of thanks. It does not know languages or grammar; a rule
for questions without a mark was rejected, because it would need one for each language.
"""

#: Question marks of the scripts that have one of their own: Latin and most others, Chinese and Japanese, Arabic.
_MARKS = ("?", "？", "؟")
#: Characters at the end of a message in which its question may stand: two sentences.
NEAR_END = 160


def asks(text: str) -> bool:
    """Whether a question mark stands near the end."""
    end = text[-NEAR_END:]
    return any(mark in end for mark in _MARKS)
