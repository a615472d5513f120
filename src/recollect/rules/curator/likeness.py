"""Whether one memory says nothing that another does not say as well, so that the two may be folded.

`rules/duplicate` compares the words: a different number, name, negation or side keeps two memories apart, and so does any
meaningful word that only the vaguer one has. Here the other direction is added: whatever the more specific one says beyond must
be a detail of the same fact ("has a dog named Rex") and not another fact that contains its words ("has a dog allergy", "lives
in New York"). A doubtful pair is not folded: keeping both costs a line, a wrong fold costs a fact.
"""

import re

from recollect.language.terms import STOP_WORDS, terms
from recollect.records.memory import MemoryRecord
from recollect.rules import duplicate, importance
from recollect.rules.trust import may_be_profile

#: Below this cosine nothing is folded. The words decide, this is only a guard: with the packaged model the 31 pairs of
#: tests/rules/curator/pairs.py that mean the same lie between 0.65 and 0.99, the 42 others between 0.63 and 0.998 ("York"
#: and "New York": 0.979). At 0.7 it lets 30 of the 31 through (22 at 0.8), and the rules hold back all 42 at any cosine.
NEAR = 0.7
#: With fewer words than this besides the subject a sentence is too short to be part of another: "is tired", "is tired of work".
_ENOUGH = 2

_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*|,")
#: Where and when: "flies to Rome" and "flies from Rome" differ in nothing else.
_PLACES = frozenset(
    "in on at to for from with by of near around during since after before between within".split()
)
#: A detail begins with one of these, or after a comma, or with a number.
_LINKS = _PLACES | frozenset(
    "because every each when and while as named called who whose which that where using via through per".split()
)
#: Words of degree, which never make another fact.
_DEGREES = frozenset("very really quite so also still now currently always".split())
#: Verbs that `duplicate` ignores; those of one row mean the same, but living somewhere is not working there.
_ALIKE = {
    terms(word)[0]: row.split()[0]
    for row in (
        "likes loves enjoys prefers preferred favorite favourite",
        "uses using",
        "lives resides based",
        "works",
    )
    for word in row.split()
}
#: Words that change the claim of a sentence: both have them or neither.
_TURNS = re.compile(
    r"\b(?:or|but|if|unless|except|only|just|although|though|however|instead|sometimes|occasionally|rarely|seldom"
    r"|barely|nearly|almost|mostly|mainly|formerly|previously|former|ex|late|until|used|was|were|had|did|been|once"
    r"|longer|stopped|quit|plans?|planning|wants?|wanted|hopes?|hoping|intends?|will|would|could|should|may|might"
    r"|going|considering|thinking|trying|tries|supposedly|allegedly|reportedly|pretends?|fake|too)\b",
    re.IGNORECASE,
)
#: The subject of a sentence: a name or the user, with possessives ("User's brother's wife").
_OPENING = re.compile(
    r"\s*(?:the\s+)?[^\W_]+(?:['\u2019]s\s+[^\W_]+|(?:,|\s+(?:and|or|with))\s+[^\W_]+)*", re.IGNORECASE
)


def may_meet(first: MemoryRecord, second: MemoryRecord) -> bool:
    """Whether two memories may be folded at all: both current and free, with the same scope, subject and trust.

    A fold has the lowest trust of its sources, so folding the user's words with those of others would remove them from the
    profile.
    """
    return (
        first.memory_id != second.memory_id
        and all(map(_is_free, (first, second)))
        and first.persona_id == second.persona_id
        and may_be_profile(first.origin) == may_be_profile(second.origin)
        and _same_subject(first, second)
    )


def _is_free(memory: MemoryRecord) -> bool:
    """Whether a memory is current and no person decided about it: not pinned and not restored from a fold."""
    return memory.current and not memory.pinned and not memory.flagged and memory.folded_into is None


def says_no_more(vague: MemoryRecord, specific: MemoryRecord, cosine: float) -> str | None:
    """Why the first can be folded into the text of the second; None if it cannot."""
    less, more = vague.content, specific.content
    verdict = duplicate.judge(less, more, cosine=cosine, same_key=False, threshold=NEAR)
    if not verdict.duplicate:
        return None
    if duplicate.normalise(less) == duplicate.normalise(more):
        return "the same words"
    if _turns(less) != _turns(more) or importance.is_vague(less) != importance.is_vague(more):
        return None
    return f"nothing new, similarity {cosine:.2f}" if _only_details(less, more) else None


def _same_subject(first: MemoryRecord, second: MemoryRecord) -> bool:
    """Whether two memories have the same subject: by their keys, or else by category and opening words."""
    if first.memory_key and second.memory_key:
        same = first.memory_key.split("|")[:4] == second.memory_key.split("|")[:4]
    else:
        same = first.category is second.category
    return same and _opening(first.content) == _opening(second.content)


def _opening(content: str) -> str:
    found = _OPENING.match(content)
    return " ".join(found.group().replace("\u2019", "'").casefold().split()) if found else content


def _turns(text: str) -> set[str]:
    return {match.group().lower() for match in _TURNS.finditer(text)}


def _only_details(less: str, more: str) -> bool:
    """Whether the second contains the words of the first in order, and otherwise only linked details."""
    wanted = [part for word in _words(less) for part in _parts(word)]
    if len(wanted) < _ENOUGH:
        return False
    place, linked, pending = 0, False, False
    for word in _words(more):
        found = _parts(word)
        if found and found == wanted[place : place + len(found)]:
            if pending and word not in _LINKS:
                # A word right before a known one belongs to it: "New York".
                return False
            place, linked, pending = place + len(found), False, False
        elif word in _LINKS or word == ",":
            linked, pending = True, False
        elif word not in _DEGREES and not word.endswith("ly") and _tells(word):
            linked = linked or word[0].isdigit()
            if not linked:
                return False
            pending = True
    return place == len(wanted)


def _words(text: str) -> list[str]:
    return [match.group().lower() for match in _WORD.finditer(text)]


def _parts(word: str) -> list[str]:
    """What must match of a word: its terms or its group of synonyms; nothing for a word like "the"."""
    if word in _PLACES:
        return [word]
    if word in ("has", "have"):
        return ["has"]
    known = terms(word)[0] if word not in STOP_WORDS and word != "," else ""
    return [_ALIKE[known]] if known in _ALIKE else _tells(word)


def _tells(word: str) -> list[str]:
    return [] if word in STOP_WORDS or word == "," else sorted(duplicate.telling(word))
