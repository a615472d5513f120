"""Cues for projects: what they are called, and what is being done to them."""

from recollect.language.entity_names.lexicon import PROJECT_ENDS, PROJECT_NOUNS
from recollect.language.entity_names.plausible import OWN, OWNERS, PROJECT, Cue, is_given, is_project
from recollect.language.entity_names.span import Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN_PROJECTS = _words("project codename initiative")
_AFTER_PROJECT = _words(
    "with for since this now and at all today again until next but in because which so by"
)
_MAKING = _words("building launching shipping prototyping")


def by_noun(span: Span) -> Cue | None:
    noun = span.before()
    if noun not in PROJECT_NOUNS | _PLAIN_PROJECTS or not is_project(span):
        return None
    if noun in _PLAIN_PROJECTS:
        return PROJECT, 0.9
    return (PROJECT, 0.85) if span.among(3, OWN, start=2) and not is_given(span) else None


def by_undertaking(span: Span) -> Cue | None:
    determined = span.before() in OWNERS or span.before() in ("the", "this")
    if determined and span.after() in PROJECT_ENDS and not span.possessive and is_project(span):
        return PROJECT, 0.85
    return None


def by_making(span: Span) -> Cue | None:
    on = span.before() == "on" and span.before(2) in ("working", "work", "works", "worked")
    if not (on or span.before() in _MAKING) or span.possessive or not is_project(span) or is_given(span):
        return None
    return (PROJECT, 0.75) if span.ends_phrase or span.after() in _AFTER_PROJECT else None
