"""What a sentence takes for granted: who asks about "my electric wheelchair" has one, and "tea over coffee, always" is a taste.

A few shapes in which no verb states the fact. The things are those that say something about a life; "my code" and "my phone"
do not. It makes first-person sentences and does not decide more.
"""

import re
from collections.abc import Iterator

from recollect.language.health_statement import CONDITIONS
from recollect.language.judge.lexicon import KIN, PETS
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

_SIGN = any_of(signs("my |our |pronouns|in your | over | for me|makes |gives |sends |make |give "))
_THING = Pattern(
    r"\b(?:my|our) (?P<thing>(?:(?:electric|manual|power|old|new|small|little|own) )?(?:wheelchair|hearing aids|insulin pump|pacemaker|guide dog|service dog|white cane"
    r"|stoma|cpap machine|prosthetic \w+|caf[e\u00e9]|bakery|food truck|bookshop|flower shop|hair salon|allotment|narrowboat|houseboat|stepson|stepdaughter|grandson|granddaughter"
    r"|(?-i:Nissan|Tesla|Toyota|Honda|Volvo|Skoda|Subaru|Mazda|Kia|Hyundai|Renault|Peugeot|Fiat|Audi|BMW|Mercedes|Volkswagen|Ford|Vespa|Yamaha|Ducati) (?-i:[A-Z])?\w+))"
    r"(?=$|[.,;!?]| (?:in|on|at|for|to|with|from|by|when|while|if|into|onto|through|up|over|without|needs|won't|keeps|ok|okay|good|safe|worth)\b)",
    re.IGNORECASE,
)
#: Whoever speaks of "my asthma" has it.
_AILMENT = Pattern(
    rf"\bmy (?P<ailment>(?:(?:mild|severe|chronic|bad|type \d) )?(?:(?:{CONDITIONS})|(?:[\w-]+ )?(?:allergy|intolerance|syndrome|disorder|phobia)|\w{{3,}}(?:itis|osis|pathy|algia|lepsy|thyroidism)))(?=$|[.,;!?]| (?!(?:medication|meds|doctor|specialist|test|research|app|model|paper|article)\b))",
    re.IGNORECASE,
)
#: A child or an animal with its age or weight is somebody.
_AGED = Pattern(
    rf"\b(?:my|our) (?P<who>(?:\d{{1,2}}[- ](?:year|month|week)s?[- ]old|\d{{1,3}} ?(?:kg|lbs?|pound)s?)(?: (?:[\w-]+ )?(?:{KIN}|{PETS}|boy|girl))?)(?=$|[.,;!?]| (?!(?-i:[A-Z])|(?:[\w-]+ )?(?:{KIN}|{PETS}|boy|girl)\b))",
    re.IGNORECASE,
)
_OVER = Pattern(
    r"(?:(?:give me|i'll take|always) )?(?P<this>[\w#+. ]{2,25}?) (?:over|>) (?P<that>[\w#+. ]{2,25}?)(?: for me|[.,!]* (?:always|any day|every time|all day|hands down|no contest)\b)",
    re.IGNORECASE,
)
_EFFECT = Pattern(
    r"(?P<cause>[a-z][\w -]{2,30}) (?P<verb>makes?|gives?|sends?) (?P<whom>me|(?:my|our) [\w ]{2,20}?) (?P<effect>(?:to (?:the )?(?:er|hospital|a&e)|break out|sick|ill|bloated|vomit|sneeze|itch|dizzy|sleepy|nauseous|migraines|a migraine|headaches|hives|a rash|heartburn"
    r"|cramps|diarrh\w+|wheeze|throw up|panic attacks)\b[\w ]{0,30})",
    re.IGNORECASE,
)
_MY_THING = Pattern(
    r"(?P<what>[\w][\w' -]{2,40}?) (?P<be>is|are|was|isn't|aren't|is not|are not) (?P<how>(?:(?:really|totally|so|not|just|definitely|also|more) )*)my (?P<thing>thing|jam|passion|favou?rites?|guilty pleasure|cup of tea|go-to|hobby|obsession|comfort food|weakness|happy place|love language)(?=$|[.,!;])",
    re.IGNORECASE,
)
_PRONOUNS = Pattern(r"(?:my )?pronouns:? (?:are )?(?P<pronouns>(?:he|she|they)/\w+)", re.IGNORECASE)
_LESS = Pattern(
    r"(?:please,? )?(?P<what>(?:less|no|more|fewer) [\w ]{3,25}?) in (?:your|the|my) (?:answers|replies|responses|explanations)\b",
    re.IGNORECASE,
)
_THIS = Pattern(
    r"(?:it|this|that|he|she|they|you|these|those|what|which|who|there|here|the (?:way|news|idea)|your)\b",
    re.IGNORECASE,
)


def implied(text: str) -> Iterator[str]:
    """What is taken for granted, as sentences in the first person."""
    low = text.lower()
    if not _SIGN.search(low):
        return
    for match in _THING.finditer(text):
        thing = match["thing"]
        yield f"I have {_with_article(thing, counted=True)}"
    for match in _AGED.finditer(text):
        if not match["who"].endswith(("s", "g", "lb", "lbs", "pound")) or match["who"].endswith("dog"):
            yield f"I have {'an' if match['who'].startswith(('8', '11', '18')) else 'a'} {match['who']}"
    for match in _AILMENT.finditer(text):
        yield f"I have {_with_article(match['ailment'])}"
    if (match := _OVER.match(text)) and not _THIS.match(match["this"]):
        yield f"I prefer {match['this'].strip()} over {match['that'].strip()}"
    if (match := _MY_THING.match(text)) and not _THIS.match(match["what"]):
        yield f"{match['what']} {match['be']} {match['how']}my {match['thing']}"
    if match := _PRONOUNS.match(text):
        yield f"my pronouns are {match['pronouns'].lower()}"
    if match := _LESS.match(text):
        yield f"I want {match['what'].lower()} in answers"
    for match in _EFFECT.finditer(text):
        if match.start() == 0 and not _THIS.match(match["cause"]):
            yield f"{match['cause'].strip()} {match['verb']} {match['whom']} {match['effect'].strip()}"


_COUNTED = ("allergy", "intolerance", "syndrome", "disorder", "phobia", "condition")


def _with_article(thing: str, *, counted: bool = False) -> str:
    """A thing as one of its kind; illnesses are mostly not counted."""
    if thing.endswith("s") or not (counted or thing.endswith(_COUNTED)):
        return thing
    return f"{'an' if thing[:1].lower() in 'aeio' else 'a'} {thing}"
