"""Whom else a "he" could mean: strangers, professions, animals and names that stand nearer than the one who is known.

"The plumber came, he is allergic to dust" says nothing of a brother named last week. Only whether there is somebody else is
told, not who: in doubt nobody is given somebody else's illness. What somebody is ("she is a nurse") is nobody else. Telling
men's names from women's was rejected: a list of names ends somewhere, and a wrong guess is a false fact.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from recollect.language.entity_names.lexicon import BRANDS, COMPANIES, NEVER, PLACES, TITLES
from recollect.language.judge.lexicon import NAME, PERSON_ENDINGS, PERSON_NOUNS, PETS, RELATED, ROLE
from recollect.language.pattern import Pattern
from recollect.language.phrasing.named import describes

_SOMEBODY = (
    r"guy|man|woman|girl|boy|kid|lady|person|gentleman|dude|fellow|stranger|visitor|guest|patient|owner|player|character"
    r"|president|hero|heroine|narrator|minister|neighbou?r|one|other|acquaintance|customer|passenger|prisoner|victim"
    r"|pupil|candidate|host|technician|repairman|delivery man|vicar|bishop|king|queen|prince|princess"
)
_BEAST = r"animal|tomcat|stallion|mare|pig|wolf|fox|bear|lion|tiger|squirrel|hedgehog|raccoon|crow|pigeon|swan|calf|lamb|foal"
_NOUN = (
    rf"(?:{ROLE}|{_SOMEBODY}|{_BEAST}|(?:{'|'.join(sorted(PERSON_NOUNS))})"
    rf"|\w+(?:{'|'.join(PERSON_ENDINGS)}))"
)
_IS_NOUN = Pattern(_NOUN, re.IGNORECASE)
_OF_SOMEBODY = frozenset("a an the this that some another his her their your my our one every each".split())
_OF_OURS = frozenset("the this that my our".split())
#: Words behind "the" among which the noun is.
_REACH = 3
_PUNCTUATION = '.,;:!?()"\u2014\u2013'
_RELATED = Pattern(rf"\b{RELATED}", re.IGNORECASE)
_OWNED = Pattern(
    rf"\b(?:have|has|had|got|adopted|bought|rescued) an? (?:[\w-]+ ){{0,2}}?(?:{PETS})\b", re.IGNORECASE
)
#: "She is a nurse", "works as the manager": what somebody is.
_COMPLEMENT = Pattern(
    r"(?<!there )(?<!it )(?<!this )(?<!that )(?<!here )\b(?P<be>is|was|are|were|am|be|been|being|became|become|becomes|as)"
    r" (?:(?:now|also|still|just|already|really|currently|actually|only|such|quite|not) )*(?:an?|the|his|her|their|\S+'s) ",
    re.IGNORECASE,
)
_SOMEONE = Pattern(r"\b(?:somebody|someone|anybody|anyone|whoever)\b", re.IGNORECASE)
#: A name that begins a clause, and one behind a title or a verb of people.
_OPENING = Pattern(
    rf"(?:^|[.,;:!?\u2014\u2013(]\s*|\n\s*|\b(?:and|but|so|because|when|while|since|that|then|today|yesterday) )(?P<name>{NAME})(?='s \w| (?-i:[a-z])|(?:,| and| &) (?-i:[A-Z]))"
)
_MET = Pattern(
    rf"\b(?:(?i:with|met|saw|told|asked|married|dating|brought|invited|hired|(?:i|we) called|(?:talk(?:ed|ing)?|spoke|speaking|thinking|heard) (?:to|about|of|from)|{'|'.join(sorted(TITLES))}|uncle|aunt|auntie|cousin|nurse)\.?) (?P<name>{NAME})"
)
#: Names in small letters are known by what only people do.
_DID = Pattern(
    r"(?:^|[.!?] )(?P<name>[a-z][\w-]+) (?:visited|called|phoned|rang|texted|wrote|said|says|told|asked|arrived|came|stayed|married|dropped by"
    r"|stopped by|is coming|is here|was here)\b"
)
_NOBODY = NEVER | PLACES | COMPANIES | BRANDS
_MANY = frozenset("family staff crew children mice bees sheep in-laws".split())


def somebody_else(text: str, roles: Collection[str] = (), names: Collection[str] = ()) -> bool:
    """Whether a text has somebody whom a pronoun could mean, beside the user's own people and those known by role or name."""
    if _SOMEONE.search(text):
        return True
    if describes_other(text, roles):
        return True
    return any(name.lower() not in names for name in named(text)) or any(
        match["name"] not in names and match["name"] not in _NOBODY for match in _DID.finditer(text)
    )


def describes_other(text: str, roles: Collection[str] = ()) -> bool:
    """Whether somebody is described who is none of the user's own people, nor in one of the known roles."""
    if not _has_noun(text, roles):
        return False
    # Looked at again without the user's own people, what they own and what they are.
    others = _COMPLEMENT.sub(r"\g<be> ", _OWNED.sub("", _RELATED.sub("\u00a7", text)))
    return _has_noun(others, roles)


def _has_noun(text: str, roles: Collection[str]) -> bool:
    """Whether a text has somebody by what they are: "the plumber", "a new colleague", "Anna's husband", "his boss"."""
    words = text.lower().split()
    for at, whose in enumerate(words):
        if whose not in _OF_SOMEBODY and not whose.endswith("'s"):
            continue
        for word in words[at + 1 : at + 1 + _REACH]:
            noun = word.rstrip(_PUNCTUATION)
            if _is_one(noun) and (noun not in roles or whose not in _OF_OURS):
                return True
            if noun != word or noun in _OF_SOMEBODY:
                break
    return False


@lru_cache(maxsize=4096)
def _is_one(noun: str) -> bool:
    """Whether a word is a single person or animal: "he" is one."""
    many = noun in _MANY or (noun.endswith("s") and not noun.endswith("ss"))
    return not many and _IS_NOUN.fullmatch(noun) is not None


def named(text: str) -> Iterator[str]:
    """What looks like somebody's name: it begins a clause, or stands behind a title or a verb of people."""
    for pattern in (_OPENING, _MET):
        for match in pattern.finditer(text):
            name = match["name"].removesuffix("'s")
            low = name.lower()
            if (
                low.partition("'")[0] not in _NOBODY
                and not describes(low)
                and not _KIN_NAME.fullmatch(low)
                and not name.isupper()
            ):
                yield name


_KIN = r"(?:mom|mum|dad|mommy|mummy|daddy|mama|papa|grandma|grandpa|granny|nana|mother|father)"
_KIN_NAME = Pattern(_KIN, re.IGNORECASE)
_CALLED_SO = Pattern(
    rf"(?:^|[.,;:!?(\n]\s*|\b(?:and|but|so|because|when|with|to|for|told|asked|visited) )(?P<kin>{_KIN})(?= (?!of\b|to\b|jokes?\b)\w|[.,;!?])",
    re.IGNORECASE,
)


def kin_by_name(text: str) -> Iterator[str]:
    """Those of the user's family who are called by what they are: "Grandpa is in hospital"."""
    for match in _CALLED_SO.finditer(text):
        yield match["kin"].lower()


_REPORTS = Pattern(
    r"\b(?P<who>doctor|gp|physician|specialist|pa?ediatrician|allergist|cardiologist|psychiatrist|nurse|vet) ",
    re.IGNORECASE,
)
_BEASTS = Pattern(rf"\b(?:{PETS}|{_BEAST})\b", re.IGNORECASE)


def reporter(lead: str) -> str | None:
    """Who of the healing professions reports what follows: "the vet says ..."."""
    match = _REPORTS.search(f"{lead} ")
    return match["who"].lower() if match else None


def is_animal(role: str) -> bool:
    """Whether a role is that of an animal."""
    return _BEASTS.search(role) is not None
