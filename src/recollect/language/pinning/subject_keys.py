"""Subjects: what a pin is about, as keys `who|kind|what`; two pins with the same keys cannot both be up to date.

"User's dad takes metformin 500 mg" is about `father|medication|metformin`, whatever the dose. The keys are read from
the pin's own words, so that stored and loaded pins have them too and none has to be kept in step. In doubt a pin is about
all of its words, and only its repetition is about the same. It does not decide what is replaced (`merging`).
Keys from a model were rejected: a write calls none.
"""

import re
from collections.abc import Collection, Iterator

from recollect.language.ended import tells_end
from recollect.language.health_statement import ALLERGEN, ANY_DOSE, CONDITIONS, DRUG, RESTRICTED
from recollect.language.spelling import one_spelling
from recollect.language.subject_words import ADDRESSED, KIN
from recollect.language.terms import terms
from recollect.records.pin import PinType

#: Things in one statement that are told apart; a longer list is known by its first ones.
_MOST = 12


def subjects(content: str, pin_type: PinType) -> frozenset[str]:
    """The keys of a pin; never none."""
    text = content.replace("\u2019", "'")
    if pin_type is PinType.CONCEPT:
        text = one_spelling(text)
    match pin_type:
        case PinType.AUTO:
            found = frozenset(_health(text))
        case PinType.CODE:
            found = frozenset(_named(text, "code"))
        case PinType.CONCEPT:
            found = frozenset(_wish(text))
        case PinType.SYSTEM:
            found = frozenset(_named(text, "notice"))
        case PinType.MANUAL:
            found = frozenset[str]()
    return found or frozenset((_key(_who(text), pin_type.value, _bag(text)),))


def may_be_about(text: str, keys: Collection[str]) -> bool:
    """Whether a text can have one of these keys: a quick no for most texts, and never a wrong one."""
    if not text.isascii():
        return bool(keys)
    low = text.lower()
    return any(_may_name(low, key) for key in keys)


#: Kinds whose things are named by the very words, or by others that begin alike.
_LITERAL = frozenset(("allergy", "medication", "code"))
#: Characters with which a word and its stem begin alike, but for the last: "berry" and "berri", "ugly" and "ugli". Shorter
#: stems can have another beginning ("die" from "dying").
_ALIKE = 4


def _may_name(low: str, key: str) -> bool:
    _, kind, what = key.split("|", 2)
    if kind not in _LITERAL or not what.isascii():
        return True
    return all(word[: len(word) - 1][:_ALIKE] in low for word in what.split() if len(word) >= _ALIKE)


def _key(who: str, kind: str, what: str) -> str:
    return f"{who}|{kind}|{what}"


_NUMBERED = re.compile(r"\d")


def _bag(text: str, *, numbers: bool = True) -> str:
    """The words of a text in an order of their own."""
    return " ".join(sorted({term for term in terms(text) if numbers or not _NUMBERED.search(term)}))


# -- who ------------------------------------------------------------------------------------------------

_NAMED = r"(?:,? (?-i:[A-Z][\w'-]*[a-z])\b)?"
_WHO = re.compile(
    rf"(?P<relative>(?:User's|his|her|their) (?:(?!{KIN}\b)[\w-]+ ){{0,3}}?(?:{KIN}'s )?{KIN}\b{_NAMED})"
    rf"|(?P<addressed>{ADDRESSED})"
    r"|(?P<patient>(?:the )?patient\b(?: (?-i:[A-Z][\w'-]+\b)){0,2})"
    r"|(?P<other>(?:he|she|they)\b|(?!User\b|Allerg|Emergency|Medication|Diagnos|In\b)"
    r"(?-i:[A-Z][a-z'-]+(?: [A-Z][a-z'-]+)?)(?= (?:is|was|has|takes|goes|went|had|carries|needs|reacts|prefers)\b))",
    re.IGNORECASE,
)
#: Words for one person; "mother-in-law" is none of them.
_SAME_PERSON = (
    (re.compile(r"\b(?:dad|daddy|papa|pa)\b(?!-)"), "father"),
    (re.compile(r"\b(?:mom|mum|mommy|mummy|mama|ma)\b(?!-)"), "mother"),
    (re.compile(r"\bgrand(?:pa|dad)\b"), "grandfather"),
    (re.compile(r"\b(?:grand(?:ma|mom|mum)|granny|nana)\b"), "grandmother"),
)


#: A fact behind the words that name whom it may be about: "Felix and Carolin are coming, she's got a nut allergy".
_IN_DOUBT = re.compile(
    r"(?!(?:he|she|user(?!'s))\b)(?P<front>.{3,}?)(?:[,.;:]|\b(?:says?|said|told \w+|confirmed|found(?: out)?)(?: that)?),? (?P<who>he|she)(?='s|\b)",
    re.IGNORECASE,
)


#: Who is treated, behind who treats: "User's doctor put User's dad on sertraline", "Penicillin gives User's son hives".
_TREATED = re.compile(
    r"(?:User's|his|her|their|the) [\w-]+ (?:has )?(?:just |recently )?(?:prescribed|put) (?P<who>him|her|them|User\b.*)"
    rf"|(?:(?:eating|taking|touching|even) )?(?:[\w-]+ )?{ALLERGEN} (?:\w+ ){{0,2}}?(?:gives?|gave|causes?|caused) (?P<harmed>him|her|them|User\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_OBJECTS = {"him": "he", "her": "she", "them": "they"}


def _who(text: str) -> str:
    """Whom the beginning of a text is about; the user unless it says otherwise."""
    if treated := _TREATED.match(text):
        whom = (treated["who"] or treated["harmed"]).partition(" ")
        return _OBJECTS.get(whom[0].lower()) or _who("".join(whom))
    doubt = _IN_DOUBT.match(text)
    facts = (_ALLERGENS, _OWNED, _CONDITION, ANY_DOSE, RESTRICTED)
    if doubt and not any(fact.search(doubt["front"]) for fact in facts):
        return doubt["who"].lower()
    found = _WHO.match(text)
    if found is None:
        return "user"
    who = " ".join(found.group().lower().replace(",", " ").split())
    who = who.removeprefix("user's ").removeprefix("the ")
    for words, person in _SAME_PERSON:
        who = words.sub(person, who)
    return who


# -- health ---------------------------------------------------------------------------------------------

_ALLERGENS = re.compile(
    r"\b(?:allergic to|allerg(?:y|ies) to|reactions? to|(?:badly|severely) to|allergies(?:\s*[:=-]| are)"
    r"|(?:hives|rash|rashes) (?:from|after|with)(?: (?:eating|taking|touching))?)\s*(?P<all>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OWNED = re.compile(r"\b(?P<what>(?:[\w'-]+ ){1,3})allerg(?:y|ies)\b", re.IGNORECASE)
_HARMS = re.compile(
    rf"(?:(?:eating|taking|touching|even) )?(?P<what>(?:[\w-]+ )?{ALLERGEN}) (?:\w+ ){{0,2}}?(?:gives?|gave|causes?|caused) (?:him|her|them|User)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:since|ha[ds]|have|which|who|because|so|but|when|from|with|without|causing|carr(?:y|ies)|diagnosed|after"
    r"|takes?|is|are|was|were|uses?|needs?|though|if|in|especially|both|user|he|she|they)\b|[.;:()\u2013\u2014\u2026]"
)
_LISTED = re.compile(r",|\band\b|\bor\b|\bplus\b|&|/")
_DEGREE = frozenset(
    terms(
        "an very really bad severe serious mild strong life-threatening known deadly terrible has have drugs medicine medicines medication"
    )
)
_CONTACT = re.compile(r"\bemergency\b", re.IGNORECASE)
_CONTACT_OF = re.compile(
    rf"\b(?P<whose>his|her|their|(?:User's )?(?:[\w-]+ ){{0,2}}?{KIN}'s) (?:\w+ )?emergency\b", re.IGNORECASE
)
_CAPITALISED = re.compile(
    r"\b(?!You\b|They\b|Reach\b|Phone\b|Ring\b|Notify\b|Always\b|User\b|Emergency\b|In\b|Contacts?\b|Dr\b|Please\b|Call\b|The\b|His\b|Her\b|Their\b|Allerg)[A-Z][\w'-]*[a-z]\b"
)
_KIN = re.compile(rf"\b{KIN}\b", re.IGNORECASE)
_ALWAYS_ONE = (
    (re.compile(r"\bblood (?:type|group)\b", re.IGNORECASE), "blood type"),
    (re.compile(r"\bdnr\b|\bresuscitat", re.IGNORECASE), "resuscitation"),
)
_DRUGS = re.compile(rf"\b{DRUG}\b", re.IGNORECASE)
#: A medicine that nobody listed has its dose before it or behind it.
_DOSED = (
    re.compile(r"\b(?:dose|dosage) of (?P<what>[a-z][\w'-]+)", re.IGNORECASE),
    re.compile(r"\b(?!User's\b|daily\b|current\b)(?P<what>[a-z][\w'-]+) (?:dose|dosage)\b", re.IGNORECASE),
    re.compile(rf"(?:{ANY_DOSE.pattern}) of (?P<what>[a-z][\w'-]+)", re.IGNORECASE),
    re.compile(
        r"\b(?!(?:takes?|taking|on|is|are|was|were|prescribed|started|uses?|injects?|needs?|and|also|now|daily|of)\b)"
        rf"(?P<what>[a-z][\w'-]*)[ ,:]+(?:{ANY_DOSE.pattern})",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:{ANY_DOSE.pattern}) (?P<what>[a-z][\w'-]+)", re.IGNORECASE),
)
#: One that is no longer taken has none; its name is behind the words that say so.
_STOPPED = re.compile(
    r"\b(?:(?:stopped|quit|gave up|given up)(?: (?:taking|using|injecting))?|no longer (?:takes|taking|uses|using|injects|injecting))"
    r" (?:User's |the )?(?P<what>[a-z][\w'-]+)",
    re.IGNORECASE,
)
#: What a medicine is for is no second subject of the statement.
_PURPOSE = re.compile(r"\bfor (?!\d).*", re.IGNORECASE | re.DOTALL)
_CONDITION = re.compile(
    r"\b(?:(?!(?:an?|the|has|have|had|got|with|of|from|and|or|having)\b)[\w-]+ (?:cancer|tumou?r)"
    rf"|{CONDITIONS}|(?P<state>diabetic|prediabetic|epileptic|asthmatic|coeliac|celiac|autistic"
    r"|hypertensive|ana?emic|bipolar|schizophrenic|dyslexic))\b",
    re.IGNORECASE,
)
_STATES = {
    "diabetic": "diabetes",
    "prediabetic": "prediabetes",
    "epileptic": "epilepsy",
    "asthmatic": "asthma",
    "autistic": "autism",
    "hypertensive": "hypertension",
    "high blood pressure": "hypertension",
    "anemic": "anemia",
    "anaemic": "anemia",
    "anaemia": "anemia",
    "schizophrenic": "schizophrenia",
    "dyslexic": "dyslexia",
    "coeliac": "celiac",
}
#: What only makes a condition more exact: its type is not another condition.
_KIND_OF = re.compile(
    r"^(?:an? |type (?:1|2|ii?|one|two) |gestational |juvenile |insulin-dependent |clinical |major )+| (?:disease|disorder)$"
)
_DIAGNOSED = re.compile(
    r"\bdiagnos(?:ed with|ed as(?: having)?|[ie]s(?: is| was|:))\s+(?P<what>[^.,;:()]+)", re.IGNORECASE
)
_DATED = re.compile(r"\b(?:in|since|at|on|last|by|when|back|as|after|this|two|three)\b.*", re.IGNORECASE)


def _health(text: str) -> Iterator[str]:
    if _CONTACT.search(text):
        yield _key(_held_by(text), "contact", "")
        return
    for sign, kind in _ALWAYS_ONE:
        if sign.search(text):
            yield _key(_who(text), kind, "")
            return
    who = _who(text)
    allergens, rest = _allergens(text)
    for what in allergens[:_MOST]:
        yield _key(who, "allergy", what)
    drugs = _medicines(rest)
    for what in drugs[:_MOST]:
        yield _key(who, "medication", what)
    for what in _conditions(_PURPOSE.sub("", rest) if drugs else rest)[:_MOST]:
        yield _key(who, "diagnosis", what)


def _held_by(text: str) -> str:
    """Whose contact it is, wherever that is said; the user's unless it says otherwise."""
    found = _CONTACT_OF.search(text)
    whose = found.group("whose").lower() if found else "user"
    return _who(found.group("whose").removesuffix("'s")) if found and whose.endswith("'s") else whose


#: That another one took the place of those before.
_INSTEAD = re.compile(
    r"\bemergency contact(?: person)? (?:is|'s|will be) now (?:his |her |their |(?-i:[A-Z]))"
    r"|\bis now (?:\S+ ){0,3}emergency contact\b|\bnew emergency contact\b|\bemergency contact\b.*\b(?:instead|from now on)\b",
    re.IGNORECASE,
)


def is_contact_instead(newer: str, older: str) -> bool:
    """Whether a contact takes the place of an older one: the same person's, or one that is it "now"."""
    return _INSTEAD.search(newer) is not None or _contact(newer) == _contact(older)


def is_contact(text: str) -> bool:
    """Whether a pin names an emergency contact."""
    return _CONTACT.search(text) is not None


def _contact(text: str) -> str:
    """The first name, or failing that who it is: a new number of Jane's is news of Jane, not of Bob."""
    found = _CAPITALISED.search(text) or next(
        (kin for kin in _KIN.finditer(text) if kin.group().lower() != "patient"), None
    )
    return found.group().lower() if found else _bag(text, numbers=False)


def _allergens(text: str) -> tuple[list[str], str]:
    """What somebody is allergic to, and the text without it."""
    if found := _ALLERGENS.search(text):
        told = found.group("all")
        end = _GOES_ON.search(told.lower())
        listed = told[: end.start()] if end else told
        rest = f"{text[: found.start()]} {told[end.start() :] if end else ''}"
        return _items(_LISTED.split(listed)), rest
    if found := _HARMS.match(text):
        return _items([found["what"]]), text[found.end() :]
    if found := _OWNED.search(text):
        words = _GOES_ON.split(found.group("what").lower())[-1]
        return _items(_LISTED.split(words)), text[: found.start()] + text[found.end() :]
    return [], text


def _items(pieces: list[str]) -> list[str]:
    told = (" ".join(term for term in terms(piece) if term not in _DEGREE) for piece in pieces)
    return list(dict.fromkeys(item for item in told if item))


def _medicines(text: str) -> list[str]:
    found = [drug.group().lower() for drug in _DRUGS.finditer(text)]
    for pattern in (*_DOSED, _STOPPED) if tells_end(text) else _DOSED:
        if not found:
            found = [dose.group("what").lower() for dose in pattern.finditer(text)]
    return list(dict.fromkeys(found))


def _conditions(text: str) -> list[str]:
    found = [_condition(known.group()) for known in _CONDITION.finditer(text)]
    if not found and (told := _DIAGNOSED.search(text)):
        found = [_bag(_DATED.sub("", told.group("what")), numbers=False)]
    return [condition for condition in dict.fromkeys(found) if condition]


def _condition(words: str) -> str:
    plain = _KIND_OF.sub("", " ".join(words.lower().split()))
    return _STATES.get(plain, plain)


# -- formulas, targets, notices -------------------------------------------------------------------------

_LABEL = re.compile(r"(?P<what>[^\n=:]{1,80}?)\s*(?:=|:(?= )|\b(?:is|are)\b)\s*\S", re.IGNORECASE)


def _named(text: str, kind: str) -> Iterator[str]:
    """What stands before the sign of equality; a snippet of several lines is about all of itself."""
    label = None if "\n" in text else _LABEL.match(text)
    if label and (what := _bag(label.group("what").removeprefix("User's "))):
        yield _key(_who(text), kind, what)


# -- wishes ---------------------------------------------------------------------------------------------

_ORDER = re.compile(r"User wants the assistant to\s+", re.IGNORECASE)
_POLARITY = re.compile(
    r"\b(?:always|never|ever|not|don't|do not|only|stop|please|from now on|going forward|in (?:the )?future"
    r"|generally|usually|really|strongly|definitely|typically|normally|also|still|much|mostly|all)\b",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"\bin (?:simple |plain )?(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|ukrainian|turkish"
    r"|arabic|hebrew|hindi|chinese|mandarin|japanese|korean|swedish|danish|norwegian|finnish|greek|czech|hungarian"
    r"|romanian|vietnamese|thai|indonesian)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?:call|address) User\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(?:short|brief|concise|long|detailed|in-depth|lengthy|under \d+|to the point)\b", re.IGNORECASE
)
_REPLIES = re.compile(r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|be)\b", re.IGNORECASE)
_PART_OF_DAY = re.compile(r"\b(?:morning|noon|afternoon|evening|night)s?\b", re.IGNORECASE)
_OFFICE = re.compile(
    r"\b(?:handles?|makes?|manages?|takes? care of)\b.*?\b(?P<what>medical|health|healthcare|financial|treatment|care|legal"
    r")\s+(?:decisions|appointments|affairs|matters|paperwork|finances)\b",
    re.IGNORECASE,
)
_LIKING = frozenset(terms("prefer prefers dislike dislikes hate hates user wants assistant"))
_AND = re.compile(r",|;|\band\b")
_ADJECTIVES = re.compile(
    rf"(?<=[a-z])(?:,| and|, and)(?= (?:{_LENGTH.pattern}) (?:{_REPLIES.pattern}))"
    rf"|(?:(?<=short)|(?<=brief)|(?<=concise)|(?<=long)|(?<=detailed)|(?<=lengthy)|(?<=in-depth))(?:,| and|, and)(?= (?:[\w-]+ )?(?:{_REPLIES.pattern}))",
    re.IGNORECASE,
)


def _wish(text: str) -> Iterator[str]:
    if office := _OFFICE.search(text):
        yield _key("user", "in charge of", office.group("what").lower())
        return
    ordered = _ORDER.match(text)
    begun = ordered or _WHO.match(text)
    told = _POLARITY.sub(" ", text[begun.end() :] if begun else text)
    if ordered:
        # "Long, detailed answers" are one wish.
        told = _ADJECTIVES.sub(" ", told)
    for part in _AND.split(told) if ordered else (told,):
        if what := _wished(part, is_order=ordered is not None):
            yield _key("user" if ordered else _who(text), "wish", what)


def _wished(told: str, *, is_order: bool) -> str:
    if is_order and _CALLED.search(told):
        return "name"
    if _LANGUAGE.search(told) and (is_order or _REPLIES.search(told)):
        return "language"
    if _LENGTH.search(told) and _REPLIES.search(told):
        return "length"
    words = _bag(_PART_OF_DAY.sub("daytime", told), numbers=False).split()
    return " ".join(word for word in words if word not in _LIKING)
