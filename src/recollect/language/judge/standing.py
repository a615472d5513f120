"""What somebody is, was, belongs to and has, by the shape of the words behind "be" and "have".

A kind ("a slow reader"), a place among others ("on the school board"), a ban ("not allowed to lift"), a thing ("a kiln").
Moods, errands and seats on a train have the same shapes; their nouns are listed, for they are fewer than what people are
and own. It knows no mood and no wording.
"""

import re
from collections.abc import Sequence

from recollect.language.judge import life_words as words
from recollect.language.judge.lexicon import LASTING, NUMBER, PERSON_ENDINGS, PERSON_NOUNS
from recollect.language.judge.lived import NOT_LIVED, doing_for_long, has_done
from recollect.language.judge.marks import CAPITAL, FAR, HABIT, ONGOING, POINTS, of_life, passes, words_of
from recollect.language.judge.rule import BOUND, OWNED, PAST, ROLE_OF, STANDING, Rule, Who
from recollect.language.judge.statement import Statement
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs

_FORBIDDEN = Pattern(
    r"(?:not (?:allowed|permitted|supposed|meant|able)|unable|required|obliged|forbidden|banned|barred|expected|legally \w+|exempt|limited|restricted|entitled|eligible|contracted)\b (?:to|from|by) \w",
    re.IGNORECASE,
)
_PLACED = Pattern(
    r"(?:enrolled|registered|signed up|insured|covered|subscribed|licen[sc]ed|trained|certified|descended|named after|estranged|separated|raised|sponsored|vaccinated|baptised|baptized|ordained|stationed|deployed|posted|"
    r"close to my|close with my|related|tenured|seconded|self-taught|home-?schooled|bilingual|booked (?:into|on|for)|trilingual|qualified|accredited|apprenticed|fostered|adopted|paid|owned|responsible|accountable|in charge)\b",
    re.IGNORECASE,
)
_AMOUNT = Pattern(
    rf"(?:about |around |nearly |almost |over |just )?(?:{NUMBER}|\d[\d.,]*)[ -](?:\w+ )?(?:pregnant|weeks|months|years|feet|foot|ft|cm|kilos|kg|pounds|lbs|stone|metres|meters|percent|credits|days sober|short of)\b",
    re.IGNORECASE,
)
_KIND = Pattern(
    r"(?:an?|the|one of|more of an?|kind of an?|half|part|quite an?|both) (?P<kind>.+)", re.IGNORECASE
)
_HEAD_END = Pattern(
    r"(?:,| (?:of|at|in|for|with|from|who|that|and|on|by|since|to|but|so|when|before|after|now|than|because|myself|through|or|as)\b).*",
    re.IGNORECASE,
)
_IN_OF = Pattern(
    r"(?:not |still |now |also |back |here |currently )*(?:in|on|at|with|part of|off|between|under|through|from|halfway through|up to) (?P<what>.+)",
    re.IGNORECASE,
)
_PAGE = Pattern(
    r"(?:chapter|page|level|step|stage|line|part|section|track|floor|row|gate|hold|my way|the way|my own|vacation|holiday|board with|top|track|fire|edge|the (?:bus|train|plane|phone|couch|road|go|fence|verge|way)|a (?:roll|call|break|bus|train|plane|walk|run|mission|date|budget)|my (?:phone|way|break|lunch))\b",
    re.IGNORECASE,
)


def being(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody is, in or on, or is at for long."""
    if _FORBIDDEN.match(rest):
        return BOUND
    if _AMOUNT.match(rest) or (_PLACED.match(rest) and (of_life(said) or CAPITAL.match(rest))):
        return STANDING
    if match := _KIND.match(rest):
        return kind_of(match["kind"])
    if match := _IN_OF.match(rest):
        what = match["what"]
        if _PAGE.match(what) or passes(said) or POINTS.match(what):
            return None
        named = CAPITAL.match(what.removeprefix("the ")) and not what.lower().startswith("my ")
        return (
            STANDING
            if of_life(said)
            or (
                named
                and not rest.lower().startswith(
                    ("in ", "from ") if "now" in said or "since" in said else ("in ", "from ", "at ")
                )
            )
            else None
        )
    head = said[0] if said else ""
    if verbs.is_gerund(head):
        return doing_for_long(head, rest, said)
    return None


_SAID_OF_ANYBODY = frozenset(
    "nice good bad busy horrible terrible awful different new happy great better changed simple only last first real".split()
)


def kind_of(kind: str) -> Rule | None:
    """ "a slow reader", but neither "a mess" nor "a bit late"."""
    head = words_of(_HEAD_END.sub("", kind).lower())
    if head[-1:] == ["person"] and len(head) == 2:
        return None if head[0] in _SAID_OF_ANYBODY else ROLE_OF
    if not head or len(head) > 5 or not (words.MOOD | words.MOMENT).isdisjoint(head):
        return None
    return None if not head[-1].isalpha() and "-" not in head[-1] else ROLE_OF


_STATE = Pattern(rf"{LASTING}\b", re.IGNORECASE)
_WAS = Pattern(
    r"(?:never |also |first |then |later |originally |actually )*(?:born(?! ready| yesterday| for this| in \w+ years)|raised|brought up|adopted|diagnosed|baptised|baptized|ordained|drafted|deployed|stationed|elected|knighted|naturali[sz]ed|educated|home-?schooled|orphaned|widowed|evacuated|deported|expelled|"
    r"made redundant|laid off|promoted|transferred|evicted|incarcerated|named after|conceived|fostered)\b",
    re.IGNORECASE,
)


def _of_trade(kind: str, who: Who) -> bool:
    """Whether it is what somebody was for years: anything, of those close; a trade, of oneself."""
    if kind_of(kind) is None:
        return False
    head = words_of(_HEAD_END.sub("", kind).lower())
    if len(head) > 1 and head[-1] in words.LIFE:
        return True
    return who is Who.PERSON or head[-1] in PERSON_NOUNS or head[-1].endswith(PERSON_ENDINGS)


def was(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody was for a part of their life."""
    if _WAS.match(rest):
        return PAST
    long = FAR.match(rest) or ONGOING.match(rest) or "until" in said
    if long and _STATE.match(rest):
        return PAST
    if (kind := _KIND.match(rest)) and not passes(said) and _of_trade(kind["kind"], statement.who):
        return PAST
    if long and said and verbs.is_past(said[0]) and said[0] not in NOT_LIVED:
        return PAST
    known = _KIND.match(rest) or _IN_OF.match(rest) or _PLACED.match(rest)
    if known is None or passes(said) or not long:
        return None
    match = _KIND.match(rest)
    return None if match and kind_of(match["kind"]) is None else PAST


NOT_HAD = frozenset(
    """deadline exam interview appointment date dilemma rash throat pain ache difficulty difficulties situation case
    need requirement task assignment homework presentation sense right reason theory opinion suspicion feeling fight argument
    nightmare dream song surprise concern concerns complaint objection preference confession project friend friends
    point view access effect impact bearing say influence reservation reservations test quiz tendency problem set couple
    guest guests visitor visitors sore stomach toothache backache bruise splinter cramp cramps limit budget scenario string
    dataset model data nerve gall audacity blast great good bad weird strange hard rough long tough crazy busy lovely nice
    gathering party day morning evening afternoon night weekend delivery spare extra leftover leftovers leftover""".split()
)
_HAD = Pattern(
    rf"(?:an?|{NUMBER}|my own|our own|no|both|the|some|over|about|around|nearly|only|just|\d[\d.,]*k?) (?P<what>.+)",
    re.IGNORECASE,
)
#: Illnesses by their endings; the common ones have rules of their own.
_AILMENT = Pattern(
    r"(?:(?:an?|the|my|mild|severe|chronic|early|bad|really|both) )*(?:[\w'-]+ ){0,3}?(?:\w{3,}(?:itis|osis|emia|aemia|pathy|algia|phobia|lepsy|plegia|trophy|taxia|tasia|lexia|raxia|opia|somnia|cardia|thyroidism|edema|ectomy)|syndrome|disease|disorder|condition|deficiency|palsy|intolerance|sclerosis|tinnitus|sciatica)\b",
    re.IGNORECASE,
)
_TO_DO = Pattern(r"(?:got )?to (?P<verb>\w+) ?(?P<what>.*)", re.IGNORECASE)


def having(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody has, has to do, or has done."""
    if match := _TO_DO.match(rest):
        return (
            BOUND
            if HABIT.match(match["what"]) and match["verb"].lower() not in ("say", "admit", "ask")
            else None
        )
    head = next((word for word in said if not verbs.is_adverb(word)), "")
    if head == "been" or (
        (verbs.is_participle(head) or verbs.is_past(head)) and head not in ("used", "married")
    ):
        return has_done(head, rest, said)
    if not NOT_HAD.isdisjoint(said[:5]) or passes(said):
        return OWNED if HABIT.match(rest) and of_life(said) else None
    if _AILMENT.match(rest):
        return OWNED
    if _HAD.match(rest) is None:
        return OWNED if of_life(said) and said[0] not in ("to", "it", "that") else None
    return OWNED
