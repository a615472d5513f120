"""Variants: two names of one user that may mean the same entity, with the evidence.

Only names of one type that share a trait are compared: letters, sound, consonants, words, short form or initials. So ten thousand
names need some hundred thousand comparisons, not fifty million. `sure` means that nothing else is possible: the same letters
apart from accents, or an additional legal form. Everything else is for a person to decide, and people with conflicting facts
are never paired. A model would need all names at once, again every day.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from recollect.language.entity_names.lexicon import LEGAL_FORMS, ORGANISATION_WORDS, TITLES
from recollect.language.memory_key import derive
from recollect.language.name_sound import distance, folded, skeleton, sound
from recollect.language.nickname import GIVEN_NAMES, same_given_name
from recollect.language.person import roles_differ
from recollect.records.category import Category
from recollect.records.entity import slug

#: Names that share a trait; in a larger group the trait means nothing (a thousand people called John).
_LARGEST_GROUP = 40
#: Letters of the shortest name that is compared by spelling: Tim and Tom are different people.
_SHORTEST = 4
#: Letters from which one typing error is enough evidence, and from which two are.
_LONG, _VERY_LONG = 6, 8
#: Facts of one name that are compared with those of another.
_FACTS_READ = 20
#: Facts that a person has one of and that never change.
_FOR_LIFE = frozenset({"birthday", "birth_year", "birthplace", "native_language"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Two names that may mean one entity."""

    #: The key that would become an alias.
    alias: str
    #: The key of the entity that would stay.
    into: str
    #: 0-1.
    score: float
    #: The reason, for people.
    evidence: str
    #: Nothing else is possible: may be merged without asking.
    sure: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "from": self.alias,
            "into": self.into,
            "evidence": self.evidence,
            "score": self.score,
            "sure": self.sure,
        }


@dataclass(frozen=True, slots=True)
class _Name:
    key: str
    type: str
    label: str
    mentions: int
    #: The words of the slug, without a title.
    words: tuple[str, ...]
    folded: str
    sound: str


def variants(
    names: Sequence[tuple[str, str, int]],
    *,
    facts: Mapping[str, Sequence[str]] | None = None,
    changed: Collection[str] | None = None,
) -> list[Variant]:
    """Pairs of one user's names (key, label, mentions), each once, the best first.

    `facts` are the known facts of each key; `changed` limits the pairs to those with at least one of these keys.
    """
    read = [_read(*name) for name in {name[0]: name for name in names}.values()]
    groups = _groups(read)
    found: list[Variant] = []
    for first, second in _pairs(groups, changed):
        likeness = _likeness(first, second, groups)
        if likeness is None or (facts and disagree(first.key, second.key, facts)):
            continue
        score, evidence, sure = likeness
        alias, into = _direction(first, second)
        found.append(Variant(alias=alias.key, into=into.key, score=score, evidence=evidence, sure=sure))
    return sorted(found, key=lambda item: (-item.score, item.alias, item.into))


def _read(key: str, label: str, mentions: int) -> _Name:
    type, _, name = key.partition(":")
    words = tuple(name.split("_"))
    if type == "person" and len(words) > 1 and words[0] in TITLES:
        words = words[1:]
    plain = "_".join(words)
    return _Name(key, type, label, mentions, words, folded(plain), sound(plain))


# -- which pairs are compared ---------------------------------------------------------------------

_Groups = Mapping[tuple[str, str, str], Sequence[_Name]]


def _groups(names: Sequence[_Name]) -> _Groups:
    """Names by type and trait."""
    groups: dict[tuple[str, str, str], list[_Name]] = defaultdict(list)
    for name in names:
        for kind, trait in dict.fromkeys(_traits(name)):
            groups[name.type, kind, trait].append(name)
    return groups


def _traits(name: _Name) -> Iterator[tuple[str, str]]:
    if not name.folded:
        return
    yield "letters", name.folded
    yield "sound", name.sound
    yield "core", folded("_".join(_core(name)))
    if name.type == "person":
        yield from (("skeleton", _skeletons(name)), ("given", _rest(name)))
        yield "initials", "".join(word[0] for word in name.words)
        if len(name.words) == 1:
            yield "short form", name.folded
    for word in {name.words[0], name.words[-1]} if name.words else ():
        yield "word", folded(word)
    if name.type == "org":
        acronym = "".join(word[0] for word in name.words) if len(name.words) > 2 else name.folded
        yield "acronym", acronym
    if len(name.folded) >= _LONG:
        # Names one error apart are equal without the wrong letter.
        yield from (("slip", name.folded[:at] + name.folded[at + 1 :]) for at in range(len(name.folded)))
        yield "slip", name.folded


def _skeletons(name: _Name) -> str:
    return "_".join(skeleton(word) for word in name.words)


def _rest(name: _Name) -> str:
    """The surname: short forms are compared among people with the same one."""
    return "_".join(name.words[1:]) or "-"


def _core(name: _Name) -> tuple[str, ...]:
    """A firm's name without its legal form, and any name without its article."""
    words = name.words
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    while name.type == "org" and len(words) > 1 and words[-1] in LEGAL_FORMS | {"company"}:
        words = words[:-1]
    return words


def _pairs(groups: _Groups, changed: Collection[str] | None) -> Iterator[tuple[_Name, _Name]]:
    """Pairs of names that share a trait, each once."""
    seen: set[tuple[str, str]] = set()
    for (_, kind, trait), members in groups.items():
        if kind == "given" and trait == "-":
            couples = _short_forms(members)
        elif len(members) > _LARGEST_GROUP:
            continue
        else:
            couples = combinations(members, 2)
        for first, second in couples:
            pair = (min(first.key, second.key), max(first.key, second.key))
            if pair in seen or first.key == second.key:
                continue
            seen.add(pair)
            if changed is None or first.key in changed or second.key in changed:
                yield first, second


def _short_forms(members: Sequence[_Name]) -> Iterator[tuple[_Name, _Name]]:
    """Pairs of people with a single name that is in the table of given names."""
    known = [name for name in members if name.words[0] in GIVEN_NAMES]
    return combinations(known, 2)


# -- evidence for a pair ------------------------------------------------------------------------

_Likeness = tuple[float, str, bool]


def _likeness(first: _Name, second: _Name, groups: _Groups) -> _Likeness | None:
    if _digits(first) != _digits(second):
        return None
    if first.folded == second.folded:
        titled = len(first.key.split("_")) != len(second.key.split("_")) and first.type == "person"
        if titled and _titles(first) != _titles(second):
            return 0.7, f"{_both(first, second)}: the same name, one with a title", False
        return 1.0, f"{_both(first, second)}: the same but for accents, case or punctuation", True
    if likeness := _by_legal_form(first, second, groups):
        return likeness
    if first.type == "person":
        likeness = _by_short_form(first, second) or _by_initials(first, second)
    return (
        likeness
        or _by_part(first, second, groups)
        or _by_acronym(first, second)
        or _by_spelling(first, second)
    )


def _both(first: _Name, second: _Name) -> str:
    return f"{first.label} and {second.label}"


def _digits(name: _Name) -> str:
    return "".join(letter for letter in name.folded if letter.isdigit())


def _titles(name: _Name) -> set[str]:
    return set(name.key.partition(":")[2].split("_")) & TITLES


def _by_legal_form(first: _Name, second: _Name, groups: _Groups) -> _Likeness | None:
    core = folded("_".join(_core(first)))
    if not core or core != folded("_".join(_core(second))):
        return None
    if first.type != "org":
        return 1.0, f"{_both(first, second)}: the same but for the article", True
    forms = {_form(name) for name in groups[first.type, "core", core]} - {""}
    if _form(first) and _form(second) and _form(first) != _form(second):
        return 0.7, f"{_both(first, second)}: one name with two legal forms", False
    sure = len(forms) <= 1 and len(core) > 2
    return 0.95 if sure else 0.7, f"{_both(first, second)}: the same but for the legal form", sure


def _form(name: _Name) -> str:
    """The legal form, one word for its spellings."""
    last = "".join(name.words[len(_core(name)) :])
    alike = {"incorporated": "inc", "corporation": "corp", "limited": "ltd", "company": "co", "": ""}
    return alike.get(last, last)


def _by_short_form(first: _Name, second: _Name) -> _Likeness | None:
    one, two = first.words[0], second.words[0]
    if one == two or first.words[1:] != second.words[1:] or not same_given_name(one, two):
        return None
    score = 0.9 if len(first.words) > 1 else 0.75
    return score, f"{_both(first, second)}: one can be short for the other, or both for one name", False


def _by_initials(first: _Name, second: _Name) -> _Likeness | None:
    one, two = first.words, second.words
    if len(one) != len(two) or len(one) < 2 or one[-1] != two[-1] or one[:-1] == two[:-1]:
        return None
    fits = all(a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(one, two, strict=True))
    return (0.75, f"{_both(first, second)}: the initials fit", False) if fits else None


def _by_part(first: _Name, second: _Name, groups: _Groups) -> _Likeness | None:
    """John and John Doe, if no other John is known."""
    short, full = sorted((first, second), key=lambda name: len(name.words))
    if len(short.words) != 1 or len(full.words) < 2:
        return None
    word = short.words[0]
    place = next((at for at in (0, -1) if full.words[at] == word), None)
    if place is None or (short.type != "person" and place == -1):
        return None
    if short.type in ("org", "project") and not (
        short.type == "org"
        and set(full.words[1:]) <= ORGANISATION_WORDS | {"group", "international", "systems"}
    ):
        return None
    holders = [name for name in groups[short.type, "word", folded(word)] if len(name.words) > 1]
    if len(holders) > 1:
        return None
    return 0.6, f"{short.label} may be {full.label}: nobody else with that name is known", False


def _by_acronym(first: _Name, second: _Name) -> _Likeness | None:
    short, full = sorted((first, second), key=lambda name: len(name.words))
    if first.type != "org" or len(short.words) != 1 or len(full.words) < 3:
        return None
    initials = "".join(word[0] for word in full.words)
    return (
        (0.7, f"{short.label} are the initials of {full.label}", False) if initials == short.folded else None
    )


def _by_spelling(first: _Name, second: _Name) -> _Likeness | None:
    if first.sound == second.sound and len(first.folded) >= _SHORTEST:
        return 0.85, f"{_both(first, second)}: they sound the same", False
    if len(first.words) != len(second.words):
        return None
    unlike = [pair for pair in zip(first.words, second.words, strict=True) if pair[0] != pair[1]]
    if len(unlike) != 1:
        return None
    one, two = (folded(word) for word in unlike[0])
    slips = distance(one, two)
    shortest = min(len(one), len(two))
    if first.type == "person":
        if _two_real_names(*unlike[0]) or _other_gender(one, two):
            return None
        if (
            shortest >= _SHORTEST
            and skeleton(one) == skeleton(two)
            and slips <= (2 if shortest >= _LONG else 1)
        ):
            return 0.8, f"{_both(first, second)}: they sound alike, {_letters(slips)}", False
    if one[:1] == two[:1] and (
        (slips == 1 and shortest >= _LONG)
        or (slips == 2 and shortest > _VERY_LONG and first.type == "person")
    ):
        return 0.7, f"{_both(first, second)}: {_letters(slips)}", False
    return None


def _letters(slips: int) -> str:
    return "one letter apart" if slips == 1 else f"{slips} letters apart"


def _two_real_names(one: str, two: str) -> bool:
    """Maria and Mario are both names of people, and not short forms of one."""
    return one in GIVEN_NAMES and two in GIVEN_NAMES and not same_given_name(one, two)


def _other_gender(one: str, two: str) -> bool:
    """Paul and Paula, Antonio and Antonia: the ending distinguishes them."""
    short, long = sorted((one, two), key=len)
    if len(short) == len(long):
        return short[:-1] == long[:-1] and {short[-1], long[-1]} <= set("aeio")
    return long.startswith(short) and long[len(short) :] in (
        "a",
        "e",
        "o",
        "i",
        "ina",
        "ine",
        "ette",
        "elle",
        "le",
    )


# -- evidence against a pair ---------------------------------------------------------------------------


def disagree(first: str, second: str, facts: Mapping[str, Sequence[str]]) -> bool:
    """Whether the facts of two keys exclude that they are one: different roles, different birthdays."""
    ours, theirs = facts.get(first, ())[:_FACTS_READ], facts.get(second, ())[:_FACTS_READ]
    if any(roles_differ(one, two) for one in ours for two in theirs):
        return True
    if not ours or not theirs:
        return False
    lasting = dict(filter(None, (_for_life(fact, first) for fact in ours)))
    others = dict(filter(None, (_for_life(fact, second) for fact in theirs)))
    return any(lasting[attribute] != others[attribute] for attribute in lasting.keys() & others.keys())


def _for_life(fact: str, key: str) -> tuple[str, str] | None:
    """The attribute of a fact that never changes, and its words without the name; None for other facts."""
    subject = derive(fact, Category.FACT)
    if subject is None or subject.attribute not in _FOR_LIFE or subject.primary_ref not in key:
        return None
    own = set(key.partition(":")[2].split("_"))
    words = (folded(slug(word.removesuffix("'s"))) for word in fact.split())
    return subject.attribute, " ".join(word for word in words if word not in own)


def _direction(first: _Name, second: _Name) -> tuple[_Name, _Name]:
    """The alias and the name that stays: a part or an initial becomes the alias, else the less frequent name."""
    if _core(first) != _core(second) and (_fullness(first) != _fullness(second)):
        alias, into = sorted((first, second), key=_fullness)
    else:
        alias, into = sorted((first, second), key=lambda name: (name.mentions, len(name.label), name.key))
    return alias, into


def _fullness(name: _Name) -> int:
    """The number of words that are no initials."""
    return sum(len(word) > 1 for word in name.words)
