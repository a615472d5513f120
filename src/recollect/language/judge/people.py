"""The people of a conversation: who was introduced, by role and by name, and whom the next "she" may mean.

"My wife is Jane and we've got two boys, Theo and Max" introduces three. Names are taken only where the words say whose
they are; a capital alone makes nobody. It does not know the store: names known before come in from outside.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from recollect.language.judge.antecedent import kin_by_name, somebody_else
from recollect.language.judge.lexicon import KIN, NAME, NAMES, NUMBER, PETS, QUALIFIER, RELATED, ROLE
from recollect.language.judge.subject_of import STRANGER, Person
from recollect.language.pattern import Pattern
from recollect.language.phrasing.named import describes

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
_WORD = Pattern(r"[^\W\d_][\w-]*")
_NOBODY_KNOWN: Mapping[str, Person] = MappingProxyType({})


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


def mentioned(text: str, names: Mapping[str, Person] = _NOBODY_KNOWN) -> list[Person] | None:
    """Those whom "he" or "she" may mean behind this text; None when it could be a stranger. `names` are known already."""
    found = {person.called.lower(): person for person in (*_spoken_of(text, names), *introduced(text))}
    roles = {person.role for person in found.values()}
    low = text.lower()
    for match in _RELATED.finditer(text) if "my " in low or "our " in low else ():
        role = match.group().partition(" ")[2].lower()
        if role not in roles and not _is_many(role):
            found.setdefault(role, Person(called=f"my {role}", name=None, role=role))
    for role in (*(match["role"].lower() for match in _GOT.finditer(text)), *kin_by_name(text)):
        if role not in roles:
            found.setdefault(role, Person(called=f"my {role}", name=None, role=role))
    people = found.values()
    known = {*names, *(person.name.lower() for person in people if person.name)}
    near = {person.role for person in (*people, *names.values()) if person.role}
    return None if somebody_else(text, near, known) else list(people)


def _spoken_of(text: str, names: Mapping[str, Person]) -> Iterator[Person]:
    """Those known by name whom a text names again."""
    if names:
        for word in (match.group() for match in _WORD.finditer(text)):
            if (person := names.get(word.lower())) is not None:
                yield person


def _is_many(role: str) -> bool:
    return role.endswith("s") and not role.endswith("ss")


def now_meant(people: list[Person], text: str, names: Mapping[str, Person], *, beside: bool) -> bool:
    """Whom the next pronoun of this message may mean: those whom this sentence names, `beside` whom it named before."""
    new = mentioned(text, names)
    if new == []:
        return beside
    if new is None:
        # Somebody is spoken of still: what follows without a subject is not the user's.
        people[:] = [STRANGER] if people else []
    else:
        people[:] = [*(people if beside else ()), *new]
    return True


def known_people(names: Mapping[str, str]) -> dict[str, Person]:
    """People whom earlier conversations introduced, by their name in small letters."""
    return {
        label.lower(): Person(called=label, name=label, role="")
        for key, label in names.items()
        if key.startswith("person:") and label
    }


def by_name(text: str) -> dict[str, Person]:
    """Whom a text introduces, by their name in small letters."""
    return {person.name.lower(): person for person in introduced(text) if person.name}
