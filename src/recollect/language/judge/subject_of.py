"""Who or what a clause speaks of: the speaker, the household, somebody close, or something of the speaker's.

Finds the subject at the beginning of a clause and gives it apart from the predicate. "He" is somebody only when one person
of the conversation fits, and nobody else stands nearer (`antecedent`); a name only when the conversation, or the store, knows it. It does not read predicates. What has
another subject ("the weather", "people") is not ours, and yields nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.language.judge.antecedent import is_animal, reporter
from recollect.language.judge.lexicon import KIN, NAME, NAMES, RELATED, ROLE
from recollect.language.judge.rule import Who
from recollect.language.pattern import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody whom the conversation has introduced."""

    #: How a memory calls them: "my sister Maria", or the name alone.
    called: str
    name: str | None
    role: str


#: Somebody whom nobody knows, and whom a pronoun may mean.
STRANGER = Person(called="", name=None, role="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The beginning of a clause, and the rest of it."""

    who: Who
    subject: str
    predicate: str


_WE = Pattern(r"we (?:both |all )?(?=\w)", re.IGNORECASE)
_JOINT = Pattern(
    rf"(?P<other>{RELATED}(?: {NAME})?) and i (?=\w)|(?:me|i) and (?P<second>{RELATED}(?: {NAME})?) (?=\w)",
    re.IGNORECASE,
)
_AND_I = Pattern(rf"(?P<other>(?!I\b){NAME}(?: {NAME})?) and (?:i|I) (?=[a-z])")
_SOMEBODY = Pattern(
    rf"(?P<role>{RELATED})(?P<named>,? (?!(?-i:Dr|Mr|Mrs|Ms)\b){NAMES}(?!'s),?)?(?P<who>,? who)?(?P<since> (?:since|from|at) [\w ]{{2,20}}?(?= is ))?"
    r" (?=\w)(?!and\b|or\b|of\b|to\b|with\b|name\b|tongue\b)",
    re.IGNORECASE,
)
_KIN_NAME = Pattern(
    r"(?:mom|mum|dad|mommy|mummy|daddy|mama|papa|grandma|grandpa|granny|nana|(?-i:Mother|Father)) (?!of\b|to\b|and\b|jokes?\b|who\b)(?=[a-z])",
    re.IGNORECASE,
)
_OWNED_BY = Pattern(
    rf"(?P<owner>{RELATED}(?: {NAME})?)'s (?P<thing>[\w ]{{2,30}}?) (?=(?:is|are|was|has)\b)", re.IGNORECASE
)
_ROLE = Pattern(rf"(?:\w+ )?{ROLE}", re.IGNORECASE)
_KIN = Pattern(rf"\b{KIN}\b", re.IGNORECASE)
_VERBS = (
    r"(?:is|are|was|were|has|have|takes?|starts?|begins?|ends?|expires?|runs?|uses?|makes?|sells?|builds?|does|employs?|develops?"
    r"|meets?|deploys?|releases?|ships?|works?|focuses|consists|speciali[sz]es|targets?|follows?|operates|supports|prefers"
    r"|requires|lives?|supplies|hosts|serves?|trains|rehearses|plays|closes|opens|offers|gets|produces|writes|owns|forbids"
    r"|allows|bans|includes?|involves?|means|pays|covers|faces|weighs|holds|lands|leaves|departs|finishes|falls|happens|comes?"
    r"|came|moved|emigrated|speaks?|celebrates?|farms?|eats?|goes|costs?|renews?|sells?|grows?|belongs|charges?|lasts|teaches|dates|seats"
    r"|overlooks|stands|sits|doesn't|don't|survived|closed|burned|burnt|flooded|died|turns|turned|got|went|started|ended|keeps?|had)"
)
_THING = Pattern(rf"(?:my|our) (?P<thing>[^,;:?!]{{2,60}}?) (?={_VERBS}\b)", re.IGNORECASE)
_EVENTFUL = Pattern(
    r"(?:my|our) (?P<thing>[a-z]\w*(?: [a-z]\w*)?) (?=(?:\w+s|\w+ed|got) .*(?:every|each|in (?:19|20)\d\d|since|by (?-i:[A-Z])))",
    re.IGNORECASE,
)
_TWO_THINGS = Pattern(r"\b(?:and|who|that|which|i|we|you)\b", re.IGNORECASE)
_PRONOUN = Pattern(r"(?P<pronoun>he|she|his|her)(?='s|\b) ?(?=\S)", re.IGNORECASE)
_NAMED = Pattern(r"(?P<name>[^\W\d_][\w-]*)(?P<is>'s)? (?=[\w\d])", re.IGNORECASE)
_IS_MINE = Pattern(
    rf"(?P<name>(?!(?:this|that|he|she|it|they|which|who|the|here|there|what|you|one|everything|time|god|life|music|coffee)\b)"
    rf"[^\W\d_][\w'-]*(?: {NAME}){{0,2}}) (?:is|are|was) (?:(?:also |now )?(?:{RELATED})|one of (?:my|our) (?:\w+ )?\w+)",
    re.IGNORECASE,
)
_CALLED = Pattern(
    r"(?:(?:my |most |all my )?(?:friends|people|everyone|everybody|colleagues|family|folks) (?:just |usually |mostly )?calls? me|(?:please |just |you can |so )*call me)"
    r" (?!back|when|if|at|on|later|maybe|crazy|tomorrow|today|now|an?\b|the\b|paranoid|old)(?P<name>(?-i:[A-Z])[\w'-]+)(?=$|[.!,;]| (?:please|instead|not)\b)",
    re.IGNORECASE,
)
#: Done to the speaker: "they put me on lithium", "my doctor prescribed me statins".
_DONE_TO_ME = Pattern(
    r"(?:they|(?:my|the) (?:\w+ )?(?:doctor|gp|cardiologist|psychiatrist|neurologist|specialist|dentist|hospital|clinic|therapist|boss|manager|company))"
    r" (?:just |recently |finally |have |has )*(?P<done>put|moved|switched|started|diagnosed|promoted|prescribed|hired|transferred) me (?P<rest>(?:on|to|onto|with|as|from)?\b.+)",
    re.IGNORECASE,
)
#: A medicine or a tool in the place of another: "my doctor switched me from metformin to Ozempic".
_SWITCHED_ME = Pattern(
    r"(?:they|(?:my|the|our) (?:new )?(?:(?P<doctor>doctor|gp|cardiologist|psychiatrist|neurologist|specialist|endocrinologist|rheumatologist|oncologist|dermatologist|hospital|clinic|physician|nurse|diabetologist)|boss|manager|company|team|school|employer))"
    r" (?:just |recently |finally |have |has )*(?:switched|moved|changed|swapped) (?:me|us) (?:over )?from (?P<old>[\w+-]+(?: \d+ ?mg)?|(?-i:[A-Z])[\w +-]{0,30}?) to (?P<new>(?(doctor)[\w+-]+(?: \d+ ?mg)?|(?-i:[A-Z])[\w+-]+))(?=$|[.,;!]| (?:last|in|this|because|since|after|and|yesterday|today)\b)",
    re.IGNORECASE,
)
#: "The company I work for makes ..." is the speaker's.
_RELATIVE = Pattern(
    r"(?P<thing>(?:the|most|all|one|half)(?: of)?(?: the)? (?:[\w-]+ ){0,2}?(?:company|firm|place|school|university|college|church|band|team|club|hospital|clinic|restaurant|shop|farm|house|flat|apartment|village|town|city|neighbou?rhood"
    r"|codebase|product|project|people|kids|patients|students|clients|department|lab|meds|medication|car|bike|job|course|class|building|street|charity|store|bakery|agency|instrument|language|gym|choir|office)"
    r" (?:that |which |where )?(?:i|we) (?:\w+)(?: (?:for|at|in|to|on|with|of|after|from))?) (?=(?:is|are|has|have|makes?|does|sells?|uses?|builds?|runs|closes|opens|costs?|was|were|comes?|belongs|specializes|specialises|serves?|treats?|offers?)\b)",
    re.IGNORECASE,
)
#: "The kids" are the speaker's.
_AT_HOME = Pattern(
    r"the (?=(?:kids|cats?|dogs?|baby|twins|boys|girls|in-laws|mortgage|thesis|missus|wife|husband|house|flat|apartment)\b)",
    re.IGNORECASE,
)
_SOME_OF = Pattern(
    r"(?:both|all|half|most|two|three|one|some)(?: of)? (?:my|our) (?=\w)|both (?=(?:kids|boys|girls|cats|dogs|parents)\b)",
    re.IGNORECASE,
)
_MALE = Pattern(
    r"\b(?:dad|daddy|father|son|husband|brother|uncle|nephew|pa|papa|boyfriend|grandpa|grandfather|grandson|stepdad|stepfather|boy)\b",
    re.IGNORECASE,
)
_FEMALE = Pattern(
    r"\b(?:mom|mum|mommy|mummy|mother|daughter|wife|sister|aunt|auntie|niece|ma|mama|granny|nana|girlfriend|grandma|grandmother|stepmother|girl)\b",
    re.IGNORECASE,
)
_UNFIT = {"he": _FEMALE, "his": _FEMALE, "she": _MALE, "her": _MALE}


def subject_of(clause: str, people: Sequence[Person], names: Mapping[str, Person]) -> Subject | None:
    """The subject of a clause whose contractions are written out, if it is one of ours."""
    low = clause[:4].lower()
    if low.startswith("i "):
        return Subject(who=Who.SELF, subject="I", predicate=_of_them(clause[2:], people))
    if low.startswith("we ") and (match := _WE.match(clause)):
        return Subject(who=Who.US, subject="we", predicate=clause[match.end() :])
    if match := _CALLED.match(clause):
        return Subject(who=Who.SELF, subject="I", predicate=f"prefer to be called {match['name']}")
    if match := _SWITCHED_ME.match(clause):
        verb = "take" if match["doctor"] else "use"
        return Subject(
            who=Who.SELF, subject="I", predicate=f"{verb} {match['new']} instead of {match['old']}"
        )
    if match := _DONE_TO_ME.match(clause):
        return Subject(who=Who.SELF, subject="I", predicate=f"was {match['done']} {match['rest'].strip()}")
    if low.startswith(("my ", "our ", "me a", "i an")):
        return _of_mine(clause)
    if " and I " in clause[:40] and (match := _AND_I.match(clause)):
        return Subject(who=Who.US, subject=f"I and {match['other']}", predicate=clause[match.end() :])
    if match := _IS_MINE.match(clause):
        name = match["name"]
        return Subject(who=Who.PERSON, subject=name, predicate=clause[len(name) + 1 :])
    if match := _RELATIVE.match(clause):
        return Subject(who=Who.THING, subject=match["thing"], predicate=clause[match.end() :])
    if match := _AT_HOME.match(clause):
        return _of_mine(f"my {clause[match.end() :]}")
    if match := _SOME_OF.match(clause):
        found = _of_mine(f"my {clause[match.end() :]}")
        return found and replace(found, subject=f"{match.group().strip()} {found.subject.partition(' ')[2]}")
    if match := _KIN_NAME.match(clause):
        role = match.group().strip().lower()
        return Subject(who=Who.PERSON, subject=f"my {role}", predicate=clause[match.end() :])
    if people and (match := _PRONOUN.match(clause)):
        return _meant(match, clause, people)
    return _named(clause, names)


def told_of(front: str, before: Iterable[str], people: Sequence[Person]) -> Sequence[Person]:
    """Whom a pronoun may mean behind "the vet says": animals; behind a doctor those of whom the message told `before`."""
    who = reporter(front) if people and front else None
    if who is None:
        return people
    if who == "vet":
        return [person for person in people if is_animal(person.role)]
    told = " ".join(before).lower()
    return [person for person in people if told and (person.name or person.role).lower() in told]


def _named(clause: str, names: Mapping[str, Person]) -> Subject | None:
    match = _NAMED.match(clause) if names else None
    if match is None or match["name"].lower() not in names:
        return None
    known = names[match["name"].lower()].name or match["name"]
    be = "is " if match["is"] else ""
    return Subject(who=Who.PERSON, subject=known, predicate=f"{be}{clause[match.end() :]}")


def _of_mine(clause: str) -> Subject | None:
    """What begins with "my": two of us, somebody, something of theirs, or something."""
    if match := _JOINT.match(clause):
        other = match["other"] or match["second"]
        both = f"I and {other[0].lower()}{other[1:]}"
        return Subject(who=Who.US, subject=both, predicate=clause[match.end() :])
    if match := _OWNED_BY.match(clause):
        if _ROLE.fullmatch(match["thing"]) and not _KIN.search(match["owner"]):
            # The kin of a friend are strangers.
            return None
        owned = f"{match['owner']}'s {match['thing']}"
        return Subject(who=Who.THING, subject=owned, predicate=clause[match.end() :])
    if match := _SOMEBODY.match(clause):
        named = (match["named"] or "").strip(" ,")
        subject = f"{match['role']} {named}" if named else match["role"]
        return Subject(who=Who.PERSON, subject=subject, predicate=clause[match.end() :])
    match = _THING.match(clause) or _EVENTFUL.match(clause)
    if match is None or _TWO_THINGS.search(match["thing"]):
        return None
    return Subject(who=Who.THING, subject=match.group().strip(), predicate=clause[match.end() :])


_HIS = Pattern(
    r"\b(?P<pronoun>his|her) (?=(?:main |only |full-time |primary )?(?:carer|caregiver|guardian|godmother|godfather|boss|manager|mentor|teacher|coach))",
    re.IGNORECASE,
)


def _of_them(predicate: str, people: Sequence[Person]) -> str:
    """ "I am her carer" with the one who is meant."""
    if not people:
        return predicate
    match = _HIS.search(predicate)
    person = _fitting(match["pronoun"], people) if match else None
    if match is None or person is None:
        return predicate
    return f"{predicate[: match.start()]}{person.called}'s {predicate[match.end() :]}"


def _fitting(pronoun: str, people: Sequence[Person]) -> Person | None:
    """The only one whom a pronoun can mean."""
    unfit = _UNFIT[pronoun.lower()]
    fitting = {person.called.lower(): person for person in people if not unfit.search(person.role)}
    person = next(iter(fitting.values())) if len(fitting) == 1 else None
    return None if person is STRANGER else person


def _meant(match: re.Match[str], clause: str, people: Sequence[Person]) -> Subject | None:
    person = _fitting(match["pronoun"], people)
    if person is None:
        return None
    rest = clause[match.end() :].strip()
    if match["pronoun"].lower() in ("he", "she"):
        rest = re.sub(r"^'s ", "is ", rest)
        return Subject(who=Who.PERSON, subject=person.called, predicate=rest)
    thing, verb, value = rest.partition(" is ")
    if not verb or len(thing.split()) > 3:
        return None
    return Subject(who=Who.THING, subject=f"{person.called}'s {thing}", predicate=f"is {value}")
