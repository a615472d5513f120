"""What of an assistant's reply the user may want to come back to: advice, conclusions and promises.

The words stay as they were said, with who said them in front. Most of a reply is explanation, politeness and code, and
is left out; the user can ask again. It does not weigh. Taking the first sentence of each reply was rejected: it is
nearly always a greeting.
"""

import re

from recollect.language.gist.user_message import LONGEST, MOST, Said, points_back, without_opening
from recollect.language.sentence import Kind, Sentence, ends_as_question, sentences, shorten
from recollect.language.sign import any_of, plain, signs
from recollect.language.worth import is_injected

#: Characters; shorter sentences advise nothing.
_SHORTEST = 20
#: Characters of a reply that evades; whoever writes more has tried to answer.
_EVASIVE = 320


def advised(text: str) -> list[Said]:
    """The lines of a reply, in order."""
    found: list[Said] = []
    for piece in sentences(text)[:MOST]:
        if line := _line(piece):
            found.append(Said(text=line, dangling=points_back(piece.text)))
    return found


def closing_question(text: str) -> str:
    """What a reply asks at its end; the answer will stand in the next message."""
    pieces = sentences(text[-2 * LONGEST :])
    return pieces[-1].text if pieces and ends_as_question(pieces[-1].text) else ""


def evades(text: str) -> bool:
    """Whether a reply leaves the question open: it says so, or asks back and does nothing else."""
    if len(text) > _EVASIVE:
        return False
    if _EVADING.search(text.replace("\u2019", "'")):
        return True
    return all(ends_as_question(piece.text) for piece in sentences(text) if piece.kind is not Kind.HEADING)


_ADVICE = re.compile(
    r"\b(?:i(?:'d| would)? (?:recommend|suggest|advise)|you (?:should|must|need to|could try|may want to|might want to)"
    r"|recommended|make sure|best (?:option|approach|choice|way|bet)|see a doctor|call (?:911|112|999))\b"
    r"|^(?:[^.:]{1,30}: )?(?:avoid|do not|don't|never|always|consider|start (?:with|by)|stop|keep|try|use|practi[cs]e|rest)\b",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"\b(?:in (?:short|summary|conclusion)|overall|bottom line|the (?:key|main|real|root) (?:\w+ )?(?:is|was|cause)|caused by"
    r"|the (?:problem|issue|cause|reason|fix|solution|answer|total|result) (?:is|was)|this means|(?:sounds|looks) like"
    r"|means that|therefore|agreed)\b",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"\bi(?:'ll| will) (?:remind|check in|follow up|keep (?!in)|get back|send|schedule|book|ask you)\b",
    re.IGNORECASE,
)
#: At least one of these is in whatever the patterns above fit; most sentences have none.
_SIGNS = signs(
    "i'll|i will|recommend|suggest|advise|you should|you must|you need to|could try|want to|make sure|best|see a doctor"
    "|call 911|call 112|call 999|avoid|do not|don't|never|always|consider|start with|start by|stop|keep|try|use"
    "|practi|rest|in short|in summary|in conclusion|overall|bottom line|the |caused by|this means|sounds like"
    "|looks like|means that|therefore|agreed"
)
_SIGN = any_of(_SIGNS)
_POLITE = re.compile(
    r"\b(?:let me know|feel free|happy to|i hope|great question|good question|you're welcome|don't hesitate|i'm sorry|glad|"
    r"here(?:'s| is| are)|certainly|of course|absolutely|i understand|would you like|as an ai)\b",
    re.IGNORECASE,
)
_I_RECOMMEND = re.compile(
    r"(?:so,? |then,? )?i(?:'d| would)? (?:recommend|suggest|advise)(?: that)?:? ", re.IGNORECASE
)
_EVADING = re.compile(
    r"\bi(?:'m| am) not (?:sure|certain|able)|\bi (?:do not|don't) know|\bi can(?:not|'t) (?:say|tell|answer|help)|\bi'm unable"
    r"|\blet me (?:check|look|find)|\bi'll (?:check|get back|look)",
    re.IGNORECASE,
)


def _line(piece: Sentence) -> str | None:
    said = piece.text.replace("\u2019", "'")
    if not _SIGN.search(plain(said)):
        return None
    if (
        piece.kind not in (Kind.PROSE, Kind.ITEM)
        or ends_as_question(said)
        or said.endswith(":")
        or len(said) < _SHORTEST
    ):
        return None
    if _PROMISE.search(said):
        frame = "promised"
    elif _ADVICE.search(said):
        frame = "advised"
    elif _CONCLUSION.search(said):
        frame = "said"
    else:
        return None
    if (_POLITE.search(said) and frame != "promised") or is_injected(said):
        return None
    said = without_opening(said)
    if opening := _I_RECOMMEND.match(said):
        said = said[opening.end() :]
    return shorten(f"Assistant {frame}: {said}", LONGEST)
