"""Tests of models/reply.py."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.models.reply import Delta, answer, completion, delta, json_object, response


def _completion(**choice: Any) -> bytes:
    return json.dumps({"model": "m", "choices": [choice], "usage": {"total_tokens": 7}}).encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Plain.", "Plain."),
        ("<think>Hm, {x}</think>\n\nThe answer.", "The answer."),
        ("<thinking>a</thinking>One <think>b</think>two", "One two"),
        ("I should be brief.</think>The answer.", "The answer."),
        ("<think>never ends", ""),
        ("The answer.<think>never ends", "The answer."),
        ("<THINK>\nx\n</THINK>The answer.", "The answer."),
        ("```json\n{}\n```", "{}"),
        ("```\nText\n```", "Text"),
        ("<think>x</think>```markdown\nText\n```", "Text"),
        ("Use ```x``` here", "Use ```x``` here"),
        ("a\x00b\ud800", "ab?"),
        ("", ""),
    ],
)
def test_an_answer_is_what_was_said(text: str, said: str) -> None:
    """Thoughts, a fence around everything and what no database keeps are gone; the rest stays."""
    assert answer(text) == said


@given(st.text())
def test_any_answer_can_be_stored(text: str) -> None:
    """Whatever a model writes, what is left has no NUL and is valid UTF-8."""
    said = answer(text)
    assert "\x00" not in said
    said.encode()


def test_a_completion_is_read() -> None:
    """Text, model, tokens and whether the answer was cut."""
    read = completion(_completion(message={"content": "Hi"}, finish_reason="length"))
    assert (read.text, read.model, read.tokens, read.truncated) == ("Hi", "m", 7, True)
    parts = [{"type": "text", "text": "Hi "}, {"type": "text", "text": "there"}]
    assert completion(_completion(message={"content": parts})).text == "Hi there"
    assert completion(_completion(message={"content": None})).text == ""


def test_a_response_is_read() -> None:
    """`output_text` where there is one, else the texts of the messages; reasoning is none of them."""
    assert response(b'{"output_text": "Hi", "model": "m"}').text == "Hi"
    output = [
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
    ]
    read = response(json.dumps({"output": output, "status": "incomplete"}).encode())
    assert (read.text, read.truncated) == ("Hi", True)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "Expecting value"),
        (b"<html>", "Expecting value"),
        (b"[]", "the answer is not an object"),
        (b"{}", "choices is not a list"),
        (b'{"choices": []}', "choices is empty"),
        (b'{"choices": [3]}', "choices is not an object"),
        (b'{"choices": [{}]}', "message is not an object"),
        (b'{"choices": [{"message": {"content": 3}}]}', "content is not a list"),
        (b'{"error": {"message": "overloaded"}}', "overloaded"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\x80abc", "codec"),
    ],
)
def test_a_broken_completion_is_a_value_error(body: bytes, reason: str) -> None:
    """Nonsense never becomes a text, and the error says what is wrong."""
    with pytest.raises(ValueError, match=reason):
        completion(body)


def test_a_refusal_is_no_answer() -> None:
    """A model that refuses has said nothing that can be kept."""
    part = {"type": "refusal", "refusal": "I will not."}
    with pytest.raises(ValueError, match="I will not"):
        response(json.dumps({"output": [{"type": "message", "content": [part]}]}).encode())


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ('data: {"choices": [{"delta": {"content": "Hi"}}]}', Delta(text="Hi")),
        (
            'data:{"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}',
            Delta(text="Hi", finished=True),
        ),
        ('data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}', Delta()),
        ('data: {"choices": [{"delta": {"reasoning_content": "Hm"}}]}', Delta()),
        ('data: {"choices": [], "usage": {}}', Delta()),
        ("data: [DONE]", Delta(finished=True, last=True)),
        (": keep-alive", Delta()),
        ("event: message", Delta()),
        ("", Delta()),
    ],
)
def test_a_line_of_a_stream_is_read(line: str, read: Delta) -> None:
    """Words, ends, and lines that say nothing."""
    assert delta(line) == read


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('data: {"error": {"message": "overloaded"}}', "overloaded"),
        ('error: {"message": "no slot"}', "no slot"),
        ("error: what", "what"),
        ("data: {", "Expecting"),
        ("data: 3", "not an object"),
        ('data: {"choices": [3]}', "not an object"),
    ],
)
def test_a_broken_line_is_a_value_error(line: str, reason: str) -> None:
    """An error of the server and nonsense say what they are."""
    with pytest.raises(ValueError, match=reason):
        delta(line)


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', 'Sure! Here it is: {"a": 1} Anything else?', 'A set {x}: {"a": 1}', '{"a": 1}{"a": 2}'],
)
def test_a_json_object_is_found(text: str) -> None:
    """Words around it do not matter."""
    assert json_object(text) == {"a": 1}


def test_json_is_storable() -> None:
    """Escapes cannot bring in what no database keeps."""
    assert json_object('{"a\\u0000": ["\\ud800", {"b": "\\u0000x"}], "c": 1.5}') == {
        "a": ["?", {"b": "x"}],
        "c": 1.5,
    }


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", '{"a": ', '{"a":' * 100_000])
def test_without_an_object_there_is_an_error(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="it"):
        json_object(text)
