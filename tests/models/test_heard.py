"""What is understood of a completion that passes by."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.models.heard import Heard, event_of, first_choice


def line(delta: Any, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, **more}
    return b"data: " + json.dumps({"model": "m-1", "choices": [choice]}).encode()


def heard(*lines: bytes) -> Heard:
    found = Heard()
    for item in lines:
        found.line(item)
    return found


def test_a_stream() -> None:
    """Words, model, cost and end."""
    cost = b'data: {"choices": [], "usage": {"total_tokens": 7}}'
    found = heard(line({"role": "assistant"}), line({"content": "Hi"}), line({"content": " you"}))
    assert (found.text, found.finished) == ("Hi you", False)
    for item in (line({}, finish_reason="stop"), cost, b"data: [DONE]"):
        found.line(item)
    assert (found.model, found.tokens, found.finished, found.done) == ("m-1", 7, True, True)


def test_only_the_first_choice_counts() -> None:
    """Others are the client's to choose from."""
    other = b'data: {"choices": [{"index": 1, "delta": {"content": "Other"}}]}'
    assert heard(line({"content": "First"}), other).text == "First"


def test_calls_are_put_together() -> None:
    """Name and id come once, arguments bit by bit, and calls side by side keep apart."""
    found = heard(
        line({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": ""}}]}),
        line({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "go", "arguments": "{"}}]}),
        line({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}),
        line({"tool_calls": [{"index": 1, "function": {"arguments": "}"}}]}),
    )
    assert [call.to_dict() for call in found.calls.values()] == [
        {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "go", "arguments": "{}"}},
    ]


def test_an_answer_at_once() -> None:
    """The same of an answer that is no stream; the answer itself comes back."""
    body = {"model": "m", "usage": {"total_tokens": 3}, "choices": [{"message": {"content": "Hi"}}]}
    found = Heard()
    assert found.whole(json.dumps(body).encode()) == body
    assert (found.text, found.model, found.tokens) == ("Hi", "m", 3)


def test_an_answer_that_is_not_whole() -> None:
    """What cannot be read, and an error, make an answer one that is not whole; signs of life and odd ends do not."""
    assert heard(line({"content": "Hi"}), b"data: {bro").broken
    assert heard(b'data: {"error": {"message": "overloaded"}}').broken
    good = heard(b": ping", b"event: x", b"data:", b"", line({"content": "Hi"}), b"data:[DONE]")
    assert (good.broken, good.begun, good.done) == (False, True, True)
    assert not heard(b'data: {"choices": []}', b"data: [DONE]").begun


def test_words_without_end() -> None:
    """No more is kept than a message holds and one piece, of the words and of a call's arguments."""
    call = {"index": 0, "function": {"name": "look", "arguments": "y" * 1000}}
    found = heard(*[line({"content": "x" * 1000, "tool_calls": [call]})] * 300)
    assert (found.length, found.too_long) == (300_000, True)
    assert len(found.text) == len(found.calls[0].arguments) == 201_000


def test_what_cannot_be_kept() -> None:
    """NUL and broken letters are left out of what is stored."""
    assert heard(b'data: {"choices": [{"delta": {"content": "a\\u0000\\ud800b"}}]}').text == "a?b"


@given(
    st.binary(max_size=60)
    | st.sampled_from([b"[1]", b"null", b'{"choices": 3}', b'{"choices": [3]}', b'{"usage": 1}'])
)
def test_nonsense_is_passed_over(content: bytes) -> None:
    """Whatever comes by, listening never fails."""
    found = Heard()
    found.line(content)
    found.line(b"data: " + content)
    found.whole(content)
    event = event_of(b"data: " + content)
    assert event is None or isinstance(first_choice(event), dict)
