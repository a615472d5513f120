"""Who was mentioned: names, and relatives without one, in the order in which they came up.

`entity_names` recognises names, as it does for memories. Beside it stand what only a digest needs: somebody who does or is
done to what only people do, and rows of names ("Tomasz, Zosia and Halina"), once one word says that they are people. It
does not know whether two names mean one person. A capital letter alone was rejected: firms and towns have one, too.
"""

import re
from collections.abc import Iterable, Iterator

from recollect.language.entity_names import Found, recognise
from recollect.language.judge.lexicon import NAME, PERSON_NOUNS

_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[e\u00e9]e?|mother|mom|mum|father|dad|parents|brother|sister|son"
    r"|daughter|children|kids|baby|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter|parents)|boss|manager"
    r"|supervisor|colleague|co-?worker|co-?founder|best friend|friend|room-?mate|flatmate|neighbou?r|landlord|mentor|therapist"
    r"|doctor|teacher|coach)(?:-in-law)?"
)
_RELATIVE = re.compile(
    rf"\b(?:my|our|My|Our) (?:(?:older|younger|elder|little|big|late|ex|twin|step|oldest|youngest)[- ])?(?P<kin>{_KIN})\b(?!'s \w+'s)"
    rf"(?P<named>,? (?:is )?(?:named |called )?(?P<name>{NAME})(?!\w))?"
)
_FULL_NAME = rf"{NAME}(?: {NAME})?"
#: A name is a person's when it does or is done to what only people do or have done.
_PERSON = re.compile(
    rf"(?<!\bthe )(?<!\w )(?P<does>{_FULL_NAME}) (?:said|says|told|thinks|thought|wants|asked|called|calls|texted|likes|loves|hates|died|passed away"
    rf"|agreed|promised|is (?:my|our)|was (?:my|our)|and I\b|works (?:at|as|with|for)|lives|moved|got (?:married|engaged|sick)|visits|left (?:the|us|for)"
    rf"|is (?:the|an?) (?:\w+ )?(?:builder|architect|{'|'.join(sorted(map(re.escape, PERSON_NOUNS)))})\b)"
    rf"|\b(?:told|asked|call|met|meet|visit(?:ed)?|miss|married|invit(?:e|ed)|text(?:ed)?|thank|hug(?:ged)?"
    rf"|[Hh](?:er|is) name (?:is|was)) (?P<done>{_FULL_NAME})(?!\w)"
)
_ROW = rf"{NAME}(?:, {NAME})*,? (?:and|&) {NAME}"
_ROWS = re.compile(
    r"\b(?:kids|children|sons|daughters|twins|brothers|sisters|siblings|friends|colleagues|guests|cousins|nephews|nieces|students|pupils|flatmates"
    rf"|neighbou?rs|grandchildren|grandkids|team)(?: are| is)?(?: called| named)?[:,\u2013\u2014-]* (?P<of>{_ROW})(?!\w)"
    rf"|(?P<we>{NAME}(?:, {NAME})*),? and I\b|(?P<who>{_ROW}) (?:are (?:coming|visiting|joining|staying|going|bringing|getting|helping|all|both|my|our|ill|sick|happy)|came|come|joined|will (?:come|join|visit|bring|help)"
    rf"|want|live|work|think|said|say|told|agreed|left|love|like|hate|have|want)\b"
)
_NAME = re.compile(NAME)
_NOT_PEOPLE = frozenset(
    """I It He She We They You This That These Those There The A An My Our Your His Her Their Everyone Everybody Nobody Someone
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December Christmas Easter What Who When Where Why How If And But So Yes No Ok Okay Thanks Please Also Then Mom Mum
    Dad Mother Father Grandma Grandpa God Today Tomorrow Yesterday Not Just Which People Google Apple Amazon Microsoft Hi Hello
    Hey Well Oh Actually Dr Mr Mrs Ms Prof User Now One Both Some Many Most All""".split()
)
#: The user is not somebody whom they mention.
_SELF = re.compile(rf"\b(?:[Mm]y name is|I'm|I am|[Cc]all me) (?P<name>{_FULL_NAME})(?!\w)")
_PERSON_KEY = "person:"
#: Written like names, they are the user's own.
_ADDRESSED = re.compile(r"(?:mom|mum|dad|grandma|grandpa|granny|nana)(?:my|dy)?", re.IGNORECASE)


def people(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """Whom these texts mention, each once."""
    found: dict[str, None] = {}
    named: set[str] = set()
    for text in texts:
        if len(found) - len(named) >= most:
            break
        plain = text.replace("\u2019", "'")
        themself = {match["name"] for match in _SELF.finditer(plain)}
        mentions = [*_relatives(plain, named), *_by_name(plain)]
        # Of two names that begin at one place the longer is whole.
        last = -1
        for start, name in sorted(mentions, key=lambda mention: (mention[0], -len(mention[1]))):
            if start > last and name not in themself and not any(name in known.split() for known in found):
                found.setdefault(name)
            last = start
    return tuple(name for name in found if name not in named)[:most]


def _relatives(text: str, named: set[str]) -> Iterator[tuple[int, str]]:
    """Relatives without a name; those with one are noted, and are found by it."""
    for match in _RELATIVE.finditer(text):
        relative = f"User's {match['kin'].lower()}"
        if match["named"] and _is_name(match["name"]):
            named.add(relative)
            yield match.start("name"), match["name"]
        else:
            yield match.start(), relative


def _by_name(text: str) -> Iterator[tuple[int, str]]:
    known = recognise(text)
    for item in known:
        if item.key.startswith(_PERSON_KEY):
            addressed = _ADDRESSED.fullmatch(item.label)
            yield item.start, f"User's {item.label.lower()}" if addressed else item.label
    for match in _PERSON.finditer(text):
        group = "does" if match["does"] else "done"
        if _is_name(match[group]) and not _is_known(match.start(group), match.end(group), known):
            yield match.start(group), match[group]
    for match in _ROWS.finditer(text):
        group = next(name for name in ("of", "we", "who") if match[name])
        row, start = match[group], match.start(group)
        for name in _NAME.finditer(row):
            at = start + name.start()
            if _is_name(name.group()) and not _is_known(at, start + name.end(), known):
                yield at, name.group()


def _is_name(words: str) -> bool:
    return all(word not in _NOT_PEOPLE and word[0].isupper() for word in words.split())


def _is_known(start: int, end: int, known: Iterable[Found]) -> bool:
    """Whether it was recognised already, be it as somebody or as a firm or town."""
    return any(item.start < end and start < item.end for item in known)
