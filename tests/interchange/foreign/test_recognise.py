"""Whose export a document is."""

from typing import Any

import pytest
from foreign_exports import chatgpt_conversation, claude_conversation, lines, mem0_memory, openai_messages

from recollect.errors import InvalidInput
from recollect.interchange.foreign import Format, check_format, recognise

from .reading import given


@pytest.mark.parametrize(
    ("document", "format"),
    [
        ({"recollect": 1, "memories": []}, Format.RECOLLECT),
        ({"recollect": 99}, Format.RECOLLECT),
        ([chatgpt_conversation()], Format.CHATGPT),
        (chatgpt_conversation(), Format.CHATGPT),
        ([5, None, chatgpt_conversation()], Format.CHATGPT),
        ([claude_conversation()], Format.CLAUDE),
        (claude_conversation([]), Format.CLAUDE),
        ([mem0_memory("User likes tea")], Format.MEM0),
        ({"results": []}, Format.MEM0),
        (openai_messages(), Format.JSONL),
        ([mem0_memory("User likes tea"), *openai_messages()], Format.JSONL),
        ({"content": "User likes tea"}, Format.JSONL),
    ],
)
def test_the_content_says_it(document: Any, format: Format) -> None:
    """A document is recognised by its fields; a text by what it holds."""
    assert recognise(document) is format


@pytest.mark.parametrize(
    "document",
    [
        None, 5, "text", b"{}", [], {}, [[]], [5], {"memories": []}, {"memories": [{"memory_id": "a", "content": "x"}]},
        {"mapping": []}, {"chat_messages": {}}, [{"role": "user"}], [{"title": "x"}],
    ],
)  # fmt: skip
def test_what_is_none_is_refused(document: Any) -> None:
    """The sentence says what is understood."""
    with pytest.raises(InvalidInput, match="not an export of Recollect"):
        recognise(document)


def test_a_text_is_json_or_lines() -> None:
    """One line or many, indented or not, the same is read."""
    assert given(lines(openai_messages())).document == given(openai_messages()).document
    with pytest.raises(InvalidInput, match="is not JSON: Expecting value in line 1"):
        given("words")
    with pytest.raises(InvalidInput, match="not an export"):
        given('{"a": 1}\n{"b": 2}\n')
    with pytest.raises(InvalidInput, match="nested too deeply"):
        given("[" * 100_000)
    with pytest.raises(InvalidInput, match="NaN is not a number"):
        given('[{"role": "user", "text": NaN}]')


def test_a_format_may_be_said() -> None:
    """What is said counts, also where the content looks different."""
    assert given([{"content": "User likes green tea"}], Format.MEM0).skipped == ((1, "it has no time."),)
    assert given("words\n", Format.JSONL).skipped[0][0] == 1
    assert check_format("auto") is None
    assert check_format("mem0") is Format.MEM0
    for wrong in ("xml", "", None, 5, []):
        with pytest.raises(InvalidInput, match="Allowed: auto, recollect, chatgpt"):
            check_format(wrong)
