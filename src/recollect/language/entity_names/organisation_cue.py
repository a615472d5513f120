"""Cues for organisations: a legal form, work, a role that firms have."""

from recollect.language.entity_names.lexicon import (
    BRANDS,
    COMPANIES,
    EITHER_ROLES,
    FIRM_ROLES,
    HEADS_WITH_OF,
    LEGAL_FORMS,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES_IN,
)
from recollect.language.entity_names.plausible import ORG, PERSON, PLACE, Cue, is_given, is_personal
from recollect.language.entity_names.span import Span
from recollect.language.phrasing.named import describes


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_JOBS = _words("""
    work works worked working job jobs intern interned interning internship employed position role career interview
    interviewed interviewing interviews offer ceo cto cfo coo vp founder cofounder co-founder head director manager
    engineer developer designer analyst consultant nurse teacher professor researcher scientist lawyer accountant chef
    started starting employee contractor freelance freelances freelancing volunteer volunteers volunteered volunteering
    shift contract promoted colleague colleagues coworker coworkers
""")
_NOT_WITH_AT = _words("""
    look looks looking looked good bad great better best laugh laughs laughed laughing yell yelled yelling shout shouted
    scream screamed mad angry stare stared staring smile smiled smiling aim aimed point pointed swear swore glance
    glanced upset annoyed furious terrible awful closer glance look
""")


def by_legal_form(span: Span) -> Cue | None:
    lows = span.lows
    if len(lows) < 2:
        return None
    if lows[-1] in LEGAL_FORMS and span.words[span.last - 1].text not in ("Co", "Ev", "Ag", "Sa", "Spa"):
        return ORG, 0.95
    headed = lows[0] in HEADS_WITH_OF and "of" in lows
    telling = any(low not in ORGANISATION_WORDS and low not in ("of", "the") for low in lows)
    return (ORG, 0.9) if telling and (headed or lows[-1] in ORGANISATION_WORDS) else None


def by_firm_role(span: Span) -> Cue | None:
    role = span.before()
    if role in FIRM_ROLES and span.before(2) not in ("", "high", "private"):
        return (ORG, 0.9) if not is_given(span) else None
    if role in EITHER_ROLES and span.before(2) == "our" and not is_given(span):
        return ORG, 0.8
    return None


def by_work(span: Span) -> Cue | None:
    if span.before() not in ("at", "for", "by") or span.possessive or len(span.label) < 2:
        return None
    if span.before() == "by":
        return (ORG, 0.9) if span.before(2) in ("employed", "hired") and not is_given(span) else None
    if span.among(5 if span.before() == "at" else 3, _JOBS, start=2):
        if span.before() != "at" and is_given(span) and is_personal(span):
            return PERSON, 0.8
        return ORG, 0.9
    return None


def by_at(span: Span) -> Cue | None:
    """ "At Acme", "at Jane's", "at Lake Tahoe"."""
    if span.before() != "at" or span.among(2, _NOT_WITH_AT, start=2) or len(span.label) < 2:
        return None
    if span.possessive:
        return (PERSON, 0.75) if is_personal(span) and (span.ends_phrase or is_given(span)) else None
    lows = span.lows
    if any(low in BRANDS for low in lows) or is_given(span) or describes(lows[-1]):
        return None
    if span.slug in PLACES_IN or any(low in PLACE_WORDS for low in lows):
        return PLACE, 0.85
    return ORG, 0.75


def by_joining(span: Span) -> Cue | None:
    """A firm that everybody knows, where one joins or leaves it."""
    telling = span.before() in ("joined", "join", "joining", "left", "leaving", "quit", "against", "with")
    known = len(span.lows) == 1 and (
        span.lows[0] in COMPANIES or (span.before() == "joined" and span.lows[0] in BRANDS)
    )
    return (ORG, 0.75) if telling and known and not span.possessive else None
