"""Summaries without a model: the lines of a conversation that are worth most, within a cap, oldest first.

An earlier summary and the new turns become statements, weighed alike; corrections replace what they correct, repeated
statements fall together, and the heaviest fill the cap. What a life may depend on goes first, and a part of the room
belongs to what is new, so that a summary neither forgets an allergy nor stands still. It knows no tokenizer: the
caller counts. A graph of similar sentences (TextRank) was rejected: what is said most often is rarely what matters.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from recollect.domain.message import Role
from recollect.domain.resemblance import Likeness
from recollect.domain.sentence import cut_at_sentence, sentences, shorten
from recollect.domain.session_state import MAX_ROLLING
from recollect.domain.statement import Statement, harmless, restated, stated
from recollect.domain.telling import LONGEST
from recollect.domain.turn import Turn, messages_of

Count = Callable[[str], int]

#: New statements that are compared with each other; a summary never has room for as many.
_CANDIDATES = 120
#: Shares of the cap: for what is critical before anything else, and for what is new before the rest.
_CRITICAL_SHARE = 0.6
_NEW_SHARE = 0.35
#: Below this weight a new statement is no better than an empty line: it has no signal, number or name.
_WORTHLESS = 4.2
#: What a line that once entered weighs more: about what a message's own score gives to a new one.
_INCUMBENT = 0.9
#: How much more the newest turn weighs in a rolling summary, falling to 0 for the oldest.
_NEWEST = 4.0
#: Characters of one line of a rolling summary, so that three fit.
_ROLLING_LINE = 190
#: From here on one message makes a segment as important as itself (S0: critical alerts are 10).
_ALERT = 9.0


def brief(existing: str, turns: Sequence[Turn], *, cap: int, count: Count) -> str:
    """The summary of a conversation after some more turns."""
    old = [replace(line, weight=line.weight + _INCUMBENT) for line in restated(existing, turns)]
    new = [line for line in stated(turns) if line.is_open or not line.asks]
    packing = _Packing(cap=cap, count=count)
    lines = packing.run(settled(old, heaviest(new)))
    return lines or _anything(existing, turns, cap=cap, count=count)


def segment(turns: Sequence[Turn], *, cap: int, count: Count) -> str:
    """The summary of a segment on its own."""
    return brief("", turns, cap=cap, count=count)


def segment_importance(turns: Sequence[Turn]) -> float:
    """0-10: an alert counts in full, however long the talk around it; else the mean of the upper third."""
    scores = sorted((message.importance_score for message in messages_of(turns)), reverse=True)
    if not scores:
        return 0.0
    upper = scores[: max(1, len(scores) // 3)]
    value = scores[0] if scores[0] >= _ALERT else sum(upper) / len(upper)
    return round(min(max(value, 0.0), 10.0), 1)


def rolling(previous: str, turns: Sequence[Turn]) -> str:
    """What is going on now, in at most 600 characters; the newest first of all, then what was important before."""
    # What was asked before is over.
    old = [line for line in restated(previous) if not line.asks]
    last = len(turns) - 1
    new = [
        replace(
            line,
            text=shorten(line.text, _ROLLING_LINE),
            weight=line.weight + _NEWEST * (line.turn + 1) / len(turns),
        )
        for line in stated(turns)
        # What was asked last is what is going on, answered or not.
        if (line.is_open or line.turn == last if line.asks else not _is_worthless(line))
    ]
    packing = _Packing(cap=MAX_ROLLING, count=len)
    lines = packing.run(settled(old, heaviest(new)))
    return lines or _anything(previous, turns, cap=MAX_ROLLING, count=len)


def heaviest(statements: Sequence[Statement]) -> list[Statement]:
    """As many as can matter, still in order; corrections are always among them."""
    if len(statements) <= _CANDIDATES:
        return list(statements)
    order = range(len(statements))
    kept = set(nlargest(_CANDIDATES, order, key=lambda at: _rank(statements[at])))
    return [statements[at] for at in order if at in kept]


def _rank(statement: Statement) -> tuple[bool, float]:
    return statement.critical, statement.weight + statement.corrects


def _is_worthless(statement: Statement) -> bool:
    """Whether a new statement is not even worth free room; what once was, stays as long as there is room."""
    return statement.turn >= 0 and statement.weight < _WORTHLESS


def settled(old: Sequence[Statement], new: Sequence[Statement]) -> list[Statement]:
    """All statements in order, each as the newest word on it."""
    likeness = Likeness()
    settled = list(old)
    for later in new:
        if later.role is not Role.USER or later.asks:
            settled.append(later)
            continue
        place = likeness.corrected(settled, later)
        if place is None:
            settled.append(later)
        elif likeness.replaces(settled[place], later):
            # The newer word takes the older one's weight along: it is about the same thing.
            settled.append(replace(later, weight=max(later.weight, settled[place].weight)))
            del settled[place]
        elif len(settled[place].text) + len(later.text) < LONGEST:
            settled[place] = settled[place].followed_by(later)
        else:
            settled.append(later)
    return settled


@dataclass(kw_only=True, slots=True)
class _Packing:
    """Fills the cap with the heaviest lines that say something new."""

    cap: int
    count: Count

    def run(self, statements: Sequence[Statement]) -> str:
        likeness = Likeness()
        chosen: dict[int, str] = {}
        spent = 0

        def take(places: Iterable[int], room: float, similar: Callable[[str, str], bool]) -> None:
            nonlocal spent
            for place in sorted(places, key=lambda at: (-statements[at].weight, at)):
                line = statements[place]
                if place in chosen or _is_worthless(line) or spent >= room:
                    continue
                if any(similar(line.text, statements[other].text) for other in chosen):
                    continue
                cost = self.count(line.text + "\n")
                if spent + cost <= room and (text := harmless(line)):
                    chosen[place] = text
                    spent += cost if text is line.text else self.count(text + "\n")

        everything = range(len(statements))
        critical = [at for at in everything if statements[at].critical]
        take(critical, self.cap * _CRITICAL_SHARE, likeness.same)
        fresh = [at for at in everything if statements[at].turn >= 0]
        take(fresh, min(self.cap, spent + self.cap * _NEW_SHARE), likeness.near)
        take(everything, self.cap, likeness.near)
        # What was said before in other words gets the room that is left.
        take(everything, self.cap, likeness.same)
        return self._fitted(statements, chosen)

    def _fitted(self, statements: Sequence[Statement], chosen: dict[int, str]) -> str:
        """The chosen lines in order; the lightest goes while the whole counts more than its parts."""
        places = sorted(chosen)
        while places:
            text = "\n".join(chosen[at] for at in places)
            if self.count(text) <= self.cap:
                return text
            places.remove(min(places, key=lambda at: (statements[at].critical, statements[at].weight, -at)))
        worthy = [line for line in statements if not _is_worthless(line)]
        first = max(worthy, key=_rank, default=None)
        return cut_at_sentence(harmless(first), self.cap, self.count) if first else ""


def _anything(existing: str, turns: Sequence[Turn], *, cap: int, count: Count) -> str:
    """What there is when nothing is worth keeping: the earlier summary, a question, or the first words."""
    if existing.strip():
        return cut_at_sentence(existing, cap, count)
    lines = stated(turns)
    if lines:
        return cut_at_sentence(harmless(max(lines, key=_rank)), cap, count)
    messages = sorted(messages_of(turns), key=lambda message: message.role is not Role.USER)
    for message in messages:
        for piece in sentences(message.text):
            said = shorten(" ".join(piece.text.replace('"', "'").split()), LONGEST // 2)
            return cut_at_sentence(f'{message.role.value.capitalize()} said: "{said}"', cap, count)
    return ""
