"""How a name sounds and how it is spelled: what is left of two spellings when accents, doubled letters and the many ways
to write one sound are set aside.

`folded` joins spellings that differ in nothing but accents, case and punctuation. `sound` writes alike what is spoken
alike (Sofia, Sophia), `skeleton` keeps the consonants (Makesh, Mukesh), `distance` counts slips of the pen. Made for
names in Latin letters of several languages; other scripts are only folded and counted. A library of phonetic codes was
rejected: Soundex and Metaphone are made for English surnames, throw away too much of a first name, and jellyfish would
be a compiled dependency for what is a page of rules.
"""

import unicodedata

from recollect.language.pattern import Pattern

# Letters that do not come apart into a base and a mark.
_LETTERS = str.maketrans(
    {
        "\u00df": "ss",
        "\u00e6": "ae",
        "\u0153": "oe",
        "\u00f8": "o",
        "\u0142": "l",
        "\u0111": "d",
        "\u00f0": "d",
        "\u00fe": "th",
        "\u0131": "i",
    }
)
# In order: what comes first may feed what follows.
_SOUNDS = tuple(
    (Pattern(pattern), sound)
    for pattern, sound in (
        ("sch|sh", "x"),
        ("tch|ch", "c"),
        ("ph|v|w", "f"),
        ("ck|q|kh", "k"),
        ("gh", "g"),
        ("th|dt", "t"),
        ("dh", "d"),
        ("bh", "b"),
        ("ts|tz|z", "s"),
        ("c(?=[aou]|$|[^aeiouyc])", "k"),
        ("j|y", "i"),
        ("ee|ii|ie|ea|ei", "i"),
        ("oo|ou", "u"),
        ("(?<=[aeiou])h", ""),
        (r"(.)\1+", r"\1"),
    )
)
_VOWELS = frozenset("aeiou")


def folded(name: str) -> str:
    """A slug without accents and signs; digits stay apart, because 1_2 is not 12."""
    plain = name.lower() if name.isascii() else _without_accents(name)
    parts = [part for part in plain.split("_") if part]
    joined = parts[0] if parts else ""
    for part in parts[1:]:
        joined += f"_{part}" if joined[-1].isdigit() and part[0].isdigit() else part
    return joined


def _without_accents(name: str) -> str:
    """Latin letters without their marks; in other scripts marks are letters of their own."""
    kept: list[str] = []
    latin = False
    for letter in unicodedata.normalize("NFKD", name.lower()):
        if not unicodedata.combining(letter):
            latin = letter.isascii() or "\u00c0" <= letter <= "\u024f"
        elif latin:
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS)


def sound(name: str) -> str:
    """One spelling for what is spoken alike; a name in another script is itself."""
    text = folded(name)
    if not text.isascii():
        return text
    for pattern, by in _SOUNDS:
        text = pattern.sub(by, text)
    return text


def skeleton(name: str) -> str:
    """The first letter and the consonants of how a name sounds."""
    text = sound(name)
    first = "*" if text[:1] in _VOWELS else text[:1]
    return first + "".join(letter for letter in text[1:] if letter not in _VOWELS)


def distance(first: str, second: str, limit: int = 3) -> int:
    """Letters to add, drop, change or swap with their neighbour; more than the limit counts as one more than it."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    older: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, 1):
        line = [row]
        for column, other in enumerate(second, 1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other))
            if (
                row > 1
                and column > 1
                and letter == second[column - 2]
                and first[row - 2] == other
                and letter != other
            ):
                cost = min(cost, older[column - 2] + 1)
            line.append(cost)
        if min(line) > limit:
            return limit + 1
        older, above = above, line
    return min(above[-1], limit + 1)
