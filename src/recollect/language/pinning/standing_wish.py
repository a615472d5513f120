"""Standing wishes: how somebody always wants things done ("from now on, answer in German").

Reads one clause from its subject on. A wish for the moment ("I'd prefer the second one") is none, and
neither is a proverb ("always look on the bright side"): orders count only with a verb that an assistant can
follow. It does not know who may be told so: `trust` decides what instructs a model.
"""

import re

from recollect.language.pattern import Pattern
from recollect.language.sign import signs
from recollect.language.subject_words import CLOSE, PATIENT, PRONOUN, RELATIVE
from recollect.rules.importance import is_temporary


def _rule(pattern: str) -> Pattern:
    return Pattern(pattern, re.IGNORECASE)


_CHOICE_AT_HAND = (
    r"(?!(?:this|that|it|these|those|them|your|option|number|not to (?:say|answer)|to (?:wait|leave|skip"
    r"|stay|go) |if|when|both|neither|either|version"
    r"|the (?:first|second|third|last|former|latter|other|one|ones|previous|next|new|old|original|red|blue"
    r"|green|above|version|option|way you|idea|shorter|longer)|[ab]\b(?! \w))\b)"
)
_PREFERENCES = (
    _rule(
        rf"{CLOSE}\s+(?:(?:always|generally|usually|really|strongly|definitely|typically|normally|also|still"
        rf"|much|mostly|both|all) )*prefers?\s+{_CHOICE_AT_HAND}\w"
    ),
    _rule(rf"(?:{CLOSE})\s+(?:(?:really|strongly|also|generally) )*dislikes?\s+{_CHOICE_AT_HAND}\w"),
    _rule(
        rf"{CLOSE}(?:\s+(?:really |absolutely )?(?:hates?|can't stand)|\s*(?:'m|'s| am| is| are)(?: really"
        rf"| very| so| extremely)? (?:afraid|scared|terrified) of|\s+(?:has|have) an? (?:\w+ )?(?:fear"
        rf"|phobia) of)"
        r"\s+(?:\w+ )?(?:needles?|injections?|blood|hospitals?|dentists?|doctors|mris?|enclosed spaces"
        r"|anaesthesia|anesthesia|heights|flying)\b"
    ),
    _rule(
        rf"(?:{RELATIVE}|{PATIENT}|{PRONOUN}|i|(?-i:[A-Z][a-z]+)|daughter|son|wife|husband)\s+(?:handles?"
        rf"|makes?|manages?|takes? care of)\s+(?:all )?(?:of )?(?:my |his |her |their |our |the )?(?:medical"
        rf"|health|healthcare|financial|treatment|care|legal)\s+(?:decisions|appointments|affairs|matters"
        rf"|paperwork|finances)\b"
    ),
)
#: How the first two rules tell of the user, or of somebody in care.
_LIKINGS = _PREFERENCES[:2]
_OWN_LIKING = _rule(rf"(?:i|we|i,? too,?|{RELATIVE} and i|i and {RELATIVE}|{PATIENT})\s")
#: What others like is theirs, but for what their care needs: "my husband prefers quartz" is no wish of the user's.
_CARE = _rule(
    r"\b(?:appointments?|visits?|doctors?|nurses?|carers?|dentists?|hospitals?|needles?|injections?|shots|medications?|medicines?|meds"
    r"|pills?|tablets?|treatments?|therap(?:y|ies|ists?)|surgery|check-?ups?|instructions|large[- ]print)\b"
)
_FOLLOWED = (
    r"(?:answer|reply|respond|speak|talk|address me|call me|write|use|include|explain|format|cite|show"
    r"|avoid|suggest|recommend|mention|assume|add|convert|provide|refer to|remind me"
    r"|double-check|check|quote|list|round|sign|offer|start|begin|end|translate|put|tell me"
    r"|ask(?: me)?(?: for| before)|give me|keep (?:it|your|the|all|answers|replies|responses|things)"
    r"|be (?:brief|concise|polite|formal|informal|honest|direct|friendly|short|precise|blunt|specific"
    r"|critical|kind))\b"
)
_LASTING = r"(?:from now on|going forward|in (?:the )?future|from here on|henceforth|for all future \w+)"
_YOU = (
    r"(?:you (?:should|must|can|need to|have to|will)\s+|(?:i|we)(?:'d| would)? (?:want|need|like"
    r"|prefer) you to\s+|make sure (?:to|you)\s+|(?:please|do|try to|remember to|kindly)\s+)"
)
_ORDERS = (
    _rule(rf"(?:{_LASTING},?\s+)?{_YOU}{{0,2}}(?P<order>(?:always|never)\s+(?:ever\s+)?{_FOLLOWED}.*)"),
    _rule(
        rf"{_LASTING},?\s+{_YOU}{{0,2}}(?P<order>(?:only\s+|don't\s+|do not\s+|not\s+|stop\s+)?(?:{_FOLLOWED}"
        rf"|(?:using|writing|adding|including|calling|answering)\b).*)"
    ),
    _rule(
        rf"{_YOU}{{0,2}}(?P<order>(?:only\s+|don't\s+|do not\s+|not\s+|stop\s+)?(?:{_FOLLOWED}|(?:using|writing"
        rf"|adding|calling|answering)\b).*)\s+{_LASTING}\W*$"
    ),
    _rule(rf"{_YOU}{{0,2}}(?P<order>don't ever\s+{_FOLLOWED}.*)"),
    _rule(
        rf"{_YOU}{{0,2}}(?P<order>keep (?:all |all of )?(?:your|the|my) (?:answers|replies|responses"
        rf"|explanations|messages) (?:short|brief|concise|simple|formal|informal|in \w+|under \d+"
        rf"|to the point).*)"
    ),
    _rule(rf"{_YOU}{{0,2}}(?P<order>stop (?:using|adding|calling me|apologi[sz]ing|saying) .*)"),
    _rule(
        rf"{_YOU}{{0,2}}(?P<order>call me (?!(?:back|when|if|at|on|later|maybe|crazy|tomorrow|today"
        rf"|now)\b)(?-i:[A-Z])[\w'-]+)\W*(?:please)?\W*$"
    ),
)
# One task, one moment, or no order to the assistant at all.
_FOR_ONCE = _rule(
    r"\b(?:this time|just once|for once|(?:for|in) (?:this|that) (?!chat|conversation|project|thread)\w+"
    r"|here|(?:the|this|that|these) (?:function|file|email|letter|essay|recipe|paragraph|sentence|script"
    r"|test|class|query"
    r"|image|code|page|button|table|column)|give up|they say|as the saying goes|my (?:mom|mother|dad"
    r"|father|teacher|boss) (?:always )?(?:says|said|told))\b"
)
_YOURS = _rule(r"\byour?\b")
_NOT_ONLY = re.compile(r"^(?:not|don't|do not)\s+", re.IGNORECASE)
#: At least one of these is in whatever a rule above fits; the tests hold them against the rules.
SIGNS = signs(
    "prefer|dislike|needle|injection|blood|hospital|dentist|doctors|mri|enclosed|anaesthesia|anesthesia|heights|flying"
    "|decisions|appointments|affairs|matters|paperwork|finances"
    "|always|never|from now|forward|future|from here|henceforth|t ever|answers|replies|responses|explanations"
    "|messages|stop |call me "
)


def preference(clause: str) -> bool:
    """Whether a lasting preference is stated: the user's own, or one that somebody's care needs."""
    others = not _OWN_LIKING.match(clause) and not _CARE.search(clause)
    return (
        any(rule.match(clause) for rule in _PREFERENCES if not (others and rule in _LIKINGS))
        and not is_temporary(clause)
        and not _FOR_ONCE.search(clause)
    )


def order(clause: str) -> str | None:
    """A lasting order, told of the user: "User wants the assistant to always answer in German"."""
    if is_temporary(clause) or _FOR_ONCE.search(clause):
        return None
    for rule in _ORDERS:
        if found := rule.match(clause):
            told = _NOT_ONLY.sub("not ", found.group("order")).rstrip(" .!,")
            told = _YOURS.sub(lambda word: "its" if word.group().lower() == "your" else "it", told)
            return f"User wants the assistant to {told[0].lower()}{told[1:]}"
    return None
