"""What is lasting about something of the user's that no special rule knows: "my vineyard is 3 hectares", "our HOA bans fences".

The thing must be one of a life, or have a name; what is said of it must tell its kind, its size, its rules or its history,
not how it is doing today. It knows no mood; the things that everybody talks about have rules of their own in `owning`.
"""

import re

from recollect.language.judge import life_words as words
from recollect.language.judge.lexicon import NAME, NUMBER
from recollect.language.judge.marks import FAR, HERE, POINTS, of_life, passes, words_of
from recollect.language.judge.rule import PAST, STANDING, Rule
from recollect.language.judge.standing import kind_of
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs

_MADE = Pattern(
    r"(?:was|were|is|are) (?:originally |actually |also |all |both )*(?:built|made|founded|established|handed down|passed down|inherited|named|called|bought|designed|painted|restored|rented|leased|paid off|grown|converted|insured|registered|located|owned|based|powered|heated|shared|spread|split|scattered|distributed|home-?made|hand-?made|run)\b",
    re.IGNORECASE,
)
_WHAT_IT_IS = Pattern(
    rf"(?:is|are) (?:now |currently |still |actually |also |only |about |around |roughly |just )*(?:an? (?P<kind>.+)|the (?P<role>.+)|(?:from|in|near|on|by|at|with) (?:the |a )?{NAME}|in (?:my|our|his|her|both our) names?|(?:near|on|by|under|through|with|next to|off) (?:the|a|an|my|our) \w+|(?-i:[A-Z])\w|{NUMBER} (?:\w+|%)|\d|£|\$|€|called|named|every|each|mostly|all|both)",
    re.IGNORECASE,
)
_ITS_DOING = Pattern(
    r"(?:has|have|costs?|takes|expires?|renews?|runs|sells?|grows?|faces|comes with|includes?|belongs|covers?|pays|starts|ends|begins|meets?|opens|closes|serves?|speaks?|celebrates?|goes back|dates|produces?|employs?|holds|sleeps|seats|overlooks|sits|stands|requires?|allows?|forbids?|bans|doesn't allow|charges?|lasts|teaches|offers?|makes?|does|uses?|eats?|gets?|weighs|lives?|treats?|speciali[sz]es|builds?)\b (?P<what>.+)",
    re.IGNORECASE,
)
_FARES = frozenset(
    """broken dead slow down gone lost late stuck ready done finished fine good bad great terrible awful empty full closed sore
    better worse leak leaking flat crack cracked missing delayed cancelled noisy low off out dying hurt hurts wrong weird""".split()
)


#: "old lab Buster": an animal or a thing with a name.
_NAMED_THING = Pattern(rf"(?-i:[a-z])[\w-]*(?: (?-i:[a-z])[\w-]*)? (?!I\b){NAME}")


_RULED = Pattern(
    r"(?:doesn't|does not|don't|won't) (?:allow|offer|cover|accept|permit|provide|sell|pay|teach|let|have (?:an?|any)|do (?:remote|overtime))\b \w",
    re.IGNORECASE,
)
_MINE = Pattern(
    r"(?:is|are) (?:still |also |now )*my (?:main|daily|only|primary|go-to|favou?rite|first|second|biggest|best)\b",
    re.IGNORECASE,
)
_OF_A_KIND = Pattern(
    r"(?:is|are) (?:fully |completely |mostly |all |still |now )*(?:off-grid|semi-detached|detached|furnished|unfurnished|solar-powered|electric|manual|diesel|automatic|second-hand|vintage|wooden|brick|rent-controlled|remote|hybrid|seasonal|part-time|full-time|unpaid|interest-free|gluten-free|wheelchair[- ]accessible|nut-free|coed|bilingual)\b",
    re.IGNORECASE,
)
_MEASURED = Pattern(
    r"(?:is|are) (?:about |around |roughly |only |just |currently )*\d[\d.,/]* ?(?:kg|kilos|lbs?|pounds|stone|cm|feet|ft|sq ?ft|sqm|m2|acres|hectares|years old|months old|mg|bpm|calories)\b",
    re.IGNORECASE,
)


def lasting_thing(thing: str, predicate: str) -> Rule | None:
    """The rule for something of the user's that no special rule knows: it must be a thing of a life."""
    named, said = words_of(thing.lower().replace("green card", "greencard")), words_of(predicate.lower())
    if (
        not words.SCREEN.isdisjoint((*named, *said))
        or HERE.match(predicate)
        or not _FARES.isdisjoint(said[:5])
    ):
        return None
    if _RULED.match(predicate) or _MEASURED.match(predicate) or _MINE.match(predicate):
        return STANDING
    if _MADE.match(predicate):
        return STANDING if of_life(named) or FAR.match(predicate) else None
    named_well = _NAMED_THING.fullmatch(thing) is not None and words.DEVICE.isdisjoint(named)
    if not (of_life(named) or named_well) or not words.MOMENT.isdisjoint(named):
        return None
    if _OF_A_KIND.match(predicate):
        return STANDING
    if match := _WHAT_IT_IS.match(predicate):
        kind = match["kind"] or match["role"]
        return STANDING if kind is None or kind_of(kind) is not None else None
    if (match := _ITS_DOING.match(predicate)) and not POINTS.match(match["what"]) and not passes(said):
        return STANDING
    verb = said[0] if said else ""
    return PAST if verbs.is_past(verb) and FAR.match(predicate) else None
