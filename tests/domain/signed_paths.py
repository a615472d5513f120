"""Whether every way through a pattern passes a sign: the pattern is walked branch by branch, as Python has parsed it.

For the tests of modules that look for signs before they ask a pattern. It does not know what the pattern is for.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.sign import any_of, plain

Item = tuple[Any, Any]
#: The rest of a pattern: an item and what follows it.
Rest = tuple[Item, "Rest"] | None


def unsigned_path(pattern: re.Pattern[str], signs: Iterable[str]) -> str | None:
    """The last plain letters of a way through the pattern that passes no sign; None: there is none."""
    parser = getattr(re, "_parser")  # noqa: B009  private, and the only one who reads patterns as Python does
    paths = _Paths(tuple(signs))
    return paths.unsigned(paths.linked(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE), None))


class _Paths:
    """Walks through every way in which a pattern can match."""

    def __init__(self, signs: Sequence[str]) -> None:
        self._sign = any_of(signs)
        #: How a sign can begin: all that has to be remembered of the letters before.
        self._beginnings = {sign[:length] for sign in signs for length in range(1, len(sign))}
        self._clear: set[tuple[int, str]] = set()
        #: The same items before the same rest are one object, so that what is clear is known again.
        self._linked: dict[tuple[int, int], tuple[Sequence[Item], Rest, Rest]] = {}

    def unsigned(self, rest: Rest, run: str = "") -> str | None:
        run = plain(run)
        if self._sign.search(run):
            return None
        if rest is None:
            return run or "nothing"
        run = next((run[start:] for start in range(len(run)) if run[start:] in self._beginnings), "")
        known = (id(rest), run)
        if known in self._clear:
            return None
        for way, after in self._ways(rest, run):
            found = self.unsigned(way, after)
            if found is not None:
                return found
        self._clear.add(known)
        return None

    def _ways(self, rest: tuple[Item, Rest], run: str) -> Iterator[tuple[Rest, str]]:
        (kind, value), following = rest
        match str(kind):
            case "LITERAL":
                yield following, run + chr(value)
            case "BRANCH":
                for branch in value[1]:
                    yield self.linked(branch, following), run
            case "SUBPATTERN":
                yield self.linked(value[-1], following), run
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, repeated = value
                if least == 0:
                    yield following, run
                # Once: more often only adds letters.
                if most:
                    yield self.linked(repeated, following), run
            case "AT" | "ASSERT" | "ASSERT_NOT":
                yield following, run
            case "IN" if all(str(part) == "LITERAL" for part, _ in value):
                for _, letter in value:
                    yield following, run + chr(letter)
            case "IN" if [str(of) for _, of in value] == ["CATEGORY_SPACE"]:
                yield following, run + " "
            case _:
                # Some letter or other: no sign begins before it and ends after it.
                yield following, ""

    def linked(self, items: Sequence[Item], rest: Rest) -> Rest:
        known = self._linked.get((id(items), id(rest)))
        if known is None:
            made = rest
            for item in reversed(list(items)):
                made = (item, made)
            known = self._linked[id(items), id(rest)] = (items, rest, made)
        return known[2]
