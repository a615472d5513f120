"""What a question asks of past talk: about what, whose words (`speaker`), when, and whether it goes on with a talk.

Speakers' names are taken out of the topic and matched on their own: left in, they pull a vector towards every message that
names somebody. Somebody who tells something in several sentences goes on with a talk, and then what was said lately
matters; a bare question never asks for the newest unless its words do. It knows no message and no score.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from recollect.index.episode.answer_kind import kind_asked
from recollect.index.episode.speaker import asks_for_user, meant_speaker, named_speakers, without_names
from recollect.language.terms import STOP_WORDS, terms
from recollect.language.time_words import TimeWords

_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
#: Words of questions that ask for whatever there was.
_SAYING_NOTHING = (
    frozenset(
        terms(
            "anything discuss discussed do done doing everything exactly going happen happened happening have list mention"
            " mentioned news recall remember remind said say something speak spoke spoken summarise summarize summary talk"
            " talked talking tell thing things told up was"
        )
    )
    | STOP_WORDS
)
#: Of these, words that a question may still be about.
_MAY_TELL = frozenset(terms("going list news up"))
#: Days are the reader's, and moments are UTC: half a day is inside still, where nobody says whose days are meant.
_EDGE = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about past messages, understood."""

    #: Of the question without speakers' names and words that only ask.
    words: tuple[str, ...]
    #: The speaker whose words it asks for by name; None: nobody, or several.
    speaker: str | None = None
    #: Whether it asks about the user's own words.
    about_user: bool = False
    #: Whether what was said lately matters more, or what was said first.
    lately: bool = False
    first: bool = False
    #: Whether somebody goes on with a talk, rather than asks for one thing.
    goes_on: bool = False
    #: Terms of which an answer holds one: a number, a time; none: it asks for no such thing.
    kind: frozenset[str] = frozenset()
    time: TimeWords
    #: How far a day may lie beside where it was read.
    edge: timedelta = timedelta()
    #: Whether it names a time and nothing that was said then: "What happened two years ago?"
    only_time: bool = False


def ask(text: str, speakers: Iterable[str], time: TimeWords, *, zone_is_known: bool = True) -> Asked:
    """Understand a question, knowing who speaks in this user's chats."""
    named = named_speakers(text, speakers)
    going_on = goes_on(text)
    lately = time.newest or going_on
    return Asked(
        words=_telling(terms(without_names(text, named)), going_on=going_on),
        speaker=meant_speaker(text, named),
        about_user=not named and asks_for_user(text, going_on=going_on),
        lately=lately,
        first=time.oldest and not lately,
        goes_on=going_on,
        kind=kind_asked(text),
        time=time,
        edge=timedelta() if zone_is_known else _EDGE,
        only_time=bool(time.stretches)
        and not time.anchors
        and not going_on
        and _SAYING_NOTHING.issuperset(terms(without_names(time.rest, named))),
    )


def _telling(words: Sequence[str], *, going_on: bool) -> tuple[str, ...]:
    """The words that say what is looked for: "tell" and "happen" stand in messages that have nothing to do with it."""
    if going_on:
        return tuple(words)
    return tuple(word for word in words if word not in _SAYING_NOTHING or word in _MAY_TELL) or tuple(words)


def goes_on(text: str) -> bool:
    """Whether somebody goes on talking, rather than asks: several sentences, and not all of them questions."""
    sentences = len(_SENTENCE_END.findall(text))
    return sentences >= 2 and text.count("?") < sentences
