"""The lines that a summary without a model can consist of, with what is needed to choose between them.

They come from the turns of a conversation or from an earlier summary, whoever wrote that, and are weighed alike. Each is
traceable to somebody's sentence. Questions know whether they were answered. It does not choose: that is `summary`'s
business. Keeping marks for important lines in the summary was rejected: a summary is read by people and models, and may
be edited by both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest

from recollect.language.danger import is_dangerous
from recollect.language.gist.own_words import spoken
from recollect.language.gist.reply import advised, closing_question, evades
from recollect.language.gist.topic import is_topics
from recollect.language.gist.user_message import LONGEST, PASSED_ON, joined, quoted, told
from recollect.language.gist.weight import is_of_the_hour, weigh
from recollect.language.sentence import Kind, shorten
from recollect.language.spelling import one_spelling
from recollect.language.terms import terms
from recollect.language.worth import is_injected
from recollect.records.message import Message, Role, Turn
from recollect.rules.trust import instructs_model

#: Lines that one reply of the assistant may bring: it talks more than the user, and matters less.
_A_REPLY = 2
#: Characters of a line that takes up one of a later message.
_LONGEST_PAIR = 220
#: Turns after which "he" may be somebody else.
_RECENT = 2
#: Turns within which an answer may still come.
_SOON = 10
#: What a message's own score, 0-10, adds to the weight of its sentences: a tie-breaker, no verdict.
_PER_POINT = 0.15
_DANGLING = 1.5
_OF_ASSISTANT = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a summary, with what is needed to choose it."""

    text: str
    role: Role
    weight: float
    #: The turn that it comes from; -1: from an earlier summary.
    turn: int
    #: A life may hang on it.
    critical: bool = False
    #: A question or a request; it matters while it is open.
    asks: bool = False
    #: Nobody has answered it.
    is_open: bool = False
    #: Says that something said before is different.
    corrects: bool = False
    #: Only understood together with what came before.
    dangling: bool = False

    def followed_by(self, other: "Line") -> "Line":
        """Both in one line, as the newer one is only true or clear after the older."""
        return replace(
            self,
            text=f"{self.text} {other.text}",
            weight=max(self.weight, other.weight),
            turn=other.turn,
            critical=self.critical or other.critical,
        )


def lines_of_turns(turns: Sequence[Turn]) -> list[Line]:
    """The lines of some turns, in order."""
    found: list[Line] = []
    question = ""
    for place, turn in enumerate(turns):
        answered = any(not evades(reply.text) for reply in turn.replies)
        for message in turn.messages:
            if message.role is Role.USER:
                for line in _from_user(message, place, question):
                    later = turns[place + 1 : place + _SOON]
                    if line.asks and not answered and not _covered(line.text, later):
                        line = replace(line, is_open=True)
                    _append(found, line)
                question = ""
            elif message.role is Role.ASSISTANT:
                found.extend(_from_assistant(message, place))
                question = closing_question(message.text)
    return found


def _append(found: list[Line], line: Line) -> None:
    """Behind the user's last line if it only points back to that, as a line of its own otherwise."""
    last = next(
        (at for at in range(len(found) - 1, max(-1, len(found) - 6), -1) if found[at].role is Role.USER), None
    )
    follows = line.dangling and not line.corrects and not line.asks and not is_of_the_hour(line.text)
    if last is not None and follows:
        before = found[last]
        fits = len(before.text) + len(line.text) < _LONGEST_PAIR
        if fits and not before.asks and line.turn - before.turn <= _RECENT:
            found[last] = before.followed_by(replace(line, weight=line.weight + _DANGLING))
            return
    found.append(line)


def lines_of_summary(summary: str, turns: Sequence[Turn] = ()) -> list[Line]:
    """The lines of an earlier summary, whoever wrote it; questions that the turns answer are gone, topics are no lines."""
    found: list[Line] = []
    for row in summary.splitlines():
        text = " ".join(row.split())
        if not text or is_topics(text) or is_injected(text):
            continue
        if frame := _FRAME.match(text):
            asks = frame.group().startswith("User asked")
            if not (asks and _covered(text, turns)):
                found.append(_remembered(text, asks=asks, assistant=frame.group().startswith("Assistant")))
            continue
        units = [piece.text for piece in spoken(row) if piece.kind in (Kind.PROSE, Kind.ITEM)]
        found.extend(_remembered(unit) for unit in joined(units) if _WORDLIKE.search(unit))
    return found


def harmless(line: Line) -> str:
    """The line as it may stand in a prompt: an order to the model becomes a quotation, and is nothing if not the user's.

    So does what would be read back as a line of topics.
    """
    text = line.text
    if not (instructs_model(text) or is_topics(text)) or text.startswith('User said: "'):
        return text
    return "" if line.role is Role.ASSISTANT or text.startswith(PASSED_ON) else quoted("User said", text)


def terms_of(text: str) -> frozenset[str]:
    """The terms that tell what a line is about, without the words of the frame."""
    return frozenset(terms(one_spelling(_STAMP.sub("", text)))) - _FRAMING


_WORDLIKE = re.compile(r"[^\W_]")
_FRAME = re.compile(r'(?:User (?:said|asked|quoted): "|Assistant (?:advised|said|promised): |Asked ")')
_STAMP = re.compile(r" \(said \d{4}-\d\d-\d\d\)")
_FRAMING = frozenset(terms("user said asked quoted assistant advised promised"))


def _remembered(text: str, *, asks: bool = False, assistant: bool = False) -> Line:
    text = shorten(text, LONGEST)
    weight = weigh(_STAMP.sub("", text)) - (_OF_ASSISTANT if assistant else 0.0)
    return Line(
        text=text,
        role=Role.ASSISTANT if assistant else Role.USER,
        weight=weight,
        turn=-1,
        critical=not assistant and not asks and _is_critical(text),
        asks=asks,
        is_open=asks,
    )


def _is_critical(text: str) -> bool:
    """Whether a life may hang on it: not on what nobody is known to have said of themself."""
    return is_dangerous(text) and not text.startswith(PASSED_ON)


def _covered(text: str, turns: Sequence[Turn]) -> bool:
    """Whether one of the replies talks about what was asked."""
    asked = terms_of(text)
    return any(len(asked & terms_of(reply.text)) * 2 > len(asked) for turn in turns for reply in turn.replies)


def _from_user(message: Message, turn: int, question: str) -> Iterator[Line]:
    for said in told(message.text, question):
        weight = weigh(said.text) + message.importance_score * _PER_POINT
        yield Line(
            text=_dated(said.text, message.created_at) if said.relative else said.text,
            role=Role.USER,
            weight=weight - _DANGLING * said.dangling,
            turn=turn,
            critical=not said.asks and _is_critical(said.text),
            asks=said.asks,
            corrects=said.corrects,
            dangling=said.dangling,
        )


def _dated(text: str, moment: datetime) -> str:
    """The line with the day on which it was said, before its full stop: it must not look like a sentence."""
    bare = text.rstrip(".!")
    return f"{bare} (said {moment:%Y-%m-%d}){text[len(bare) :]}"


def _from_assistant(message: Message, turn: int) -> list[Line]:
    """The few lines of a reply that weigh most, in the order in which they were said."""
    bonus = message.importance_score * _PER_POINT - _OF_ASSISTANT
    found = [
        Line(
            text=said.text,
            role=Role.ASSISTANT,
            weight=weigh(said.text) + bonus - _DANGLING * said.dangling,
            turn=turn,
        )
        for said in advised(message.text)
    ]
    best = nlargest(_A_REPLY, range(len(found)), key=lambda at: found[at].weight)
    return [found[at] for at in sorted(best)]
