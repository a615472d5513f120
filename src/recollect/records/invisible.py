"""Invisible characters: what a terminal obeys and no eye sees is taken out of what is written down.

Control characters, escape sequences and format characters (zero-width spaces, overrides of direction, the hidden twins
of ASCII) go. Line breaks and tabs stay, and so do the joiners that scripts and emoji are spelled with and the tags of a
flag. It does not judge whether somebody meant harm: `trust` looks at the text as it came. Messages are never changed.
"""

import re
import unicodedata

#: Terminal sequences: colours, cursor, titles.
_ESCAPE = re.compile(
    "\x1b\\][^\x07\x1b]{0,200}(?:\x07|\x1b\\\\)|(?:\x1b\\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b[@-Z\\\\^_c]"
)
# A joiner has a meaning only between characters of scripts or emoji that are joined, none of which is Latin.
_JOINER = re.compile("(?<=[^\x00-\u02ff\u2000-\u200f])[\u200c\u200d](?=[^\x00-\u02ff\u2000-\u200f])")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_KEPT_CONTROLS = frozenset("\t\n\r")
_HIDDEN_KINDS = frozenset({"Cc", "Cf"})


def visible(text: str) -> str:
    """The text without what cannot be seen; words that were parted by it are whole again."""
    if text.isprintable():
        return text
    text = _ESCAPE.sub("", text)
    kept = {place for found in _JOINER.finditer(text) for place in range(*found.span())}
    kept |= {place for found in _FLAG.finditer(text) for place in range(*found.span())}
    return "".join(
        char
        for place, char in enumerate(text)
        if char in _KEPT_CONTROLS or place in kept or unicodedata.category(char) not in _HIDDEN_KINDS
    )
