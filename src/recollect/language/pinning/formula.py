"""Formulas, targets and snippets that somebody wants kept to the letter ("BMI = kg / m^2").

Lines are read as they are written: a formula is not prose, and no word of it may be rephrased. Homework
("solve x = ...") and pasted programs are not meant. It does not run or check anything.
"""

import re
from collections.abc import Iterator

from recollect.language.sign import signs

#: Lines and characters of a snippet; a longer one is a program, and a pin is in every context.
SNIPPET_LINES, SNIPPET_CHARACTERS = 12, 400
#: Characters of a line that is read as a formula.
_LINE = 200

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_KEEP = re.compile(
    r"\b(?:remember|keep|save|memori[sz]e|pin|store|always use|use this|use the following|for (?:later"
    r"|reference|future)|from now on|note (?:this|that|down))\b",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:fix|debug|explain|why|error|wrong|refactor|review|improve|optimi[sz]e|solve|simplify|prove"
    r"|differentiate|integrate|evaluate|factor|homework|convert|translate|test|rewrite|graph|plot|find)\b"
    r"|\?",
    re.IGNORECASE,
)
_NAME = r"[^\W\d]\w*(?:[ _-]\w+){0,3}"
_OPERATION = r"[^=<>;{}\"'?!]*[\w)][ \t]*[-+*/^\u00d7\u00f7\u00b7][ \t]*[\w(][^=<>;{}\"'?!]*"
_EQUATION = re.compile(rf"(?:.*?:\s+)?(?P<formula>{_NAME}(?:\([^()=]*\))? = {_OPERATION})$")
_LABELLED = re.compile(
    rf"(?P<formula>(?:{_NAME} )?(?:formula|equation)(?: for [\w ]{{1,40}}| of [\w ]{{1,40}})?\s*(?::|is"
    rf"|=)\s*{_OPERATION})$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:please|remember|note|save|keep|use|our|my|the|this|that|here is|here's|we use|i use|fyi|btw"
    r"|important)\b[\s,:]*)*",
    re.IGNORECASE,
)
_QUANTITY = (
    r"(?:\d+(?:[.,]\d+)?\s*(?:-|\u2013|to)\s*\d+|(?:below|under|above|over|less than|more than|at least"
    r"|at most|up to|<=?|>=?|\u2264|\u2265|around|about)\s*\d+"
    r"|\d+(?:[.,]\d+)?(?:/\d+)?\s*(?:mg|mmol|mmhg|bpm|kg|lbs?|pounds|%|kcal|calories|steps|km|miles|hours"
    r"|minutes|g\b|l\b|liters|litres)|\d{2,3}/\d{2,3})"
)
_TARGET = re.compile(
    r"(?:(?:my|his|her|our|the|their|patient(?:'s)?|my \w+'s)\s+)?(?P<what>(?:[\w-]+ ){0,3}?(?:target"
    r"|goal)(?: (?!audience|market|group|date|age)[\w-]+){0,3}?)\s*"
    rf"(?::|is|are|=)\s*(?:to (?:be|stay|keep it) )?(?:an? )?{_QUANTITY}",
    re.IGNORECASE,
)
#: At least one of these is in whatever sets a target; the tests hold them against the rule.
TARGET_SIGNS = signs("target|goal")


def snippets(text: str) -> Iterator[str]:
    """Short fenced code that the words around it ask to keep."""
    if "```" not in text:
        return
    prose = _FENCE.sub(" ", text)
    if not _KEEP.search(prose) or _WORK.search(prose):
        return
    for found in _FENCE.finditer(text):
        code = found.group(1).strip()
        if code and len(code) <= SNIPPET_CHARACTERS and code.count("\n") < SNIPPET_LINES:
            yield code


def formulas(text: str) -> Iterator[str]:
    """Formulas that stand alone or are named as such; several without a name are somebody's program."""
    if "=" not in text and "formula" not in text.lower() and "equation" not in text.lower():
        return
    lines = [line.strip().rstrip(".") for line in _FENCE.sub("\n", text).splitlines() if line.strip()]
    named: list[str] = []
    bare: list[str] = []
    for line in lines:
        if len(line) > _LINE or _WORK.search(line):
            continue
        stripped = line[_opening(line) :]
        if found := _LABELLED.match(stripped):
            named.append(found.group("formula"))
        elif found := _EQUATION.match(stripped):
            (named if _KEEP.search(line) else bare).append(found.group("formula"))
    yield from named
    if len(lines) <= 2 and not _WORK.search(text):
        yield from bare


def is_target(clause: str) -> bool:
    """Whether a clause sets a value to reach or to stay within."""
    found = _TARGET.match(clause)
    return found is not None and not re.search(
        r"\b(?:audience|market|group|word|sales|revenue)\b", found.group("what"), re.I
    )


def _opening(line: str) -> int:
    found = _LEAD.match(line)
    return found.end() if found else 0
