"""What a question asks of past talk: about what, whose words, when, and whether it goes on with a talk.

Speakers' names are taken out of the topic and matched on their own: left in, they pull a vector towards every message that
names somebody. A question in the first person is about what the user said. Somebody who tells something in several
sentences goes on with a talk, and then what was said lately matters; a bare question never asks for the newest unless its
words do. It knows no message and no score. English pronouns only: in other languages nobody in particular is meant.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.domain.episode.answer_kind import kind_asked
from recollect.domain.terms import STOP_WORDS, terms
from recollect.domain.time_words import TimeWords

#: "US" is a country.
_FIRST = re.compile(r"\b(?:(?i:i|my|me|mine|we|our)|[Uu]s)\b")
_SECOND = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
#: Shorter first names are left to the full name: "Al" and "Jo" begin too many words.
_SHORTEST_FIRST_NAME = 3
#: Characters in which names are looked for: what is longer is a text that somebody pasted.
_LOOKED_AT = 2000
#: Times that names are taken out: what stood on both sides of one may be a name again.
_ROUNDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about past messages, understood."""

    #: Of the question without speakers' names.
    words: tuple[str, ...]
    #: The one speaker whom it names; None: nobody, or several.
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


def ask(text: str, speakers: Iterable[str], time: TimeWords) -> Asked:
    """Understand a question, knowing who speaks in this user's chats."""
    named = named_speakers(text, speakers)
    going_on = goes_on(text)
    lately = time.newest or going_on
    return Asked(
        words=tuple(terms(without_names(text, named))),
        speaker=named[0] if len(named) == 1 else None,
        about_user=not named and bool(_FIRST.search(text)) and not _SECOND.search(text),
        lately=lately,
        first=time.oldest and not lately,
        goes_on=going_on,
        kind=kind_asked(text),
        time=time,
    )


def named_speakers(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Those whom the text names, by their full or their first name, in the order given."""
    text = text[:_LOOKED_AT]
    lowered, folded = text == text.lower(), text.casefold()
    # A pattern is made only for names that may be there: a channel has thousands of speakers.
    likely = (name for name in speakers if all(word.casefold() in folded for word in name.split()[:1]))
    return tuple(name for name in likely if _pattern(name, lowered).search(text))


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these names; the text itself if nothing would be left."""
    if not names:
        return text
    rest = " ".join(text[:_LOOKED_AT].split())
    lowered = rest == rest.lower()
    for _ in range(_ROUNDS):
        before = rest
        for name in names:
            rest = " ".join(_pattern(name, lowered).sub(" ", rest).split())
        if rest == before:
            break
    rest += text[_LOOKED_AT:]
    return rest if any(terms(rest)) else text


def goes_on(text: str) -> bool:
    """Whether somebody goes on talking, rather than asks: several sentences, and not all of them questions."""
    sentences = len(_SENTENCE_END.findall(text))
    return sentences >= 2 and text.count("?") < sentences


@lru_cache(maxsize=1024)
def _pattern(name: str, lowered: bool) -> re.Pattern[str]:
    """A name as people write it, with or without the rest of it; "Will" is not "will", unless nothing is capitalised."""
    words = name.split()
    forms = [name]
    if len(words) > 1 and len(words[0]) >= _SHORTEST_FIRST_NAME:
        forms.append(words[0])
    if name in (name.lower(), name.upper()):
        forms += [form.title() for form in forms]
    if lowered:
        forms += [form.lower() for form in forms]
    telling = {form for form in forms if form not in STOP_WORDS} or {name}
    spelled = "|".join(re.escape(form) for form in sorted(telling, key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<!\w)(?:{spelled})(?:['\u2019]s)?(?!\w)")
