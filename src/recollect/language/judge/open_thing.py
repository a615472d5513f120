"""Open things: what the user will do, wants to keep doing, left undecided, or trips over again and again.

Reads one clause at a time and says which of the four kinds of todo it is, with its words and its due date; what binds
somebody is `commitment`'s, what they want to be reminded of `reminder`'s. A clause may leave several things open, and each
can be read alone: "it drives me mad" says nothing without what does. It does not know memories: a routine that somebody
has is a fact, one that they want is a habit.
"""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

from recollect.language.judge.commitment import PROMISED, bound_apart, commitment
from recollect.language.judge.due import due
from recollect.language.judge.reminder import REPEATED, reminders
from recollect.language.judge.wording import sentence
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs
from recollect.records.todo import TodoKind


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenThing:
    """A todo before it has a source."""

    text: str
    kind: TodoKind
    due_at: datetime | None
    confidence: float
    #: The rule that found it.
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a clause leaves open, and the words behind it in its sentence that belong to that."""

    things: tuple[OpenThing, ...]
    takes: str = ""


SIGN = any_of(
    signs(
        "remind me|i'll|i will|need to|have to|has to|must |gotta|got to|going to|gonna|promise|commit|swear|vow|pledge|guarantee|shall|we'll|we will|supposed to|due |deadline|forget to|remember to|appointment|exam"
        "|interview|want to|trying to|try to|habit|every|each |daily|weekly|times a|decide|decided|continue|later|tomorrow|next time|come back|pick this"
        "|pick it|still |haven't|not sure yet|waiting for|waiting on|keep |keeps |annoy|struggl|always forget|never remember|drives me|frustrat|fed up|sick of|hate it when|hate when|hate that|again and again|crash"
        "|every time|every single|todo|to-do|to do list|by monday|by friday|i should|let's|lets |open question|figure out|goal is|logs me out|pain in|third time|second time|whenever|for months|for weeks| again|hasn't|still open|loses|exam|errands|chores|list for|list:|list today|tasks|plan for|things i|don't let me|note to self|to do:|remember"
    )
)
_LEAD = Pattern(
    r"(?:(?:and|but|so|also|oh|ok|okay|well|then|plus|btw|by the way|anyway|right|yes|yeah|as i said[\w ]*|ps|p\.s\.)\b[\s,:]*)*",
    re.IGNORECASE,
)
_HABIT_WISH = Pattern(
    r"(?:i )?(?:really |now |currently |have been |am |just |also )*(?:want to|wanna|trying to|try to|would like to|decided to|plan to|going to|planning to|aim to|aiming to|started|have started|working on|getting into the habit of|need to start|hope to|committed to|resolved to|keep) (?P<what>.+)",
    re.IGNORECASE,
)
_HABIT_VERB = Pattern(
    r"(?:eat|drink|sleep|smoke|snack|spend|sit|scroll|procrastinate|walk|exercise|cut|quit|stop|reduce|limit|get (?:up|more|to bed)|go to bed|wake|be more|be less|stay off|stretch|save|lose|read more|meditate|journal|floss|practi[cs]e)\b",
    re.IGNORECASE,
)
_MEASURE = Pattern(
    r"\b(?:more|less|fewer|earlier|regularly|back on|down on|quit|stop|off (?:sugar|social media|caffeine|my phone)|smoking|sugar|caffeine|alcohol)\b",
    re.IGNORECASE,
)
_KEEP_UP = Pattern(
    r"\b(?:want|trying|going|plan|like|need) to (?:keep|stick (?:to|with)|continue) (?:that|this|it|doing|going|with|up)\b|\bkeep (?:that|it|this) up\b|\bthat's my (?:new )?(?:habit|routine|resolution)\b|\bmy (?:new )?habit\b",
    re.IGNORECASE,
)
_THREAD = Pattern(
    r"(?:let'?s|we(?:'ll| will| can| should)|i(?:'ll| will)(?: want to)?|can we|could we|to be) (?:please )?(?:continue|continued|come back|pick (?:this|it|that) (?:back )?up|return|get back|resume|talk (?:more )?about|discuss|revisit|park|carry on|go on(?= (?:with|about|from|here|there|tomorrow|later|next|another|tonight|on \w+day|after|when|once|soon)))\b(?! to you).{0,60}?\b(?:tomorrow|later|next (?:time|week|session|month)|another (?:time|day)|tonight|on \w+day|after|when|once|soon|monday|tuesday|wednesday|thursday|friday|weekend)\b|(?:let'?s|we will|i will) (?:come back|return|get back) to (?:this|that|it)\b"
    r"|(?:i|we)(?: have)? (?:still |really )*(?:have to|need to|must|have yet to|haven't|have not|can't|couldn't)(?: really| quite| fully)? ?(?:decide|decided|made up my mind|settled|chosen|figured out|whether|which|if)\b"
    r"|(?:i|we)(?: am| are)? (?:still )?(?:undecided (?:about|on|between|whether)|torn between|on the fence about|debating (?:whether|between|if)|still waiting (?:for|on|to hear))\b|(?:i|we) (?:still|haven't|have not|never) (?:heard back|decided|chosen|picked|settled|figured out|got an answer|need an answer)"
    r"|still (?:waiting (?:for|on|to hear)|undecided|need(?:s|ing)? to (?:decide|figure out|choose)|haven't|have to (?:decide|choose|figure)|no (?:answer|reply|word|decision))|(?:it's|that's|this is|that one is) still (?:open|undecided|unresolved|up in the air)|(?:open question|open point|unresolved|tbd)\b|(?:the|my|our) .{3,60}? (?:is|are) still (?:open|pending|unanswered|outstanding|undecided|missing)\b|(?:the|my|our) .{3,60}? (?:still )?(?:hasn't|haven't|has not|have not) (?:arrived|answered|replied|come|been (?:approved|paid|answered|decided)|shown up|responded|called back)\b",
    re.IGNORECASE,
)
_FRICTION = Pattern(
    r"(?:(?:i|we) (?:just |always |really |constantly )*keep (?!checking|making|working|using|learning|practi[cs]ing|everything|anything|something|nothing|going|in touch|up\b|it\b|that\b|my \w+ in|coming back to this|a |an |the |track|notes|telling (?:you|myself)|asking|getting (?:this|the|an?) (?:\w+ )?(?:error|message|exception|warning|result)|thinking|hearing|seeing (?:this|the|an)|trying|saying|reading|looking)\w+ing\b"
    r"|(?:i|we) (?:always|constantly|keep on|never stop) (?:forget(?:ting)?(?! it\b| that\b)|los(?:e|ing)|miss(?:ing)?|oversleep(?:ing)?|mix(?:ing)? up (?!those|these|that|this)|procrastinat\w+|run(?:ning)? (?:late|out of)|leave everything|put off)\b"
    r"|(?:i|we) can never (?:remember|find|keep|get|seem)(?! (?:this|that|it|the (?:syntax|difference|command))\b)|(?:it|that|this) (?:always |really |just |still |so )*(?:annoys|frustrates|bothers|bugs|irritates|drives) me\b.{0,40}?\b(?:when|that|every|how|crazy|nuts|mad)"
    r"|what (?:annoys|frustrates|bothers|bugs) me\b|(?:i|we) (?:really |always |constantly |still )*(?:struggle|am struggling|have trouble|have a hard time) (?:with|to|getting|keeping|staying|sleeping|finding|falling|focus\w+|concentrat\w+)(?! (?:this|that|it|understanding (?:this|that|the))\b)"
    r"|(?:i|we) (?:hate|can't stand) (?:it )?(?:when|that|how) \w|(?:i am|i'm|we are) (?:so |really )?(?:sick|tired|fed up) (?:of|with) (?!this\b|it\b|that\b|you)\w|every (?:single )?time i\b.{3,80}?\b(?:i|it|the|my)\b"
    r"|.{3,80}?\b(?:keeps?|kept) (?:on )?(?:crashing|breaking|failing|tripping|dropping|freezing|leaking|waking|interrupting|logging|disconnecting|losing|forgetting|stalling|beeping|jamming|cancel+ing|delaying|overheating|falling|ringing|barking|changing|hanging|flaking|timing out|(?<=keeps )\w+ing me)\b"
    r"|.{3,80}?\b(?:again|loses|lost|eats|deletes|resets|forgets|is red|is flaky|is broken|is full|is late)\b.{0,100}?\b(?:every (?:other |single )?(?:day|time|week|morning|night|month)|for (?:months|weeks|years)|all the time|whenever|constantly|third time|each time)\b|.{3,80}?\b(?:crashes|breaks|fails|freezes|logs me out|is late|is down|drops|wakes me|jams|disconnects|stops working|dies|gets stuck|times out|interrupts me)\b.{0,40}?\b(?:every|each|all the time|again and again|constantly|always|twice|\w+ times)\b)",
    re.IGNORECASE,
)
_OF_THE_TASK = Pattern(
    r"\b(?:this (?:error|code|function|script|message|query|file|page|answer|line|test)|your|the following|stack ?trace|exception|above|you)\b",
    re.IGNORECASE,
)
_WISHED_AWAY = Pattern(
    r"\b(?:maybe|might|perhaps|probably|at some point|someday|some day|one day|eventually|if|would|could|should|wish|or so|who knows)\b",
    re.IGNORECASE,
)


def open_things(
    clause: str, whole: str, *, said_at: datetime, zone: tzinfo, asked: bool, first: bool, before: str = ""
) -> Opened | None:
    """What a clause leaves open; `whole` is its sentence, where the date may stand, `before` the sentence before it."""
    own = clause[_LEAD.match(clause).end() :] if _LEAD.match(clause) else clause  # type: ignore[union-attr]
    if (asked_for := reminders(own, whole, said_at=said_at, zone=zone)) is not None:
        found = (
            _made(
                one.text,
                TodoKind.HABIT if one.repeated else TodoKind.COMMITMENT,
                one.due_at,
                "a reminder asked for",
                0.95,
            )
            for one in asked_for.found
        )
        return Opened(things=tuple(found), takes=asked_for.takes)
    if (thread := _THREAD.match(own)) and not _OF_THE_TASK.search(own.replace(" this ", " ")):
        when = due(own, said_at=said_at, zone=zone) if _TAKEN_UP.match(own) else None
        return _opened(_made(thread.string, TodoKind.THREAD, when.at if when else None, "left open", 0.8))
    if _COMMENT.match(own):
        return _opened(_commented(own, whole, before))
    if asked:
        return None
    pieces = bound_apart(own, said_at=said_at, zone=zone)
    if len(pieces) > 1:
        return _opened(*(_promised(piece, piece, said_at, zone) for piece in pieces))
    return _opened(_promised(own, whole, said_at, zone) or _friction(whole if first else own))


def _opened(*found: OpenThing | None) -> Opened | None:
    things = tuple(thing for thing in found if thing is not None)
    return Opened(things=things) if things else None


def _promised(own: str, whole: str, said_at: datetime, zone: tzinfo) -> OpenThing | None:
    """What somebody wants to make a habit of, or will do."""
    if _WISHED_AWAY.search(own) and not PROMISED.match(own):
        return None
    if (habit := _habit(own, whole)) is not None:
        return habit
    bound = None if REPEATED.search(own) else commitment(own, whole, said_at=said_at, zone=zone)
    return bound and _made(bound.text, TodoKind.COMMITMENT, bound.due_at, "a commitment")


#: Such a thread says when it goes on; in others a day belongs to what happened.
_TAKEN_UP = Pattern(r"(?:let'?s|we|i|can we|could we) ", re.IGNORECASE)


def _made(text: str, kind: TodoKind, at: datetime | None, name: str, confidence: float = 0.9) -> OpenThing:
    return OpenThing(text=sentence(text), kind=kind, due_at=at, confidence=confidence, name=name)


def _habit(own: str, whole: str) -> OpenThing | None:
    wish = _HABIT_WISH.match(own)
    if wish is not None and not _OF_THE_TASK.search(own):
        what = wish["what"]
        if REPEATED.search(what) or (_HABIT_VERB.match(what) and _MEASURE.search(what)):
            return _made(_ASIDE.sub("", own), TodoKind.HABIT, None, "a habit wished for")
    if _KEEP_UP.search(whole) and REPEATED.search(whole) and REPEATED.search(own):
        return _made(own, TodoKind.HABIT, None, "a habit to keep")
    return None


_WILL = Pattern(r"\b(?:will|just keep|please|let's)\b", re.IGNORECASE)
_DANGLING = Pattern(r"\b(?:them|those|these)\b", re.IGNORECASE)
_ASIDE = Pattern(
    r",? (?:and|but|so) (?:i |i'm |was|am|were|would|need|could|can|what|how|if|do|any)\b.*", re.IGNORECASE
)


#: It says how something is felt, and not what: "and it drives me mad".
_COMMENT = Pattern(
    r"(?:it|that|this|which) (?:always |really |just |still |so |absolutely |totally |completely )*(?:annoys|frustrates|bothers|bugs|irritates|drives) (?:me|us)\b"
    r"(?!.*\b(?:when|that|how|if)\b)",
    re.IGNORECASE,
)
_MADDENED = Pattern(r".*\b(?:every|each|crazy|nuts|mad|insane|up the wall|always|constantly|annoys|frustrates|bothers|bugs|irritates)\b", re.IGNORECASE)  # fmt: skip
_JOINT = Pattern(r"[ ,;]*(?:(?:and|but|so)?[ ,;]*)$", re.IGNORECASE)
#: It returns, so that it is no mishap.
_RETURNS = Pattern(
    r"\b(?:every|each|always|constantly|all the time|again|never|keeps?|whenever|nightly|daily|all (?:day|night)|still)\b",
    re.IGNORECASE,
)
#: Somebody or something that only the talk knows; a question; what is asked of the listener.
_UNTOLD = Pattern(
    r"(?:(?:and|but|so|because|if|when) )*(?:it|this|that|these|those|he|she|they|you|your|there|what|why|how|who|where|when|can|could|do|does|is|are|please|thanks?|here)\b",
    re.IGNORECASE,
)
#: Words of what is felt so; more is a story.
_LONGEST_CAUSE = 25


def _commented(own: str, whole: str, before: str) -> OpenThing | None:
    """A friction by what is said of it: "my neighbour plays loud music every night and it drives me mad"."""
    head, found, _ = whole.partition(own)
    cause = _JOINT.sub("", head if found else "") or before.strip()
    if _friction(cause) is not None:
        # It was found where it is told.
        return None
    if not cause or cause.endswith("?") or len(cause.split()) > _LONGEST_CAUSE:
        return None
    if _UNTOLD.match(cause) or not _RETURNS.search(cause) or not _MADDENED.match(own):
        return None
    if _OF_THE_TASK.search(cause) or _DANGLING.search(cause) or _WILL.search(cause):
        return None
    joint = ", " if own.lower().startswith("which") else " and "
    told = f"{cause.rstrip('. !')}{joint}{own[:1].lower()}{own[1:]}"
    return _made(told, TodoKind.FRICTION, None, "something that keeps getting in the way", 0.85)


def _friction(own: str) -> OpenThing | None:
    if (
        _FRICTION.match(own)
        and not _WILL.search(own)
        and not _OF_THE_TASK.search(own)
        and not _DANGLING.search(own)
    ):
        return _made(own, TodoKind.FRICTION, None, "something that keeps getting in the way", 0.85)
    return None
