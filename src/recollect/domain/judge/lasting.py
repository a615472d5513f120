"""Whether a predicate that no special rule knows states something lasting, by the classes of its words.

English says in its tenses what lasts: the plain present is a habit, the perfect with "since" goes on, the past with a year
belongs to a life. So every tense is let through unless its verb tells of thought or of a step, or its object of a screen or
an hour; those classes are in `life_words`. It knows no mood, no subject's name and no wording. A list of what may be kept
was rejected: it knew the phrases it was written from and no others.
"""

import re
from collections.abc import Sequence

from recollect.domain.judge import life_words as words
from recollect.domain.judge.doing import HABITUAL
from recollect.domain.judge.lexicon import MONTH, NAME, NUMBER, PERSON_ENDINGS, PERSON_NOUNS, POINTING
from recollect.domain.judge.rule import READ, Rule, Who, rule
from recollect.domain.judge.statement import Statement
from recollect.domain.pattern import Pattern
from recollect.domain.phrasing import verbs

_WORD = re.compile(r"[\w'+-]+")
_ANY = r"\w|$"
USUAL = rule("what they usually do", _ANY, confidence=0.8, team=True)
_OWNED = rule("possession", _ANY, confidence=0.8)
_ROLE = rule("what they are", _ANY, confidence=0.8)
_STANDING = rule("standing", _ANY, confidence=0.8)
_BOUND = rule("limit", _ANY, confidence=READ)
_LONG = rule("undertaking", _ANY, confidence=0.8)
_AHEAD = rule("plan", _ANY, confidence=0.8, passing=True)
_PAST = rule("past", _ANY, confidence=0.8, passing=True)
_PERFECT = rule("experience", _ANY, confidence=0.8)

_PERIOD = r"(?:every|each) (?:single |other |second |third |few |couple of |\d+ |two |three |four )*(?:day|morning|evening|night|afternoon|week|weekend|weekday|month|year|hour|time|term|semester|quarter|spring|summer|autumn|fall|winter|season|christmas|easter|shift|meal|\w+day|days|weeks|months|years|hours|now|january|february|march|april|may|june|july|august|september|october|november|december)"
_HABIT = Pattern(
    rf".*?(?:{HABITUAL.replace('every|each|', f'{_PERIOD}|')}|\bwhen i\b|\b(?:a|per) (?:day|week|month|year)\b|\ba lot(?! of))",
    re.IGNORECASE,
)
#: The listener, the screen or what was said before.
_HERE = Pattern(
    r".*\b(?:this (?!year|summer|winter|spring|autumn|fall|month|january|february|march|april|may|june|july|august|september|october|november|december)|these (?!days)|those|yours?|you|the following|below$|above$|mind|me (?:nuts|crazy|mad|insane|up the wall|laugh|cry|smile))\b",
    re.IGNORECASE,
)
_POINTS = Pattern(
    rf"(?!(?:one|both) (?!of|that|more|thing|are|is)\w|everything\b){POINTING}|(?:to|of|about|with|for|in|on|at) (?:it|this|that|these|those|them)\b",
    re.IGNORECASE,
)
#: Time that puts a deed into a life rather than into a day.
FAR = Pattern(
    rf".*\b(?:(?:in|since|until|from|around) (?:early |late |mid-?|the )?(?:(?:19|20)\d\d|\d0s|'\d\d|{MONTH}\b)|{NUMBER} (?:years?|months?|decades?)(?: ago| later| back)?|a (?:year|decade|few years) ago"
    r"|years ago|decades ago|last (?:year|spring|summer|autumn|fall|winter|month)|this (?:year|spring|summer|autumn|fall|winter)|when i (?:was|turned|moved|got|had|left|started|retired)|when we (?:were|moved|married|got)|at (?:age \d+|(?:1[4-9]|[2-9]\d)(?! ?[:ap%\d]))\b|as a (?:kid|child|teen\w*|boy|girl|student|baby)|growing up|in my (?:\w+ )?(?:teens|twenties|thirties|forties|fifties|youth|childhood|\d0s)"
    r"|in (?:high school|college|university|uni|grad school|the army|primary school|the war)|all my life|my whole life)\b",
    re.IGNORECASE,
)
_ONGOING = Pattern(
    rf".*\b(?:since|for (?:over |about |almost |nearly |around |more than |the (?:past|last) |a good |some )*(?:{NUMBER}|\d+) (?:\w+ )?(?:years?|months?|decades?)|for (?:years|decades|ages|a (?:year|decade))|all (?:my|his|her|our) (?:adult )?li(?:fe|ves)|my (?:whole|entire) life|(?:once|twice|{NUMBER} times)|over the years|in (?:over |about |almost |nearly )?(?:{NUMBER}|\d+) (?:years|months|decades))\b",
    re.IGNORECASE,
)
_SEASON = Pattern(
    rf".*\b(?:(?:in|next|this|by|until|from|on) (?:the )?(?:early |late |mid-?|end of )?(?:{MONTH}\b|spring|summer|autumn|fall|winter|year|month|20\d\d|\d+(?:st|nd|rd|th))|in {NUMBER} (?:weeks|months|years))\b",
    re.IGNORECASE,
)
_CAPITAL = Pattern(rf"(?:.* )?(?!I\b){NAME}")
_STORY = Pattern(r".*\b(?:and|but|then|until) (?:then|it|nothing|the|suddenly|now)\b", re.IGNORECASE)


def lasting(
    statement: Statement, verb: str, rest: str, *, frequent: bool, perfect: bool = False
) -> Rule | None:
    """The rule for a predicate by its first verb and what follows it; `frequent`: an adverb such as "usually" stood before, `perfect`: "have" did."""
    low = rest.lower()
    said = _WORD.findall(low)
    if _HERE.match(rest) or (
        _POINTS.match(rest)
        and not (low.startswith("the same ") and (_ONGOING.match(rest) or _HABIT.match(rest) or frequent))
    ):
        return None
    if not words.SCREEN.isdisjoint(said[:6]) and " for a living" not in low:
        return None
    if perfect:
        return _has_done(verb, rest, said, always=frequent)
    if verb in ("am", "is", "are"):
        return _being(statement, rest, said)
    if verb in ("was", "were"):
        return _was(statement, rest, said)
    if verb in ("haven't", "hasn't", "havent", "hasnt"):
        head = said[0] if said else ""
        return _PERFECT if _ONGOING.match(rest) and head not in ("seen", "heard", "used", "tried") else None
    if verb in ("have", "has"):
        return _having(statement, rest, said)
    if verb in ("can't", "cannot", "can", "don't", "doesn't", "won't", "must", "mustn't", "need", "needs"):
        return _bound(verb, rest, said, frequent=frequent)
    if verb == "had" or (verbs.is_past(verb) and verb not in verbs.SAME_FORM):
        return _did(verb, rest, said)
    return _does(statement, verb, rest, said, frequent=frequent)


def _life(said: Sequence[str]) -> bool:
    return not words.LIFE.isdisjoint(said)


def _passes(said: Sequence[str]) -> bool:
    return not words.MOMENT.isdisjoint(said)


# -- the plain present ------------------------------------------------------------------------------------


#: A thing that the talk knows, or nothing but how often.
_KNOWN = Pattern(
    r"(?:the|his|her|their|my (?:way|time|seat|breath)|up|down|out|off|back|over|in|on|there|here)\b",
    re.IGNORECASE,
)
#: These say nothing without an object or a place: "User meets every Wednesday".
_INCOMPLETE = frozenset(
    "go meet take do get make put bring visit have see call come buy pay share hold watch start leave".split()
)
_HABIT_ONLY = Pattern(
    r"(?:every|each|daily|weekly|monthly|once|twice|on (?:\w+days?|weekends)|most|again|whenever|nowadays|these days|(?:three|four|five) times)\b",
    re.IGNORECASE,
)
_PLURAL = Pattern(r"(?:s|children|people|folks|family| and [\w ]+)$", re.IGNORECASE)
_OBJECT = Pattern(
    r"(?:the|an?|in|on|with|every|his|her|their|for|at|to|from|my|our|all|mostly|only|both|as|about|like|around) ",
    re.IGNORECASE,
)
#: Said without an object, these still tell of a life.
_ALONE = frozenset(
    """stammer stutter snore smoke drink rent freelance meditate knit volunteer garden journal commute sleepwalk dance sing swim
    crochet sew quilt ski snowboard surf sail climb hike run cycle jog fish hunt vape sketch paint draw fence box row skate
    game code blog podcast bake cook tutor farm homeschool busk""".split()
)


def _does(statement: Statement, verb: str, rest: str, said: Sequence[str], *, frequent: bool) -> Rule | None:
    """A habit, in the plain present."""
    base = verb
    if statement.who is Who.PERSON and not _PLURAL.search(statement.subject):
        if not verbs.is_inflected(verb) or (base := _base(verb, rest)) is None:
            return None
    elif not _may_be_verb(verb, rest):
        return None
    if (base in words.MIND and not _minded(base, said)) or verbs.is_gerund(verb):
        return None
    if not said or said == ["everything"]:
        return USUAL if base in _ALONE or (said and base not in words.STEP | words.DAILY) else None
    repeated = frequent or _HABIT.match(rest) is not None
    if base == "get" and not (_life(said) or (frequent and said[0] in ("a", "an", "my", "the"))):
        return None
    if base in verbs.SAME_FORM and FAR.match(rest):
        return _PAST
    if base in words.STEP or base in verbs.SAME_FORM:
        if not words.SCREEN.isdisjoint(said):
            return None
        named = base not in verbs.SAME_FORM and _life(said) and not _STORY.match(rest)
        repeated = repeated and not (base in _INCOMPLETE and _HABIT_ONLY.match(rest))
        return USUAL if repeated or (named and not _passes(said)) else None
    if base in _INCOMPLETE and _HABIT_ONLY.match(rest):
        return None
    if (
        statement.who is Who.SELF
        and rest[:4].lower() == "the "
        and not (repeated or _life(said) or (_CAPITAL.match(rest) and not _STORY.match(rest)))
    ):
        # A thing that the talk knows already: a procedure, told step by step.
        return None
    if base in words.DAILY and (_KNOWN.match(rest) or (verbs.is_past(said[0]) and "-" not in said[0])):
        return USUAL if repeated or _life(said) else None
    if _passes(said[:3]) and not repeated and not _life(said):
        return None
    return USUAL


def _minded(base: str, said: Sequence[str]) -> bool:
    """Whether a verb of the mind is one of deeds here: "care for my mother", "keep bees"."""
    if (base, *said[:1]) in (("care", "for"), ("look", "after")):
        return len(said) > 1
    if base == "see" and said[:1] in (["a"], ["an"], ["my"]) and _HABIT.match(" ".join(said)):
        return True
    return (
        base in ("keep", "see", "miss")
        and _life(said)
        and not _passes(said)
        and said[0] not in ("the", "my", "our", "that")
    )


def _may_be_verb(verb: str, rest: str) -> bool:
    if not verb.replace("-", "").isalpha() or verb in verbs.NOT_VERBS or verbs.is_adverb(verb):
        return False
    if verbs.is_inflected(verb) and verb not in verbs.COMMON:
        return False
    # "I stlls like": not a verb but a slip.
    return verb in verbs.COMMON or rest.partition(" ")[0].lower() not in verbs.COMMON


def _base(verb: str, rest: str) -> str | None:
    """The plain form of a verb with the ending of the third person."""
    for base in (verb[:-1], verb[:-2], f"{verb[:-3]}y"):
        if base in verbs.COMMON and verbs.third_singular(base) == verb:
            return base
    # Right behind "my sister", and before an object, such a word is a verb, known or not.
    unknown = len(verb) > 3 and verb.isalpha() and verb not in verbs.NOT_VERBS and _OBJECT.match(f"{rest} ")
    return verb[:-1] if unknown else None


# -- being ------------------------------------------------------------------------------------------------

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
_LONG_ING = frozenset(
    """raising restoring renovating remodeling remodelling training studying learning saving growing breeding fostering adopting
    converting caring recovering retraining transitioning moving expecting dating pursuing completing coaching mentoring
    homeschooling commuting renting subletting leasing undergoing tapering weaning rehabbing founding divorcing separating
    co-parenting coparenting battling living volunteering interning apprenticing serving majoring minoring retiring emigrating
    relocating applying teaching tutoring rebuilding repaying squatting couchsurfing freelancing consulting rehoming farming
    homesteading brewing knitting crocheting quilting researching rewilding downsizing self-publishing publishing touring
    lodging boarding sharing paying quitting""".split()
)  # fmt: skip


def _being(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody is, in or on, or is at for long."""
    if _FORBIDDEN.match(rest):
        return _BOUND
    if _AMOUNT.match(rest) or (_PLACED.match(rest) and (_life(said) or _CAPITAL.match(rest))):
        return _STANDING
    if match := _KIND.match(rest):
        return _kind(match["kind"])
    if match := _IN_OF.match(rest):
        what = match["what"]
        if _PAGE.match(what) or _passes(said) or _POINTS.match(what):
            return None
        named = _CAPITAL.match(what.removeprefix("the ")) and not what.lower().startswith("my ")
        return _STANDING if _life(said) or (named and not rest.lower().startswith(("in ", "from "))) else None
    head = said[0] if said else ""
    if verbs.is_gerund(head):
        return _doing_for_long(head, rest, said)
    return None


def _kind(kind: str) -> Rule | None:
    """ "a slow reader", but neither "a mess" nor "a bit late"."""
    head = _WORD.findall(_HEAD_END.sub("", kind).lower())
    if not head or len(head) > 5 or not (words.MOOD | words.MOMENT).isdisjoint(head):
        return None
    return None if not head[-1].isalpha() and "-" not in head[-1] else _ROLE


def _doing_for_long(head: str, rest: str, said: Sequence[str]) -> Rule | None:
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
        return _AHEAD if _SEASON.match(rest) and _life(said) else None
    if head == "using" and _CAPITAL.match(rest) and " to " not in rest:
        return _LONG
    if _SEASON.match(rest) and not _passes(said):
        return _AHEAD
    if _ONGOING.match(rest):
        return _LONG
    return _LONG if head in _LONG_ING and len(said) > 1 and not _passes(said) else None


_WAS = Pattern(
    r"(?:never |also |first |then |later |originally |actually )*(?:born(?! ready| yesterday| for this| in \w+ years)|raised|brought up|adopted|diagnosed|baptised|baptized|ordained|drafted|deployed|stationed|elected|knighted|naturali[sz]ed|educated|home-?schooled|orphaned|widowed|evacuated|deported|expelled|"
    r"made redundant|laid off|promoted|transferred|evicted|incarcerated|named after|conceived|fostered)\b",
    re.IGNORECASE,
)


def _of_trade(kind: str, who: Who) -> bool:
    """Whether it is what somebody was for years: anything, of those close; a trade, of oneself."""
    if _kind(kind) is None:
        return False
    head = _WORD.findall(_HEAD_END.sub("", kind).lower())
    return who is Who.PERSON or head[-1] in PERSON_NOUNS or head[-1].endswith(PERSON_ENDINGS)


def _was(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody was for a part of their life."""
    if _WAS.match(rest):
        return _PAST
    if (kind := _KIND.match(rest)) and not _passes(said) and _of_trade(kind["kind"], statement.who):
        return _PAST
    known = _KIND.match(rest) or _IN_OF.match(rest) or _PLACED.match(rest)
    if known is None or _passes(said) or not (FAR.match(rest) or _ONGOING.match(rest) or "until" in said):
        return None
    match = _KIND.match(rest)
    return None if match and _kind(match["kind"]) is None else _PAST


# -- having -----------------------------------------------------------------------------------------------

_NOT_HAD = frozenset(
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


def _having(statement: Statement, rest: str, said: Sequence[str]) -> Rule | None:
    """What somebody has, has to do, or has done."""
    if match := _TO_DO.match(rest):
        return (
            _BOUND
            if _HABIT.match(match["what"]) and match["verb"].lower() not in ("say", "admit", "ask")
            else None
        )
    head = next((word for word in said if not verbs.is_adverb(word)), "")
    if head == "been" or (
        (verbs.is_participle(head) or verbs.is_past(head)) and head not in ("used", "married")
    ):
        return _has_done(head, rest, said)
    if not _NOT_HAD.isdisjoint(said[:5]) or _passes(said):
        return _OWNED if _HABIT.match(rest) and _life(said) else None
    if _AILMENT.match(rest):
        return _OWNED
    if _HAD.match(rest) is None:
        return _OWNED if _life(said) and said[0] not in ("to", "it", "that") else None
    return _OWNED


_NOT_DONE = frozenset(
    "tried seen heard thought felt wondered looked asked said told noticed found read checked searched googled spent wasted struggled used got had received encountered experienced".split()
)


_COUNTED = Pattern(
    r"(?:over |about |around |nearly |almost |more than )?\d[\d.,]*k? (?!errors?|times? already)\w+s\b",
    re.IGNORECASE,
)
_NUMBERED = Pattern(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|a dozen|\d+) \w+s\b", re.IGNORECASE)
_YEARS = Pattern(rf"(?:[\w-]+ ){{1,3}}(?:{NUMBER}|\d+) (?:years|months|decades)\b", re.IGNORECASE)


def _has_done(head: str, rest: str, said: Sequence[str], *, always: bool = False) -> Rule | None:
    """What has gone on for long or left a mark: the perfect."""
    if head == "been":
        after = rest.partition("been ")[2] or rest
        if verbs.is_gerund(after.partition(" ")[0].lower()):
            return _doing_for_long(after.partition(" ")[0].lower(), after, _WORD.findall(after.lower()))
        return _PERFECT if (_ONGOING.match(rest) or _YEARS.match(after)) and not _passes(said) else None
    if head in words.TURN:
        return _PAST
    if _passes(said):
        return None
    counted = head in words.TURN_WITH and _NUMBERED.search(rest) is not None
    marked = (
        always
        or counted
        or _ONGOING.match(rest)
        or _COUNTED.match(rest)
        or said[:1] in (["always"], ["never"])
    )
    if marked and (head not in _NOT_DONE or _life(said) or _CAPITAL.match(rest)):
        return _PERFECT
    return _PAST if head in words.TURN_WITH and (_life(said) or _CAPITAL.match(rest)) else None


# -- the past ---------------------------------------------------------------------------------------------

_NOT_LIVED = frozenset(
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


def _did(verb: str, rest: str, said: Sequence[str]) -> Rule | None:
    """What happened and belongs to a life."""
    if verb in ("left", "taught", "raised", "named", "adopted") and said[:1] == ["me"] and len(said) > 1:
        return _PAST
    if verb in words.TURN:
        return (
            _PAST
            if (said and said[0] != "the")
            or _life(said)
            or verb in ("retired", "divorced", "graduated", "emigrated", "immigrated", "remarried")
            else None
        )
    if _BODY.match(rest) and verb in ("broke", "tore", "injured", "lost", "hurt", "fractured", "replaced"):
        return _PAST
    if verb == "had" and _REMOVED.match(rest):
        return _PAST
    if verb == "got" and said[:1] == ["into"] and (_life(said) or _CAPITAL.match(rest)) and not _passes(said):
        return _PAST
    if verb in _NOT_LIVED or not said:
        return None
    if FAR.match(rest) or (_TIMES.search(rest) and (_life(said) or _CAPITAL.match(rest))):
        return _PAST
    if _passes(said) or verb not in words.TURN_WITH:
        return None
    return _PAST if _life(said) and verb in _BY_ITSELF else None


#: With a noun of a life, no time needs to be said.
_BY_ITSELF = frozenset(
    """bought sold built started began opened quit joined won lost became earned completed rented leased stopped dropped founded
    launched published renovated restored switched studied trained served taught did made""".split()
)

# -- things -----------------------------------------------------------------------------------------------

_MADE = Pattern(
    r"(?:was|were|is|are) (?:originally |actually |also |all |both )*(?:built|made|founded|established|handed down|passed down|inherited|named|called|bought|designed|painted|restored|rented|leased|paid off|grown|converted|insured|registered|located|owned|based|powered|heated|shared|home-?made|hand-?made|run)\b",
    re.IGNORECASE,
)
_WHAT_IT_IS = Pattern(
    rf"(?:is|are) (?:now |currently |still |actually |also |only |about |around |roughly |just )*(?:an? (?P<kind>.+)|the (?P<role>.+)|(?:from|in|near|on|by|at|with) (?:the |a )?{NAME}|in (?:my|our|his|her|both our) names?|(?:near|on|by|under|through|with|next to|off) (?:the|a|an|my|our) \w+|(?-i:[A-Z])\w|{NUMBER} (?:\w+|%)|\d|£|\$|€|called|named|every|each|mostly|all|both)",
    re.IGNORECASE,
)
_ITS_DOING = Pattern(
    r"(?:has|have|costs?|takes|expires?|renews?|runs|sells?|grows?|faces|comes with|includes?|belongs|covers?|pays|starts|ends|begins|meets?|opens|closes|serves?|speaks?|celebrates?|goes back|dates|produces?|employs?|holds|sleeps|seats|overlooks|sits|stands|requires?|allows?|forbids?|bans|doesn't allow|charges?|lasts|teaches|offers?|makes?|does|uses?|eats?|gets?|weighs|lives?|treats?|speciali[sz]es|builds?)\b (?P<what>.+)",
    re.IGNORECASE,
)
_FARES = frozenset(
    """broken dead slow down gone lost late stuck ready done finished fine good bad great terrible awful empty full closed sore
    better worse leak leaking flat crack cracked missing delayed cancelled noisy low off out dying hurt hurts wrong weird""".split()
)


#: "old lab Buster": an animal or a thing with a name.
_NAMED_THING = Pattern(rf"(?-i:[a-z])[\w-]*(?: (?-i:[a-z])[\w-]*)? (?!I\b){NAME}")


_RULED = Pattern(
    r"(?:doesn't|does not|don't|won't) (?:allow|offer|cover|accept|permit|provide|sell|pay|teach|let|have (?:an?|any)|do (?:remote|overtime))\b \w",
    re.IGNORECASE,
)
_MEASURED = Pattern(
    r"(?:is|are) (?:about |around |roughly |only |just |currently )*\d[\d.,/]* ?(?:kg|kilos|lbs?|pounds|stone|cm|feet|ft|sq ?ft|sqm|m2|acres|hectares|years old|months old|mg|bpm|calories)\b",
    re.IGNORECASE,
)


def lasting_thing(thing: str, predicate: str) -> Rule | None:
    """The rule for something of the user's that no special rule knows: it must be a thing of a life."""
    named, said = (
        _WORD.findall(thing.lower().replace("green card", "greencard")),
        _WORD.findall(predicate.lower()),
    )
    if (
        not words.SCREEN.isdisjoint((*named, *said))
        or _HERE.match(predicate)
        or not _FARES.isdisjoint(said[:5])
    ):
        return None
    if _RULED.match(predicate) or _MEASURED.match(predicate):
        return _STANDING
    if _MADE.match(predicate):
        return _STANDING if _life(named) or FAR.match(predicate) else None
    named_well = _NAMED_THING.fullmatch(thing) is not None and words.DEVICE.isdisjoint(named)
    if not (_life(named) or named_well) or not words.MOMENT.isdisjoint(named):
        return None
    if match := _WHAT_IT_IS.match(predicate):
        kind = match["kind"] or match["role"]
        return _STANDING if kind is None or _kind(kind) is not None else None
    if (match := _ITS_DOING.match(predicate)) and not _POINTS.match(match["what"]) and not _passes(said):
        return _STANDING
    verb = said[0] if said else ""
    return _PAST if verbs.is_past(verb) and FAR.match(predicate) else None


# -- bounds -----------------------------------------------------------------------------------------------


def _bound(verb: str, rest: str, said: Sequence[str], *, frequent: bool) -> Rule | None:
    """What somebody can, must or does not do."""
    while said and (verbs.is_adverb(said[0]) or said[0] in ("even", "really", "actually", "ever")):
        said = said[1:]
    if not said or (said[0] in words.MIND and said[0] not in ("keep", "like")):
        return None
    if said[0] == "get" and not _life(said):
        return None
    repeated = frequent or _HABIT.match(rest) is not None
    if verb in ("need", "needs"):
        return _BOUND if repeated and _life(said) and said[0] != "to" else None
    if said[0] == "have" and verb in ("don't", "doesn't"):
        return (
            _OWNED
            if len(said) > 1 and not _passes(said) and _NOT_HAD.isdisjoint(said) and (_life(said))
            else None
        )
    if verb == "can" and rest.lower().startswith(("only ", "barely ", "hardly ")):
        return _BOUND if len(said) > 1 and not _passes(said[1:]) else None
    if verb in ("must", "mustn't", "can", "won't"):
        return _BOUND if repeated else None
    if said[0] in words.STEP or verb in ("can't", "cannot"):
        return _BOUND if (repeated or _life(said)) and not _passes(said) else None
    return _BOUND if len(said) > 1 and not _passes(said) else None
