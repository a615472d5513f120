"""Lists of the user's: "my stack:" or "my allergies:" with a line for each; every line states something.

Only lists whose heading says whose they are and what kind of thing stands in them. It makes first-person sentences of the
lines, and does not decide more. Reading any list was rejected: most of those in a message are material.
"""

import re
from collections.abc import Iterator

from recollect.language.pattern import Pattern

#: Lines of a list that are read; a longer one is a document.
_MOST = 12
_HEADED = Pattern(
    r"^[^\n:]*\bmy (?:(?:current|usual|daily|work|home|dev|food|regular|known|new) )*(?P<kind>set-?up|stack|tools|gear|equipment|allergies|medications?|meds"
    r"|hobbies|interests|languages|pets|kids|children)\b[^\n]{0,60}:[ \t]*\n(?P<lines>(?:[ \t]*(?:[-*\u2022]|\d+[.)])[ \t]+[^\n]+(?:\n|$))+)",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = Pattern(r"[ \t]*(?:[-*\u2022]|\d+[.)])[ \t]+(?P<item>[^\n]+)")
_SAYS = {
    "allergies": "I am allergic to", "medication": "I take", "medications": "I take", "meds": "I take", "hobbies": "I like",
    "interests": "I am interested in", "languages": "I speak", "pets": "I have a pet,", "kids": "I have a child,",
    "children": "I have a child,",
}  # fmt: skip
#: Characters of a line.
_LONGEST = 80


def listed(text: str) -> Iterator[str]:
    """What the lines of the user's own lists state, in the first person."""
    if "\n" not in text or "my " not in text.lower():
        return
    for match in _HEADED.finditer(text):
        says = _SAYS.get(match["kind"].lower(), "I use")
        for line in list(_LINE.finditer(match["lines"]))[:_MOST]:
            item = line["item"].strip(" .,;")
            if item and len(item) <= _LONGEST and "?" not in item:
                yield f"{says} {item}"
