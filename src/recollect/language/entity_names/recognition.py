"""Recognition: every name that a text holds, each once, in order.

Known names come first, then capitalised spans that a cue gives a type, then their neighbours in a list ("Anna and Tom").
A text in capitals throughout, or a heading, has no telling capitals.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from recollect.language.attribute import REGIONS
from recollect.language.entity_names.cue import cue_of
from recollect.language.entity_names.found import Found
from recollect.language.entity_names.known import by_label, find_known
from recollect.language.entity_names.plausible import Cue, can_be
from recollect.language.entity_names.span import Span, spans_of
from recollect.language.entity_names.word import Word, words_of
from recollect.records.entity import EntityType, entity_key

_NONE: Mapping[str, str] = MappingProxyType({})
#: Characters that are read; nobody introduces people on the fourth page.
_READ = 10_000
#: With this share of capitals, and this many words, a text is a heading.
_HEADING_SHARE = 0.7
_HEADING_WORDS = 5
#: What a neighbour in a list loses.
_LESS = 0.05
_ADDRESSED = frozenset("mom mum dad mommy mummy daddy grandma grandpa granny nana papa mama".split())
_OF_OTHERS = frozenset("his her their your the a".split())


def recognise(text: str, known: Mapping[str, str] = _NONE) -> list[Found]:
    """People, organisations, places and projects in a text; no two overlap."""
    text = text[:_READ]
    has_capitals = text.lower() != text
    if not has_capitals and not known:
        return []
    words = words_of(text)
    found = find_known(text, known, words) if known else []
    if known:
        found += by_label(text, known, found)
    if has_capitals and not _is_heading(words):
        found += [item for item in _by_cues(text, words, found) if not _overlaps(item, found)]
    return sorted(found, key=lambda item: item.start)


def _is_heading(words: Sequence[Word]) -> bool:
    capitals = sum(word.capital for word in words)
    if len(words) > 1 and all(word.shouted or not word.capital for word in words) and capitals == len(words):
        return True
    return len(words) >= _HEADING_WORDS and capitals >= _HEADING_SHARE * len(words)


def _overlaps(item: Found, others: Sequence[Found]) -> bool:
    return any(item.start < other.end and other.start < item.end for other in others)


def _by_cues(text: str, words: Sequence[Word], known: Sequence[Found]) -> list[Found]:
    spans = [_without_label(span) for span in spans_of(text, words)]
    cues = [cue_of(span) for span in spans]
    _spread(spans, cues, known)
    found: list[Found] = []
    for number, (span, cue) in enumerate(zip(spans, cues, strict=True)):
        if cue is None:
            continue
        if cue[0] is EntityType.PLACE and number + 1 < len(spans) and _is_region_of(span, spans[number + 1]):
            span, cues[number + 1] = span.until(spans[number + 1]), None
        if (item := _found(span, cue)) is not None:
            found.append(item)
    return found + _kin(words)


def _without_label(span: Span) -> Span:
    """ "Project Phoenix" is the project Phoenix."""
    return span.without_first() if span.lows[0] == "project" and span.last - span.first > 1 else span


def _found(span: Span, cue: Cue) -> Found | None:
    if not span.slug:
        return None
    return Found(
        key=entity_key(cue[0], span.label),
        label=span.label,
        start=span.start,
        end=span.end,
        confidence=cue[1],
    )


def _spread(spans: Sequence[Span], cues: list[Cue | None], known: Sequence[Found]) -> None:
    """In a row of names joined by commas and "and" all are of one kind."""
    for first, second in zip(range(len(spans)), range(1, len(spans)), strict=False):
        _pass_on(spans, cues, first, second)
    for second in range(len(spans) - 1, 0, -1):
        _pass_on(spans, cues, second, second - 1)
    for number, span in enumerate(spans):
        if (
            cues[number] is None
            and (kind := _joined_to_known(span, known)) is not None
            and can_be(span, kind)
        ):
            cues[number] = (kind, 0.7)


def _pass_on(spans: Sequence[Span], cues: list[Cue | None], source: int, target: int) -> None:
    cue = cues[source]
    left, right = spans[min(source, target)], spans[max(source, target)]
    between = right.text[left.end : right.start]
    known = cues[target]
    open_yet = known is None or (cue is not None and known[0] is cue[0] and known[1] < cue[1])
    if cue is None or not open_yet or between not in (" and ", ", ", ", and ", " & ", " or "):
        return
    if between == ", " and not _goes_on(spans, max(source, target)):
        return
    if cue[0] is not EntityType.PROJECT and can_be(spans[target], cue[0]) and cue[1] > 0.7:
        cues[target] = (cue[0], round(cue[1] - _LESS, 2))


def _goes_on(spans: Sequence[Span], number: int) -> bool:
    """Whether a comma is one of a list: another name follows by comma or "and"."""
    if number + 1 >= len(spans):
        return False
    between = spans[number].text[spans[number].end : spans[number + 1].start]
    return between in (", ", " and ", ", and ", " or ")


def _joined_to_known(span: Span, known: Sequence[Found]) -> EntityType | None:
    for item in known:
        first, second = sorted(((item.start, item.end), (span.start, span.end)))
        if span.text[first[1] : second[0]] in (" and ", " & "):
            return EntityType(item.key.partition(":")[0])
    return None


def _is_region_of(place: Span, after: Span) -> bool:
    """ "Austin, Texas" is one place, "Rome, Italy and Spain" are several."""
    joined = place.text[place.end : after.start] == ", " and not place.possessive
    if not joined or after.slug not in REGIONS or place.slug in REGIONS:
        return False
    return after.after() != "and" and (after.ends_phrase or after.after() != "")


def _kin(words: Sequence[Word]) -> list[Found]:
    """ "Mom" and "Dad", written like names, are the user's own."""
    found: list[Found] = []
    for number, word in enumerate(words):
        if word.low not in _ADDRESSED or not word.capital or word.masked or word.shouted:
            continue
        before = words[number - 1] if number and not word.opens else None
        others = before is not None and (
            before.low in _OF_OTHERS or (before.possessive and before.low != "user")
        )
        after = words[number + 1] if number + 1 < len(words) else None
        named = after is not None and after.gap == " " and after.capital and len(after.text) > 1
        if not others and not named:
            key = entity_key(EntityType.PERSON, word.low)
            found.append(Found(key=key, label=word.text, start=word.start, end=word.end, confidence=0.8))
    return found
