"""Standing orders: "always book me an aisle seat", "never schedule anything before 10", "from now on answer in German".

What somebody wants done every time is a preference of theirs, and is written as one. `standing_wish` knows the orders
that concern answers; here are those for the errands of an assistant. Whether a text may tell a model how to behave is
`trust`'s business, asked before.
"""

import re

from recollect.language.judge.wording import sentence, trimmed
from recollect.language.pattern import Pattern
from recollect.language.pinning import standing_wish

_ERRAND = Pattern(
    r"(?:(?:and|so|but|also|please|pls|just|ok|oh) )*(?P<order>(?:always|never) (?:ever )?(?:book|schedule|send|suggest|plan|use|give|put|write|recommend|include|show|format"
    r"|translate|add|order|choose|pick|seat|remind|ask|quote|sign|start|export|buy|cook|reserve|assume|propose|plan|spell|calculate|convert|mention)\b(?! (?:this|that|it|these|those|the (?:same|following))\b)(?P<what> .{3,100}))",
    re.IGNORECASE,
)
_OF_THE_TASK = Pattern(
    r"\b(?:this (?:function|file|code|method|class|line|case|loop|query)|in the loop|returns?|null|exception|variable|thread|pointer|lock|mutex|commit)\b",
    re.IGNORECASE,
)


def wish(clause: str) -> str | None:
    """A lasting order as a statement about the user, if the clause is one."""
    text = trimmed(clause.replace("\u2019", "'"))
    if (
        "\u00a7" in text
        or _OF_THE_TASK.search(text)
        or text.lower().endswith((" those", " these", " it", " them", " that"))
    ):
        return None
    if match := _ERRAND.match(text):
        return sentence(f"User wants the assistant to {match['order'][0].lower()}{match['order'][1:]}")
    told = standing_wish.order(text)
    return sentence(told) if told is not None and "call me" not in told else None
