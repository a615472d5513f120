"""Errands: deeds that stand in a list, "buy stamps, call the plumber and book flights".

A deed is a verb of errands with a thing behind it. A list comes apart where each of its items is one that can be read
alone; "wash and iron the shirts", "buy milk and eggs" and "call the bank and ask about it" stay whole. A list of deeds
says what is to be done and nothing about who does it. It knows neither dates nor who speaks. Any verb was rejected:
"fish sauce" and "paint brushes" begin with one, too.
"""

import re
from collections.abc import Iterable

from recollect.language.pattern import Pattern

#: Words of one deed; more is a story.
_LONGEST = 14
#: They hardly begin anything but a deed.
_SURE = frozenset(
    """add apply arrange ask assemble attend bake book bring build buy call cancel choose clean collect complete confirm contact
    cook decorate defrost delete deliver discuss do donate download draft drive drop empty fetch fill find finish fix follow
    format get give go grab hang hire install invite join learn make measure meet memorise memorize mow organise organize pay
    pick prepare proofread put read record recycle refill register remove renew repair replace reply reschedule reserve sell
    send settle sign sort submit take talk tell throw tidy transfer try turn unpack update upload visit wrap write""".split()
)
#: They begin a thing as often: "fish sauce", "phone charger".
_NOUN_TOO = frozenset(
    """back change charge check cut dust email e-mail feed file hoover iron light mail message order pack paint phone plan plant
    polish post print return review ring rinse schedule scan ship shop study text train vacuum walk wash water weed""".split()
)
_PARTICLE = frozenset(
    "up out off in on back down over away for to at with through after round around".split()
)
_POINTS = Pattern(r"\b(?:it|its|them|him|her|they|there|this one|that|those|these|you|your)\b", re.IGNORECASE)
#: Behind "call the bank and" these go on with the call.
_GOES_ON = frozenset(
    "ask tell say see check explain thank let confirm apologise apologize wait come go bring".split()
)
#: Who goes somewhere does what follows there.
_MOTION = frozenset("go come drive stop run head walk sit try swing pop".split())
_NO_THING = frozenset(
    """about if whether how what when why that so now later today tomorrow tonight soon and or but well fast again together more
    less here is are was were""".split()
)
_DETERMINED = Pattern(
    r"(?:the|my|our|an?|his|their|some|all|both|two|three|four|mom|mum|dad|grandma|grandpa|(?-i:[A-Z])[\w'.-]*)(?: |$)",
    re.IGNORECASE,
)
_COMMA = Pattern(r"\s*[,;]\s+(?:(?:and|then|also|plus|finally|&)\s+)*")
_AND = Pattern(r"\s+(?:and|&)\s+(?:then\s+|also\s+)?", re.IGNORECASE)


def is_deed(words: str, *, headed: bool) -> bool:
    """Whether words are a deed that can be read alone; `headed`: they stand under a heading, where things do not."""
    said = words.split()
    if not 1 < len(said) <= _LONGEST or _POINTS.search(words):
        return False
    verb = said[0].lower()
    if verb not in _SURE and verb not in _NOUN_TOO:
        return False
    if said[1].lower() == "and":
        # "Wash and iron the shirts."
        return is_deed(" ".join(said[2:]), headed=headed)
    rest = said[2:] if said[1].lower() in _PARTICLE else said[1:]
    if not rest or rest[0].lower() in _NO_THING:
        return False
    return (
        headed or verb in _SURE or len(rest) < len(said) - 1 or _DETERMINED.match(" ".join(rest)) is not None
    )


def deeds(words: str, *, headed: bool) -> tuple[str, ...]:
    """The deeds of a list; none where one of its items is no deed by itself."""
    found: list[str] = []
    for item in _parted(_COMMA, words):
        parted = _of_one_item(item, headed=headed)
        if not all(is_deed(deed, headed=headed) for deed in parted):
            return ()
        found += parted
    return tuple(found)


def _of_one_item(item: str, *, headed: bool) -> list[str]:
    """What stands between two commas: "buy milk and eggs" is one deed, "buy milk and call mum" two."""
    found: list[str] = []
    for piece in _parted(_AND, item):
        first = piece.partition(" ")[0].lower()
        alone = first not in _GOES_ON and is_deed(piece, headed=headed)
        if found and not (alone and is_deed(found[-1], headed=headed) and _stays(found[-1])):
            found[-1] = f"{found[-1]} and {piece}"
        else:
            found.append(piece)
    return found


def _stays(deed: str) -> bool:
    return deed.partition(" ")[0].lower() not in _MOTION


def _parted(at: Pattern, words: str) -> Iterable[str]:
    start = 0
    for gap in at.finditer(words):
        if gap.start() > start:
            yield words[start : gap.start()]
        start = gap.end()
    if rest := words[start:].strip(" .!,;"):
        yield rest


#: A heading of a list, and of people who stand in one.
_HEAD = Pattern(
    r"[^:,.!?]{0,40}\b(?:lists?|to-?dos?|to do|errands|agenda|tasks|chores|plans?|schedule|guests|invited|cast|characters|roles|options|ideas)\b[^:.!?]{0,30}:",
    re.IGNORECASE,
)
_FRONT = Pattern(r"[^:,]{1,40}:\s+")


def lists_orders(sentence: str) -> bool:
    """Whether a sentence is a list of things to do or of somebody's, so that none of it tells who speaks."""
    if _HEAD.match(sentence) is not None:
        return True
    front = _FRONT.match(sentence)
    items = _parted(_COMMA, sentence[front.end() :] if front else sentence)
    return sum(1 for item in items if is_deed(item, headed=True)) > 1


def may_be_order(clause: str) -> bool:
    """Whether a clause begins as an order does: "call plumber" is no trade."""
    return clause.partition(" ")[0].lower() in _SURE


#: Lines under a heading that says what they are.
_LINES = Pattern(
    r"^(?P<head>[^\n:]{0,40}\b(?:to-?dos?|to-?do list|to do|list|errands|chores|tasks)\b[^\n:]{0,30}):[ \t]*\n(?P<lines>(?:[ \t]*(?:[-*\u2022]|\d+[.)]|\[ ?\])[ \t]+[^\n:?]+(?:\n|$))+)",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"(?:^|\n)[ \t]*(?:[-*\u2022]|\d+[.)]|\[ ?\])[ \t]+(?:\[ ?\][ \t]+)?")


def in_one_line(text: str) -> str:
    """The text with the lines of its lists of errands behind their headings, as one would say them."""
    return _LINES.sub(_joined, text) if "\n" in text and ":" in text else text


def _joined(match: re.Match[str]) -> str:
    items = (item.strip(" .,;\t\n") for item in _MARK.split(match["lines"]))
    return f"{match['head']}: {'; '.join(filter(None, items))}.\n\n"
