"""What a user's message tells, one thing after the other, so that each can be read alone.

Statements are put into the third person; what the rules for English cannot read stays verbatim, in quotation marks, and
so does what others said: whose words they are, `own_words` knows. A short answer takes its question along, a list its
introduction, and a sentence that only points back ("He takes it twice a day") the one before it. Words for a day get the
date on which they were said. Greetings, thanks and laughter are taken off, and what is nothing else is left out. It does
not weigh: that is `weight`'s business. Rewriting several sentences into one was rejected: without a model it would
invent.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.language.gist.own_words import asks_for, heard, is_quotation, spoken
from recollect.language.gist.weight import weigh
from recollect.language.phrasing import third_person
from recollect.language.phrasing.pronouns import is_foreign
from recollect.language.phrasing.verbatim import tokens
from recollect.language.sentence import Kind, Sentence, ends_as_question, shorten
from recollect.language.sign import any_of, plain, signs
from recollect.language.worth import assess, without_injected
from recollect.records.memory import Origin

#: Characters of one line; longer ones are cut after a word.
LONGEST = 320
#: Sentences of one message that are read: 200,000 characters of ordinary prose have fewer.
MOST = 3000
#: The frame of words that are given in quotation marks, and by nobody.
PASSED_ON = "User quoted"
_QUOTES = "\"' \u201c\u201d\u201e\u00ab\u00bb"
_WORDLIKE = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that was said, readable alone."""

    text: str
    #: A question or a request.
    asks: bool = False
    #: Says that something said before is different.
    corrects: bool = False
    #: Points back to something that is not in the line.
    dangling: bool = False
    #: Has words such as "tomorrow", which need a date.
    relative: bool = False


def told(text: str, question: str = "") -> Iterator[Said]:
    """The lines of a user's message; `question` is what the assistant had asked before."""
    message = heard(without_injected(text))
    foreign = _is_foreign(message.own[:LONGEST])
    units = [said for unit in _listed(spoken(message.own)) if (said := _without_talk(unit))]
    if message.passed_on:
        units.append(message.passed_on)
    for place, unit in enumerate(joined(units)[:MOST]):
        answer = _answer(unit, question) if place == 0 and question else None
        made = (answer, False) if answer else _line(unit, foreign)
        if made is None:
            continue
        line, asks = made
        yield Said(
            text=line,
            asks=asks,
            corrects=_corrects(unit),
            dangling=answer is None and points_back(unit),
            relative=_RELATIVE.search(unit) is not None,
        )
    if message.asked:
        yield Said(text=quoted("User asked", message.asked), asks=True)


def _corrects(unit: str) -> bool:
    if not _CORRECTS_SIGN.search(plain(unit)):
        return False
    return _CORRECTS.search(unit.replace("\u2019", "'")) is not None


def points_back(text: str) -> bool:
    """Whether a sentence opens with a word for something said before."""
    return _POINTS_BACK.match(text) is not None


def without_opening(text: str) -> str:
    """The sentence without the words that people say before they say something."""
    opening = _OPENING.match(text)
    return text[opening.end() :] if opening and len(text) - opening.end() > _SHORTEST else text


_CORRECTS = re.compile(
    r"\b(?:actually|correction|i meant|user meant|i misspoke|scratch that|change of plans?|no longer|instead of|was wrong"
    r"|chang(?:ed|ing) (?:my|our|his|her|their|user's) minds?|on second thoughts?|after all(?! (?:th(?:e|is|at|ese|ose)|my|our|of|we|i)\b)"
    r"|changed (?:it |that |the \w+ )?(?:to|from)|(?:moved|pushed|postponed|rescheduled|raised|lowered|increased|reduced|cut"
    r"|switched) (?:it |that |the \w+ )?(?:to|from|by)|not \w+ anymore|sorry, (?:it's|i|the)|turns out)\b",
    re.IGNORECASE,
)
_CORRECTS_SIGNS = signs(
    "actually|correction|meant|misspoke|scratch that|change of plan|no longer|instead of|was wrong|changed|changing|second thought|after all|moved|pushed"
    "|postponed|rescheduled|raised|lowered|increased|reduced|cut|switched|anymore|sorry, |turns out"
)
_CORRECTS_SIGN = any_of(_CORRECTS_SIGNS)
_POINTS_BACK = re.compile(
    r"(?:(?:and|but|so|also|then|plus|because|actually|no|sorry|oh|well|yes|yeah)\b,? )*"
    r"(?:he|she|it|they|that|this|these|those|him|his|her|their|its|both|there|same)(?:'\w+)?\b(?! (?:day|week|month|year|time))",
    re.IGNORECASE,
)
#: Opens a sentence that changes the one before.
_AMENDS = re.compile(r"(?:actually|correction|scratch that|no longer|i meant|user meant)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:(?:please|also|and|ok|okay|so|now|then|hi|hey|hello)\b[, ]*)*(?:can|could|would|will) you\b"
    r"|(?:please )?(?:write|explain|give|help|tell|show|make|create|list|suggest|recommend|translate|summari[sz]e|find|describe)\b",
    re.IGNORECASE,
)
#: Where a sentence that states something turns into a question or a request.
_TURNS_TO_ASK = re.compile(
    r"\s*[,;\u2013\u2014-]+ (?:(?:and|so|but) )?(?:(?:can|could|would|will) (?:you|we|i)|(?:what|how|where|when|why|which|who)"
    r"(?:'s)? (?:\w+ )?(?:do|does|is|are|should|can|would|could|to)|should (?:i|we|he|she)|do(?:es)? (?:you|that|it|this)"
    r"|is (?:that|it|this|there)|are there|any (?:ideas?|tips|advice|suggestions|thoughts))\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\W*(?:thanks?\b(?! to\b)|haha|lol\b|thank you|thx|good (?:morning|evening|night|afternoon)|hi\b|hello\b|hey\b|bye\b|danke\b|hallo\b"
    r"|guten (?:morgen|tag|abend)|gracias|hola\b|buen[oa]s? (?:d[i\u00ed]as|noches|tardes)|merci\b|bonjour|grazie|ciao\b"
    r"|obrigad|\u3042\u308a\u304c\u3068\u3046|\u3053\u3093\u306b\u3061\u306f|\u304a\u306f\u3088\u3046|\u8c22\u8c22|\u4f60\u597d)",
    re.IGNORECASE,
)
#: Greetings, thanks and laughter with what belongs to them, up to where something is said.
_TALK = re.compile(
    r"\W*(?:(?:thanks?(?: you)?\b(?! to\b)(?: so much| very much| a lot| a million| again)?(?: for [^,.!;:]{1,80}(?=[,.!;:]))?|thx|ty|haha\w*|lol"
    r"|good (?:morning|evening|night|afternoon)|hi|hello|hey|bye|danke(?: (?:dir|schön|sehr))?|vielen dank|hallo|guten (?:morgen|tag|abend)|(?:muchas )?gracias|hola"
    r"|buen[oa]s? (?:d[i\u00ed]as|noches|tardes)|merci(?: beaucoup)?|bonjour|grazie|ciao|obrigad[oa])\b"
    r"(?: (?:there|again|all|everyone|guys|mate|man|so much|(?-i:[A-Z]\w+)))*(?=\W|$)[\s,!.;:\u2026\u2013\u2014-]*"
    r"(?:(?:but|and|so|aber|und|pero|y|mais|et|ma|yes|yeah|ok|okay)\b[\s,]*)*)+",
    re.IGNORECASE,
)
#: Characters from which on a sentence that opens like a greeting or thanks, and goes on with it, says more.
_LONGEST_TALK = 60
#: Words that make a statement behind a greeting; a sentence that needs the one before it must weigh something, too.
_SHORTEST_STATEMENT = 3
_SOME_WEIGHT = 4.2
_YES_OR_NO = re.compile(r"(?:yes|yeah|yep|no|nope|not really|correct|right)\b", re.IGNORECASE)
_EXCLAIMS = re.compile(
    r"(?:wow|wo+a+h|who+a|haha|aww?|oh|nice|cool|great|awesome|amazing|sounds|love|lol|totally)\b",
    re.IGNORECASE,
)
#: Questions whose answers tell nothing.
_OFFER = re.compile(
    r"\b(?:would you like|do you want|shall (?:i|we)|should (?:i|we)|can i|may i|want me to|anything else|how can i|are you ready"
    r"|does (?:that|this)|sound good|let me know|how are you|what's (?:up|new)|make sense)\b",
    re.IGNORECASE,
)
#: Words of a reply that needs its question to be understood; more when it opens like half a sentence.
_SHORT_ANSWER = 7
_HALF_ANSWER = 16
_HALF = re.compile(
    r"(?:i (?:do|am|did|will|have|can)|we (?:do|did|are|will|can)|yes|no|about|around|on|in|at|by|since|every|only|just)\b(?!,? i'm\b)"
    r"|the\b(?!.*\b(?:is|are|was|were|has|have|had|will|says|said)\b)|\d",
    re.IGNORECASE,
)
#: Words of a question that says what it is about.
_SHORTEST_QUESTION = 4


#: Words that mean another day when they are read later.
_RELATIVE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|(?:this|last|next) (?:week|weekend|month|year|morning|afternoon|evening|night"
    r"|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|in (?:an?|two|three|four|a few|\d+)"
    r" (?:days?|weeks?|months?)|(?:days?|weeks?|months?|years?) ago|heute|morgen|gestern|ma\u00f1ana|ayer|hoy)\b",
    re.IGNORECASE,
)
#: What people say before they say something.
_OPENING = re.compile(
    r"(?:(?:(?:and|but|so(?! far\b| that\b| much\b| many\b| long\b)|also|plus|btw)\b,? "
    # Without a comma "no need to rush" would become the contrary.
    r"|(?:well|oh|ah|wow|yeah|yes|no|sure|ok|okay|alright|right|anyways?|by the way|btw|basically|honestly|um|hmm|hey|hi|hello"
    r"|thanks|thank you|great|perfect|excellent|good|cool)\b(?: (?-i:[A-Z][a-z]+))? ?[,:!.-]+ ))+(?=\S)",
    re.IGNORECASE,
)
#: Characters that must be left when such words are taken off.
_SHORTEST = 12


def _without_talk(unit: str) -> str:
    """The unit without a greeting, thanks or laughter in front; empty when it says nothing else."""
    if not _SMALL_TALK.match(unit):
        return unit
    opening = _TALK.match(unit)
    rest = unit[opening.end() :] if opening else ""
    if len(rest.split()) >= _SHORTEST_STATEMENT and not _GOES_WITH_TALK.match(rest):
        return "" if points_back(rest) and weigh(rest) < _SOME_WEIGHT else rest[0].upper() + rest[1:]
    return unit if len(unit) >= _LONGEST_TALK else ""


#: Behind thanks or a greeting these still belong to it.
_GOES_WITH_TALK = re.compile(r"(?:for|to|so|much|f\u00fcr|por|pour|per)\b", re.IGNORECASE)


def _line(unit: str, foreign: bool) -> tuple[str, bool] | None:
    """The line for a unit, and whether it asks; None when it says nothing."""
    if not _WORDLIKE.search(unit):
        return None
    if is_quotation(unit):
        return quoted(PASSED_ON, unit.strip(_QUOTES)), False
    verdict = assess(unit, by_caller=True, origin=Origin.USER)
    if verdict.keep and not ends_as_question(unit):
        return _user_said(unit, foreign), False
    if turning := _TURNS_TO_ASK.search(unit):
        told = unit[: turning.start()]
        if len(told.split()) > 3 and assess(told, by_caller=True, origin=Origin.USER).keep:
            return _user_said(told + ".", foreign), False
    if (ends_as_question(unit) or _REQUEST.match(unit) or asks_for(unit)) and (
        len(unit.split()) >= _SHORTEST_QUESTION or not unit.isascii()
    ):
        return quoted("User asked", unit), True
    return None


def _user_said(unit: str, foreign: bool) -> str:
    """In the third person as far as the rules reach, and verbatim where they do not."""
    if foreign:
        return quoted("User said", unit)
    return _opened(shorten(third_person(without_opening(unit)), LONGEST))


def _opened(line: str) -> str:
    first = line.split(" ", 1)[0]
    # "iPhone" and "node.js" stay.
    return line[0].upper() + line[1:] if first.islower() and "." not in first.rstrip(".,") else line


def _is_foreign(text: str) -> bool:
    """Whether the rules for English have nothing to say about it."""
    letters = sum(char > "\u024f" and char.isalpha() for char in text)
    return letters * 3 > len(text) or is_foreign(tokens(text))


def quoted(frame: str, words: str) -> str:
    """Somebody's words in quotation marks, within a line."""
    inner = shorten(words.replace('"', "'"), LONGEST - len(frame) - 4)
    return f'{frame}: "{inner}"'


def _answer(unit: str, question: str) -> str | None:
    """The question with its short answer, unless the question was only an offer."""
    words = len(unit.split())
    short = (words <= _SHORT_ANSWER or (words <= _HALF_ANSWER and _HALF.match(unit))) and len(
        unit
    ) < LONGEST // 3
    if (
        not short
        or ends_as_question(unit)
        or _OFFER.search(question)
        or _SMALL_TALK.match(unit)
        or _EXCLAIMS.match(unit)
    ):
        return None
    told = assess(unit, by_caller=True, origin=Origin.USER).keep
    if not told and not (_YES_OR_NO.match(unit) and weigh(question) >= 5.0):
        return None
    asked = shorten(question.replace('"', "'"), LONGEST // 2)
    answer = unit.replace('"', "'")
    return f'Asked "{asked}", User said "{answer}"'


#: "Creditor: Access Bank": a line of a form.
_LABEL = re.compile(r"([\w ()/-]{2,40}): \S")


def _listed(pieces: Sequence[Sentence]) -> list[str]:
    """Sentences, with the short lines of a list or a form behind the words that introduce them."""
    units: list[str] = []
    lead, items, labels = "", list[str](), set[str]()

    def close() -> None:
        if items:
            units.append(_introduced(lead, items))
            items.clear()
            labels.clear()

    for piece in pieces:
        if piece.kind is Kind.CODE:
            continue
        found = _LABEL.match(piece.text)
        label = found.group(1).lower() if found else ""
        listed = (piece.kind is Kind.ITEM and (lead or items)) or (label and len(piece.text) < LONGEST // 4)
        if listed and len(piece.text) < LONGEST // 3:
            if label in labels or sum(map(len, items)) + len(piece.text) + len(lead) > LONGEST - 20:
                close()
            items.append(piece.text)
            if label:
                labels.add(label)
            continue
        close()
        if lead and is_quotation(piece.text):
            units.append(f"{lead} {piece.text}")
            lead = ""
            continue
        lead = piece.text if piece.text.endswith((":", "\uff1a")) or piece.kind is Kind.HEADING else ""
        if not lead:
            units.append(piece.text)
    close()
    return units


def _introduced(lead: str, items: Sequence[str]) -> str:
    listed = "; ".join(item.rstrip(".;, ") for item in items)
    introduction = lead.rstrip(":\uff1a ")
    end = "" if listed.endswith(("!", "?", "\u2026")) else "."
    return f"{introduction}: {listed}{end}" if lead else f"{listed}{end}"


def joined(units: Sequence[str]) -> list[str]:
    """Sentences that point back behind the statement that they point to, as long as both fit into a line."""
    lines: list[str] = []
    for unit in units:
        if lines and is_quotation(unit) and _introduces(lines[-1]) and _can_lead(lines[-1], unit):
            lines[-1] = f"{lines[-1].rstrip(' .:')}: {unit}"
            continue
        follows = points_back(unit) or _AMENDS.match(unit) is not None
        if lines and follows and not ends_as_question(unit) and _can_lead(lines[-1], unit):
            lines[-1] = f"{lines[-1]} {unit}"
        else:
            lines.append(unit)
    return lines


def _introduces(line: str) -> bool:
    """Whether a sentence ends in front of what somebody said."""
    return not line.endswith((".", "!")) and not ends_as_question(line)


def _can_lead(line: str, unit: str) -> bool:
    """Whether a sentence may be what the next one points to, and both fit into one line."""
    fits = len(line) + len(unit) < LONGEST
    return fits and not ends_as_question(line) and not _SMALL_TALK.match(line) and len(line.split()) > 2
