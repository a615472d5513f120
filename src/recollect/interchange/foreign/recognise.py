"""Recognises the format of a document and reads it.

A text is JSON or JSON lines; unreadable lines keep their places, and NaN and Infinity are refused. The format is recognised by the
fields of the entries, never by a file name: people rename files, and two products call theirs `conversations.json`. The pieces
become our own document. A fact that occurs twice is one fact of the later day, and the other counts as known; an entry with a
known id, such as instructions that every conversation repeats, is dropped.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NoReturn, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign import chatgpt, claude, mem0, plain
from recollect.interchange.foreign.piece import Fact, Format, Piece, Skipped, Talk, Unreadable
from recollect.rules.duplicate import normalise

#: Lines that are tried before a text is refused as neither JSON nor JSON lines.
_LOOKED_AT_LINES = 20


def parsed(text: str, *, name: str = "The document", lines: bool = False) -> Any:
    """The content of a text: one JSON value, or a list with a value per line; always the latter with `lines`."""
    if not lines:
        try:
            return _loads(text)
        except RecursionError as error:
            raise InvalidInput(f"{name} is nested too deeply.", field="document") from error
        except json.JSONDecodeError as error:
            if not _has_lines(text):
                raise InvalidInput(
                    f"{name} is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
                    field="document",
                ) from error
        except ValueError as error:
            raise InvalidInput(f"{name} is not JSON: {error}.", field="document") from error
    return [_line(line) for line in text.split("\n")]


def _has_lines(text: str) -> bool:
    """Whether a line near the beginning is a JSON object."""
    start = seen = 0
    while seen < _LOOKED_AT_LINES and start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text[start:end].strip():
            seen += 1
            if isinstance(_line(text[start:end]), dict):
                return True
        start = end + 1
    return False


def _line(line: str) -> object:
    if not line.strip():
        return Unreadable()
    try:
        return _loads(line)
    except json.JSONDecodeError as error:
        return Unreadable(f"not JSON: {error.msg} in column {error.colno}.")
    except ValueError as error:
        return Unreadable(f"not JSON: {error}.")
    except RecursionError:
        return Unreadable("not JSON: nested too deeply.")


def _loads(text: str) -> Any:
    return json.loads(text, parse_constant=_refused)


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


#: The version of our document.
OWN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A document as our import reads it."""

    format: Format
    document: Mapping[str, Any]
    #: The places of memories and chats in the source; None if the document is the source.
    memory_lines: tuple[int, ...] | None = None
    chat_lines: tuple[int, ...] | None = None
    #: Place in the source, from 1, and the reason.
    skipped: tuple[tuple[int, str], ...] = ()

    @property
    def is_foreign(self) -> bool:
        return self.format is not Format.RECOLLECT

    def memory_line(self, line: int) -> int:
        """The place of a memory in the source."""
        return line if self.memory_lines is None else self.memory_lines[line - 1]

    def chat_line(self, line: int) -> int:
        """The place of a chat in the source."""
        return line if self.chat_lines is None else self.chat_lines[line - 1]


def gathered(format: Format, pieces: Iterable[Piece]) -> Given:
    """The document made of these pieces."""
    facts: list[tuple[int, str]] = []
    talks: list[Talk] = []
    skipped: list[tuple[int, str]] = []
    ids: set[str] = set()
    said: dict[str, Mapping[str, Any]] = {}
    for piece in pieces:
        match piece:
            case Fact():
                if piece.values["memory_id"] not in ids:
                    ids.add(piece.values["memory_id"])
                    words = normalise(piece.values["content"])
                    known = said.get(words, piece.values)
                    # In our spelling of moments, text order is time order.
                    said[words] = max(known, piece.values, key=lambda values: values["created_at"])
                    facts.append((piece.line, words))
            case Talk():
                talks.append(piece)
            case Skipped():
                skipped.append((piece.line, piece.reason))
    return Given(
        format=format,
        document={
            "recollect": OWN,
            "memories": [said[words] for _, words in facts],
            "chats": [piece.values for piece in talks],
        },
        memory_lines=tuple(line for line, _ in facts),
        chat_lines=tuple(piece.line for piece in talks),
        skipped=tuple(skipped),
    )


#: Entries that are checked for their format.
_LOOKED_AT = 1000
_SIGNS: tuple[tuple[Format, Callable[[Mapping[str, Any]], bool]], ...] = (
    (Format.CHATGPT, chatgpt.is_conversation),
    (Format.CLAUDE, claude.is_conversation),
    (Format.MEM0, mem0.is_memory),
    (Format.JSONL, plain.is_entry),
)


def recognise(document: object) -> Format:
    """The format of a document; refuses an unknown one."""
    whole: Mapping[str, Any] = cast("Mapping[str, Any]", document) if isinstance(document, Mapping) else {}
    if "recollect" in whole:
        return Format.RECOLLECT
    entries, _ = _entries(cast("object", document))
    found = {_format_of(entry) for entry in islice(_mappings(entries), _LOOKED_AT)} - {None}
    if not found:
        if whole.get("results") == []:
            return Format.MEM0
        raise InvalidInput(
            f'This is not an export of Recollect: it should start with {{"recollect": {OWN}}}.'
            " Nor is it an export of ChatGPT, Claude or mem0, or a list of messages or memories.",
            field="document",
        )
    # Memories among messages are plain entries; conversations of two products are hardly ever in one file.
    if found == {Format.MEM0, Format.JSONL}:
        return Format.JSONL
    return next(format for format, _ in _SIGNS if format in found)


def read(document: object, format: Format | None, *, user_id: str, now: datetime) -> Given:
    """Our document, made from any format; a text is read as JSON or JSON lines."""
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
    """The entries of a document, and the relations of mem0; a single object is a list of one."""
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
