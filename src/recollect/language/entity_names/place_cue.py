"""Cues for places: living, going and coming, and a short map."""

from recollect.language.entity_names.lexicon import PLACES, PLACES_IN, ROLE_WORDS
from recollect.language.entity_names.plausible import PLACE, Cue, is_place
from recollect.language.entity_names.span import Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IN = _words("""
    live lives lived living based born raised grew reside resides stay stays stayed staying located vacation holiday
    honeymoon apartment house flat office home weather conference wedding arrived landed settled family parents hotel
    airbnb moved vacationing university hospital cottage cabin hometown town city
""")
_TO = _words("""
    moves moved moving relocate relocates relocated relocating flight flights fly flies flew flying trip trips
    travel travels traveled travelled traveling travelling emigrated immigrated commute commutes
    cruise journey
""")
_NEARBY = _words("in to from near around via through outside for")


def by_place_words(span: Span) -> Cue | None:
    if span.possessive or not is_place(span):
        return None
    word = span.before()
    if word == "in" and span.among(4, _IN, start=2):
        return PLACE, 0.9
    if word == "to" and span.among(3, _TO, start=2):
        return PLACE, 0.85
    if word == "from" and span.before(2) in ("i'm", "am", "originally"):
        return PLACE, 0.85
    of_somebody = span.before(3) in ("user", "he", "she", "i", "they", "we") or span.before(3) in ROLE_WORDS
    if word == "from" and span.before(2) in ("is", "are", "was") and of_somebody:
        return PLACE, 0.8
    return None


def by_map(span: Span) -> Cue | None:
    """A large city or a country; one that is a person's name as well needs a preposition."""
    name = span.slug
    if name in PLACES_IN and span.before() in _NEARBY and not span.possessive:
        return PLACE, 0.9
    if name in PLACES_IN and span.before() in ("visit", "visiting", "visited", "toured", "reached"):
        return PLACE, 0.85
    return (PLACE, 0.8) if name in PLACES else None
