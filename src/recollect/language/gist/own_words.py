"""Whose words a message holds: what the user tells, and what of others' words is worth a line.

The judge's reading decides (`judge.voice`, and `clause` for texts to work on and for play), so that a summary takes no
sentence for the user's that the judge would not take. It is asked without code, without quoted lines, and without lists
and forms in which nobody speaks: these look like transcripts and verse. Of others' words their introduction is left, with
their beginning in quotation marks; of a text to work on, the request alone. Leaving others' words out altogether was
rejected: that the landlord wrote, and what, is what the talk is about. It does not know which sentence matters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.language.clause import Mood, clauses
from recollect.language.judge.voice import READ, own_text
from recollect.language.sentence import Kind, Sentence, ends_as_question, sentences, shorten
from recollect.language.sign import any_of, plain, signs

#: Characters of others' words in one line, so that it has room for who wrote them.
_LONGEST_QUOTE = 200
#: Characters of others' words that are looked at for those.
_LOOKED_AT = 2000
#: Characters of an introduction; what is longer introduces nothing.
_LONGEST_HEAD = 160
#: Words that others' words need to be quoted: greetings and the headings of a mail have fewer.
_SHORTEST_QUOTE = 4
#: Characters from which on what follows a request is the text that it is about.
_A_TEXT = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A message, taken apart."""

    #: What the user says in their own voice.
    own: str
    #: What introduces others' words, with their beginning in quotation marks.
    passed_on: str = ""
    #: What is asked for with others' words.
    asked: str = ""


def heard(text: str) -> Heard:
    """The user's own words, and what is worth telling of those of others."""
    text = _closed_up(_without_code(text))
    told, handed = _handed(text) if "\n" in text else (text, "")
    own, others = _parted(_hidden(told) if "\n" in told else told)
    own, others = _shown(own), _shown(others) or handed
    own, asked = _before_work(own) if _WORK.search(plain(own)) else (own, "")
    if others.strip() and not asked:
        head, passed_on = _introduced(others)
        return Heard(own=own, passed_on=passed_on, asked=head)
    return Heard(own=own, asked=asked or ("" if own.strip() else _request(text)))


def spoken(text: str) -> list[Sentence]:
    """The sentences of a text, in which a quotation is never taken apart."""
    if not any(mark in text for mark in _MARKS):
        return sentences(text)
    pieces = sentences(_QUOTATION.sub(_closed, text))
    return [Sentence(text=piece.text.translate(_OPENED), kind=piece.kind) for piece in pieces]


def is_quotation(text: str) -> bool:
    """Whether a sentence is nothing but somebody's words in quotation marks."""
    found = _QUOTATION.match(text)
    return found is not None and _WORDLIKE.search(text, found.end()) is None


def unquoted(text: str) -> str:
    """The text without what stands in quotation marks."""
    return _QUOTATION.sub("\u00a7", text) if any(mark in text for mark in _MARKS) else text


def asks_for(text: str) -> bool:
    """Whether a sentence opens like a request."""
    return _REQUEST.match(text) is not None


# -- quotations -------------------------------------------------------------------------------------------

_WORDLIKE = re.compile(r"\w")
_MARKS = '"\u201c\u201e\u00ab'
#: Characters of the longest quotation that is looked for, as in `phrasing.verbatim`.
_QUOTATION = re.compile(
    r"(?<!\w)\"[^\"]{1,2000}\"(?!\w)|\u201c[^\u201c\u201d]{1,2000}\u201d|\u201e[^\u201e\u201c\u201d]{1,2000}[\u201c\u201d]|\u00ab[^\u00ab\u00bb]{1,2000}\u00bb"
)
#: A stop inside a quotation ends no sentence: it is hidden while sentences are looked for.
_CLOSED = str.maketrans({".": "\ue010", "!": "\ue011", "?": "\ue012", "\n": " "})
_OPENED = str.maketrans({"\ue010": ".", "\ue011": "!", "\ue012": "?"})
_AT_ITS_END = re.compile(r"[.!?]?.$", re.DOTALL)


def _closed(found: re.Match[str]) -> str:
    """The quotation with only its last stop to be seen."""
    words = found.group()
    end = _AT_ITS_END.search(words)
    at = end.start() if end else len(words)
    return words[:at].translate(_CLOSED) + words[at:]


# -- code, lists and forms --------------------------------------------------------------------------------

#: They stand for a colon, and before a stop that nobody wrote, while a text is read; no text that was checked has them.
_COLON, _NO_STOP = "\ue000", "\ue001"
_FENCED = re.compile(
    r"(?P<lead>:)?\s{0,20}^[ \t]{0,3}(?:```|~~~).*?(?:^[ \t]{0,3}(?:```|~~~)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
#: A frame of a stack with the line of code below it; a call, an assignment or brackets alone on a line; a quoted line.
_CODE_LINE = re.compile(
    r"^[ \t]*(?:File \"[^\"\n]+\", line \d+[^\n]*(?:\n[ \t]+\S[^\n]*)?|Traceback \(most recent[^\n]*|at [\w.$<>]+\([^)\n]*\)"
    r"|[\w.]+\([^\n]*\)[;{:]?|[\w.\[\]]+ ?[+*/|-]?= ?[^\s=][^\n]*[(\[{\"';][^\n]*|[{}()\[\];]+|>[^\n]*)[ \t]*$",
    re.MULTILINE,
)
_CODE_SIGN = re.compile(r"[(=>{}]|File \"")
_GAP = re.compile(r"\n[ \t\r\f\v]{1,200}\n[ \t\r\f\v]{0,200}\n")
_EMPTY_LINES = 2
#: A line of a list or of a form.
_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022]|\(?\d{1,3}[.)])[ \t]+\S|[ \t]*\*{0,2}[A-Za-z][\w ()/'-]{1,39}\*{0,2}:\*{0,2} \S"
)
#: Somebody speaks in it.
_SPEAKS = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|we|we're|us|our|you|your)\b|[.!?:][ \t]*$", re.IGNORECASE
)
_MAIL = re.compile(r"^(?:subject|betreff|re|fwd?)\s*:", re.IGNORECASE | re.MULTILINE)


def _closed_up(text: str) -> str:
    """The text with at most two empty lines in a row: the judge's patterns look across each of them anew."""
    if "\n\n\n" not in text and not _GAP.search(text):
        return text
    lines: list[str] = []
    empty = 0
    for line in text.split("\n"):
        empty = 0 if line.strip() else empty + 1
        if empty <= _EMPTY_LINES:
            lines.append(line)
    return "\n".join(lines)


def _without_code(text: str) -> str:
    """The text without programs, stack traces and quoted lines; a colon before a program introduces nobody's words."""
    if "```" in text or "~~~" in text:
        text = _FENCED.sub(lambda found: f"{_COLON if found['lead'] else ''}\n\n", text)
    if "\n" in text and _CODE_SIGN.search(text):
        text = _CODE_LINE.sub("", text)
    return text


def _hidden(text: str) -> str:
    """The text with lists and forms in which nobody speaks, and what introduces them, looking like plain sentences."""
    if _MAIL.search(text):
        return text
    lines = text.split("\n")
    head = 0
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        if _ITEM.match(line) and not _SPEAKS.search(line):
            lines[at] = f"{line.replace(':', _COLON)}{_NO_STOP}."
            if lines[head].rstrip().endswith(":") and not _REQUEST.match(lines[head]):
                lines[head] = lines[head].replace(":", _COLON)
        head = at
    return "\n".join(lines)


def _shown(text: str) -> str:
    return text.replace(f"{_NO_STOP}.", "").replace(_COLON, ":")


# -- others' words ----------------------------------------------------------------------------------------


def _parted(text: str) -> tuple[str, str]:
    """The user's words, and those behind the place where others' begin; a long text is read until there."""
    own: list[str] = []
    start = 0
    while start < len(text):
        end = len(text) if len(text) - start <= READ else text.rfind(" ", start + READ // 2, start + READ) + 1
        piece = text[start : end or start + READ]
        said = own_text(piece)
        own.append(said)
        if len(said.strip()) < len(piece.strip()):
            return "".join(own), piece[len(said) :] if piece.startswith(said) else ""
        start += len(piece)
    return "".join(own), ""


_DOCUMENT = (
    r"(?:lease|contract|agreement|letter|e-?mail|mail|essay|article|text|paragraphs?|story|poem|post|message|cv|resume|report|bio|speech"
    r"|draft|review|ad|policy|terms|clauses?|statement|abstract|chapter|lyrics|transcript|thread|section|excerpt|passage|description)"
)
_WORK_VERB = (
    r"(?:translate|proof-?read|paraphrase|rephrase|rewrite|reword|summari[sz]e|shorten|edit|improve|fix|check|review|correct|polish"
    r"|classify|analy[sz]e|continue|finish|grade|rate|explain|format|convert|read|look|answer|reply|respond)"
)
_REQUEST = re.compile(
    r"\W*(?:(?:please|hi|hey|hello|can you|could you|would you|help me|i need you to|i want you to)[\s,]+){0,3}"
    rf"(?:{_WORK_VERB}|write|draft|compose|give|make|create|tell|show|list|suggest|find|describe|pretend|imagine|act|play)\b",
    re.IGNORECASE,
)
#: A line that hands over what stands below it: something sent, a request to look at a document, or its title.
_HANDING = re.compile(
    r"^(?:(?P<sent>[^\n]{0,120}\b(?:sent|wrote|texted|e-?mailed|forwarded|gave|showed|messaged|posted|got|received|found|answered|replied)"
    r"\b[^\n.!?]{0,60}\b(?:this|the following))"
    rf"|(?P<asks>(?:[^\n]{{0,80}}[.!,] )?(?:(?:please|can you|could you|would you|help me|and|also)\s+){{0,3}}{_WORK_VERB}\b[^\n]{{0,60}}\b(?:this|these|the|my|our|following)"
    rf" (?:\w+ ){{0,2}}{_DOCUMENT}\b[^\n]{{0,80}}|[^\n]{{0,100}}\bth(?:is|ese) (?:\w+ ){{0,2}}{_DOCUMENT}\b[^\n]{{0,80}}\?)"
    r"|(?P<title>[#*\s]*(?:[\w'&-]+ ){0,5}(?:agreement|contract|lease|terms and conditions|terms of \w+|policy)))"
    r"[ \t.:!?*\u2026]*\n(?=\s*\S)",
    re.IGNORECASE | re.MULTILINE,
)
_HANDING_SIGN = any_of(signs("this|these|following|agreement|contract|lease|policy|terms|the |my |our "))


def _handed(text: str) -> tuple[str, str]:
    """What stands before a text that is handed over, and that text with its introduction; a request stays before it."""
    found = _HANDING.search(text[:READ]) if _HANDING_SIGN.search(plain(text[:READ])) else None
    if found is None:
        return text, ""
    below = text[found.end() :]
    if found["asks"]:
        return (text[: found.end()], "") if len(below.strip()) >= _A_TEXT else (text, "")
    return text[: found.start()], f"{found['sent'].strip()}:{below}" if found["sent"] else ""


#: Without one of these a text is neither material to work on nor play.
_WORK = any_of(
    signs(
        "translate|proof|paraphrase|rephras|rewrite|reword|summari|spell|transcrib|classify|grammar|correct|fix|check|improve"
        "|edit|polish|analy|how do |how would |how can |how should |role|pretend|imagin|hypothetic|suppos|experiment|act as|improv"
        "|case study|exam question|quiz me|textbook"
    )
)
#: What a request to work on a text points to when the text follows it.
_FOLLOWS = re.compile(
    rf"\b(?:this|these|the following|below|my (?:\w+ ){{0,2}}{_DOCUMENT})\b|:\W*$", re.IGNORECASE
)


def _before_work(own: str) -> tuple[str, str]:
    """The user's words before a text to work on or a play, and the request for it; all of them if there is none."""
    said = clauses(own)
    if said and all(clause.mood is Mood.SUPPOSED for clause in said) and not _CONDITION.match(own):
        return "", _request(own)
    if said:
        return own, ""
    at = 0
    for piece in _sentence_texts(own):
        found = own.find(piece, at)
        if found < 0 or clauses(piece):
            continue
        return (own[:found], piece) if _FOLLOWS.search(piece) else (own, "")
    return own, ""


_CONDITION = re.compile(r"\W*(?:if|unless|when|whether)\b", re.IGNORECASE)


def _sentence_texts(text: str) -> Iterator[str]:
    return (piece.text for piece in spoken(text) if piece.kind is not Kind.CODE)


def _request(text: str) -> str:
    """The first sentence, if it asks for something."""
    first = next(_sentence_texts(text[:_LOOKED_AT]), "")
    head = first.partition(":")[0]
    return (
        head
        if " " in head and len(head) <= _LONGEST_HEAD and (ends_as_question(head) or asks_for(head))
        else ""
    )


def _introduced(others: str) -> tuple[str, str]:
    """What is asked for with others' words, or else their introduction with their beginning in quotation marks."""
    head, colon, body = others.strip().partition(":")
    if (
        not colon
        or len(head) > _LONGEST_HEAD
        or "\n" in head
        or ends_as_question(head)
        or _REQUEST.match(head)
    ):
        return _request(others), ""
    if _PLAYS.search(head):
        return "", ""
    words = ""
    for piece in _sentence_texts(body[:_LOOKED_AT]):
        if len(piece.split()) < _SHORTEST_QUOTE or _ITEM.match(piece):
            continue
        more = f"{words} {piece}".strip().replace('"', "'")
        if words and len(more) > _LONGEST_QUOTE:
            break
        words = more
    return "", f'{head}: "{shorten(words.strip(_QUOTE_ENDS), _LONGEST_QUOTE)}"' if words else ""


#: What begins so is nobody's, not even in quotation marks.
_PLAYS = re.compile(r"\b(?:role-?play|pretend|imagine|suppose|hypothetically)", re.IGNORECASE)
_QUOTE_ENDS = "\"' \u201c\u201d\u201e\u00ab\u00bb"
