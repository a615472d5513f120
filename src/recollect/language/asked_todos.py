"""Whether a question asks for what is open: "What are my todos?", "What do I still have to do?", "What's on my list?".

Such a question wants the whole list, as far as there is room, and not only what stands in every context. What has to be
done for something else ("what do I have to do to renew it?") is another question. It finds no todo.
"""

import re

from recollect.language.pattern import Pattern

#: Characters of a question; more is a talk, not the asking for a list.
_LONGEST = 160
_LIST = r"(?:to-?dos?|to do'?s|tasks?|open (?:loops?|threads?|things|points|items|ends)|loose ends|commitments?|promises|reminders?)"
#: What may follow: for when, and how it is asked.
_LAST = (
    r"(?:[, ]+(?:list|still|left|open|now|right now|at the moment|currently|today|tonight|tomorrow|this (?:week|weekend|month|year)|next (?:week|month)"
    r"|so far|again|for (?:today|tomorrow|this week)|please|do i have|have i got|are (?:there|open|left|still open)|is (?:open|left|still open)|i have|then|next|for me|pending|outstanding))*[ ?!.]*$"
)
_PATTERNS = (
    rf"\b(?:my|our|any|all|which|what|open|the open|outstanding|pending|remaining)(?: (?:\w+ )?(?:open|other|outstanding|pending|remaining|current|unfinished))?(?: of my)? {_LIST}{_LAST}",
    r"\bwhat(?: else| all)? (?:do|did|have) (?:i|we) (?:still |also )*(?:have|got|need|want|promised?|left)(?: still| left| got)?"
    r" to (?:do|get done|take care of|finish)" + _LAST,
    r"\bwhat(?: else)? must (?:i|we) (?:still )?do" + _LAST,
    r"\bwhat(?:'s| is| else is) (?:still (?:open|left)|(?:still )?(?:left )?to (?:do|be done))" + _LAST,
    rf"\bwhat(?:'s| is| else is| do i have)(?: still| left)? on (?:my|our) (?:(?:to-?do|to do|task)s? ?)?(?:list|plate|agenda){_LAST}",
    r"\bwhat (?:am i|was i) (?:still )?(?:supposed|meant|going) to (?:do|get done)" + _LAST,
    rf"\b(?:show|list|give|tell|read|remind)(?: me)?(?: of| about)? (?:all )?(?:my|our) (?:open )?(?:{_LIST}|to-?do list|to do list|task list|list){_LAST}",
)
_ASKS = tuple(Pattern(pattern, re.IGNORECASE) for pattern in _PATTERNS)


def asks_for_todos(question: str) -> bool:
    """Whether what is open is asked for as a list."""
    text = " ".join(question.replace("\u2019", "'").split())
    return len(text) <= _LONGEST and any(pattern.search(text) for pattern in _ASKS)
