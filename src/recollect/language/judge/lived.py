"""What belongs to a life though it is over, or goes on for long: the past, the perfect and the long "-ing".

"I broke a cup" is over and "I broke my hip" is not: a deed counts by its verb (to emigrate), by its object (a house) or by
its time (in 2012, as a kid). What is being done counts when it takes months or has a date ahead. It knows no mood.
"""

import re
from collections.abc import Sequence

from recollect.language.judge import life_words as words
from recollect.language.judge.lexicon import NUMBER
from recollect.language.judge.marks import CAPITAL, FAR, ONGOING, SEASON, of_life, passes, words_of
from recollect.language.judge.rule import AHEAD, LONG, PAST, PERFECT, Rule
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs

_LONG_ING = frozenset(
    """raising restoring renovating remodeling remodelling training studying learning saving growing breeding fostering adopting
    converting caring recovering retraining transitioning moving expecting dating pursuing completing coaching mentoring
    homeschooling commuting renting subletting leasing undergoing tapering weaning rehabbing founding divorcing separating
    co-parenting coparenting battling living volunteering interning apprenticing serving majoring minoring retiring emigrating
    relocating applying teaching tutoring rebuilding repaying squatting couchsurfing freelancing consulting rehoming farming
    homesteading brewing knitting crocheting quilting researching rewilding downsizing self-publishing publishing touring
    lodging boarding sharing paying quitting""".split()
)  # fmt: skip


def doing_for_long(head: str, rest: str, said: Sequence[str]) -> Rule | None:
    if head in (
        "going",
        "trying",
        "looking",
        "wondering",
        "thinking",
        "hoping",
        "asking",
        "having",
        "being",
        "feeling",
    ):
        return None
    if head == "getting":
        return AHEAD if SEASON.match(rest) and of_life(said) else None
    if head == "using" and CAPITAL.match(rest) and " to " not in rest:
        return LONG
    if SEASON.match(rest) and not passes(said):
        return AHEAD
    if ONGOING.match(rest):
        return LONG
    return LONG if head in _LONG_ING and len(said) > 1 and not passes(said) else None


_NOT_DONE = frozenset(
    "tried seen heard thought felt wondered looked asked said told noticed found read checked searched googled spent wasted struggled used got had received encountered experienced".split()
)


_COUNTED = Pattern(
    r"(?:over |about |around |nearly |almost |more than )?\d[\d.,]*k? (?!errors?|times? already)\w+s\b",
    re.IGNORECASE,
)
_NUMBERED = Pattern(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|a dozen|\d+) \w+s\b", re.IGNORECASE)
_YEARS = Pattern(rf"(?:[\w-]+ ){{1,3}}(?:{NUMBER}|\d+) (?:years|months|decades)\b", re.IGNORECASE)


def has_done(head: str, rest: str, said: Sequence[str], *, always: bool = False) -> Rule | None:
    """What has gone on for long or left a mark: the perfect."""
    if head == "been":
        after = rest.partition("been ")[2] or rest
        if verbs.is_gerund(after.partition(" ")[0].lower()):
            return doing_for_long(after.partition(" ")[0].lower(), after, words_of(after.lower()))
        return PERFECT if (ONGOING.match(rest) or _YEARS.match(after)) and not passes(said) else None
    if head in words.TURN:
        return PAST
    if passes(said):
        return None
    counted = head in words.TURN_WITH and _NUMBERED.search(rest) is not None
    marked = (
        always
        or counted
        or ONGOING.match(rest)
        or _COUNTED.match(rest)
        or said[:1] in (["always"], ["never"])
    )
    if marked and (head not in _NOT_DONE or of_life(said) or CAPITAL.match(rest)):
        return PERFECT
    return PAST if head in words.TURN_WITH and (of_life(said) or CAPITAL.match(rest)) else None


NOT_LIVED = frozenset(
    "asked told said thought tried wanted felt looked saw heard noticed wondered mentioned read meant knew guessed needed decided realized realised hoped found".split()
)
_BODY = Pattern(
    r"(?:my|his|her|an?|both) (?:\w+ ){0,2}(?:acl|leg|arm|hip|wrist|ankle|collarbone|back|foot|hand|knee|shoulder|rib|ribs|meniscus|achilles|spine|nose|jaw|elbow|hamstring|finger|toe|tooth|teeth|kidney|appendix|gallbladder|tonsils|spleen)\b",
    re.IGNORECASE,
)


_TIMES = Pattern(r"\b(?:once|twice|\w+ times)\b(?! (?:today|already|now|again|so far))", re.IGNORECASE)
_REMOVED = Pattern(
    r"(?:my|his|her|both|an?|all) (?:\w+ ){1,4}(?:removed|replaced|taken out|out|amputated|fused|fixed|repaired|transplanted|pinned)\b",
    re.IGNORECASE,
)


def did(verb: str, rest: str, said: Sequence[str], *, never: bool) -> Rule | None:
    """What happened and belongs to a life."""
    if verb in ("left", "taught", "raised", "named", "adopted") and said[:1] == ["me"] and len(said) > 1:
        return PAST
    if verb in words.TURN:
        return (
            PAST
            if (said and said[0] != "the")
            or of_life(said)
            or verb in ("retired", "divorced", "graduated", "emigrated", "immigrated", "remarried")
            else None
        )
    if _BODY.match(rest) and verb in ("broke", "tore", "injured", "lost", "hurt", "fractured", "replaced"):
        return PAST
    if verb == "had" and _REMOVED.match(rest):
        return PAST
    if verb == "got" and said[:1] == ["into"] and (of_life(said) or CAPITAL.match(rest)) and not passes(said):
        return PAST
    if verb in NOT_LIVED or not said:
        return None
    if FAR.match(rest) or (_TIMES.search(rest) and (of_life(said) or CAPITAL.match(rest))):
        return PAST
    if passes(said) or verb not in words.TURN_WITH:
        return None
    # "I bought my wife flowers" tells nothing of a wife.
    things = said if verb == "lost" else [word for word in said if word not in _PEOPLE]
    return PAST if of_life(things) and (never or verb in _BY_ITSELF) else None


_PEOPLE = frozenset(
    """wife husband partner girlfriend boyfriend mother mom mum father dad parents son sons daughter daughters child children
    kid kids baby brother sister family""".split()
)
#: With a noun of a life, no time needs to be said.
_BY_ITSELF = frozenset(
    """bought sold built started began opened quit joined won lost became earned completed rented leased stopped dropped founded
    launched published renovated restored switched studied trained served taught did made""".split()
)
