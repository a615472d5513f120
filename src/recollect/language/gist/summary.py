"""Summaries without a model: the lines of a conversation that are worth most, within a cap, oldest first.

An earlier summary and the new turns become lines, weighed alike; corrections replace what they correct, repeated lines
fall together, and the heaviest fill the cap. What a life may depend on goes first, and a part of the room
belongs to what is new, so that a summary neither forgets an allergy nor stands still. Room that is left goes to plain
statements, the newest first, and to the topics that were asked about. It knows no tokenizer: the caller counts. A graph
of similar sentences (TextRank) was rejected: what is said most often is rarely what matters.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

from recollect.language.gist.likeness import Likeness
from recollect.language.gist.line import Line, harmless, lines_of_summary, lines_of_turns
from recollect.language.gist.topic import distinct, topic, topic_line, topics_of
from recollect.language.gist.user_message import LONGEST
from recollect.language.gist.weight import is_of_the_hour
from recollect.language.sentence import cut_at_sentence, sentences, shorten
from recollect.records.message import Role, Turn, messages_of
from recollect.records.session import MAX_ROLLING

Count = Callable[[str], int]

#: New lines that are compared with each other; a summary never has room for as many.
_CANDIDATES = 120
#: Shares of the cap: for what is critical before anything else, and for what is new before the rest.
_CRITICAL_SHARE = 0.6
_NEW_SHARE = 0.35
#: Below this weight a line has no signal, number or name: it waits until all others have their room.
_PLAIN = 4.2
#: Below this a new line is no better than an empty one: it reacts, hedges or is too short to say something.
_WORTHLESS = 2.9
#: Topics of one summary; with more, the oldest are over.
_MOST_TOPICS = 30
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
    return _written(existing, turns, lines_of_turns(turns), _Packing(cap=cap, count=count))


def segment(turns: Sequence[Turn], *, cap: int, count: Count) -> str:
    """The summary of a segment on its own."""
    return brief("", turns, cap=cap, count=count)


def fold(existing: str, turns: Sequence[Turn], *, cap: int, count: Count) -> tuple[str, str]:
    """The brief and the segment of some turns; reading these is most of the work, and done once for both."""
    said, packing = lines_of_turns(turns), _Packing(cap=cap, count=count)
    whole = _written(existing, turns, said, packing)
    return whole, _written("", turns, said, packing) if existing else whole


def _written(existing: str, turns: Sequence[Turn], said: Sequence[Line], packing: "_Packing") -> str:
    """What an earlier summary and the lines of some turns come to."""
    old = [replace(line, weight=line.weight + _INCUMBENT) for line in lines_of_summary(existing, turns)]
    new = [line for line in said if line.is_open or not line.asks]
    asked = [topic(line.text) for line in said if line.asks and not line.is_open]
    topics = distinct([*topics_of(existing), *filter(None, asked)])
    return packing.with_topics(packing.packed(old, new), topics) or _anything(existing, turns, said, packing)


def segment_importance(turns: Sequence[Turn]) -> float:
    """0-10: an alert counts in full, however long the talk around it; else the mean of the upper third."""
    scores = sorted((message.importance_score for message in messages_of(turns)), reverse=True)
    if not scores:
        return 0.0
    upper = scores[: max(1, len(scores) // 3)]
    value = scores[0] if scores[0] >= _ALERT else sum(upper) / len(upper)
    return round(min(max(value, 0.0), 10.0), 1)


def rolling(previous: str, turns: Sequence[Turn]) -> str:
    """What is going on now, in at most 600 characters; the newest first of all, then what was important before.

    Plain statements get what room is left, the newest first.
    """
    # What was asked before is over.
    old = [line for line in lines_of_summary(previous) if not line.asks]
    last = len(turns) - 1
    said = lines_of_turns(turns)
    new = [
        replace(
            line,
            text=shorten(line.text, _ROLLING_LINE),
            weight=_now(line, (line.turn + 1) / len(turns)),
        )
        for line in said
        # What was asked last is what is going on, answered or not.
        if line.is_open or line.turn == last or not line.asks
    ]
    packing = _Packing(cap=MAX_ROLLING, count=len)
    return packing.packed(old, new) or _anything(previous, turns, said, packing)


def _now(line: Line, age: float) -> float:
    """What a line weighs in a rolling summary; a plain one stays plain, unless it takes something back."""
    if line.weight < _PLAIN and not line.corrects and not line.asks:
        return line.weight
    return max(line.weight, _PLAIN * line.corrects) + _NEWEST * age


def heaviest(lines: Sequence[Line]) -> list[Line]:
    """As many as can matter, still in order; a correction has a head start."""
    if len(lines) <= _CANDIDATES:
        return list(lines)
    order = range(len(lines))
    kept = set(nlargest(_CANDIDATES, order, key=lambda at: _rank(lines[at])))
    return [lines[at] for at in order if at in kept]


def _rank(line: Line) -> tuple[bool, float]:
    return line.critical, line.weight + line.corrects


def _is_worthless(line: Line) -> bool:
    """Whether a new line is not even worth free room; what once was, stays as long as there is room."""
    if line.turn < 0 or line.weight >= _PLAIN:
        return False
    plain = line.role is Role.USER and not line.asks and not line.dangling
    return not plain or line.weight < _WORTHLESS or is_of_the_hour(line.text)


def _weighty(lines: Sequence[Line]) -> list[int]:
    """The places of the lines that are more than plain."""
    return [at for at, line in enumerate(lines) if line.critical or line.weight >= _PLAIN]


def settled(old: Sequence[Line], new: Sequence[Line], likeness: Likeness) -> list[Line]:
    """All lines in order, each as the newest word on it."""
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
    #: Of everything packed: brief and segment have lines in common.
    likeness: Likeness = field(default_factory=Likeness)

    def packed(self, old: Sequence[Line], new: Sequence[Line]) -> str:
        """The chosen lines as one text, oldest first."""
        return self._filled(settled(old, heaviest(new), self.likeness))

    def _filled(self, lines: Sequence[Line]) -> str:
        likeness = self.likeness
        chosen: dict[int, str] = {}
        spent = 0

        def take(places: Iterable[int], room: float, similar: Callable[[str, str], bool]) -> None:
            nonlocal spent
            for place in places:
                line = lines[place]
                if place in chosen or spent >= room:
                    continue
                if any(similar(line.text, lines[other].text) for other in chosen):
                    continue
                cost = self.count(line.text + "\n")
                if spent + cost <= room and (text := harmless(line)):
                    chosen[place] = text
                    spent += cost if text is line.text else self.count(text + "\n")

        heavy = sorted(_weighty(lines), key=lambda at: (-lines[at].weight, at))
        critical = [at for at in heavy if lines[at].critical]
        take(critical, self.cap * _CRITICAL_SHARE, likeness.same)
        fresh = [at for at in heavy if lines[at].turn >= 0]
        take(fresh, min(self.cap, spent + self.cap * _NEW_SHARE), likeness.near)
        take(heavy, self.cap, likeness.near)
        # What was said before in other words gets the room that is left, and then what is plain: the newest of it first.
        take(heavy, self.cap, likeness.same)
        plain = [at for at in range(len(lines)) if at not in heavy and not _is_worthless(lines[at])]
        plain.sort(key=lambda at: (-round(lines[at].weight), -at))
        take(plain, self.cap, likeness.near)
        take([at for at in plain if lines[at].turn < 0], self.cap, likeness.same)
        return self._fitted(lines, chosen)

    def with_topics(self, text: str, topics: Sequence[str]) -> str:
        """The text with as many topics as still fit, the newest first of all."""
        kept = [
            name for name in topics if not any(self.likeness.same(name, row) for row in text.splitlines())
        ]
        room, first = self.cap - self.count(text), len(kept)
        while first > max(0, len(kept) - _MOST_TOPICS) and room > 0:
            first -= 1
            room -= self.count(f"{kept[first]}; ")
        # What the frame costs, and what two texts cost together, shows at the end.
        for start in range(first, len(kept)):
            whole = "\n".join(filter(None, (text, topic_line(kept[start:]))))
            if self.count(whole) <= self.cap:
                return whole
        return text

    def _fitted(self, lines: Sequence[Line], chosen: dict[int, str]) -> str:
        """The chosen lines in order; the lightest goes while the whole counts more than its parts."""
        places = sorted(chosen)
        while places:
            text = "\n".join(chosen[at] for at in places)
            if self.count(text) <= self.cap:
                return text
            places.remove(min(places, key=lambda at: (lines[at].critical, lines[at].weight, -at)))
        worthy = [line for line in lines if not _is_worthless(line)]
        first = max(worthy, key=_rank, default=None)
        return cut_at_sentence(harmless(first), self.cap, self.count) if first else ""


def _anything(existing: str, turns: Sequence[Turn], said: Sequence[Line], packing: _Packing) -> str:
    """What there is when nothing is worth keeping: the earlier summary, a question, or the first words."""
    cap, count = packing.cap, packing.count
    if existing.strip():
        return cut_at_sentence(existing, cap, count)
    if said:
        return cut_at_sentence(harmless(max(said, key=_rank)), cap, count)
    messages = sorted(messages_of(turns), key=lambda message: message.role is not Role.USER)
    for message in messages:
        for piece in sentences(message.text):
            words = shorten(" ".join(piece.text.replace('"', "'").split()), LONGEST // 2)
            return cut_at_sentence(f'{message.role.value.capitalize()} said: "{words}"', cap, count)
    return ""
