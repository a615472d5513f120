"""The digest of a session without a model: S4's six fields, by rules over what was said.

One line on what it was about, what mattered, what is still open and who promised what (`left_open`), who was mentioned
(`people`), and the tone. Every entry is somebody's sentence or a name from one. It finds no meaning behind the words: irony is taken at its
word, and a tone in a language other than English is neutral. Guessing from punctuation was rejected: three
exclamation marks are joy as often as anger.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest

from recollect.language.gist.left_open import left_open
from recollect.language.gist.likeness import Likeness
from recollect.language.gist.line import Line, harmless, lines_of_turns, terms_of
from recollect.language.gist.own_words import heard
from recollect.language.gist.people import people
from recollect.language.gist.summary import heaviest, segment, settled
from recollect.language.sentence import sentences, shorten
from recollect.records.message import Role, Turn, messages_of
from recollect.records.session import MAX_ITEM, MAX_ITEMS, SessionDigest

#: Characters of the line that stands for the whole session.
MAX_ONE_LINER = 120
#: Lines that matter; fewer than the other lists may have, or nothing stands out.
_MOST_THAT_MATTERED = 5
#: Below this weight nothing mattered.
_MATTERS = 4.5
#: What the first line is worth as the topic, the second half of it, and so on.
_OPENING = 2.0
#: From this weight on a line matters for itself, not for the topic.
_WEIGHTY = 8.0


def session_digest(turns: Sequence[Turn]) -> SessionDigest:
    """What a session was about."""
    lines = heaviest(lines_of_turns(turns))
    newest = settled([], lines, Likeness())
    left = left_open(lines, turns)
    own = [heard(message.text).own for message in messages_of(turns) if message.role is Role.USER]
    return SessionDigest(
        one_liner=_one_liner(newest, turns),
        what_mattered=_items(_what_mattered(newest), _MOST_THAT_MATTERED),
        open_loops=_items(left.open_loops, MAX_ITEMS),
        commitments=_items(left.commitments, MAX_ITEMS),
        people=people(own, MAX_ITEMS),
        tone=_tone(own),
    )


def _items(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """Without what says the same, and not without end."""
    likeness = Likeness()
    kept: list[str] = []
    for line in lines:
        if line and len(kept) < most and not any(likeness.same(line, other) for other in kept):
            kept.append(shorten(line, MAX_ITEM))
    return tuple(kept)


def _one_liner(lines: Sequence[Line], turns: Sequence[Turn]) -> str:
    """The user's line that has most in common with all the others; questions count, as they name the topic."""
    own = [line for line in lines if line.role is Role.USER and not line.dangling]
    frequency = Counter(term for line in lines for term in terms_of(line.text))

    def central(place: int) -> float:
        line = _first(own[place].text)
        found = terms_of(line)
        common = sum(frequency[term] - 1 for term in found) / (len(found) + 3)
        # People open with what it is about; a line that is cut, or needs its question, says less.
        opening = _OPENING / (1 + place) - (len(line) > MAX_ONE_LINER) - line.startswith("Asked")
        return common + min(own[place].weight, _WEIGHTY) / 4 + opening

    for place in nlargest(3, range(len(own)), key=central):
        if text := harmless(own[place]):
            return shorten(_first(text), MAX_ONE_LINER)
    return shorten(" ".join(segment(turns, cap=MAX_ONE_LINER, count=len).split()), MAX_ONE_LINER)


def _first(line: str) -> str:
    """The first sentence of a line that is too long."""
    return line if len(line) <= MAX_ONE_LINER or '"' in line else sentences(line)[0].text


def _what_mattered(lines: Sequence[Line]) -> list[str]:
    likeness = Likeness()
    best: list[Line] = []
    for line in sorted(lines, key=lambda line: (not line.critical, -line.weight)):
        if len(best) == _MOST_THAT_MATTERED or (line.weight < _MATTERS and not line.critical):
            break
        if not line.asks and not any(likeness.same(line.text, other.text) for other in best):
            best.append(line)
    return [harmless(line) for line in lines if line in best]


# -- tone -------------------------------------------------------------------------------------------------

#: In the order in which a tie is decided: what asks for care first.
_TONES = tuple(
    (tone, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for tone, words in (
        (
            "sad",
            r"sad|grie\w+|heartbroken|mourn\w*|crying|cried|lonely|miss (?:him|her|them)|passed away|funeral|hopeless|depressed|devastated"
            r"|lost (?:my|our) (?:\w+ )?(?:mother|mom|mum|father|dad|wife|husband|son|daughter|brother|sister|grand\w+|dog|cat|baby)",
        ),
        (
            "worried",
            r"worr(?:y|ied|ies|ying)|afraid|scared|anxious|nervous|concerned|fear|terrified|panic\w*|stress(?:ed|ful)",
        ),
        (
            "frustrated",
            r"frustrat\w+|annoy\w+|fed up|sick of|angry|furious|ridiculous|hate (?:this|it|that)|irritat\w+|still (?:doesn't|not) work\w*"
            r"|waste of time|ugh|argh",
        ),
        ("tired", r"exhausted|worn out|burn(?:ed|t) out|so tired|overwhelmed|drained"),
        (
            "grateful",
            r"grateful|thankful|thank you so much|thanks so much|really appreciate|appreciate (?:it|you|your)",
        ),
        (
            "cheerful",
            r"happy|excited|thrilled|delighted|can't wait|amazing|wonderful|awesome|glad|love it|so fun|haha+|yay|proud|fantastic",
        ),
        ("hopeful", r"hopeful|optimistic|looking forward|relieved|relief|encourag\w+"),
    )
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|isn't|wasn't|don't|didn't|nothing to|no)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
#: Characters before a word in which it may be denied.
_DENIAL_REACH = 24


def _tone(own: Sequence[str]) -> str:
    """The mood with most words for it; a denied word does not count."""
    counts: Counter[str] = Counter()
    for said in own:
        text = said.replace("\u2019", "'")
        for tone, pattern in _TONES:
            for match in pattern.finditer(text):
                if not _DENIED.search(text[max(0, match.start() - _DENIAL_REACH) : match.start()]):
                    counts[tone] += 1
    most = max(counts.values(), default=0)
    return next((tone for tone, _ in _TONES if counts[tone] == most and most), "neutral")
