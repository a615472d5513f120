"""What a foreign document gives: our own document, where each of its entries came from, and what was left out.

It puts a reader's pieces together. A fact that a document states twice is one fact, of the later day: the other is counted
as known. The same entry seen again, such as instructions that every conversation repeats, is passed over.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.interchange.foreign.format import Format
from recollect.interchange.foreign.piece import Fact, Piece, Skipped, Talk
from recollect.rules.duplicate import normalise

#: The version of the document that our own import takes.
OWN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A document as our own import takes it."""

    format: Format
    document: Mapping[str, Any]
    #: Places in the source of the document's memories and chats; None: it is the source.
    memory_lines: tuple[int, ...] | None = None
    chat_lines: tuple[int, ...] | None = None
    #: Place in the source from 1, and the reason.
    skipped: tuple[tuple[int, str], ...] = ()

    @property
    def is_foreign(self) -> bool:
        return self.format is not Format.RECOLLECT

    def memory_line(self, line: int) -> int:
        """Where a memory of the document stands in the source."""
        return line if self.memory_lines is None else self.memory_lines[line - 1]

    def chat_line(self, line: int) -> int:
        """Where a chat of the document stands in the source."""
        return line if self.chat_lines is None else self.chat_lines[line - 1]


def gathered(format: Format, pieces: Iterable[Piece]) -> Given:
    """The document that these pieces make."""
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
                    # Our own spelling of moments: the order of the texts is that of the moments.
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
