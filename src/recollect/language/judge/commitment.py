r"""Commitments: what the user says they will do, by a day that they name.

"I'll go for a walk tomorrow" and "I promise to call Bob on Friday" bind somebody to a day; "I'll try that" goes on with
the talk, "I'll kill him tomorrow" is anger, and "if it rains I'll stay home" waits for the rain. Without a date a promise
made to somebody counts, and nothing else: "I need to fix this" is the task at hand. It knows one clause and its sentence.
"""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

from recollect.language.judge.due import AT_ONCE, due, is_time
from recollect.language.judge.errand import is_deed
from recollect.language.judge.lexicon import NUMBER, POINTING, ROLE, WEEKDAY
from recollect.language.pattern import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """The words that bind, and by when, if they say so."""

    text: str
    due_at: datetime | None


#: When it stands first: "Tomorrow I'll call the bank".
_FIRST = Pattern(
    rf"(?:(?:later )?(?:tomorrow|tonight|today)|(?:on|by|this|next|coming) {WEEKDAY}|(?:this|next) (?:week|weekend|month)|this (?:afternoon|evening)"
    rf"|(?:by|at) the end of (?:the|this|next) (?:week|month)|first thing tomorrow)(?: morning| afternoon| evening| night)?,? ",
    re.IGNORECASE,
)
#: The same by other words, which must be a time.
_FRONT = Pattern(
    rf"(?P<front>(?:on|by|at|in|before|until|tomorrow|today|tonight|next|this|{WEEKDAY})\b[^,;?!]{{0,30}}?),? (?=(?:i|we) )",
    re.IGNORECASE,
)
_AND_FRONT = Pattern(rf",? (?:and|but|then|and then) (?={_FRONT.pattern})", re.IGNORECASE)
_AND = Pattern(r",? and (?:then |also )?", re.IGNORECASE)
#: "I promise that I will", "I swear I'll": it stands before what is promised.
_VOW = r"(?:promise|vow|pledge|swear|commit(?: myself)?|guarantee)(?: you| myself)?,? "
_BY_VOW = Pattern(rf"(?:i|we) (?:\w+ )?{_VOW}(?:that )?(?=(?:i|we) )", re.IGNORECASE)
_BINDS = (
    r"(?:will|shall|need to|have to|must|have got to|gotta|got to|am going to|are going to|am gonna|are gonna|plan to|am supposed to"
    r"|(?:have )?promised(?: \w+){0,3}? (?:to|i would|that i would|i will)|am due to|agreed to|want to|intend to|am planning to"
    rf"|{_VOW}(?:(?:not )?to|(?:that )?(?:i|we) (?:will|shall|am going to|am gonna))|commit (?:myself )?to(?= \w+ing\b)|have)"
)
_COMMIT = Pattern(
    r"(?:i|we)(?: really| still| also| just| definitely| absolutely| finally| hereby| solemnly)* "
    rf"{_BINDS}(?: still| also| definitely| really| finally| just| certainly| make sure to| be sure to| not forget to)* (?P<what>(?-i:[a-z0-9]).+)",
    re.IGNORECASE,
)
#: Where somebody goes to do something; "go with it" and "go crazy" lead nowhere.
_GO = (
    r"go\b(?! (?:to (?:the )?\w+|(?:back |out |over |in |down |up )?(?:for|on) (?:an?|my|our|another) \w+|(?:on|out) (?:holiday|vacation|a)\b"
    r"|(?:back |out |straight )?to \w+|(?:\w+ )?(?!going|nothing|anything|something|everything|missing)\w+ing\b"
    r"|(?:and )?(?:see|visit|get|buy|vote|pick|fetch|meet|collect) \w))"
)
#: What is done in the conversation, at once, or not at all.
_OF_THE_TALK = (
    rf"(?:know|understand|figure|find out|ask\b(?! (?:my|our|the|for|him|her|(?-i:[A-Z])\w+) (?!questions?\b)\w)|say|admit|be honest|think|{_GO}|run\b(?=$|[.!])|sleep|bed\b|leave\b(?=$|[.!])"
    rf"|(?:definitely |also )?try\b|let you|get back to you|come back to|see\b(?! (?:my|our|the|an?) (?:\w+ )?{ROLE}\b)|wait|take a look"
    r"|check (?:it|that|this)|use (?:it|that|this)|do (?:that|this|it)\b|have (?!(?:the|my|our|an?) (?:[\w-]+ ){1,3}?(?:ready|done|finished|written|sent|signed|repaired|fixed|checked)\b)"
    r"|need|want|be(?! (?:at|home|on time|up)\b)|never|always|not|probably|likely|hopefully|only|make sure|double[- ]check|mention"
    r"|tell you|explain|share|paste|post|add (?:that|this)|keep (?:that|this|it|doing|going)|stick|stay|take (?:that|it)"
    r"|(?:use|take|pick|choose|try) the (?:\w+ )?(?:one|option|version|approach|suggestion|solution|method|variant)"
    r"|continue|assume|guess|bet|learn (?:how|about|more|what|why)|become|move|relocate|emigrate|retire)"
)
#: Anger, despair and wonders: said, and not meant.
_NOT_MEANT = (
    r"(?:(?:probably |just )?(?:kill|murder|strangle|choke|stab|destroy|slap|smack|punch|haunt|curse|die|explode|implode|scream|cry|collapse|starve|regret|forget|hate|love"
    r"|freak out|flip out|pass out|throw up|burn (?:it|everything|the|this)|blow up|lose (?:it|my (?:mind|shit|temper|head))|shoot (?:him|her|them|my|the)|shoot myself|hang myself|eat my (?:hat|words|shoe)|sell my soul"
    r"|win the (?:lottery|lotto|jackpot)|rule the world|conquer|jump (?:off|out)|drown|hibernate|get (?:fired|sick|drunk|old)|fall (?:asleep|apart|over|down)|wake up)\b)"
)
#: What happens to somebody, whatever they do.
_HAPPENS = (
    r"(?:feel|fail|lose|receive|hear|get (?:there|paid|better|worse|tired|(?:my|the|our) (?:results?|period|money|keys|salary|answer))|end up|run out|survive|suffer|miss (?!no\b)"
    r"|turn (?:\d+|\w+ty|\w+teen)|graduate|land|arrive|decide|report back|recover|heal|age|belong|seem|look (?!for|after|up)|owe|inherit)"
)
#: Where nothing stands before it in the sentence, only the talk knows what "it" is.
_IT = Pattern(r"\w+ (?:into |at |on |out |over |through |to |with )?it\b", re.IGNORECASE)
_NO_DEED = Pattern(rf"(?:{_OF_THE_TALK}|{_NOT_MEANT}|{_HAPPENS})\b", re.IGNORECASE)
#: Said to have been promised, whatever else is doubtful.
PROMISED = Pattern(
    r"(?:i|we)(?: \w+)? (?:promised|agreed|committed|told \w+ (?:that )?i(?:'ll| will| would))\b",
    re.IGNORECASE,
)
_APPOINTED = Pattern(
    rf"(?P<bare>(?:[\w'-]+ ){{0,2}}?(?:appointment|deadline|exam|interview|viewing|check-?up)) (?:is|on) .*|(?:i|we) have (?:an?|my|our|the|{NUMBER}) (?P<what>(?:[\w'-]+ ){{0,4}}?(?:appointment|deadline|exam|exams|interview|surgery|operation|check-?up|presentation|viva|defen[cs]e|dentist|driving test|scan|demo|delivery|viewing)\b.*)"
    rf"|(?:my|our|the) (?P<due>(?:[\w'-]+ ){{0,4}}?(?:deadline|appointment|exam|exams|interview|report|thesis|paper|application|assignment|tax return|taxes|rent|proposal|draft|presentation|project|visa|invoice|osce|essay|homework|submission|registration|bill|payment)) (?:is|are) (?:due )?(?P<when>.+)",
    re.IGNORECASE,
)
#: The sentence makes it wait for something else, or takes it back.
_CONDITIONAL = Pattern(
    r"(?:^|, |; )(?:(?:but|and|only|or|so|then|either|even) )*(?:if|unless|provided|assuming|supposing|as long as|as soon as|once|depending|in theory|imagine|hopefully|either|as an? (?:user|customer|player|guest|admin))\b(?! (?:needed|necessary|possible)\b)"
    r"|\b(?:or (?:maybe )?not|not really|but i (?:won't|will not|don't|doubt|can't)|but (?:only )?if|fingers crossed|said no ?(?:one|body)|as if|(?:just )?(?:kidding|joking))\b",
    re.IGNORECASE,
)
#: Somebody else's words, or an example of words.
_REPORTED = Pattern(
    r"(?:\b(?:say|says|said|told (?:me|him|her|us|them)|wrote|writes|goes|texted|replied|answers?|answered|sentence|phrase|example|quote|line|title|lyrics)|\u00a7)\W{0,3}$",
    re.IGNORECASE,
)
#: The date stands elsewhere in the sentence.
_THEN = Pattern(r"\bthen\b", re.IGNORECASE)
#: A day that only the user knows.
_BEFORE = Pattern(r"\bbefore (?:the|my|our|we|i) \w", re.IGNORECASE)
_POINTED = Pattern(rf"(?:{POINTING})", re.IGNORECASE)
_LOOSE = Pattern(
    r"\b(?:it(?= \w+ (?:up|special|work|a try|a crack|a go|a shot))|them|those|these|yours?|you|this(?! (?:week|weekend|month|year|\w+day|morning|afternoon|evening|summer|winter|spring|autumn|fall))|that)\b",
    re.IGNORECASE,
)


def commitment(own: str, whole: str, *, said_at: datetime, zone: tzinfo) -> Commitment | None:
    """What a clause binds the user to; `whole` is its sentence, where a date or a condition may stand."""
    if AT_ONCE.search(own):
        return None
    bound = own[_fronted(own) :]
    appointed = _APPOINTED.match(bound)
    deed = None if appointed else _COMMIT.match(bound)
    if appointed is None and (deed is None or not _is_deed(bound, deed) or _is_taken_back(own, whole)):
        return None
    if deed is not None and _IT.match(deed["what"]) and whole.startswith(own):
        return None
    when = due(own, said_at=said_at, zone=zone)
    if when is None and (_THEN.search(own) or "promised" in whole or _FIRST.match(whole)):
        when = due(whole, said_at=said_at, zone=zone)
    if when is None and not PROMISED.match(own) and not _BEFORE.search(own):
        return None
    # "I promise I'll call Bob" binds as "I'll call Bob" does, and reads worse.
    vowed = _BY_VOW.match(own)
    return Commitment(text=own[vowed.end() :] if vowed else own, due_at=when.at if when else None)


def _is_deed(bound: str, deed: "re.Match[str]") -> bool:
    """Whether something is to be done that has a place outside the talk."""
    what, binds = deed["what"], bound[: deed.start("what")]
    if _NO_DEED.match(what) or _POINTED.match(what) or _LOOSE.search(what):
        return False
    # "I have a car" binds nobody.
    return " have " not in f" {binds} " or re.search(r"have (?:got to|to|promised) ", binds) is not None


def _is_taken_back(own: str, whole: str) -> bool:
    before, _, _ = whole.partition(own)
    return _CONDITIONAL.search(whole) is not None or (
        before != whole and _REPORTED.search(before) is not None
    )


def _fronted(own: str) -> int:
    """Where a clause begins behind the time that stands first."""
    if (first := _FIRST.match(own)) is not None:
        return first.end()
    front = _FRONT.match(own)
    return front.end() if front is not None and is_time(front["front"]) else 0


def bound_apart(own: str, *, said_at: datetime, zone: tzinfo) -> list[str]:
    """The promises of one clause: "I'll go for a walk tomorrow and on Friday I'll clean the garage" makes two."""
    found: list[str] = []
    start = 0
    for joint in _AND_FRONT.finditer(own):
        if is_time(joint["front"]):
            found.append(own[start : joint.start()])
            start = joint.end()
    found.append(own[start:])
    return [piece for promise in found for piece in _by_day(promise, said_at, zone)]


def _by_day(promise: str, said_at: datetime, zone: tzinfo) -> list[str]:
    """ "I'll call Bob tomorrow and pay the rent on Friday": two, where each has its day."""
    deed = _COMMIT.match(promise)
    if deed is None:
        return [promise]
    binds, what = promise[: deed.start("what")], deed["what"]
    for joint in _AND.finditer(what):
        head, tail = what[: joint.start()], what[joint.end() :]
        if (
            is_deed(tail, headed=False)
            and due(head, said_at=said_at, zone=zone)
            and due(tail, said_at=said_at, zone=zone)
        ):
            return [f"{binds}{head}", *_by_day(f"{binds}{tail}", said_at, zone)]
    return [promise]
