"""The people of a conversation: who was introduced, by role and by name, and whom the next "she" may mean.

"My wife is Jane and we've got two boys, Theo and Max" introduces three. Names are taken only where the words say whose
they are; a capital alone makes nobody. It does not know the store: names known before come in from outside.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from recollect.domain.judge.lexicon import KIN, NAME, NAMES, NUMBER, PETS, QUALIFIER, RELATED, ROLE
from recollect.domain.judge.subject_of import Person
from recollect.domain.pattern import Pattern
from recollect.domain.phrasing.named import describes
from recollect.domain.sign import any_of, signs

_APPOSED = Pattern(
    rf"\b(?P<role>{RELATED}),? (?P<name>(?!(?-i:Dr|Mr|Mrs|Ms|Prof)\b){NAME}(?: (?-i:[A-Z][\w'-]+))?)(?=$|[.,;:!?)]|'s\b| )",
    re.IGNORECASE,
)
_CALLED = Pattern(
    rf"\b(?P<role>{RELATED})(?:'s name)? (?:is|are)(?: now)? (?:(?:called|named) )?(?:(?-i:Dr|Mr|Mrs|Ms|Prof)\.? )?(?P<name>(?!(?-i:Dr|Mr|Mrs|Ms|Prof)\b){NAMES})(?=$|[.,;:!?)]| (?:and|but|who)\b)",
    re.IGNORECASE,
)
_HAVE = Pattern(
    rf"\b(?:have|has|got|adopted|of|welcomed|had) (?:(?:got|our|my) )?(?:an?|{NUMBER}) {QUALIFIER}(?P<role>{ROLE}|boys?|girls?)"
    rf"(?:,| \(|:| called| named| -|) ?(?P<names>{NAME}(?:(?:,| and|, and| &) {NAME})*)",
    re.IGNORECASE,
)
_TWINS = Pattern(
    rf"\b(?:my |our |of )?(?P<role>twins|triplets|kids|children|sons|daughters|boys|girls|dogs|cats|parents|brothers|sisters)"
    rf"(?:,| \(|:| called| named| are(?: called| named)?|) ?(?P<names>{NAME}(?:, {NAME})*,? (?:and|&) {NAME})",
    re.IGNORECASE,
)
_MINE = Pattern(
    rf"(?:^|[.,;!] |\band )(?P<name>{NAMES}) (?:is|was) (?P<role>(?:my|our) {QUALIFIER}{ROLE})\b",
    re.IGNORECASE,
)
_MARRIED = Pattern(rf"\b(?:married|engaged) to (?P<name>{NAME})", re.IGNORECASE)
_NO_NAME = frozenset(
    """i i'm i've i'd i'll the a an and but so my our we he she it is are was has have who that this not in on at from with for to of
    or as be if no yes ok monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december christmas easter english french german spanish""".split()
)


#: A capital inside a sentence that is no "I": without one, nobody is named.
_CAPITAL = Pattern(r"[^.!?\n] \(?(?!I\b)[^\W\d_a-z]")
_PERSONAL = any_of(signs("my |our |his |her |their |a |an |some |the |this |that |your "))


def _is_name(name: str) -> bool:
    low = name.lower()
    return low not in _NO_NAME and not describes(low) and (len(name) < 2 or not name.isupper())


@lru_cache(maxsize=32)
def introduced(text: str) -> tuple[Person, ...]:
    """Whom a text introduces, contractions written out, in no particular order; a text is looked at more than once."""
    return tuple(_introduced(text))


def _introduced(text: str) -> Iterator[Person]:
    if not _CAPITAL.search(text):
        return
    if any(mark in text for mark in ("my ", "My ", "our ", "Our ")):
        for match in (*_APPOSED.finditer(text), *_CALLED.finditer(text)):
            if match["name"][0].isupper() and _is_name(match["name"]):
                yield _person(match["role"], match["name"])
        for match in _MINE.finditer(text):
            if _is_name(match["name"]):
                yield _person(match["role"], match["name"])
    for pattern in (_HAVE, _TWINS):
        for match in pattern.finditer(text):
            for name in re.split(_NAME_BITS_TEXT, match["names"]):
                if name[:1].isupper() and _is_name(name):
                    yield Person(called=name, name=name, role=match["role"].lower())
    for match in _MARRIED.finditer(text):
        if match["name"][0].isupper() and _is_name(match["name"]):
            yield Person(called=match["name"], name=match["name"], role="spouse")


_NAME_BITS_TEXT = r",? and |, | & "


def _person(role: str, name: str) -> Person:
    bare, name = role.partition(" ")[2], name.removesuffix("'s")
    return Person(called=f"my {bare} {name}", name=name, role=bare.lower())


_GOT = Pattern(
    rf"\b(?:adopted|got|have|has|bought|rescued|had) an? {QUALIFIER}(?P<role>{KIN}|{PETS})\b(?!'s)",
    re.IGNORECASE,
)
_RELATED = Pattern(rf"\b{RELATED}", re.IGNORECASE)
_STRANGERS = Pattern(
    r"\b(?:(?:an?|some|the|this|that|his|her|their|your) (?:\w+ ){0,2}?(?:friend|guy|man|woman|girl|boy|colleague|neighbou?r|doctor"
    r"|actor|actress|singer|player|character|president|mechanic|teacher|kid|lady|person|cop|officer|author|narrator)"
    r"|(?:his|her|their) (?:\w+ )?" + KIN + r")\b",
    re.IGNORECASE,
)


def mentioned(text: str) -> list[Person] | None:
    """Those whom "he" or "she" may mean behind this text; None when it could be a stranger."""
    low = text.lower()
    if not _PERSONAL.search(low):
        return []
    if _STRANGERS.search(text):
        return None
    found: dict[str, Person] = {}
    named = introduced(text)
    for person in named:
        found[person.called.lower()] = person
    for match in _RELATED.finditer(text) if "my " in low or "our " in low else ():
        role = match.group().partition(" ")[2].lower()
        if not any(role == person.role for person in named) and not role.endswith("s"):
            found.setdefault(role, Person(called=f"my {role}", name=None, role=role))
    for match in _GOT.finditer(text):
        role = match["role"].lower()
        if not any(person.role == role for person in named):
            found.setdefault(role, Person(called=f"my {role}", name=None, role=role))
    return list(found.values())


def now_meant(people: list[Person], text: str, *, beside: bool) -> bool:
    """Whom the next pronoun of this message may mean: those whom this sentence names, `beside` whom it named before."""
    new = mentioned(text)
    if new == []:
        return beside
    people[:] = [*(people if beside and new else ()), *(new or ())]
    return True


def known_people(names: Mapping[str, str]) -> dict[str, Person]:
    """People whom earlier conversations introduced, by their name in small letters."""
    return {
        label.lower(): Person(called=label, name=label, role="")
        for key, label in names.items()
        if key.startswith("person:") and label
    }
