"""A statement: one predicate with its subject, cut out of what somebody said.

"I live in Lyon and work as a nurse, my sister's in Oslo" makes three. Clauses come from `clause`; here they get their
subject (`grammatical`), a clause without one gets that of the clause before, lists and conditions stay with what they
belong to, and joined predicates come apart. It does not decide what is kept. A grammar was rejected: what the reader
needs is the first verb and what follows it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from recollect.language.clause import Clause, Mood, clauses, without_lead
from recollect.language.judge.lexicon import NAME, RELATED
from recollect.language.judge.rephrased import rephrased
from recollect.language.judge.rule import Who
from recollect.language.judge.subject_of import Person, subject_of, told_of
from recollect.language.judge.unspoken import in_front, marked, restored
from recollect.language.judge.wording import no_longer, trimmed, written_out
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs
from recollect.language.sign import any_of, signs


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Who or what, and what is said of it."""

    who: Who
    #: As it was said, contractions written out: "I", "my sister Maria", "our launch".
    subject: str
    predicate: str
    mood: Mood
    #: The user's clause.
    said: str
    #: Whether words follow behind a comma that were not understood.
    cut: bool = False
    #: Whether its "I" was left out.
    elided: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause, the sentence it stands in, and the statements that it makes."""

    clause: Clause
    #: The clause, contractions written out.
    text: str
    #: The whole sentence, likewise.
    sentence: str
    #: Whether it is the first of its sentence.
    first: bool
    statements: tuple[Statement, ...]


def parts(text: str, people: list[Person], names: Mapping[str, Person]) -> Iterator[Part]:
    """The clauses of a text with what they state.

    `people` are those of whom "he" or "she" may speak, and may change between two clauses; `names` is everybody known by
    name, in small letters.
    """
    text = rephrased(text)
    said = clauses(text)
    written = [written_out(clause.text) for clause in said]
    wholes = _wholes(said, written)
    last: Statement | None = None
    for place, clause in enumerate(said):
        first = place == 0 or said[place - 1].sentence != clause.sentence
        if first:
            last = None
        said_first = in_front(written[place])
        own = without_lead(_unfronted(said_first[1] if said_first else written[place]))
        if clause.mood is Mood.ASKED and _REASON.match(clause.text):
            clause = replace(clause, mood=Mood.STATED)
        if (thought := _THOUGHT.match(own)) is not None:
            clause, own = replace(clause, mood=Mood.SUPPOSED), own[thought.end() :]
        meant = told_of(written[place].removesuffix(own), islice(written, place), people)
        found = _read(clause, own, meant, names) or _continued(clause, own, last)
        if found is None and last is None and not people and (clause.mood is Mood.STATED or marked(own)):
            found = _unspoken(clause, own, first=first or place < _FRAGMENTS, whole=wholes[clause.sentence])
        if found is not None:
            found = _named_thing(found, last)
            found = found if found.elided else _completed(found, said, written, place, text)
            last = found
        made = tuple(_parted(found)) if found is not None else ()
        if said_first is not None and (front := _read(clause, said_first[0], people, names)) is not None:
            made = (replace(front, mood=Mood.STATED), *made)
        made = (*_related(clause, written[place], people, names), *made)
        yield Part(
            clause=clause, text=written[place], sentence=wholes[clause.sentence], first=first, statements=made
        )


_CALL_IT = Pattern(
    r"(?:call|called|named|have named) (?:it|her|him) [\"']?(?P<name>(?-i:[A-Z])\w+)", re.IGNORECASE
)


def _named_thing(statement: Statement, last: Statement | None) -> Statement:
    """ "My side project is a recogniser, I call it Warbler" names the project."""
    match = _CALL_IT.match(statement.predicate) if last is not None and last.who is Who.THING else None
    if match is None or last is None:
        return statement
    return replace(last, predicate=f"is called {match['name']}", mood=statement.mood, said=statement.said)


#: Clauses at the beginning of a message that may be a portrait in fragments: "36, Berlin, data engineer".
_FRAGMENTS = 3


def _unspoken(clause: Clause, own: str, *, first: bool, whole: str) -> Statement | None:
    """A clause whose "I" goes without saying."""
    told = restored(trimmed(own), first=first, whole=whole)
    made = _read(clause, told, [], {}) if told is not None else None
    return None if made is None else replace(made, mood=Mood.STATED, elided=True)


_WHO = Pattern(
    rf"\b(?P<role>{RELATED}(?: {NAME})?),? who (?P<what>(?:is|has|lives|works|loves|hates|can't|plays|speaks|teaches|studies|doesn't|uses|needs|suffers) [^,?!.]+)",
    re.IGNORECASE,
)


def _related(
    clause: Clause, text: str, people: Sequence[Person], names: Mapping[str, Person]
) -> Iterator[Statement]:
    """What a relative clause says of somebody close, wherever it stands: "a gift for my dad, who's a retired judge"."""
    match = _WHO.search(text) if " who " in text else None
    if match is not None and match.start() > 0:
        made = _read(clause, f"{match['role']} {match['what']}", people, names)
        if made is not None:
            yield replace(made, mood=Mood.STATED if clause.mood is Mood.ASKED else clause.mood)


#: Why somebody asks is stated, whatever is asked.
_REASON = Pattern(
    r"(?:and |but )?(?:since|because|cause|cuz|as|given(?: that)?|seeing as) (?:i|i'm|i've|my|we|we're|we've|our)\b",
    re.IGNORECASE,
)
_THOUGHT = Pattern(
    r"(?:i|we) (?:think|guess|suppose|believe|assume|imagine|wish|hope|suspect) (?:that )?(?=(?:i|we|my|our) )",
    re.IGNORECASE,
)


def _wholes(said: Sequence[Clause], written: Sequence[str]) -> dict[int, str]:
    """The sentences by their number."""
    found: dict[int, list[str]] = {}
    for clause, text in zip(said, written, strict=True):
        found.setdefault(clause.sentence, []).append(text)
    return {number: ", ".join(texts) for number, texts in found.items()}


#: "Every Friday I ...", "in my last job I ...": when and where may stand first.
_FRONTED = Pattern(
    r"(?P<front>(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|mornings|evenings|on|in|at|during|since|ever since|after|before|for|most|these|last|as of|from|outside|apart from|besides|until|once|twice"
    r"|back in|next|like most|bearing in mind|keeping in mind|considering|given|knowing|long story) [^,;:?!]{2,45}?|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|mornings|evenings|summers|winters)|bearing in mind|(?:the |my |a )?(?:\w+ )?(?:tests?|results?|doctor|gp|scan) (?:says?|said|shows?|showed|confirmed)(?: that)?|i have been told(?: by [\w ]+?)? that|normally|nowadays|usually|generally|lately|typically|currently|mostly|now),? (?=(?:i|we|my|our) \w)",
    re.IGNORECASE,
)
_MOVABLE = Pattern(
    r"(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|on (?:\w+days?|weekends)|in (?:the )?(?:summer|winter|spring|autumn|fall|morning|evening|my last|my previous|my free|my spare|\d+)"
    r"|since|ever since|for|from|next|back in|most|at (?:work|home|night|weekends)|after|before|during|once|twice|outside|nowadays)\b",
    re.IGNORECASE,
)


_PREPOSITIONS = frozenset(
    "at in as for with from on near of to by about than like and or that part full remotely nights together out".split()
)
_UNREAL = Pattern(
    r"\b(?:universe|another life|dreams?|theory|story|game|novel|past life|next life|fantasy|film|movie|book|song)\b",
    re.IGNORECASE,
)


def _unfronted(clause: str) -> str:
    """The clause from its subject on, with when and where behind it."""
    match = _FRONTED.match(clause)
    if match is None:
        return clause
    front, rest = match["front"], clause[match.end() :]
    if front.rpartition(" ")[2].lower() in _PREPOSITIONS:
        return clause
    if _UNREAL.search(front) and not front.lower().startswith("long story"):
        return ""
    if " " not in front and rest[:2].lower() == "i ":
        return f"I {front.lower()} {rest[2:]}"
    return f"{rest.rstrip(' .,!')} {front[0].lower()}{front[1:]}" if _MOVABLE.match(front) else rest


#: What follows from a statement is no part of it: "... so the sofa must be scratch-proof".
_SO = Pattern(
    r",? so (?:the|it|that|this|no|there|please|any|nothing|everything|recipes?|something)\b.*", re.IGNORECASE
)


def _read(
    clause: Clause, own: str, people: Sequence[Person], names: Mapping[str, Person]
) -> Statement | None:
    found = subject_of(own, people, names)
    if found is None:
        return None
    predicate = no_longer(
        trimmed(_SO.sub("", found.predicate) if " so " in found.predicate else found.predicate)
    )
    if not predicate:
        return None
    return Statement(
        who=found.who, subject=found.subject, predicate=predicate, mood=clause.mood, said=clause.extended
    )


#: A clause that has no subject and still says something of the last one.
_GOES_ON_AS_VERB = Pattern(
    r"(?:and |but |so |then |also |now |currently |just |still |recently |mostly )*(?:(?:live|lives|work|works) (?:in|at|as|for|with|from)|moved|married|divorced|single|engaged"
    r"|hate|hates|love|loves|prefer|prefers|speak|speaks|have|has|had|am|is|was|started|quit|retired|self[- ]employed|originally from|born|based"
    r"|graduated|don't|doesn't|can't|never|always|no longer|uses|owns|switched|stopped|became|got|used to|from (?-i:[A-Z])|freelance"
    r"|allergic to|vegan|vegetarian|left-handed|\d{1,2} years old$|retired \w+|an? (?:single |proud )?(?:mother|father|mom|mum|dad)|(?:mother|father|mom|mum|dad|parent) (?:of|to)|diabetic"
    r"|carries|teaches)\b",
    re.IGNORECASE,
)
_STATE = Pattern(
    r"(?:also |now |originally )*(?:married|divorced|single|engaged|self[- ]employed|originally from|born|based|from|allergic|vegan"
    r"|vegetarian|left-handed|\d+|an? |mother|father|mom|mum|dad|parent|retired|diabetic)\b",
    re.IGNORECASE,
)
_INFLECTED = Pattern(r"(?:and |but )?(?:always |never |also |usually )?\w+s \w", re.IGNORECASE)
_APPOSED = Pattern(r"(?:and )?an? \w+")
_AGE = Pattern(r"\d{1,2}(?: years old)?$")
_NAME_ONLY = Pattern(r"am (?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?(?:$|,)|am \d")


_ASKS = ("please", "so please", "and please", "pls", "just ")
_JOINT = Pattern(r"(?:(?:and|but|then|also|now|so) )*(?P<verb>[\w'-]+) (?P<after>\w+)", re.IGNORECASE)
_JOINS = ("and ", "but ", "then ", "now ")


def _goes_on(bare: str, last: Statement, *, joined: bool) -> bool:
    """Whether a clause without a subject begins with a verb that the subject before it can have."""
    if _GOES_ON_AS_VERB.match(bare):
        return True
    match = _JOINT.match(bare)
    if match is None:
        return False
    verb = match["verb"].lower()
    if verbs.is_past(verb):
        return joined and match["after"].lower() not in ("by", "of")
    if last.who is Who.PERSON:
        return verbs.is_inflected(verb) and any(form in verbs.CLEAR_VERBS for form in (verb[:-1], verb[:-2]))
    return joined and verb in verbs.CLEAR_VERBS and verb not in verbs.NOUN_LIKE | verbs.ORDERS


def _continued(clause: Clause, own: str, last: Statement | None) -> Statement | None:
    """A clause without a subject, said of the one before: "..., work at Acme", "a nurse from Lyon"."""
    if last is None or last.who is Who.THING:
        return None
    bare = trimmed(own)
    if _DEPENDENT.search(f" {last.predicate.lower()} ") and not _INFLECTED.match(bare):
        return None
    named = _NAME_ONLY.match(last.predicate) is not None
    apposed = named and (_AGE.match(bare) is not None or _APPOSED.match(bare) is not None)
    if not (
        _goes_on(bare, last, joined=clause.text.lower().startswith(_JOINS)) or apposed
    ) or clause.text.lower().startswith(_ASKS):
        return None
    for lead in ("and ", "but ", "so ", "then ", "also ", "just "):
        bare = bare.removeprefix(lead)
    if _STATE.match(bare) and last.who in (Who.SELF, Who.PERSON):
        be = "am" if last.who is Who.SELF else "is"
        bare = f"{'was' if bare.startswith('born') else be} {bare}"
    mood = clause.mood if clause.mood is not Mood.HEDGED else Mood.STATED
    return replace(last, predicate=no_longer(bare), mood=mood, said=clause.text)


_CONDITION = Pattern(r"(?:when|whenever|if|unless|while|even if|since i)\b", re.IGNORECASE)
_LIST_GOES_ON = Pattern(
    r"(?:and |or |plus |including |especially |mostly |mainly |primarily |with |without |from |in |at |for |since (?=\d|i |the |her |his |our |we |last |childhood|college|school|uni|my )|called |named |as well as"
    r"|not |both |(?:about|around|roughly|over|under) \d|except |even |on |(?:one|two|three|four|five|six|ten|a dozen) |every |near |no |rather than |instead of |(?-i:[A-Z])|[-+]\d|\d+ ?(?:mg|ml|kg|years|months|times|mcg|miles|km))",
)
_FOR_NOW = Pattern(
    r"(?:right now|at the moment|for now|today|tonight|this (?:week|month)|temporarily|for the time being)$",
    re.IGNORECASE,
)
_A_THING = Pattern(r"an? [\w' -]{3,50}$", re.IGNORECASE)
_OTHER_SUBJECT = Pattern(
    r"(?:and |but |so |or |for )*(?:i|i'm|i've|we|we're|he|she|he's|she's|it|it's|they|you|my|our|his|her|their|the|this|that|there|which|who|what|please|thanks"
    r"|let|can|could|should|would|do|does|is|are|how|why|when|where|if)\b|(?:and |but )?[A-Z]\w+ (?:is|has|does|was|lives|works|handles)\b",
    re.IGNORECASE,
)
_INTERJECTION = Pattern(
    r"(?:and |or |for |in |no |not |with )?(?:thanks?|thank you|sorry|please|pls|ok(?:ay)?|lol|haha\w*|though|actually|btw|sadly|unfortunately|yay|right|anyway|hmm+|ugh|wow"
    r"|so|honestly|any ideas|any tips|real|you|fact|usual|now|rain or shine|no \w+ needed|worries|idea|sure|joke|kidding|problem|surprise|hands down)\b",
    re.IGNORECASE,
)
#: Words of what a comma adds to a statement; more is a new thought.
_LONGEST_PIECE = 9


def _completed(
    statement: Statement, said: Sequence[Clause], written: Sequence[str], place: int, text: str
) -> Statement:
    """The statement with what belongs to it in the clauses behind: a list, a name, a detail, "when I travel"."""
    predicate, clause = statement.predicate, said[place]
    for at in range(place + 1, len(said)):
        before, piece = said[at - 1], said[at]
        if piece.sentence != clause.sentence:
            break
        bare = trimmed(written[at])
        if _CONDITION.match(bare) and f"{before.text} {piece.text}" in text:
            predicate = f"{predicate} {bare}"
            continue
        if _FOR_NOW.match(bare):
            predicate = f"{predicate} {bare}"
            continue
        if piece.mood is not clause.mood or not _belongs(bare, statement):
            alone = _OTHER_SUBJECT.match(bare) or _INTERJECTION.match(bare) or _GOES_ON_AS_VERB.match(bare)
            if bare and not alone and piece.mood is clause.mood:
                statement = replace(statement, cut=True)
            break
        unbroken = f"{before.text} {piece.text}" in text
        joint = " " if unbroken or bare.startswith(("and ", "or ")) else ", "
        predicate = f"{predicate}{joint}{bare}"
    return replace(statement, predicate=predicate) if predicate != statement.predicate else statement


def _belongs(piece: str, statement: Statement) -> bool:
    if not piece or len(piece.split()) > _LONGEST_PIECE or piece.lower().endswith((" it", " that", " this")):
        return False
    if _OTHER_SUBJECT.match(piece) or _INTERJECTION.match(piece) or _GOES_ON_AS_VERB.match(piece):
        return False
    if _A_THING.match(piece):
        return not statement.predicate.startswith("am ")
    if _LIST_GOES_ON.match(piece) or len(piece.split()) <= 2:
        return True
    # The end of a list: "ramen and pizza".
    words = piece.split()
    return len(words) <= 5 and not {"and", "or"}.isdisjoint(words) and words[0].lower() not in verbs.COMMON


#: Two predicates of one subject: only what is surely a verb behind "and".
_AND = Pattern(
    r",? (?:and|but|so) (?P<adverbs>(?:(?:also|now|currently|then|really|usually|always|never|just|still|i|mostly|absolutely|only) )*)(?P<verb>[\w']+)(?P<after> \w+)?",
    re.IGNORECASE,
)
_SURE = frozenset(
    """am is have has was hate hates love loves prefer prefers moved speak speaks own owns teach teaches don't doesn't can't started
    quit retired graduated enjoy enjoys grew became switched adopted bought got adore adores dislike dislikes avoid avoids
    uses plays drives runs studies needs wants handles had died turned turns goes eats sleeps wakes gets takes does suffers suffer
    lives works volunteer volunteers used stopped left carry carries freelance gave joined broke married hated""".split()
)


def _is_verb(found: re.Match[str], who: Who) -> bool:
    verb, after = found["verb"].lower(), (found["after"] or "").strip().lower()
    if verb in _SURE or verb in ("no", "never", "always"):
        return True
    if verb in ("live", "work"):
        return after in _PREPOSITIONS
    if who is Who.PERSON:
        return False
    if found["adverbs"].strip() in ("now", "also", "then") and verb in verbs.COMMON:
        return bool(after)
    return verb in verbs.CLEAR_VERBS and verb not in verbs.NOUN_LIKE and bool(after)


def _parted(statement: Statement) -> Iterator[Statement]:
    """The statement, or the two that an "and" joins."""
    predicate, start = statement.predicate, 0
    for found in _AND.finditer(predicate):
        if (
            found.start() > start
            and _is_verb(found, statement.who)
            and not _infinitive(predicate, start, found)
        ):
            yield replace(statement, predicate=predicate[start : found.start()].rstrip(" ,"))
            start = found.start("adverbs")
    yield replace(statement, predicate=predicate[start:].removeprefix("i ").removeprefix("I "))


#: Behind these a plain verb may belong to them, or to somebody else: "I'll start and join", "I heard they ... and produce".
_DEPENDENT = any_of(
    signs(
        " to | will | would | can | can't | could | should | might | must | may | don't | doesn't | let | that | which | who | they | heard | suggested | helps | help | make | makes "
    )
)


def _infinitive(predicate: str, start: int, found: re.Match[str]) -> bool:
    """Whether the verb behind "and" goes on with an earlier one: "I like to cook and bake"."""
    before = f" {predicate[start : found.start()].lower()} "
    return found["verb"].lower() in verbs.COMMON and _DEPENDENT.search(before) is not None
