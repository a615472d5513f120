"""Ways of saying that hide a plain statement: "mine's called Kevin", "it's just me and my mom", "there are five of us".

Each is written as the plain statement before a text is cut into clauses, so that the rules meet one shape. Only what the
words themselves say is put in; "mine" becomes "my dragon" when the text named one animal or thing before. It decides
nothing.
"""

import re

from recollect.language.health_statement import DRUG
from recollect.language.judge.lexicon import MONTH, NAME, NAMES, NUMBER, PETS, QUALIFIER, ROLE, WEEKDAY
from recollect.language.judge.life_words import LIFE
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

_SIGN = any_of(
    signs(
        "day, |day (|day at|broke up|split up|broken up|separated| where |since |that i|that we|because |seeing |as i|as we|mine|ours|just me|only me|of us|just us|y name|my |our |heads up|thing is|disclosure|disclaimer|fun fact|confession"
    )
)
_APPOSED_NAME = Pattern(rf"\b((?:my|our) [\w-]+(?: [\w-]+){{0,2}}), ({NAMES}), (?=[a-z])", re.IGNORECASE)
_MINE = Pattern(
    r"\b(?:mine|ours)(?P<is>'s| is| are| was| has| have)(?= (?:called|named|an?|\d|(?-i:[A-Z])|from|the|been|only|about)\b)",
    re.IGNORECASE,
)
_THING = re.compile(
    rf"\b(?:an?|the|for|of|with|my|our|any|do|does|is|are) (?:[\w-]+ )?(?P<thing>{PETS}|\w+)\b", re.IGNORECASE
)
_JUST_US = Pattern(
    r"\b(?:it's|it is|there's|there is)? ?(?:just|only) me(?:,| and) (?P<with>(?:(?:my|our|the) [\w' ]{2,30}?))(?: (?:at home|in (?:the|our|my) \w+|here|living here|now|these days))*(?=$|[.,;!?])",
    re.IGNORECASE,
)
_OF_US = Pattern(
    rf"\b(?:there are|there's|there is|we are|we're) (?P<count>{NUMBER}) of us(?: (?:at home|in (?:the|our|my|this) (?:house|household|flat|apartment|family|home)|living here))?(?=$|[.,;!?])",
    re.IGNORECASE,
)
_WHERE = Pattern(
    rf"\b[Ii]n (?P<where>{NAMES}),? where (?:I|i|we) (?P<verb>live|work|study|teach|grew up|was born|come from)\b,? ?"
)
_OPENER = Pattern(
    r"(?P<before>^|[.!?\n]\s{0,3})(?:(?:just (?:a )?|quick |small |little |full |so )*(?:heads[- ]?up|the thing is|thing is|disclosure|disclaimer|fun fact|confession|random fact|side note|important detail|worth mentioning|worth knowing)(?: about me| first)?(?: that)?[,:;.]? -? ?)(?=(?:i|i'm|i've|my|we|we're|our)\b)",
    re.IGNORECASE,
)
#: "Now that I'm retired I paint": the reason ends where the next subject begins.
_REASON = Pattern(
    r"\b(?P<reason>(?:now that|since|because|given that|seeing (?:as|that)|ever since|as) (?:i|i'm|i've|im|we|we're|we've|my \w+)\b[^,.;:?!]{4,60}?)(?<!that)(?<!which)(?<!what)(?<!where)(?<!how)(?<!and)(?<!but)(?<!when)(?<!if)(?<!because)(?<!think)(?<!know)(?<!so)(?<!or)(?<!than) (?=(?:i|i'm|i've|we|we're|we've) \w)",
    re.IGNORECASE,
)

#: Cut at its "and", it would lose the other; the name says who that was. `keeping` makes one subject of the two.
_PARTED = Pattern(
    rf"\b(?P<me>(?:me|I) and )?(?P<other>(?:my|our) {QUALIFIER}{ROLE}(?:,? (?P<named>{NAMES}),?)?|(?!(?:And|But|So|I|Me)\b){NAME})(?(me)| and (?:I|me))"
    r" (?:(?:have|are|just|recently|finally|sadly|officially) )*(?:(?P<verb>broke|split)n? up(?! (?:the|our|my|an?|into)\b)|separated\b)",
    re.IGNORECASE,
)
_DATE = (
    rf"(?:the )?(?:{MONTH}\b\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{MONTH}"
    r"|\d{1,2}(?:st|nd|rd|th))\b"
)
#: Cut at the comma, the weekday would be taken for the coming one.
_WEEKDAY_AND_DATE = Pattern(
    rf"\b(?P<weekday>{WEEKDAY})(?P<hour> at \d{{1,2}}(?::\d\d)?(?: ?[ap]m)?)?"
    rf"(?:, (?:on )?(?P<date>{_DATE})| \((?:on )?(?P<enclosed>{_DATE})\))",
    re.IGNORECASE,
)
#: "Since" opens a reason as often; before a month it does not.
_SINCE_WHEN = Pattern(
    rf"(?P<before>^|[.!?\n]\s{{0,3}})(?P<since>since (?:(?:early|late|last|this) )?(?:{MONTH}|\d{{4}}|week|month|year|spring|summer|autumn|fall|winter)(?: \d{{4}})?),? (?P<told>(?:i|i'm|i've|we|we're|we've|my)\b[^,.;:?!\n]+)",
    re.IGNORECASE,
)

#: Whoever ended it, it is the user's medicine that ended.
_TAKEN_OFF = Pattern(
    rf"\bmy (?:doctor|gp|physician|psychiatrist|specialist|[a-z]+ologist) (?:(?:has|just|recently|finally) )*(?:took|taken) me off (?:of )?(?=(?:the |my )?{DRUG}\b)",
    re.IGNORECASE,
)


def rephrased(text: str) -> str:
    """The text with such ways of saying put plainly."""
    if not _SIGN.search(text.lower()):
        return text
    text = _PARTED.sub(_parted, text)
    if " me off " in text:
        text = _TAKEN_OFF.sub("I was taken off ", text)
    text = _WEEKDAY_AND_DATE.sub(
        lambda day: f"{day['weekday']} {day['date'] or day['enclosed']}{day['hour'] or ''}", text
    )
    text = _SINCE_WHEN.sub(lambda said: f"{said['before']}{said['told'].rstrip()} s{said['since'][1:]}", text)
    text = _REASON.sub(r"\g<reason>, ", text)
    text = _OPENER.sub(r"\g<before>", text)
    text = _APPOSED_NAME.sub(r"\1 \2 ", text)
    if " where " in text:
        text = _WHERE.sub(r"I \g<verb> in \g<where>. ", text)
    if "me" in text:
        text = _JUST_US.sub(r"I live with \g<with>", text)
    if " of us" in text:
        text = _OF_US.sub(r"my household has \g<count> people", text)
    match = _MINE.search(text)
    if match is not None and (thing := _last_thing(text[: match.start()])) is not None:
        be = {"'s": " is"}.get(match["is"].lower(), match["is"])
        text = f"{text[: match.start()]}my {thing}{be}{text[match.end() :]}"
    return text


def _parted(found: "re.Match[str]") -> str:
    other = (
        found["named"]
        or f"{found['other'][0].lower() if ' ' in found['other'] else found['other'][0]}{found['other'][1:]}"
    )
    return f"we {found['verb']} up with {other}" if found["verb"] else f"we separated from {other}"


def _last_thing(before: str) -> str | None:
    """The only animal or thing of a life that a text has named, in the singular."""
    found = {match["thing"].lower() for match in _THING.finditer(before[-300:])}
    known = [thing for thing in found if thing.split()[-1] in LIFE or re.fullmatch(PETS, thing)]
    return known[0] if len(known) == 1 else None
