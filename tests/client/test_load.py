"""Other products' exports, sent by the client as they are."""

from typing import Any

import pytest
from foreign_exports import chatgpt_conversation, lines, mem0_memory, openai_messages

from recollect import InvalidInput, Memory


@pytest.mark.parametrize(
    ("document", "counted"),
    [
        ([chatgpt_conversation()], 2),
        ({"results": [mem0_memory("User likes green tea")]}, 1),
        (openai_messages(), 2),
        (lines(openai_messages()), 2),
    ],
)
def test_documents_are_recognised_at_the_other_end(memory: Memory, document: Any, counted: int) -> None:
    """Lists, objects and lines of text arrive as they are; twice is once, and progress hears of the end."""
    heard: list[tuple[int, int]] = []
    first = memory.load(document, progress=lambda done, total: heard.append((done, total)))
    assert (first.imported, first.duplicates, first.skipped) == (counted, 0, ())
    assert heard[-1] == (counted, counted)
    assert memory.load(document).duplicates == counted


def test_the_format_is_sent_along(memory: Memory) -> None:
    """What the caller says counts at the other end."""
    assert memory.load("broken\n" + lines(openai_messages()), format="jsonl").skipped[0][0] == 1
    with pytest.raises(InvalidInput, match="Allowed: auto"):
        memory.load([chatgpt_conversation()], format="xml")


@pytest.mark.parametrize("document", [5, None, "words", "\ud800", [object()], b"bytes"])
def test_what_cannot_be_sent_or_read_is_refused(memory: Memory, document: Any) -> None:
    """The error is the same as at home."""
    with pytest.raises(InvalidInput):
        memory.load(document)
