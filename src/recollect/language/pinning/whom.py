"""Whom a pin is about: a pin is read alone, and "he has asthma" alone says nothing.

The one relative or the one name of the message that fits takes the place of the pronoun. Where several fit, or a vet or a
doctor reports, the words that name them are pinned as well: "Felix and Carolin are coming, she's got a nut allergy". What is
said of a stranger is news and not pinned. Words before it that say what somebody cannot have are pinned with it, too: they
are what is to be acted on. Without anybody before it the pronoun stays: who it is may be clear from the chat.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.language import health_statement
from recollect.language.clause import Clause, Mood, without_lead
from recollect.language.entity_names.recognition import recognise
from recollect.language.judge import antecedent
from recollect.language.subject_words import ADDRESSED, KIN

#: "Felix and Carolin": the second of two names.
_JOINED = re.compile(r"\b[A-Z][\w'-]*[a-z] (?:and|&) (?P<name>[A-Z][\w'-]*[a-z])\b")
_PRONOUN = re.compile(r"(?:he|she)(?='s|\b)", re.IGNORECASE)
_SPEAKER = re.compile(r"i(?='m|'ve|\b)", re.IGNORECASE)
_HAS = re.compile(r"'s(?= (?:been|got)\b)")
#: Relatives and animals of the household: "my dad", "the cat", "Grandpa".
_RELATIVE = re.compile(
    rf"(?:\b(?:my|our) (?:[\w-]+ ){{0,2}}?{KIN}\b|\bthe (?:dog|puppy|cat|kitten|horse|rabbit|parrot|baby|toddler|little one|patient)\b"
    rf"|\b{ADDRESSED})(?!'s \w)(?P<named>,? (?-i:(?!I')[A-Z][\w'-]*[a-z])\b)?",
    re.IGNORECASE,
)
#: "My son's teacher": whose health follows is not certain.
_THEIRS = re.compile(rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}?{KIN}(?='s \w)", re.IGNORECASE)
_MALE = re.compile(
    r"\b(?:(?:(?:grand|step|god)-?)?(?:dad|father|son|brother)|daddy|husband|uncle|nephew|pa|papa|boyfriend|grandpa)\b",
    re.IGNORECASE,
)
_FEMALE = re.compile(
    r"\b(?:(?:(?:grand|step|god)-?)?(?:mom|mum|mother|daughter|sister)|mommy|mummy|wife|aunt|niece|ma|mama|granny|nana|girlfriend|grandma)\b",
    re.IGNORECASE,
)
#: People whose health is news: others' friends, and full names.
_OTHERS = re.compile(
    r"\b(?:neighbou?r|boss|colleague|coworker|co-worker|friend|teacher|landlord|classmate|actor|actress"
    r"|singer|president|celebrity|character|player|guy|man|woman|author)\b"
    r"|(?<![.!?] )(?<!^)(?-i:\b[A-Z][a-z]+ [A-Z][a-z]+\b)|(?-i:^[A-Z][a-z]+ [A-Z][a-z]+ )",
    re.IGNORECASE,
)
#: No strangers: those who report are not those who are ill, and "the dog" is the user's.
_NO_STRANGERS = frozenset(
    """doctor gp physician specialist pediatrician paediatrician allergist cardiologist psychiatrist nurse vet
    dog puppy cat kitten horse rabbit parrot baby toddler patient""".split()
)
#: Clauses before a pronoun in which people are looked for.
_REMEMBERED = 8
#: Characters of words that name somebody, with the fact; beyond them a pin would be cut before its fact.
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """Somebody whom a clause names, or a stranger."""

    #: Empty for a stranger.
    called: str
    #: Whether it is somebody for sure, and nobody else is beside them.
    sure: bool
    clause: Clause


#: Facts that say how bad it is and not of what; behind these words they do.
_SEVERITY = re.compile(r"anaphyla|epi-?pen", re.IGNORECASE)
_NAMES_CAUSE = re.compile(r"\b(?:to|after|from|because|when|if|by|for|whenever)\b", re.IGNORECASE)


def lacks_cause(text: str) -> bool:
    """Whether a clause says that something is dangerous, and not what."""
    found = _SEVERITY.search(text)
    return found is not None and _NAMES_CAUSE.search(text, found.end()) is None


def told_alone(clause: Clause, before: Sequence[Clause], text: str) -> str | None:
    """A clause of a text in words that say whom it is about; None when it is about a stranger."""
    whole = without_lead(clause.extended)
    pronoun = _PRONOUN.match(whole)
    reason = _reason(clause, before)
    if pronoun is None:
        return (reason and _passage(clause, before, reason, text)) or whole
    mentions = _mentions(before[-_REMEMBERED:])
    if mentions and not mentions[-1].called:
        return None
    if reason is not None and (passage := _passage(clause, before, reason, text)):
        return passage
    unfit = _FEMALE if pronoun.group().lower() == "he" else _MALE
    fitting = [mention for mention in mentions if mention.called and not unfit.search(mention.called)]
    reporter = antecedent.reporter(clause.text.removesuffix(without_lead(clause.text)))
    if _is_certain(fitting, reporter):
        return _PRONOUN.sub(lambda _: fitting[0].called, _spelt_out(whole), count=1)
    if fitting or reporter:
        return _passage(clause, before, fitting[-1].clause if fitting else clause, text) or whole
    return whole


def _reason(clause: Clause, before: Sequence[Clause]) -> Clause | None:
    """The clause right before that says of what a fact is true, in the same sentence."""
    if not before or before[-1].sentence != clause.sentence or before[-1].mood in (Mood.ASKED, Mood.SUPPOSED):
        return None
    if lacks_cause(clause.text):
        return before[-1]
    own, told = without_lead(clause.text), without_lead(before[-1].text)
    same = _PRONOUN.match(own) or (_SPEAKER.match(own) and _SPEAKER.match(told))
    return before[-1] if same and health_statement.RESTRICTED.search(told) else None


def _is_certain(fitting: Sequence[_Mention], reporter: str | None) -> bool:
    """Whether a pronoun can mean one only; a vet speaks of animals."""
    if len({mention.called.lower() for mention in fitting}) != 1 or not all(one.sure for one in fitting):
        return False
    return reporter != "vet" or antecedent.is_animal(fitting[0].called)


def _spelt_out(text: str) -> str:
    """ "He's" as "he is" or "he has": behind "my dad" it would read like what is his."""
    has = _HAS.sub(" has", text[:12]) + text[12:]
    return re.sub(r"^(he|she)'s(?= )", r"\1 is", has, flags=re.IGNORECASE)


def _passage(clause: Clause, before: Sequence[Clause], source: Clause, text: str) -> str | None:
    """The words from the sentence that names those who may be meant up to the fact; None when they are too many."""
    text = text.replace("\u2019", "'").replace("\u2018", "'")
    opening = next((one for one in (*before, clause) if one.sentence == source.sentence), clause)
    start = text.find(opening.text)
    end = text.find(clause.extended, max(start, 0))
    if start < 0 or end < 0:
        return None
    found = " ".join(text[start : end + len(clause.extended)].split())
    return found if len(found) <= _LONGEST else None


def _mentions(before: Sequence[Clause]) -> list[_Mention]:
    """Everybody whom the clauses name, in order; a relative's name means the relative."""
    found: list[_Mention] = []
    names: dict[str, str] = {}
    for clause in before:
        text = clause.text
        for match in _RELATIVE.finditer(text):
            if match["named"]:
                names[match["named"].strip(" ,").lower()] = _called(match)
        found += _in_clause(clause, names)
    return found


def _called(relative: re.Match[str]) -> str:
    """A relative with the name, if it is told: of two sons each has his own medicines."""
    return relative.group().replace(",", "")


def _in_clause(clause: Clause, names: Mapping[str, str]) -> Iterator[_Mention]:
    text = clause.text
    stranger = _OTHERS.search(text) is not None or antecedent.describes_other(text, _NO_STRANGERS)
    relatives = [_called(match) for match in _RELATIVE.finditer(text)]
    theirs = [match.group() for match in _THEIRS.finditer(text)]
    others = [name for name in antecedent.named(text) if name.lower() not in names]
    again = [names[word] for word in (name.lower() for name in antecedent.named(text)) if word in names]
    if relatives or theirs or again:
        yield from (_Mention(called=one, sure=not stranger, clause=clause) for one in (*relatives, *again))
        yield from (_Mention(called=one, sure=False, clause=clause) for one in (*theirs, *others))
    elif _OTHERS.search(text) or (stranger and not others):
        yield _Mention(called="", sure=False, clause=clause)
    else:
        people = (
            {one.label for one in recognise(text) if one.key.startswith("person:")} if others else set[str]()
        )
        for name in others:
            yield _Mention(called=name, sure=name in people and not stranger, clause=clause)
        if joined := _JOINED.search(text):
            yield _Mention(called=joined["name"], sure=False, clause=clause)
