"""Known names: where a text speaks of entities that are stored already, or of their other names.

Several words and unusual names are found in any case; a name that is an ordinary word as well ("will", "may", "mark",
"rose") only with its capital, and at the beginning of a sentence only before something that a person does. Names in
scripts without spaces are found inside words. It reads keys, not memories, and knows no alias's target.
"""

from collections.abc import Collection, Mapping, Sequence

from recollect.language.entity_names.found import Found
from recollect.language.entity_names.lexicon import NEVER, ORDINARY_NAMES
from recollect.language.entity_names.word import Word, words_of
from recollect.records.entity import EntityType, canonical, slug

_TYPES = tuple(type.value for type in EntityType)
#: Words of a known name; longer ones are found by their label only.
_LONGEST = 5
#: Letters; a shorter single name must have its capital.
_SHORTEST = 4
_CONFIDENCE = 0.95
# After an ordinary word that opens a sentence these show that it is somebody's name.
_DEEDS = frozenset(
    """is was has had said says told called came went got gave wants likes loves hates lives works thinks and
    moved bought asked doesn't didn't isn't wasn't""".split()
)


# No name begins with these in lower case, and most words of a text are such.
_FUNCTION_WORDS = frozenset(
    """a an the i me my we us our you your he him his she her it its they them their this that and or but if so as
    at by for from in into of off on to up with is are was were be been am do does did have has had can could
    would should not no yes just very really some any all what when where who why how there here then than too
    also about after before because while get got go going went make made want need like know think""".split()
)


def find_known(text: str, known: Collection[str], words: Sequence[Word] | None = None) -> list[Found]:
    """Mentions of entities by the names in their keys; no two overlap."""
    if not known:
        return []
    words = words_of(text) if words is None else words
    slugs = [word.low.replace("-", "_") if word.low.isascii() else slug(word.low) for word in words]
    slugs = [part.replace("'", "").replace(".", "") for part in slugs]
    found: list[Found] = []
    at = 0
    while at < len(words):
        skipped = words[at].low in _FUNCTION_WORDS and not words[at].capital
        match = None if skipped else _longest(words, slugs, at, known)
        if match is None:
            at += 1
            continue
        key, last = match
        start, end = words[at].start, words[last - 1].end
        found.append(
            Found(
                key=key, label=" ".join(text[start:end].split()), start=start, end=end, confidence=_CONFIDENCE
            )
        )
        at = last
    if not text.isascii():
        found += _unspaced(text, known, found)
    return sorted(found, key=lambda item: item.start)


def _longest(
    words: Sequence[Word], slugs: Sequence[str], at: int, known: Collection[str]
) -> tuple[str, int] | None:
    """The key of the longest known name that begins here, and where it ends."""
    end, name = at, ""
    ends: list[tuple[int, str]] = []
    while end < len(words) and end - at < _LONGEST:
        if end > at and (words[end].gap not in (" ", ", ", ". ", "-", " & ") or words[end - 1].possessive):
            break
        name = f"{name}_{slugs[end]}" if name else slugs[end]
        end += 1
        ends.append((end, name))
    for last, name in reversed(ends):
        for type in _TYPES:
            key = f"{type}:{name}"
            if key in known and (last - at > 1 or _is_meant(words, at, type)):
                return key, last
    return None


def _is_meant(words: Sequence[Word], at: int, type: str) -> bool:
    """Whether a single word is the name and not the ordinary word, nor a part of a longer name."""
    word = words[at]
    low = word.low
    if low == "user":
        return False
    if not word.capital:
        unusual = len(low) >= _SHORTEST and low not in ORDINARY_NAMES and low not in NEVER
        return (unusual and type in ("person", "place")) or not low.isascii() or any(map(str.isdigit, low))
    after = words[at + 1] if at + 1 < len(words) else None
    if after is not None and after.gap == " " and not word.possessive and _is_name(after) and not after.opens:
        return False
    before = words[at - 1] if at and not word.opens else None
    if (
        before is not None
        and word.gap == " "
        and _is_name(before)
        and not before.opens
        and not before.possessive
    ):
        return False
    if not word.opens or (low not in ORDINARY_NAMES and low not in NEVER):
        return True
    return word.possessive or (after is not None and after.low in _DEEDS)


def _is_name(word: Word) -> bool:
    return word.capital and word.low not in NEVER and not word.shouted


def _unspaced(text: str, known: Collection[str], found: Sequence[Found]) -> list[Found]:
    """Names in scripts that write words together, wherever they stand."""
    taken = [(item.start, item.end) for item in found]
    extra: list[Found] = []
    for key in sorted((key for key in known if not key.isascii()), key=len, reverse=True):
        name = key.partition(":")[2].replace("_", " ")
        if len(name) < 2 or not _is_unspaced(name):
            continue
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            if not any(start < last and first < end for first, last in taken):
                taken.append((start, end))
                extra.append(Found(key=key, label=name, start=start, end=end, confidence=_CONFIDENCE))
            start = text.find(name, end)
    return extra


def _is_unspaced(name: str) -> bool:
    """Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese; Korean sets particles behind a name."""
    return all(
        "\u0e00" <= letter <= "\u0eff"
        or "\u1000" <= letter <= "\u11ff"
        or "\u1780" <= letter <= "\u17ff"
        or "\u3040" <= letter <= "\u9fff"
        or "\uac00" <= letter <= "\ud7a3"
        or letter == " "
        for letter in name
    )


def by_label(text: str, known: Mapping[str, str], taken: Sequence[Found]) -> list[Found]:
    """Mentions under a label that says more than the key ("Dr. House" for person:gregory_house)."""
    low = text.lower()
    # A letter whose lower case is longer would shift every position after it.
    if len(low) != len(text):
        return []
    found: list[Found] = []
    for key, label in known.items():
        if " " not in label or (start := low.find(label.lower())) < 0:
            continue
        end = start + len(label)
        if len(label) < _SHORTEST or low[max(start - 1, 0) : start].isalnum() or low[end : end + 1].isalnum():
            continue
        if not any(start < item.end and item.start < end for item in (*taken, *found)):
            found.append(Found(key=key, label=text[start:end], start=start, end=end, confidence=_CONFIDENCE))
    return found


def other_names(text: str, aliases: Mapping[str, str]) -> tuple[str, ...]:
    """Under which other names the entities of a text are known; for a question about Bob who is Robert elsewhere."""
    if not aliases:
        return ()
    names = {*aliases, *aliases.values()}
    asked = {canonical(item.key, aliases): item.key for item in find_known(text, names)}
    if not asked:
        return ()
    same = [key for key in sorted(names) if canonical(key, aliases) in asked and key not in asked.values()]
    return tuple(key.partition(":")[2].replace("_", " ") for key in same)
