"""Pins in a context: which of them there can be room for, which come back, and in what order they stand.

All are shown that fit, the most important first. There may be thousands, so those that cannot fit even alone are left
out by their stored tokens, before anybody reads them. What must go beyond that is decided by `sacrifice`, with the rest
of the context at its least. Dropping one at a time and counting again was rejected: it is quadratic.
"""

from collections.abc import Iterable, Iterator, Sequence

from recollect.context import wording
from recollect.context.draft import NO_ROOM, Piece
from recollect.context.line import Dropped, SectionName, shortened
from recollect.records.pin import Pin
from recollect.rules.budget import Count

#: Tokens that a pin costs beside its own: the dash before it.
_DASH = 1


def by_importance(pins: Iterable[Pin]) -> list[Pin]:
    """The order in which pins are shown."""
    return sorted(pins, key=lambda pin: (-pin.importance_score, pin.created_at, pin.pin_id))


def best_first(pins: Iterable[Pin]) -> list[Pin]:
    """The order in which pins stay: of equal ones the newest is kept longest."""
    return sorted(pins, key=lambda pin: (pin.importance_score, pin.created_at, pin.pin_id), reverse=True)


def admit(pins: Sequence[Pin], *, budget: int, count: Count) -> tuple[Piece, ...]:
    """Those that would fit if there were nothing else, best first; costs are taken rather too low."""
    chosen: list[Pin] = []
    room = budget
    for pin in best_first(pins):
        least = pin.tokens + _DASH
        if least <= room:
            chosen.append(pin)
            room -= least
    places = _places(pins)
    return tuple(_piece(pin, places, count) for pin in chosen)


def put_back(pins: Sequence[Pin], kept: Iterable[Piece], *, room: int, count: Count) -> tuple[Piece, ...]:
    """The kept ones and, best first, those that the room they leave is enough for; costs are taken rather too high."""
    known = {piece.line.sources[0]: piece for piece in kept}
    places = _places(pins)

    def pieces() -> Iterator[Piece]:
        left = room
        for pin in best_first(pins):
            piece = known.get(pin.pin_id)
            if piece is None and pin.tokens + _DASH <= left:
                piece = _piece(pin, places, count)
                if piece.line.tokens > left:
                    continue
                left -= piece.line.tokens
            if piece is not None:
                yield piece

    return tuple(pieces())


def not_shown(pins: Iterable[Pin], shown: Iterable[Piece]) -> Iterator[Dropped]:
    """A report of the others, the least important first."""
    ids = {piece.line.sources[0] for piece in shown}
    for pin in reversed(best_first(pin for pin in pins if pin.pin_id not in ids)):
        yield Dropped(
            section=SectionName.PINS,
            text=shortened(pin.content),
            tokens=pin.tokens,
            why=NO_ROOM,
            sources=wording.pin_sources(pin),
        )


def _places(pins: Iterable[Pin]) -> dict[str, int]:
    return {pin.pin_id: place for place, pin in enumerate(by_importance(pins))}


def _piece(pin: Pin, places: dict[str, int], count: Count) -> Piece:
    return Piece(line=wording.pin_line(pin, count), place=(places[pin.pin_id], ""))
