"""Whose export a document is, and what it gives.

A document is recognised by the fields of its entries, never by a file's name: people rename files, and two products call
theirs `conversations.json`. What nobody would write by accident counts first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign import chatgpt, claude, mem0, plain
from recollect.interchange.foreign.format import Format
from recollect.interchange.foreign.given import OWN, Given, gathered
from recollect.interchange.foreign.lines import parsed

#: Entries of a list that are looked at.
_LOOKED_AT = 1000
_SIGNS: tuple[tuple[Format, Callable[[Mapping[str, Any]], bool]], ...] = (
    (Format.CHATGPT, chatgpt.is_conversation),
    (Format.CLAUDE, claude.is_conversation),
    (Format.MEM0, mem0.is_memory),
    (Format.JSONL, plain.is_entry),
)


def recognise(document: object) -> Format:
    """The format of a document; what is of none is refused."""
    whole: Mapping[str, Any] = cast("Mapping[str, Any]", document) if isinstance(document, Mapping) else {}
    if "recollect" in whole:
        return Format.RECOLLECT
    entries, _ = _entries(cast("object", document))
    found = {_format_of(entry) for entry in islice(_mappings(entries), _LOOKED_AT)} - {None}
    if not found:
        if whole.get("results") == []:
            return Format.MEM0
        raise InvalidInput(
            f'This is no export of Recollect: it should start with {{"recollect": {OWN}}}.'
            " It is none of ChatGPT, Claude or mem0 either, and no list of messages or memories.",
            field="document",
        )
    # Memories among messages are plain entries; the two kinds of conversations hardly ever stand in one file.
    if found == {Format.MEM0, Format.JSONL}:
        return Format.JSONL
    return next(format for format, _ in _SIGNS if format in found)


def read(document: object, format: Format | None, *, user_id: str, now: datetime) -> Given:
    """Our own document, made of another's; a text is read as JSON or as JSON lines."""
    if isinstance(document, str):
        document = parsed(document, lines=format is Format.JSONL)
    format = format or recognise(document)
    if format is Format.RECOLLECT:
        return Given(format=format, document=cast("Mapping[str, Any]", document))
    entries, relations = _entries(document)
    match format:
        case Format.CHATGPT:
            pieces = chatgpt.read(entries, now)
        case Format.CLAUDE:
            pieces = claude.read(entries, now)
        case Format.MEM0:
            pieces = mem0.read(entries, relations, user_id, now)
        case Format.JSONL:
            pieces = plain.read(entries, user_id, now)
    return gathered(format, pieces)


def _entries(document: object) -> tuple[Sequence[object], object]:
    """The entries of a document, and the relations that may stand beside memories; one object is a list of one."""
    if isinstance(document, Mapping):
        values = cast("Mapping[str, Any]", document)
        for holder in mem0.HOLDERS:
            if isinstance(values.get(holder), list):
                return values[holder], values.get("relations")
        return [values], None
    if isinstance(document, Sequence) and not isinstance(document, str | bytes | bytearray):
        return cast("Sequence[object]", document), None
    return [], None


def _mappings(entries: Iterable[object]) -> Iterable[Mapping[str, Any]]:
    return (cast("Mapping[str, Any]", entry) for entry in entries if isinstance(entry, Mapping))


def _format_of(entry: Mapping[str, Any]) -> Format | None:
    return next((format for format, fits in _SIGNS if fits(entry)), None)
