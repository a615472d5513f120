"""Signs let a text pass whenever a rule could fire: proved over the rules themselves, branch by branch."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import health_statement
from recollect.domain.pinning import formula, reading, standing_wish
from recollect.domain.sign import any_of, plain, signs

# pyright: reportPrivateUsage=false

#: Every pattern that lets a clause be pinned.
RULES: list[tuple[str, re.Pattern[str]]] = [
    *((f"allergy {at}", rule) for at, rule in enumerate(health_statement._ALLERGY_STATED)),
    ("allergy owned", health_statement._ALLERGY_OWNED),
    ("allergy of a relative", health_statement._ALLERGY_RELATIVE_CLAUSE),
    *((f"label {at}", rule) for at, (rule, _) in enumerate(health_statement._LABELLED)),
    *((f"contact {at}", rule) for at, rule in enumerate(health_statement._CONTACT)),
    ("directive", health_statement._DIRECTIVE),
    *((f"diagnosis {at}", rule) for at, rule in enumerate(health_statement._DIAGNOSIS)),
    *((f"medication {at}", rule) for at, rule in enumerate(health_statement._MEDICATION)),
    *((f"preference {at}", rule) for at, rule in enumerate(standing_wish._PREFERENCES)),
    *((f"order {at}", rule) for at, rule in enumerate(standing_wish._ORDERS)),
    ("target", formula._TARGET),
]

SIGNS = (*health_statement.SIGNS, *standing_wish.SIGNS, *formula.TARGET_SIGNS)
#: How a sign or a dose can begin: all that has to be remembered of the letters before.
BEGINNINGS = {sign[:length] for sign in SIGNS for length in range(len(sign))}
DOSE_BEGINS = re.compile(r"1 ?[a-z\u00b5\u03bc]{0,2}")

Item = tuple[Any, Any]
#: The rest of a pattern: an item and what follows it.
Rest = tuple[Item, "Rest"] | None


class Paths:
    """Walks through every way in which a pattern can match, and finds one without a sign."""

    def __init__(self) -> None:
        self._clear: set[tuple[int, str]] = set()
        #: The same items before the same rest are one object, so that what is clear is known again.
        self._linked: dict[tuple[int, int], tuple[Sequence[Item], Rest, Rest]] = {}

    def unsigned(self, rest: Rest, run: str = "") -> str | None:
        """The last plain letters of a way through the rest that passes no sign; None: there is none."""
        if reading._may_state(plain(run)):
            return None
        if rest is None:
            return run or "nothing"
        run = remembered(run)
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
            case "IN" if any(str(part) == "CATEGORY" and "DIGIT" in str(of) for part, of in value):
                yield following, run + "1"
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


def remembered(run: str) -> str:
    """The end of some letters that a sign could go on with."""
    for start in range(len(run)):
        if run[start:] in BEGINNINGS or DOSE_BEGINS.fullmatch(run, start):
            return run[start:]
    return ""


@pytest.mark.parametrize(("name", "rule"), RULES, ids=[name for name, _ in RULES])
def test_every_way_through_a_rule_passes_a_sign(name: str, rule: re.Pattern[str]) -> None:
    """No branch of any rule for clauses can match a text without a sign or a dose."""
    parser = getattr(re, "_parser")  # noqa: B009  private, and the only one who reads patterns as Python does
    parsed = parser.parse(rule.pattern, rule.flags & ~re.UNICODE)
    paths = Paths()
    assert paths.unsigned(paths.linked(parsed, None)) is None, name


def test_the_walk_finds_a_way_around() -> None:
    """A pattern with one branch that has no sign is found out, so the proof above can fail."""
    parser = getattr(re, "_parser")  # noqa: B009
    paths = Paths()
    assert (
        paths.unsigned(paths.linked(parser.parse(r"i (?:am allergic|feel (?:fine|warm))"), None)) is not None
    )


LETTERS = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyz'")
def test_plain_text_has_every_letter_that_a_pattern_takes_for_one(letter: str) -> None:
    """Whatever a pattern without case takes for a letter is that letter in the plain text."""
    taken = re.findall(letter, LETTERS, re.IGNORECASE)
    assert {plain(found) for found in taken} == {letter}


@given(
    st.lists(st.text("abc ", min_size=1, max_size=4), min_size=1, max_size=8), st.text("abc ", max_size=30)
)
def test_one_pattern_finds_what_one_by_one_would_be_found(wanted: list[str], text: str) -> None:
    """The shared pattern finds a sign exactly where some sign is in the text."""
    assert bool(any_of(wanted).search(text)) == any(sign in text for sign in wanted)


def test_a_list_of_signs_is_read_between_bars() -> None:
    """Signs are written as in a pattern."""
    assert signs("a|b c|d ") == ("a", "b c", "d ")
