"""Whether a statement is kept: the rules for its verb, then everything that speaks against it.

A statement that a rule would keep may still be hedged, asked, supposed, mocked, over by tomorrow or a secret; then it is
passed, with that reason. It knows one statement at a time and no message; the wording is `wording`'s.
"""

import re
from dataclasses import dataclass, replace

from recollect.language.clause import Mood
from recollect.language.health_statement import DRUG
from recollect.language.judge import becoming, being, doing
from recollect.language.judge.belonging import lasting_thing
from recollect.language.judge.figurative import states_nothing
from recollect.language.judge.lasting import lasting
from recollect.language.judge.lexicon import NAMES, QUALIFIER, ROLE
from recollect.language.judge.owning import SECRET, own_rule
from recollect.language.judge.rule import PLAIN, READ, Rule, Who, joined, rule
from recollect.language.judge.statement import Statement
from recollect.language.judge.wording import LONGEST, sentence
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs
from recollect.language.phrasing.named import describes
from recollect.records.category import Category
from recollect.rules.importance import is_temporary, is_vague


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A statement to keep, in the third person."""

    content: str
    rule: Rule
    category: Category | None
    attribute: str | None
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A statement that a rule knows and something speaks against."""

    reason: str


_NO_SAFE = "It is a secret, and a memory is no safe."
_TABLE = joined(being.TABLE, doing.LIVING, becoming.TABLE)
_ADVERBS = Pattern(
    r"(?:(?:probably|maybe|perhaps|possibly|might|could|should|also|really|actually|just|now|currently|still|mostly|personally|already|recently|finally|basically|honestly|absolutely"
    r"|totally|simply|even|definitely|generally|mainly|both|all|sadly|officially|originally|do(?= (?!the |my |our |all |an? |most |not )\w)|does(?= (?!the |my |our |all |an? |most |not )\w)|strongly|kind of|truly|only"
    r"|always|usually|never|typically|normally|rarely|often|regularly|sometimes|tend to|tends to|generally|nowadays|occasionally|mostly|hardly|barely"
    r"|have(?= (?:\w+ed|been|always|just|recently|never|also|now|quit|got|become|given|bought|lost|gone|had|broken|taken|paid|won|sold|left)\b)"
    r"|has(?= (?:\w+ed|been|always|just|recently|never|also|now|quit|got|become|given|bought|lost|gone|had|broken|taken|paid|won|sold|left)\b)"
    r") )*",
    re.IGNORECASE,
)
_HAVE = Pattern(r"\b(?:have|has)\b", re.IGNORECASE)
_FREQUENT = Pattern(
    r"\b(?:always|usually|never|typically|normally|rarely|often|regularly|tends? to|hardly|nowadays)\b",
    re.IGNORECASE,
)
_BEEN = Pattern(r"(?:have|has) (?:(?:always|just|recently|now|also) )*been (?P<rest>.+)", re.IGNORECASE)
_HAD = Pattern(r"(?:have|has) had (?P<rest>.+)", re.IGNORECASE)
_NO_LONGER = Pattern(r"(?:(?P<be>am|is|are) )?(?:no longer|not .* any ?more) (?P<rest>.+)", re.IGNORECASE)
#: A medicine alone: "off lithium batteries" is none.
_OFF = Pattern(
    rf"(?:am|is|are) (?:(?:now|finally|completely|already) )?off (?:of )?(?:the |my |his |her )?{DRUG}(?=$|[.,;!]| (?:now|again|for good|completely|since|because|due to)\b)",
    re.IGNORECASE,
)
_USED_TO = Pattern(r"used to (?P<verb>\w+) ?(?P<rest>.*)", re.IGNORECASE)
_VERB = Pattern(r"[\w'-]+")
_NEGATED_LAST = rule("ended", r"\w", confidence=PLAIN)
_PAST_VALUE = rule("past", r"\w", confidence=READ)

#: No day that could be written as a date.
_JUST_NOW = Pattern(
    r",? (?:earlier today|just now|right now|an hour ago)\b",
    re.IGNORECASE,
)
_HEDGED = Pattern(
    r"\b(?:i (?:think|believe|guess|suspect|assume|suppose|doubt|fear|feel like|imagine)|seems?|apparently|allegedly|rumou?r|would|wouldn't|(?<!since i )could|couldn't"
    r"|should|shouldn't|almost|wish|hope|hopefully|wonder|wondering|pretend|joke|joking|practically|basically|supposedly|in theory|might|may be|unless|ish\b"
    r"|no wait|wait no|or so they say|they say|people say|according to|as if|as though|like a|feels? like)\b",
    re.IGNORECASE,
)
_MOMENT = Pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|for now|just now|this (?:morning|afternoon|evening|second|minute|instant)|atm|rn|in (?:\d+|an?|ten|five|twenty|a few) (?:min(?:ute)?s?|hours?)"
    r"|earlier|a (?:minute|second|moment|while) ago|last night|so far today|all day|all morning|since (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|last night|this morning|noon|lunch)|later today|temporarily|for the time being|for (?:this|the) (?:task|example|exercise|project file|test|demo))\b",
    re.IGNORECASE,
)
#: What was begun or given up for the moment only; tomorrow it is as it was.
_FOR_NOW = Pattern(
    r"\bfor (?:today|tonight|tomorrow|now|the (?:day|night|morning|afternoon|evening|moment|time being))\b(?! of\b)",
    re.IGNORECASE,
)
_LISTENER = Pattern(
    r"\b(?:you|your|you're|you've|u|ur|chatgpt|this (?:chat|conversation|thread|answer|response|tool|bot|app|site|page|code|function|file|error|bug|question|one|thing))\b",
    re.IGNORECASE,
)
_LISTENER_FINE = Pattern(
    r"\b(?:when you|if you|you to|your (?:answers|replies|responses|summaries|explanations|code)|you (?:summari[sz]e|write|answer|explain|reply|give|use))\b",
    re.IGNORECASE,
)
_POINTS_AWAY = Pattern(r"\b(?:there|here|it|that|them|those|one|ones|him)$", re.IGNORECASE)


#: "User draws a card and pass": a story in steps, told in half sentences.
_SECOND = Pattern(r"^User \w+s .*\band (?P<verb>[a-z]+)(?= (?:at|the|it|to|on|off|up|in|an?|my|for)\b|\.$)")


def weigh(statement: Statement, *, asked_for: bool = False) -> Kept | Refused | None:
    """Keep a statement, refuse it with a reason, or None when it is no statement of a lasting kind at all."""
    found = _ruled(statement)
    if found is None:
        secret = statement.who is Who.THING and SECRET.search(f"{statement.subject} {statement.predicate}")
        reason = _NO_SAFE if secret else states_nothing(statement) if statement.who is Who.PERSON else None
        return Refused(reason=reason) if reason else None
    rule, predicate, attribute = found
    if rule.name == "what they are" and statement.predicate.endswith(" here"):
        # "I'm the sacristan here": where does not matter.
        predicate = predicate.removesuffix(" here")
        statement = replace(statement, predicate=predicate)
    if reason := _against(statement, rule, asked_for=asked_for):
        return Refused(reason=reason)
    if rule.passing:
        predicate = _JUST_NOW.sub("", predicate)
    content = sentence(_said(statement, rule, predicate))
    second = _SECOND.search(content) if rule.name == "what they usually do" else None
    if second is not None and second["verb"] in verbs.COMMON - verbs.NOUN_LIKE:
        return Refused(reason="Its second verb has no subject of its own.")
    if not 10 <= len(content) <= LONGEST or "\u00a7" in content:
        return Refused(reason="It is too short or too long for one fact, or quotes somebody.")
    return Kept(
        content=content,
        rule=rule,
        category=_category(statement, rule, content),
        attribute=attribute if statement.who in (Who.SELF, Who.US) else None,
        confidence=rule.confidence,
    )


_OF_OTHERS = Pattern(r"(?:my|our) [^']+'s ", re.IGNORECASE)
_BY_RULE = {
    "work": Category.IDENTITY, "employment": Category.IDENTITY, "trade": Category.IDENTITY, "what they are": Category.IDENTITY,
    "business": Category.IDENTITY, "bond": Category.RELATIONSHIP, "people and pets": Category.RELATIONSHIP,
    "family": Category.RELATIONSHIP, "parting": Category.RELATIONSHIP, "undertaking": None,
}  # fmt: skip
_BY_WORD = (
    (
        Category.FACT,
        Pattern(r"\b(?:diabetic|asthmatic|epileptic|coeliac|celiac|insomniac|survivor)s?\b", re.IGNORECASE),
    ),
    (Category.PREFERENCE, Pattern(r"\b(?:vegan|vegetarian|pescatarian|fan)\b", re.IGNORECASE)),
    (Category.SKILL, Pattern(r"\b(?:beginner|novice|expert|specialist) (?:in|at|with)\b", re.IGNORECASE)),
    (
        Category.RELATIONSHIP,
        Pattern(
            r"\b(?:married|divorced|widowed|engaged|separated|single|(?:mother|father|mom|mum|dad|parent) (?:of|to))\b",
            re.IGNORECASE,
        ),
    ),
)


def _category(statement: Statement, rule: Rule, content: str) -> Category | None:
    """What kind of fact it is, where the rule or the subject tells; None leaves it to the words of the sentence."""
    if statement.who is Who.PERSON or (statement.who is Who.THING and _OF_OTHERS.match(statement.subject)):
        return Category.RELATIONSHIP
    if rule.name in ("state", "what they are", "change"):
        word = next((category for category, pattern in _BY_WORD if pattern.search(content)), None)
        if word is not None:
            return word
    return rule.category or _BY_RULE.get(rule.name)


def _ruled(statement: Statement) -> tuple[Rule, str, str | None] | None:
    """The rule that would keep a statement, with the predicate to write and the attribute it ends or gives."""
    predicate = statement.predicate
    if statement.who is Who.THING:
        thing = statement.subject.partition(" ")[2]
        owner, apostrophe, owned = statement.subject.partition("'s ")
        if apostrophe and owner.lower().startswith(("my ", "our ")):
            thing = owned
        found = own_rule(thing, predicate)
        if found is None or not _named_well(found, predicate):
            found = lasting_thing(thing, predicate)
        return None if found is None else (found, predicate, found.attribute)
    if ended := _ended(predicate):
        return ended
    if match := _HAD.match(predicate):
        have = "has" if statement.who is Who.PERSON else "have"
        if (known := _by_verb(statement, f"{have} {match['rest']}")) is not None:
            return known, predicate, known.attribute
    if match := _BEEN.match(predicate):
        be = "is" if statement.who is Who.PERSON else "am"
        if (known := _by_verb(statement, f"{be} {match['rest']}")) is not None:
            return known, predicate, known.attribute
    known = _by_verb(statement, predicate)
    return None if known is None else (known, predicate, known.attribute)


def _ended(predicate: str) -> tuple[Rule, str, str | None] | None:
    """What is no longer so, and what once was."""
    if match := _NO_LONGER.match(predicate):
        rest = f"{match['be'] or ''} {match['rest']}".strip()
        return None if _PASSING_MIND.match(rest) else (_NEGATED_LAST, predicate, _single(rest))
    if _OFF.match(predicate):
        return _NEGATED_LAST, predicate, None
    match = _USED_TO.match(predicate)
    if match is None:
        return None
    if (
        match["verb"].lower() in ("like", "love", "hate", "enjoy", "prefer", "use", "dislike")
        and match["rest"]
    ):
        return _NEGATED_LAST, f"no longer {match['verb']} {match['rest']}", None
    return _PAST_VALUE, predicate, None


_PASSING_MIND = Pattern(
    r"(?:wants?|needs?|thinks?|sees?|gets?|knows?|understands?|feels?|remembers?|believes?|(?:am|is|are) (?:mad|angry|sad|tired|hungry|upset|bored|sick|cold|happy|scared|annoyed|busy|sure|certain|worried|confused|stuck|able|interested in (?:this|that|the)))\b",
    re.IGNORECASE,
)
_SINGLE = tuple((attribute, Pattern(pattern, re.IGNORECASE)) for attribute, pattern in becoming.SINGLE)


def _single(predicate: str) -> str | None:
    return next((attribute for attribute, pattern in _SINGLE if pattern.match(predicate)), None)


def _by_verb(statement: Statement, predicate: str) -> Rule | None:
    start = _ADVERBS.match(predicate)
    bare = predicate[start.end() :] if start else predicate
    head = _VERB.match(bare)
    if head is None:
        return None
    verb, rest = head.group().lower(), bare[head.end() :].strip()
    if verb not in verbs.COMMON and start and start.group().lower().endswith(("do ", "does ")):
        # "I do contract work": the verb itself, and no stress on another.
        verb, rest = start.group().split()[-1].lower(), bare
    for candidate in _TABLE.get(verb, ()):
        if statement.who in candidate.who and candidate.rest.match(rest) and _named_well(candidate, rest):
            return candidate
    frequent = _FREQUENT.search(predicate[: head.end()] if start is None else predicate[: start.end()])
    perfect = start is not None and _HAVE.search(start.group()) is not None
    return lasting(statement, verb, rest, frequent=frequent is not None, perfect=perfect)


def _named_well(rule: Rule, rest: str) -> bool:
    """Whether what stands where a name stands can be one."""
    match = rule.rest.match(rest)
    groups = match.groupdict() if match else {}
    if nation := groups.get("nation"):
        return describes(nation.lower())
    name = groups.get("name")
    if not name:
        return True
    return not any(describes(word.lower()) or word.lower() in _NOT_NAMES for word in name.split())


_NOT_NAMES = frozenset(
    """i the a an not so very just really ok okay fine good great sorry sure here there back done ready happy sad glad tired busy
    lost stuck late early new old curious confused interested excited afraid wondering looking trying going thinking aware lol
    team monday tuesday wednesday thursday friday saturday sunday python java rust on in at to from with mr mrs
    batman superman spiderman groot santa jesus god satan gandalf yoda sherlock thor hulk elsa barbie shrek dracula hamlet robot""".split()
)


def _against(statement: Statement, rule: Rule, *, asked_for: bool) -> str | None:
    """Why a statement that a rule knows is not kept."""
    said = f"{statement.subject} {statement.predicate}"
    if SECRET.search(said):
        return _NO_SAFE
    if statement.mood is Mood.ASKED:
        return "It is part of a question."
    if statement.mood is Mood.SUPPOSED:
        return "It is supposed, played or quoted, not stated."
    hedge = _HEDGED.search(said)
    if (
        hedge and not (hedge.group() in ("would", "unless") and rule.category is Category.PREFERENCE)
    ) or is_vague(said):
        return "It is hedged."
    if reason := states_nothing(statement):
        return reason
    if _POINTS_AWAY.search(statement.predicate) or _points(statement):
        return "It points at something said before."
    if asked_for:
        return None
    if _FOR_NOW.search(said) or (not rule.passing and (_MOMENT.search(said) or is_temporary(said))):
        return "It holds for the moment only."
    if _LISTENER.search(said) and not _LISTENER_FINE.search(said):
        return "It is about this conversation."
    return None


_LOOSE = Pattern(
    r"\b(?P<loose>he|she|his|her|him|they|them|their|it(?!'s| is\b)|there(?! is\b| are\b)|its|this (?!year|summer|winter|spring|autumn|fall|month|week|january|february|march|april|may|june|july|august|september|october|november|december|\w+day|company|country|city|house|team|family)|these (?!days)|those|that (?:one|way|kind))\b",
    re.IGNORECASE,
)
_ANTECEDENT = Pattern(
    r"\b(?:my|our|User's) \w+|(?-i:\b[A-Z]\w+)|\b(?:(?:an?|the|two|three)\b \w+.*|\w+s\b(?: \w+.*)?)(?= (?:and|which|so|because|who|when|if)\b)",
    re.IGNORECASE,
)


def _points(statement: Statement) -> bool:
    """Whether the predicate speaks of somebody or something that only the conversation knows."""
    loose = _LOOSE.search(statement.predicate)
    if loose is None:
        return False
    if statement.who in (Who.PERSON, Who.THING):
        return loose.group().lower().startswith(("this", "these", "those", "it"))
    return _ANTECEDENT.search(statement.predicate[: loose.start()]) is None


_NAME_OF = Pattern(r"(?P<who>(?:my|our) [^']+)'s name is (?:now )?(?P<name>(?-i:[A-Z]).+)", re.IGNORECASE)

#: Of two who part; "I broke up with" says who did.
_PARTED = Pattern(
    rf"(?P<verb>(?:broke|split) up|separated) (?:with|from) (?P<other>(?:my|our) {QUALIFIER}{ROLE}\b|{NAMES})(?P<rest>.*)",
    re.IGNORECASE,
)


def _said(statement: Statement, rule: Rule, predicate: str) -> str:
    """The statement in the first person, as it is to be rewritten."""
    if rule.name == "name" and statement.who is Who.SELF:
        name = _name_in(rule, predicate)
        if name:
            return f"my name is {name}"
    if statement.who is Who.THING and (match := _NAME_OF.match(f"{statement.subject} {predicate}")):
        return f"{match['who']} is named {match['name']}"
    if statement.who is Who.US and (match := _PARTED.match(predicate)):
        return f"I and {match['other']} {match['verb']}{match['rest']}"
    if statement.who is Who.US and statement.subject == "we":
        if rule.team and _of_a_team(predicate):
            head, _, rest = predicate.partition(" ")
            verb = {"are": "is", "have": "has", "don't": "doesn't"}.get(head.lower()) or verbs.third_singular(
                head.lower()
            )
            return f"my team {verb} {rest}"
        head, _, rest = predicate.partition(" ")
        return f"I {({'are': 'am', 'were': 'was'}).get(head.lower(), head)} {rest}"
    return f"{statement.subject} {predicate}"


_TEAMWORK = Pattern(
    r"(?:(?:only|mostly|usually|always|never|still|also|now|currently) )*(?:use|deploy|ship|release|merge|review|test|build|code|host|sprint|develop|track|log|monitor|document|migrat\w+|are (?:using|building|developing|migrating|launching|hiring|writing|working on|designing|rewriting|porting))\b",
    re.IGNORECASE,
)


def _of_a_team(predicate: str) -> bool:
    """Whether "we" are people at work rather than a household."""
    return _TEAMWORK.match(predicate) is not None


def _name_in(rule: Rule, predicate: str) -> str | None:
    rest = predicate.partition(" ")[2]
    match = rule.rest.match(rest)
    return match.groupdict().get("name") if match else None
