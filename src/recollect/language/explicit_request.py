"""The words with which people ask to be remembered: "Remember that ...", "Save this: ...", "FYI, ...".

It finds and removes such a frame and says that there was one. It does not know what the fact means or
whether it is worth keeping. "Remember to call Mom" is a reminder, not a frame around a fact, and is left
whole. Regular expressions were kept over a grammar: such requests are short and formulaic.
"""

import re

from recollect.language.pattern import Pattern

_GREETING = r"(?:(?:hey|hi|hello|ok|okay|oh|so|also|and|btw|by the way|actually|yes|yeah)\b[\s,!.]*)*"
_ASKING = (
    r"(?:(?P<asked>(?:can|could|would|will) you)|i(?: want|['’]d like| would like| need) you to|you should"
    r"|you must|you need to|make sure (?:to|you|that you)|be sure to|try to|always|let['’]?s)\b[\s,]*"
)
_POLITE = r"(?:(?:please|pls|plz|kindly|just|also)\b[\s,]*)*"
#: Verbs that mean nothing but a request when they open a text.
_HOLD = (
    r"(?:remember|memori[sz]e|note(?: down)?|(?:do not|don['’]?t|never) forget|(?:keep|bear) in mind"
    r"|(?:make|take|keep) (?:a )?note(?: of)?|(?:write|jot) down)"
)
#: Verbs that need a clear object or statement behind them: "Store: open nine to five" asks for nothing.
_FILE = r"(?:save|store|record|add)"
_WHERE = (
    r"(?:\s+(?:for me|for later|for (?:the )?future(?: reference)?|down|in mind"
    r"|(?:in|to|into) (?:your |my |the )?(?:long-term )?memory(?: bank)?))*"
)
_THAT = r"\s+(?:that|the fact that)\b"
_THIS = r"\s+(?:this|that|it|these|the following)(?: (?:fact|info|information|about me))?\b"
_BREAK = r"\s*(?:[:,;—–]|-+\s|\.\s)\s*"
_END = r"(?:\s*[:,;—–]+\s*|\s+-+\s+|\s+)"
# Without "that" or a colon, only a word that opens a statement shows that one follows.
_STATEMENT = (
    r"(?!(?:to|when|how|what|where|why|who|which|if|whether)\b)"
    r"(?=(?:i|my|our|we|he|she|they|his|their|im|ive)\b|i['’]|we['’]|(?:the|her|this) (?-i:[a-z])"
    r"|[^\W\d_]+(?:['’]s [a-z]+)? (?:is|are|was|has|have|likes|loves|hates|works|lives)\b)"
)
# "this" and "it" need a colon or the like: in "Remember this place is closed" they belong to the fact.
_FRAME = (
    rf"{_HOLD}{_WHERE}(?:{_THAT}{_WHERE}{_END}|(?:{_THIS})?{_WHERE}{_BREAK}|\s+{_STATEMENT})"
    rf"|{_FILE}{_WHERE}(?:{_THAT}{_WHERE}\s+{_STATEMENT}|{_THIS}{_WHERE}{_BREAK})"
    rf"|save\s*:\s*|{_FILE}\s+(?:in|to|into) (?:your |my |the )?memory{_WHERE}{_BREAK}"
)
_REMARK = (
    r"(?:for the record|(?:just )?so (?:that )?you know|for your information|for (?:future )?reference|fyi"
    r"|(?:very )?important(?: note| to know)?(?=\s*:)|(?:note|reminder|n\.?b\.?)(?=\s*:)|nota bene"
    r"|it(?:['’]s| is) important to (?:know|note|remember) that|you should know(?: that)?"
    rf"|(?:please )?be aware that){_END}(?:that\s+)?"
)
_PREFIX = Pattern(
    rf"\s*{_GREETING}(?:{_POLITE}(?:{_ASKING}{_POLITE})?(?:{_FRAME})|{_REMARK})(?=\S)", re.IGNORECASE
)
_SUFFIX = Pattern(
    r"(?:(?P<stop>[.!?…,;—–])\s*|\s+(?=(?:so )?(?:please|pls)\b))(?:(?:so|and|please|pls|also|just)\b[\s,]*)*"
    r"(?:(?:remember|memori[sz]e|save|note|(?:do not|don['’]?t|never) forget) (?:this|that|it)"
    rf"|(?:keep|bear) (?:this|that|it) in mind){_WHERE}(?:[\s,]+(?:please|ok|okay))?\s*(?P<end>[.!?]*)\s*\Z",
    re.IGNORECASE,
)
#: "When I name a date, remember it" is a standing order: what comes before the comma is not the fact.
_CONDITION = Pattern(
    r"(?:.*[.!?]\s)?\s*(?:when|whenever|if|once|unless|every time|after)\b", re.I | re.DOTALL
)
#: Characters at the end of a text in which a closing request is looked for; the longest one has about 80.
_SUFFIX_REACH = 120
#: A part of each request above: most texts have none, and plain searches cost a tenth of the patterns.
_HINTS = (
    *("rememb", "memor", "save", "store", "note", "record", "jot", "write down", "forget", "in mind", "add "),
    *(
        "you know",
        "your info",
        "reference",
        "fyi",
        "important",
        "reminder",
        "nb",
        "n.b",
        "nota",
        "should know",
        "aware",
    ),
)
_BARE_REQUEST = Pattern(
    rf"\s*{_GREETING}{_POLITE}(?:{_HOLD}|{_FILE}(?={_THIS}))(?:{_THIS})?{_WHERE}[\s.!:,]*\Z", re.IGNORECASE
)

#: Words that may be capitalised when they come to open the sentence; any other word might be a name.
_OPENERS = Pattern(
    r"(?:the|an?|it|its|it's|there|this|that|these|those|he|she|they|his|her|their|you|your|when|if|because"
    r"|every|all|on|in|at|for|from|some|one|two|three|no)(?=[\s,])"
)


def strip_request(text: str) -> tuple[str, bool]:
    """Take the request to remember off a statement, and say whether there was one."""
    folded = text.lower()
    if not any(hint in folded for hint in _HINTS):
        return text, False
    requested = False
    while True:
        shorter = _without_frame(text)
        if shorter is None:
            break
        text, requested = shorter, True
    return text, requested or _BARE_REQUEST.match(text) is not None


def _without_frame(text: str) -> str | None:
    """One frame less, or nothing when there is none around a statement."""
    prefix = _PREFIX.match(text)
    if prefix is not None:
        rest = text[prefix.end() :]
        # The question mark of "Can you remember that ...?" belongs to the request.
        if prefix.group("asked") and rest.rstrip().endswith("?"):
            rest = rest.rstrip()[:-1] + "."
        return _opened(rest)
    suffix = _SUFFIX.search(text, max(0, len(text) - _SUFFIX_REACH))
    if suffix is None:
        return None
    fact, stop = text[: suffix.start()], suffix.group("stop") or ","
    ends = stop in ".!?…"
    if not fact.strip() or (not ends and _CONDITION.match(fact)):
        return None
    return fact + (stop if ends else suffix.group("end"))


def _opened(text: str) -> str:
    return text[0].upper() + text[1:] if _OPENERS.match(text) else text
