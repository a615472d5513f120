"""Pins in a context: which can fit, which are restored after trimming, and their order.

All pins that fit are shown, the most important first. There may be thousands, so those that cannot fit even alone are dropped
by their stored tokens before they are rendered. `sacrifice` decides about the rest together with the other sections.
"""

from collections.abc import Iterable, Iterator, Sequence

from recollect.context import wording
from recollect.context.draft import NO_ROOM, Piece
from recollect.context.line import Dropped, SectionName, shortened
from recollect.records.pin import Pin
from recollect.rules.budget import Count

#: Tokens of the dash before a pin.
_DASH = 1


def by_importance(pins: Iterable[Pin]) -> list[Pin]:
    """The order in which pins are shown."""
    return sorted(pins, key=lambda pin: (-pin.importance_score, pin.created_at, pin.pin_id))


def best_first(pins: Iterable[Pin]) -> list[Pin]:
    """The order in which pins are kept: the most important first, then the newest."""
    return sorted(pins, key=lambda pin: (pin.importance_score, pin.created_at, pin.pin_id), reverse=True)


def admit(pins: Sequence[Pin], *, budget: int, count: Count) -> tuple[Piece, ...]:
    """The pins that would fit into an empty context, best first; costs are estimated low."""
    chosen: list[Pin] = []
    room = budget
    for pin in best_first(pins):
        least = _least(pin)
        if least <= room:
            chosen.append(pin)
            room -= least
    places = _places(pins)
    return tuple(_piece(pin, places, count) for pin in chosen)


def put_back(pins: Sequence[Pin], kept: Iterable[Piece], *, room: int, count: Count) -> tuple[Piece, ...]:
    """The kept pins and, best first, those that fit into the remaining room; costs are estimated high."""
    known = {piece.line.sources[0]: piece for piece in kept}
    places = _places(pins)

    def pieces() -> Iterator[Piece]:
        left = room
        for pin in best_first(pins):
            piece = known.get(pin.pin_id)
            if piece is None and _least(pin) <= left:
                piece = _piece(pin, places, count)
                if piece.line.tokens > left:
                    continue
                left -= piece.line.tokens
            if piece is not None:
                yield piece

    return tuple(pieces())


def not_shown(pins: Iterable[Pin], shown: Iterable[Piece]) -> Iterator[Dropped]:
    """Report the pins that are not shown, the least important first."""
    ids = {piece.line.sources[0] for piece in shown}
    for pin in reversed(best_first(pin for pin in pins if pin.pin_id not in ids)):
        yield Dropped(
            section=SectionName.PINS,
            text=shortened(pin.content),
            tokens=pin.tokens,
            why=NO_ROOM,
            sources=wording.pin_sources(pin),
        )


def _least(pin: Pin) -> int:
    """Tokens that its line costs at least; one line costs less than several, but not half of them."""
    return _DASH + (pin.tokens // 2 if "\n" in pin.content else pin.tokens)


def _places(pins: Iterable[Pin]) -> dict[str, int]:
    return {pin.pin_id: place for place, pin in enumerate(by_importance(pins))}


def _piece(pin: Pin, places: dict[str, int], count: Count) -> Piece:
    return Piece(line=wording.pin_line(pin, count), place=(places[pin.pin_id], ""))
