"""Merging: which of the newly found pins a chat gets, which of its own they replace, and which go for want of room.

A newer statement about the same subjects replaces the older pin; of two doses the last one told is the one to act on.
Only what a rule made is ever replaced: a pin by hand stands until a hand takes it away, and what it says is not pinned
again. The end of a medicine or an illness ("User stopped taking sertraline") replaces what it clearly ends and is pinned in
its place: a line that vanished would say nothing. What it may end stays, with the end beside it; where nothing of it was
pinned, its end is not either, and no words end an allergy. A pin about two things stays until both are told anew: a line too
many costs less than a lost allergy. The result is data; nothing is stored here. Comparing every pin with every other was
rejected: it took a tenth of a second inside the write (1,000 pins).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from recollect.language.ended import Bearing, ends_care, tells_end
from recollect.language.pinning.subject_keys import is_contact, is_contact_instead, may_be_about, subjects
from recollect.language.subject_words import KIN
from recollect.records.pin import MAX_DERIVED, Pin, PinType
from recollect.rules.duplicate import judge

#: Pins by hand that are compared with a new pin word by word; they share what it is about.
_COMPARED = 20
#: What a statement can end: its end is told of a medicine or an illness alone.
_ENDING = frozenset(("medication", "diagnosis"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PinChanges:
    """What to do with the pins of a chat."""

    added: tuple[Pin, ...] = ()
    #: Stored ones whose subjects were told anew.
    replaced: tuple[Pin, ...] = ()
    #: Stored ones that are too many: the least important, then the oldest.
    dropped: tuple[Pin, ...] = ()

    @property
    def removed(self) -> tuple[Pin, ...]:
        """All that have to go."""
        return (*self.replaced, *self.dropped)


def merge(
    derived: Sequence[Pin], new: Iterable[Pin], *, by_hand: Sequence[str] = (), most: int = MAX_DERIVED
) -> PinChanges:
    """Decide over new pins of one chat, given its derived pins and the texts of those by hand."""
    merging = _Merging(derived, by_hand)
    # Oldest first, however they come: read before the statement that it takes back, a repetition would say nothing new.
    for pin in sorted(new, key=_age):
        merging.take(pin)
    return merging.changes(most)


def said_again(known: str, content: str) -> bool:
    """Whether a pin says nothing that the known one does not; about another person, or an end, it always does."""
    if _people(content) != _people(known) or tells_end(content) is not tells_end(known):
        return False
    return judge(_plain(content), _plain(known), cosine=1.0, same_key=True).duplicate


#: When something was said, and by which message: what one message says twice of a thing belongs together.
_Age = tuple[float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """A pin with what decides over it."""

    pin: Pin
    about: frozenset[str]
    age: _Age
    is_new: bool


class _Merging:
    """The derived pins of a chat while new ones come in."""

    def __init__(self, derived: Sequence[Pin], by_hand: Sequence[str]) -> None:
        self._by_hand = by_hand
        self._texts_by_hand = {_ended(content.lower()) for content in by_hand}
        #: Stored pins that nothing new was about so far: what they are about need not be known.
        self._unread = list(derived)
        self._standing: dict[str, _Standing] = {}
        self._about: dict[str, set[str]] = {}
        self._replaced: list[Pin] = []

    def take(self, pin: Pin) -> None:
        """Let a pin in, unless it says nothing new or something newer stands."""
        if _ended(pin.content.lower()) in self._texts_by_hand:
            return
        about = subjects(pin.content, pin.pin_type)
        self._read(about)
        related = [
            self._standing[name] for name in {name for key in about for name in self._about.get(key, ())}
        ]
        if any(self._says(other, pin, about) for other in related) or self._is_pinned(pin, about):
            return
        if self._is_told_later(pin, about):
            return
        if tells_end(pin.content) and not self._has_place(pin, about, related):
            return
        self._put(pin, about, is_new=True)
        self._read({key for other in related for key in other.about})
        for other in related:
            if self._is_told_later(other.pin, other.about):
                self._replace(other)

    def changes(self, most: int) -> PinChanges:
        """What came, what was replaced, and what is beyond so many."""
        unread = [_Standing(pin=pin, about=frozenset(), age=_age(pin), is_new=False) for pin in self._unread]
        ranked = sorted(
            (*self._standing.values(), *unread),
            key=lambda item: (item.pin.importance_score, item.age),
            reverse=True,
        )
        kept = {item.pin.pin_id for item in ranked[:most]}
        return PinChanges(
            added=tuple(
                item.pin for item in self._standing.values() if item.is_new and item.pin.pin_id in kept
            ),
            replaced=tuple(self._replaced),
            dropped=tuple(item.pin for item in reversed(ranked[most:]) if not item.is_new),
        )

    def _read(self, keys: Collection[str]) -> None:
        """Find out what stored pins are about, if it can be one of these keys."""
        unread: list[Pin] = []
        for pin in self._unread:
            if may_be_about(pin.content, keys):
                self._put(pin, subjects(pin.content, pin.pin_type), is_new=False)
            else:
                unread.append(pin)
        self._unread = unread

    def _put(self, pin: Pin, about: frozenset[str], *, is_new: bool) -> None:
        self._standing[pin.pin_id] = _Standing(pin=pin, about=about, age=_age(pin), is_new=is_new)
        for key in about:
            self._about.setdefault(key, set()).add(pin.pin_id)

    def _replace(self, gone: _Standing) -> None:
        del self._standing[gone.pin.pin_id]
        for key in gone.about:
            self._about[key].discard(gone.pin.pin_id)
        if not gone.is_new:
            self._replaced.append(gone.pin)

    def _is_told_later(self, pin: Pin, about: frozenset[str]) -> bool:
        """Whether each subject is the subject of something newer."""
        age = _age(pin)
        newer = {
            key: [other for name in self._about.get(key, ()) if (other := self._standing[name]).age > age]
            for key in about
        }
        return bool(about) and all(any(_makes_old(other.pin, pin) for other in newer[key]) for key in about)

    def _has_place(self, pin: Pin, about: frozenset[str], related: Sequence[_Standing]) -> bool:
        """Whether something is pinned that an end can be the end of."""
        if any(key.split("|", 2)[1] not in _ENDING for key in about):
            return False
        said_on = pin.created_at.date()
        known = [other.pin.content for other in related if not tells_end(other.pin.content)]
        known += islice(self._like(about), _COMPARED)
        return any(
            ends_care(pin.content, content, known_since=said_on, said_on=said_on) is not Bearing.NONE
            for content in known
        )

    def _says(self, other: _Standing, pin: Pin, about: frozenset[str]) -> bool:
        """Whether a standing pin says it already; what was contradicted between the two has to be said again."""
        since = (self._standing[name].age for key in about for name in self._about.get(key, ()))
        if any(other.age < age < _age(pin) for age in since):
            return False
        return said_again(other.pin.content, pin.content)

    def _is_pinned(self, pin: Pin, about: frozenset[str]) -> bool:
        return any(said_again(known, pin.content) for known in islice(self._like(about), _COMPARED))

    def _like(self, about: frozenset[str]) -> Iterator[str]:
        """Pins by hand that name what a pin is about."""
        words = {word for key in about for word in key.rpartition("|")[2].split()}
        return (known for known in self._by_hand if all(word in known.lower() for word in words))


def _makes_old(newer: Pin, older: Pin) -> bool:
    """Whether a newer pin about the same tells all that an older one does; an end does so only where it is clear.

    Somebody may have two emergency contacts: another one takes the place of the first only where it says so.
    """
    if newer.pin_type is PinType.AUTO and is_contact(newer.content) and is_contact(older.content):
        return is_contact_instead(newer.content, older.content)
    if not tells_end(newer.content) or tells_end(older.content):
        return True
    known_since, said_on = older.created_at.date(), newer.created_at.date()
    found = ends_care(newer.content, older.content, known_since=known_since, said_on=said_on)
    return found is Bearing.CLEAR


def _age(pin: Pin) -> _Age:
    return pin.created_at.timestamp(), pin.source_message_id or pin.pin_id


def _ended(text: str) -> str:
    return text.rstrip(" .!;,\u2026")


_ALLERGY = re.compile(r"\ballerg(?:y|ies|ic)\b(?: to\b)?", re.IGNORECASE)
_PEOPLE = re.compile(rf"\b(?:{KIN}|he|she|they)\b", re.IGNORECASE)


def _people(text: str) -> set[str]:
    return {word.lower() for word in _PEOPLE.findall(text)}


def _plain(text: str) -> str:
    """One wording for "has a nut allergy" and "is allergic to nuts"."""
    return _ALLERGY.sub("allergic", text)
