"""Plausibility: whether the words of a span can be a person, a place or a project at all.

It looks at the span alone; what stands around it is for the cues.
"""

from recollect.language.entity_names.lexicon import (
    BRANDS,
    COMPANIES,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES,
    PLACES_IN,
    TITLES,
)
from recollect.language.entity_names.span import Span
from recollect.language.nickname import GIVEN_NAMES
from recollect.language.phrasing.named import describes
from recollect.records.entity import EntityType

Cue = tuple[EntityType, float]
PERSON, ORG, PLACE, PROJECT = EntityType.PERSON, EntityType.ORG, EntityType.PLACE, EntityType.PROJECT


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Whose something is.
OWN = _words("my our user's mine")
OWNERS = OWN | _words("his her their your")
# They describe where "-ing", "-can" and the like end a word; these cities only look so.
_NOT_DESCRIBING = _words("beijing nanjing chongqing vatican wyoming reading")


def is_personal(span: Span) -> bool:
    """Whether a span can be the name of a person, as far as its own words tell."""
    lows = span.lows
    return (
        not any(
            low in BRANDS or low in COMPANIES or low in ORGANISATION_WORDS or low in PLACE_WORDS or describes(low)
            for low in lows
        )
        and span.slug not in PLACES
        and (not span.shouted or span.words[span.first].low in TITLES)
        and not any(letter.isdigit() for letter in span.label)
        and (len(span.label) > 1)
        and len(lows) <= 5
    )  # fmt: skip


def is_given(span: Span) -> bool:
    return span.lows[0] in GIVEN_NAMES


def is_place(span: Span) -> bool:
    lows = span.lows
    return not any(
        low in BRANDS
        or low in COMPANIES
        or low in ORGANISATION_WORDS
        or (describes(low) and low not in _NOT_DESCRIBING)
        for low in lows
    ) and not (
        min(map(len, lows)) < 2 or span.shouted or (lows[0] in GIVEN_NAMES and span.slug not in PLACES_IN)
    )


def is_project(span: Span) -> bool:
    lows = span.lows
    return (
        not any(low in BRANDS or low in COMPANIES or describes(low) for low in lows)
        and span.slug not in PLACES_IN
        and not span.shouted
        and len(lows) <= 3
    )


def can_be(span: Span, kind: EntityType) -> bool:
    """Whether a span's own words allow a type that its neighbour has."""
    if kind is EntityType.PERSON:
        return is_personal(span)
    if kind is EntityType.PLACE:
        return is_place(span)
    return kind is EntityType.ORG and not is_given(span) and not describes(span.lows[-1])
