"""Amounts: how many, in words or digits: "3", "twenty-five", "a couple of", "three and a half", "half a".

An amount has two ends, for "a few" is not one number. It does not know units. Numbers beyond four digits are no amounts
of time that anybody counts, and are left alone.
"""

from recollect.language.time_words.lexicon import NUMBERS, ORDINALS, TENS, UNITS, VAGUE
from recollect.language.time_words.question import Question

#: At least, at most, and the place after it.
Amount = tuple[float, float, int]


def amount(question: Question, at: int) -> Amount | None:
    """An amount that begins here."""
    words = question.words
    if words[at] == "half" and words[at + 1] in ("a", "an"):
        return 0.5, 0.5, at + 2
    if (words[at] == "a" and (vague := VAGUE.get(words[at + 1]))) or (vague := VAGUE.get(words[at])):
        after = at + 1 + (words[at] == "a")
        return *vague, after + (words[after] == "of")
    found = whole(question, at)
    if found is None:
        return None
    value, after = found
    if words[after] == "." and question.joined(after) and question.joined(after + 1):
        part = question.number(after + 1, 1)
        if part is not None:
            return value + part / 10, value + part / 10, after + 2
    if half_more(question, after):
        return value + 0.5, value + 0.5, after + 3
    return float(value), float(value), after


def half_more(question: Question, at: int) -> bool:
    """Whether "and a half" stands here."""
    return question.words[at : at + 3] == ["and", "a", "half"]


def whole(question: Question, at: int) -> tuple[int, int] | None:
    """A whole number and the place after it."""
    words = question.words
    value = question.number(at)
    if value is not None:
        return value, at + 1
    if words[at] == "a" and words[at + 1] == "dozen":
        return 12, at + 2
    value = NUMBERS.get(words[at])
    if value is None:
        return None
    if value < 10 and words[at + 1] == "hundred":
        more = _below_hundred(question, at + 3) if words[at + 2] == "and" else None
        return (100 * value + more[0], more[1]) if more else (100 * value, at + 2)
    return _below_hundred(question, at)


def _below_hundred(question: Question, at: int) -> tuple[int, int] | None:
    words = question.words
    value = NUMBERS.get(words[at])
    if value is None:
        return None
    ones = at + 1 + (words[at + 1] == "-")
    if words[at] in TENS and 0 < NUMBERS.get(words[ones], 0) < 10 and words[ones] not in ("a", "an"):
        return value + NUMBERS[words[ones]], ones + 1
    return value, at + 1


def ordinal(question: Question, at: int) -> tuple[int, int] | None:
    """ "8th", "eighth" or "twenty-first", and the place after it."""
    words = question.words
    value = question.number(at, 2)
    if value is not None:
        marked = words[at + 1] in ("st", "nd", "rd", "th") and question.joined(at + 1)
        return (value, at + 2) if marked else None
    if words[at] in ORDINALS:
        return ORDINALS[words[at]], at + 1
    ones = at + 1 + (words[at + 1] == "-")
    if words[at] in ("twenty", "thirty") and 0 < ORDINALS.get(words[ones], 0) < 10:
        return TENS[words[at]] + ORDINALS[words[ones]], ones + 1
    return None


def day_number(question: Question, at: int) -> tuple[int, int] | None:
    """A number that can be a day of a month: not the number of something else, not a clock's."""
    found = ordinal(question, at)
    if found is None:
        value = question.number(at, 2)
        if (
            value is None
            or question.words[at + 1] in UNITS
            or question.words[at + 1] in (":", "am", "pm", "%")
        ):
            return None
        found = value, at + 1
    return found if 1 <= found[0] <= 31 else None
