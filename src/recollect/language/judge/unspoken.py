"""Subjects that go without saying: "allergic to cats btw", "retired postman, bad hip", "as a nurse I ...", "just quit vaping".

People who type leave out "I am" and "I". Here such a clause gets its subject back, or a phrase in front of a sentence its
own statement. Only beginnings that can hardly be anything else are restored: an order ("stop that") and a search ("nurse
salary") begin without a subject too. It does not decide what is kept.
"""

import re

from recollect.language.judge.errand import lists_orders, may_be_order
from recollect.language.judge.lexicon import LASTING, PERSON_ENDINGS, PERSON_NOUNS
from recollect.language.judge.life_words import TURN, TURN_WITH
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs

_NOUN = rf"(?:user|\w*(?:{'|'.join(PERSON_ENDINGS)})|{'|'.join(sorted(PERSON_NOUNS))}|fan)"
_END = r"(?=$|[.!,]| (?:here|btw|by the way|so|since|from|at|in|of|over here|for|and|to)\b)"
_PERSON = Pattern(
    rf"(?P<article>an? |the )?(?!(?:best|good|great|cool|nice|any|some|what|which|how|no|my|your|every|another|other|it|it's|this|that|there|he|she|they|you|we|i|if|is|are|was|let|let's|can|do|does|need|want|please|find|make|give|write|show|tell|help|explain)\b)(?:(?!and |or |for |vs |to |of |is |are |was |the |my |your )[\w'+#/&-]+ ){{0,4}}?{_NOUN}{_END}",
    re.IGNORECASE,
)
_MARKED = Pattern(
    r"\b(?:here|btw|by the way|over here)\b|,|\bsince\b|\bof (?:two|three|four|five|one|twins|\d)\b|^(?:retired|lifelong|self[- ]employed|single|proud|former|second|first|third|final)\b",
    re.IGNORECASE,
)
#: A comma is no mark where an order may stand: "call plumber, ...", but "book editor here", "36, book editor".
_PRESENTED = Pattern(
    r"\b(?:here|btw|by the way|over here|since)\b|(?:^|, )\d\d(?:,|$| years)|\bof (?:two|three|twins)\b",
    re.IGNORECASE,
)
_STATE = Pattern(
    rf"(?:(?:red-green|strictly|mostly|severely|also|newly|happily) )*(?:{LASTING}|allergic to [\w ,]+?|sober(?: since \d+)?)(?=$|[.!,]| (?:here|btw|by the way|since|so|and|but)\b)",
    re.IGNORECASE,
)
_TASTE = Pattern(
    r"(?:not (?:a |really a )?|(?:a )?(?:big|huge|massive|lifelong) )(?:\w+ ){0,2}?fan(?: of \w|\b)",
    re.IGNORECASE,
)
_DEED = Pattern(
    r"(?:(?:just|finally|recently|also|so|then|still|only|long story short) )*(?P<verb>was (?:diagnosed|born|raised|brought up|adopted|promoted)|had (?:my|a|an|our|two|surgery)"
    r"|got (?:a|an|my|our|married|engaged|divorced|promoted|laid|accepted|into)|quit|went (?:back to|vegan|freelance)|bought (?:a|an|our|my)|started (?:a|my|learning|working|as|at|lessons)"
    r"|sold (?:my|our|the)|moved (?:to|in|out|back|from|into)|passed (?:my|the)|stopped (?:smoking|drinking|eating|using)|gave up|adopted (?:a|an|two)|switched (?:to|from|over)|graduated|retired (?:in|from|last|at|early)|joined"
    r"|broke up|used to|no longer|never (?:learned|learnt|drink|eat|smoke)|don't (?:own|eat|drink|smoke|drive|like|have)|lost my|turned \d|became|can't (?:stand|eat|drink|have)|ended up)\b",
    re.IGNORECASE,
)
_BEEN = Pattern(
    r"(?:(?:just|also|so) )*been (?=(?:writing|living|working|learning|studying|training|playing|vegan|vegetarian|sober|married|a |an |in |with |on ))",
    re.IGNORECASE,
)
_DOING = Pattern(
    r"(?:(?:just|also|currently|so) )*(?=(?:doing (?:an?|my)|working (?:as|at|for|in)|living (?:in|with|on)|learning|studying|training for|building an?|writing (?:an?|my)|expecting (?:my|our|a)|based in|married|saving for|planning (?:an?|my|our) )\b)",
    re.IGNORECASE,
)
_AS = Pattern(
    r"(?:(?:and|but|so|well|oh|hi|hey|hello)[, ]+)*(?:speaking as|as|being|me being|coming from someone who is) (?P<what>(?:an?|the|half|part|someone who) [^,;?]{3,60}?|[a-z]+ [a-z]+ [a-z]+|[a-z-]+)(?P<rest>,.*|$| (?=(?:i|i'm|i've|we|my|it|that) ).*)",
    re.IGNORECASE,
)
_HAVING = Pattern(r"(?:having|raised|coming from|born) (?P<what>[^,;?]{3,50})(?:,|$)", re.IGNORECASE)
_WITH = Pattern(
    r"with (?P<what>(?:only )?(?:an?|one|my|two|three|no) [^,;?]{3,40}?)(?:,|(?= (?:i|we) ))", re.IGNORECASE
)
_PAST = Pattern(r"[, ]*(?:i|we) (?P<verb>\w+)", re.IGNORECASE)


#: What opens an account of oneself: an order or a search does not begin with a past form.
_TOLD = frozenset(verb for verb in TURN | TURN_WITH if verbs.is_past(verb) and verb not in verbs.SAME_FORM)
_CODE = Pattern(r"[=\[\]{}<>_]")
_MARK = Pattern(r"\s+(?:here|btw|by the way|over here)\b.*", re.IGNORECASE)


_OPENERS = _TOLD | frozenset(
    """was had got been doing working living learning studying training building writing expecting based married allergic vegan
    vegetarian coeliac celiac widow widower don't can't single proud lifelong self-employed phd diagnosed born raised adopted
    laid divorced widowed separated employed enrolled retired deployed stationed engaged live have own rent suffer love hate
    prefer commute work grew speak used ended quit""".split()
)
_BEFORE = frozenset(
    "just finally recently also so only currently still usually originally happily newly".split()
)


def may_open(text: str) -> bool:
    """Whether a message in small letters may begin with a subject that goes without saying."""
    first = next((word for word in text[:60].split() if word not in _BEFORE), "").rstrip(".,!?")
    return first in _OPENERS or (first.isdigit() and len(first) == 2)


def marked(clause: str) -> bool:
    """Whether the speaker presents themself: "vegan here, what's ...?"."""
    found = _MARK.search(clause[:60])
    return found is not None and len(clause[: found.start()].split()) <= 6


_PARTICIPLE = Pattern(
    r"(?:(?:just|also|recently|originally|currently|happily|newly) )*(?P<verb>diagnosed|born|raised|brought up|adopted|laid off|promoted|drafted|(?P<now>married|divorced|widowed|separated|based|employed|enrolled|retired(?= (?:in|at|from|last|early|since)\b)|trained|deployed|stationed|engaged|self-taught|homeschooled))\b",
    re.IGNORECASE,
)
_HABIT = Pattern(
    r"(?:(?:also|just|currently|still|usually) )*(?=(?:live|have|own|rent|suffer|love|hate|prefer|commute|work (?:in|at|as|for|from|nights|part|full)|grew up|speak (?-i:[A-Z]))\b )",
    re.IGNORECASE,
)
_FIRST = Pattern(
    r"(?:(?:just|finally|recently|also|so|then|still|only|long story short) )*(?P<verb>[\w-]+) (?:an?|the|my|our|his|her|in|at|from|to|up|out|back|as|for|with|into|off|on|last|when|one|two|three|four|\d|(?-i:[A-Z]))",
    re.IGNORECASE,
)


def restored(clause: str, *, first: bool, whole: str) -> str | None:
    """The clause with "I" or "I am" in front, if it surely lacks one; `first`: it opens its message or sentence."""
    told = _restored(clause, first=first, whole=whole)
    # Nobody tells of themself in a list of things to do.
    return None if told is None or lists_orders(whole) else told


def _restored(clause: str, *, first: bool, whole: str) -> str | None:
    if len(clause) > 160 or _CODE.search(clause):
        return None
    clause = _MARK.sub("", clause)
    if match := _DEED.match(clause):
        return f"I {_lowered(clause[match.start('verb') :])}"
    if match := _BEEN.match(clause):
        return f"I have been {clause[match.end() :]}"
    if match := _DOING.match(clause):
        return f"I am {_lowered(clause[match.end() :])}"
    if match := _PARTICIPLE.match(clause):
        return f"I {'am' if match['now'] else 'was'} {_lowered(clause)}"
    if first and (match := _HABIT.match(clause)):
        return f"I {_lowered(clause[match.end() :])}"
    if first and (match := _FIRST.match(clause)) and match["verb"].lower() in _TOLD:
        return f"I {_lowered(clause[match.start('verb') :])}"
    if _STATE.match(clause) or _TASTE.match(clause):
        article = "a " if clause[:1].lower() in "bhl" and _TASTE.match(clause) else ""
        return f"I am {article}{_lowered(clause)}"
    match = _PERSON.match(clause) if first or whole[:1].isdigit() else None
    if match is None or not _MARKED.search(whole):
        return None
    if not match["article"] and may_be_order(clause) and not _PRESENTED.search(whole):
        return None
    article = "" if match["article"] else "an " if clause[:1].lower() in "aeio" else "a "
    return f"I am {article}{_lowered(clause)}"


def _someone(predicate: str, rest: str) -> tuple[str, str] | None:
    """ "as someone who stammers": the speaker does."""
    verb, _, after = predicate.partition(" ")
    if verb.lower() in ("is", "has"):
        return f"I {'am' if verb.lower() == 'is' else 'have'} {after}", rest
    plain = verb[:-2] if verb.endswith(("shes", "ches", "sses")) else verb[:-1]
    return (f"I {plain} {after}".strip(), rest) if verb.endswith("s") else None


def _lowered(clause: str) -> str:
    """The clause in small letters where a sentence began, names left alone."""
    first = clause.partition(" ")[0]
    return clause if first.isupper() or first[1:] != first[1:].lower() else clause[:1].lower() + clause[1:]


def in_front(clause: str) -> tuple[str, str] | None:
    """What a phrase in front says of the speaker, and the rest: "as a nurse I work nights"."""
    match = _AS.match(clause)
    if match is None and (having := _WITH.match(clause)) is not None:
        return f"I have {having['what'].strip()}", clause[having.end() :].lstrip(" ,")
    if match is not None and match["what"].lower().startswith("someone who "):
        return _someone(match["what"][12:], match["rest"].lstrip(" ,"))
    if match is None:
        found = _HAVING.match(clause)
        if found is None:
            return None
        word = clause.split(" ", 1)[0].lower()
        told = {"having": "I have", "coming": "I come from", "raised": "I was raised", "born": "I was born"}[
            word
        ]
        return f"{told} {found['what'].strip()}", clause[found.end() :].lstrip(" ,")
    rest = match["rest"].lstrip(" ,")
    if "language model" in match["what"].lower():
        return None
    verb = _PAST.match(rest)
    if verb is not None and (
        verbs.is_past(verb["verb"].lower()) or verb["verb"].lower() in ("was", "had", "used")
    ):
        return None
    return f"I am {match['what'].strip()}", rest
