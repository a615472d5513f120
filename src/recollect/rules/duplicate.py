"""Whether a new statement repeats a known memory.

Equal normalised text is a duplicate, and so is a cosine above 0.95, unless a detail differs or a meaningful word is new. That
exception is our refinement of the threshold: "phone 555-1235" has a cosine of 0.986 to "phone 555-1234", "severely allergic to
nuts" of 0.99 to "allergic to nuts", and dropping either would lose a fact. Under the same key less similarity is enough. A
doubtful pair is no duplicate: keeping both costs a line, dropping one costs a fact. No model is asked, because this runs on
every write.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.language.spelling import one_spelling
from recollect.language.terms import terms

#: Above this cosine two statements say the same, unless a detail differs: S2's value.
SAME = 0.95
# Under one key: "likes TypeScript" has 0.71 to "prefers using TypeScript for all projects", "likes Python"
# 0.73 to "prefers Python 3.12+", "fluent in Spanish" 0.66 to "expert in Spanish" (measured, packaged model).
# The words decide; the cosine only guards against a sentence that uses the same words to another end.
_CLOSE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateVerdict:
    """Whether the new statement is a duplicate, and why."""

    duplicate: bool
    reason: str


def judge(new: str, old: str, *, cosine: float, same_key: bool, threshold: float = SAME) -> DuplicateVerdict:
    """Compare a new statement with one known memory."""
    new, old = one_spelling(new), one_spelling(old)
    if normalise(new) == normalise(old):
        return DuplicateVerdict(duplicate=True, reason="same text")
    alike = cosine > threshold
    if not alike and not (same_key and cosine >= _CLOSE):
        return DuplicateVerdict(duplicate=False, reason=f"similarity {cosine:.2f}")
    if difference := differing_detail(new, old):
        return DuplicateVerdict(duplicate=False, reason=f"similarity {cosine:.2f}, but {difference}")
    likeness = f"similarity {cosine:.2f}" if alike else "same subject"
    # One word hardly changes the cosine of a long sentence: a "positive" biopsy has 0.955 to a "negative" one.
    if added := telling(new) - telling(old):
        return DuplicateVerdict(
            duplicate=False, reason=f"{likeness}, but new: {', '.join(sorted(added)[:3])}"
        )
    if alike:
        return DuplicateVerdict(duplicate=True, reason=likeness)
    if _OVER.search(old) and not _OVER.search(new):
        return DuplicateVerdict(
            duplicate=False, reason="same subject, but the known statement is about the past"
        )
    return DuplicateVerdict(duplicate=True, reason=f"same subject, similarity {cosine:.2f}, no new detail")


def normalise(text: str) -> str:
    """The text without differences in case, width, spacing and final punctuation."""
    previous = None
    while text != previous:
        # Case folding can create new compositions, and stripping can expose new punctuation.
        previous = text
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        text = " ".join(text.replace("\u2019", "'").split()).rstrip(" .!;,\u3002\u2026")
    return text


def differing_detail(new: str, old: str) -> str | None:
    """The detail that distinguishes two similar statements; None if the new one adds and changes nothing.

    A detail that only the known statement has does not count: nothing would be lost.
    """
    new, old = new.replace("\u2019", "'"), old.replace("\u2019", "'")
    for what, found in (
        ("another number", _numbers(new) - _numbers(old)),
        ("another name", _names(new) - _words(old)),
        ("another address", _addresses(new) - _addresses(old)),
        ("other words", _beyond_latin(new) - _beyond_latin(old)),
        ("another side", _sides(new) ^ _sides(old) if _contrary(new, old) else set[str]()),
    ):
        if found:
            return f"{what}: {', '.join(sorted(found)[:3])}"
    if bool(_NEGATION.search(new)) != bool(_NEGATION.search(old)):
        return "one of them is negated"
    return "the parts are exchanged" if _exchanged(new, old) else None


# Verbs of liking, and words that carry no fact.
_SAYING_NOTHING = frozenset(
    terms(
        "user prefer prefers like likes love loves enjoy enjoys use uses using favorite favourite"
        " preferred named called"
    )
    + terms(
        "works lives based resides now currently always really still all every project projects everything"
    )
)
_OVER = re.compile(
    r"\b(?:from|until|formerly|previously|former|used to|no longer|stopped|quit)\b", re.IGNORECASE
)


_END = re.compile(r"\b(?:no longer|quit|left|resigned from)\b(?P<what>.*)", re.IGNORECASE | re.DOTALL)
#: Words for what ended, or when, that name nothing.
_UNNAMED = frozenset(
    terms(
        "job position role work company firm there here last month week year today yesterday recently ago since"
        " january february march april may june july august september october november december"
    )
)


def ends_another(new: str, old: str) -> bool:
    """Whether `new` ends another fact than `old`: leaving Hamburg does not end living in Berlin."""
    match = _END.search(new)
    if match is None:
        return False
    named = {term for term in telling(match["what"]) - _UNNAMED if not term.isdigit()}
    return bool(named) and named.isdisjoint(telling(old))


_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_NUMBER = re.compile(r"[\w.,:/+-]*\d[\w.,:/+-]*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
    )
}
# "one" is a pronoun as often as a number.
_COUNTED = _NUMBER_WORDS.keys() - {"one"}


_COUNTED_TERMS = {terms(word)[0]: number for word, number in _NUMBER_WORDS.items()}


def telling(text: str) -> set[str]:
    """The meaningful terms of a text; "2 kids" and "two kids" have the same."""
    found = set(terms(text)) - _SAYING_NOTHING
    return {_ORDINAL.sub("", _COUNTED_TERMS.get(term, term)) for term in found}


def _words(text: str) -> set[str]:
    return {word.casefold().removesuffix("'s") for word in _WORD.findall(text)}


def _numbers(text: str) -> set[str]:
    digits = (token.strip(".,:/+-").lower() for token in _NUMBER.findall(_THOUSANDS.sub("", text)))
    counted = (_NUMBER_WORDS[word] for word in _words(text) & _COUNTED)
    return {_ORDINAL.sub("", token) for token in digits} | set(counted)


# A capital inside a sentence; at its start it means nothing.
_CAPITALISED = re.compile(r"(?<![.!?:\n])(?<=[\s\"'(/-])[A-Z\u00c0-\u00de][^\W_]*(?:[.'-][^\W_]+)*")


def _names(text: str) -> set[str]:
    found = (name.casefold().removesuffix("'s") for name in _CAPITALISED.findall(text))
    return {word for name in found for word in _words(name)} - {"user", "i"}


_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+\w|\b\w+(?:\.\w+)+\b|[\w.-]*/[\w./-]*\w")


def _addresses(text: str) -> set[str]:
    return {match.casefold() for match in _ADDRESS.findall(text)}


def _beyond_latin(text: str) -> set[str]:
    """Terms in scripts that the packaged model hardly knows: it gives 喜欢猫 and 喜欢狗 a cosine of 1.0."""
    return set[str]() if text.isascii() else {term for term in terms(text) if not term.isascii()}


_NEGATION = re.compile(
    r"\b(?:not|never|no|without|cannot|neither|nor|none|nothing|nobody|hardly|stopped|stops|quit|lacks)\b"
    r"|n't\b",
    re.IGNORECASE,
)

# Words with similar vectors and different meanings; the sides of a row exclude each other.
_ROWS = """
like likes liked love loves enjoy enjoys prefer prefers / dislike dislikes hate hates avoid avoids detests
left / right
morning mornings / noon / afternoon afternoons / evening evenings / night nights
am / pm
before / after
always / never / sometimes / rarely / seldom
start starts started / stop stops stopped / finish finishes finished
married / single / divorced / widowed / engaged / separated
mother mom mum / father dad
brother brothers / sister sisters
son sons / daughter daughters
wife / husband
boyfriend / girlfriend
aunt / uncle
niece / nephew
grandmother grandma / grandfather grandpa
male man men / female woman women
dark / light
black / white / red / blue / green / yellow / orange / purple / brown / pink / gray grey
hot warm / cold cool
with / without
more / less fewer
increase increases increased / decrease decreases decreased
gained gains / lost loses
bought buys buy / sold sells sell
won wins / lost
up / down
on / off
inside indoors / outside outdoors
north northern / south southern / east eastern / west western
old older / young younger / new newer
former / current
first / second / third / last
early / late
daily / weekly / monthly / yearly annually
day days / week weeks / month months / year years
tall high / short low
long / short brief
small / big large
fast quick / slow
upper / lower
best / worst
good / bad
easy / hard difficult
open opens opened / close closes closed
hired hires / fired fires
employed / unemployed
promoted / demoted
can / cannot
allowed / forbidden
true / false
public / private
vegan / vegetarian / pescatarian
monday / tuesday / wednesday / thursday / friday / saturday / sunday
january / february / march / april / june / july / august / september / october / november / december
"""
_SIDES: dict[str, set[tuple[int, int]]] = {}
for _row, _line in enumerate(_ROWS.strip().splitlines()):
    for _side, _side_words in enumerate(_line.split(" / ")):
        for _side_word in _side_words.split():
            _SIDES.setdefault(_side_word, set()).add((_row, _side))


def _sides(text: str) -> set[str]:
    return {word for word in _words(text) if word in _SIDES}


def _contrary(new: str, old: str) -> bool:
    """Whether the two statements are on different sides of a row."""
    known: dict[int, set[int]] = {}
    for row, side in _all_sides(_sides(old)):
        known.setdefault(row, set()).add(side)
    return any(row in known and side not in known[row] for row, side in _all_sides(_sides(new)))


def _all_sides(words: Iterable[str]) -> Iterable[tuple[int, int]]:
    return (place for word in words for place in _SIDES[word])


# Words whose left and right side cannot be exchanged.
_ASYMMETRIC = re.compile(
    r"\b(?:over|than|to|from|before|after|instead of|rather than|into|by|for|manages?|likes?|loves?|hates?"
    r"|knows|owes"
    r"|reports|teaches|helps|beats|bosses|supervises|mentors|introduced|gave|told|met|called|hired|trusts"
    r"|replaced)\b",
    re.IGNORECASE,
)


def _exchanged(new: str, old: str) -> bool:
    """Whether words changed sides: "tea over coffee" and "coffee over tea"."""
    return any(_across(new, old, match.group().lower()) for match in _ASYMMETRIC.finditer(new))


def _across(new: str, old: str, middle: str) -> bool:
    new_left, _, new_right = new.lower().partition(f" {middle} ")
    old_left, found, old_right = old.lower().partition(f" {middle} ")
    if not found:
        return False
    (a, b), (c, d) = (_sided(new_left, new_right), _sided(old_left, old_right))
    return bool(a & d or b & c)


def _sided(left: str, right: str) -> tuple[set[str], set[str]]:
    first, second = _words(left), _words(right)
    return first - second, second - first
