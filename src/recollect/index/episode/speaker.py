"""Whose words a question means: a speaker whom it names, the user, or nobody in particular.

Speakers are known by the names that they were recorded with. A question writes them as people do: by the first name, without
accents or a title's point, in small letters or capitals; a name that is also a word ("Will", "Rose") needs its capital, unless
nothing has one. Of two whom it names, the one who acts is meant ("What did Nora give Teo?"). Without a name, "I" and "my" ask
for what the user said; so does "did I tell you". That "did you recommend" asks for the assistant's words was tried and rejected:
on labelled questions it lost more than it found, because what the user said around a recommendation answers as often. It knows
no message. English only; in other languages names alone count.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from recollect.language.terms import STOP_WORDS, terms

#: Shorter first names are left to the full name: "Al" and "Jo" begin too many words.
_SHORTEST_FIRST_NAME = 3
#: Characters in which names are looked for: what is longer is a text that somebody pasted.
_LOOKED_AT = 2000
#: Times that names are taken out: what stood on both sides of one may be a name again.
_ROUNDS = 4
_TITLES = frozenset("dr mr mrs ms miss prof professor doctor sir madam captain".split())
#: First names that are words as well.
_WORDS_TOO = STOP_WORDS | frozenset(
    """ace amber april art august autumn bill bob brook candy carol chance chase clay cliff colt crystal daisy dale
    dawn dean dick dolly don drew duke dusty earl earnest eve faith fern fisher forest forrest frank gale gay
    gene ginger glen grace grant guy harmony hazel heather heaven holly honey hope hunter iris ivy jack jade
    jasmine jean jewel joy june justice lance lane laurel liberty lily love mark mason matt may melody mercy
    miles nick noble olive opal page parker pat patience patty pearl peg penny pepper pierce piper poppy rain
    randy ray read red reed rich river rob robin rocky rod rose ruby rusty sage sandy skip sky stone storm sue
    summer sunny trey trinity violet wade ward wells west will winter woody zion""".split()
)
#: "US" is a country.
_FIRST = re.compile(r"\b(?:(?i:i|my|me|mine|we|our)|[Uu]s)\b")
_SECOND = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_USER_TOLD = re.compile(
    r"\b(?:(?:did|have|had) (?:i|we)|i(?:['\u2019]ve| have| had)?)(?: \w+)? (?:tell|told|say|said|saying|mention(?:ed)?|ask(?:ed)?"
    r"|shared?|described?|explain(?:ed)?|report(?:ed)?|talk(?:ed)? about|write|wrote)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\b(?:and|both|or|together|each other)\b", re.IGNORECASE)
#: Words before the acting person.
_ACTS = r"\b(?i:did|does|is|was|has|had|will|would|can|could|might|should)(?:n['\u2019]t)? "


def named_speakers(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Those whom the text names, by their full or their first name, in the order given."""
    plain = _unaccented(text[:_LOOKED_AT])
    lowered, folded = plain == plain.lower(), plain.casefold()
    # A pattern is made only for names that may be there: a channel has thousands of speakers.
    likely = (name for name in speakers if (word := _telling_word(name)) and word in folded)
    return tuple(name for name in likely if _pattern(name, lowered).search(plain))


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these names; the text itself if nothing would be left."""
    if not names:
        return text
    rest = " ".join(text[:_LOOKED_AT].split())
    plain = _unaccented(rest)
    lowered = plain == plain.lower()
    for _ in range(_ROUNDS):
        before = rest
        for name in names:
            rest = _without(rest, _pattern(name, lowered))
        if rest == before:
            break
    rest += text[_LOOKED_AT:]
    return rest if any(terms(rest)) else text


def meant_speaker(text: str, named: Sequence[str]) -> str | None:
    """The one of those named whose words are asked for; None: nobody, or all of them."""
    if len(named) == 1:
        return named[0]
    if not named or _TOGETHER.search(text):
        return None
    plain = _unaccented(text[:_LOOKED_AT])
    lowered = plain == plain.lower()
    acting = [name for name in named if re.search(_ACTS + _pattern(name, lowered).pattern, plain)]
    return acting[0] if len(acting) == 1 else None


def asks_for_user(text: str, *, going_on: bool) -> bool:
    """Whether a text that names nobody asks for what the user said; someone who continues a talk asks for no report."""
    if not going_on and _USER_TOLD.search(text):
        return True
    return _FIRST.search(text) is not None and not _SECOND.search(text)


def _without(text: str, pattern: re.Pattern[str]) -> str:
    """The text without what the pattern finds in it, accents or not."""
    kept: list[str] = []
    end = 0
    for found in pattern.finditer(_unaccented(text)):
        kept.append(text[end : found.start()])
        end = found.end()
    return " ".join(" ".join((*kept, text[end:])).split())


def _unaccented(text: str) -> str:
    """The text with a plain letter for each accented one, character by character, so that places stay the same."""
    if text.isascii():
        return text
    return "".join(letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0] for letter in text)


def _parts(name: str) -> tuple[str, ...]:
    """The words of a name without its title."""
    words = _unaccented(name).split()
    return tuple(words[1:] if len(words) > 1 and words[0].rstrip(".").lower() in _TITLES else words)


def _telling_word(name: str) -> str:
    """A word that is in every text that names somebody."""
    return next(iter(_parts(name)), "").casefold()


@lru_cache(maxsize=1024)
def _pattern(name: str, lowered: bool) -> re.Pattern[str]:
    """A name as people write it, with or without the rest of it."""
    plain = " ".join(_unaccented(name).split())
    words = _parts(name)
    forms = {plain, " ".join(words)}
    if len(words) < len(plain.split()):
        # With the title's point or without, and only with the title: "Jones" alone may be anybody.
        title = plain.split()[0].rstrip(".")
        forms = {f"{title}{point} {' '.join(words)}" for point in ("", ".")}
        if len(words) > 1:
            forms.add(" ".join(words))
    if len(words) > 1 and len(words[0]) >= _SHORTEST_FIRST_NAME:
        forms.add(words[0])
    spelled = "|".join(
        sorted((_spelled(form, lowered) for form in forms), key=lambda form: (-len(form), form))
    )
    return re.compile(rf"(?<!\w)(?:{spelled})(?:['\u2019]s)?(?!\w)")


def _spelled(form: str, lowered: bool) -> str:
    """The pattern of one form; a word needs a capital to be a name."""
    escaped = re.escape(form)
    if form.casefold() not in _WORDS_TOO or (lowered and form.casefold() not in STOP_WORDS):
        return f"(?i:{escaped})"
    return "|".join(dict.fromkeys(re.escape(each) for each in (form.title(), form.upper())))
