"""Whether every way through a pattern passes a sign: the pattern is walked branch by branch, as Python has parsed it.

For the tests of modules that look for signs before they ask a pattern. It does not know what the pattern is for.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from recollect.language.sign import any_of, plain

Item = tuple[Any, Any]
#: The rest of a pattern: an item and what follows it.
Rest = tuple[Item, "Rest"] | None


def unsigned_path(pattern: re.Pattern[str], signs: Sequence[str]) -> str | None:
    """The last plain letters of a way through the pattern that passes no sign; None: there is none."""
    sign, begun = any_of(signs), beginnings(signs)
    return Paths(lambda run: bool(sign.search(run)), begun.__contains__).through(pattern)


def beginnings(signs: Sequence[str]) -> set[str]:
    """How a sign can begin: all that has to be remembered of the letters before."""
    return {sign[:length] for sign in signs for length in range(1, len(sign))}


class Paths:
    """Walks through every way in which a pattern can match, and finds one that passes nothing that is looked for."""

    def __init__(self, passes: Callable[[str], bool], begins: Callable[[str], bool]) -> None:
        """`passes`: plain letters hold a sign; `begins`: letters could go on to become one."""
        self._passes = passes
        self._begins = begins
        self._clear: set[tuple[int, str]] = set()
        #: The same items before the same rest are one object, so that what is clear is known again.
        self._linked: dict[tuple[int, int], tuple[Sequence[Item], Rest, Rest]] = {}

    def through(self, pattern: re.Pattern[str]) -> str | None:
        """The last plain letters of a way through the pattern without a sign; None: there is none."""
        parser = getattr(re, "_parser")  # noqa: B009  private, and the only one who reads patterns as Python does
        return self._unsigned(self._link(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE), None))

    def _unsigned(self, rest: Rest, run: str = "") -> str | None:
        run = plain(run)
        if self._passes(run):
            return None
        if rest is None:
            return run or "nothing"
        run = next((run[start:] for start in range(len(run)) if self._begins(run[start:])), "")
        known = (id(rest), run)
        if known in self._clear:
            return None
        for way, after in self._ways(rest, run):
            found = self._unsigned(way, after)
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
                    yield self._link(branch, following), run
            case "SUBPATTERN":
                yield self._link(value[-1], following), run
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, repeated = value
                if least == 0:
                    yield following, run
                # Once: more often only adds letters.
                if most:
                    yield self._link(repeated, following), run
            case "AT" | "ASSERT" | "ASSERT_NOT":
                yield following, run
            case "IN" if any(str(part) == "CATEGORY" and "DIGIT" in str(of) for part, of in value):
                yield following, run + "1"
            case "IN" if all(str(part) == "LITERAL" for part, _ in value):
                for _, letter in value:
                    yield following, run + chr(letter)
            case "IN" if [str(of) for _, of in value] == ["CATEGORY_SPACE"]:
                yield following, run + " "
            case _:
                # Some letter or other: no sign begins before it and ends after it.
                yield following, ""

    def _link(self, items: Sequence[Item], rest: Rest) -> Rest:
        known = self._linked.get((id(items), id(rest)))
        if known is None:
            made = rest
            for item in reversed(list(items)):
                made = (item, made)
            known = self._linked[id(items), id(rest)] = (items, rest, made)
        return known[2]
