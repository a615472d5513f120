"""A question as the rules read it: its words, where each stands, and when and where it is asked.

Each word is in small letters and without its possessive `'s`; digits, letters and signs are words of their own ("3pm"
is two). Rules look at a word and a few beside it, never at the rest of the text, so reading takes linear time. It does
not know what a word means. One large pattern was rejected: thirty forms in one expression can be neither read nor
bounded.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache

from recollect.language.sign import plain
from recollect.language.time_words.civil import Span, midnight
from recollect.language.time_words.lexicon import FUNCTION_WORDS

#: What a rule finds: a time, and the place of the first word after the phrase.
Found = tuple[Span, int] | None

#: Empty words after the last one (and, by Python's negative places, before the first): rules look at most so far.
_MARGIN = 24
#: Zones south of the equator whose year has four seasons.
_SOUTHERN = (
    "Australia/", "Antarctica/", "Pacific/Auckland", "Pacific/Chatham", "America/Argentina", "America/Buenos_Aires",
    "America/Santiago", "America/Punta_Arenas", "America/Sao_Paulo", "America/Montevideo", "America/Asuncion",
    "Africa/Johannesburg", "Africa/Maputo", "Africa/Harare", "Africa/Windhoek", "Africa/Maseru", "Africa/Mbabane",
    "Africa/Gaborone",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The words of a question, and its own time."""

    shown: str
    #: In small letters, letter for letter as long as what is shown.
    plain: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    #: How many words there are before the margin.
    count: int
    #: On the wall clock of the zone.
    now: datetime
    zone: tzinfo

    @property
    def today(self) -> datetime:
        """The beginning of the day on which it is asked."""
        return midnight(self.now)

    @property
    def south(self) -> bool:
        """Whether summer begins in December there."""
        return str(getattr(self.zone, "key", "")).startswith(_SOUTHERN)

    def ago(self, hours: float) -> datetime:
        """The wall clock so many hours ago; the clocks may have been changed in between."""
        moment = self.now.replace(tzinfo=self.zone).astimezone(UTC) - timedelta(hours=hours)
        return moment.astimezone(self.zone).replace(tzinfo=None)

    def joined(self, at: int) -> bool:
        """Whether nothing stands between a word and the one before it."""
        return 0 < at < self.count and self.ends[at - 1] == self.starts[at]

    def capital(self, at: int) -> bool:
        """Whether a word is written with a capital."""
        return at < self.count and self.shown[self.starts[at]].isupper()

    def possessive(self, at: int) -> bool:
        """Whether a word had an `'s`."""
        return self.ends[at] - self.starts[at] != len(self.words[at])

    def stops(self, at: int) -> bool:
        """Whether a clause ends here: no word, or a sign."""
        word = self.words[at]
        return not word or not (word[0].isalnum() or word in "$€£#@&")

    def breaks(self, at: int) -> bool:
        """Whether what stands before is complete: nothing follows that it could describe."""
        return self.stops(at) or self.words[at] in FUNCTION_WORDS

    def number(self, at: int, digits: int = 4) -> int | None:
        """The number at a place, if it has at most so many digits."""
        word = self.words[at]
        return int(word) if word.isdecimal() and len(word) <= digits else None


@cache
def _token() -> re.Pattern[str]:
    return re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)?|[^\w\s]|_")


def asked(text: str, *, now: datetime, zone: tzinfo) -> Question:
    """Take a question apart; a time without a zone is taken as UTC."""
    if now.tzinfo is None:
        now = now.replace(tzinfo=UTC)
    low = plain(text)
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for token in _token().finditer(low):
        words.append(token.group().removesuffix("'s"))
        starts.append(token.start())
        ends.append(token.end())
    count = len(words)
    words += [""] * _MARGIN
    starts += [len(text)] * _MARGIN
    ends += [len(text)] * _MARGIN
    return Question(
        shown=text, plain=low, words=words, starts=starts, ends=ends, count=count,
        now=now.astimezone(zone).replace(tzinfo=None), zone=zone,
    )  # fmt: skip
