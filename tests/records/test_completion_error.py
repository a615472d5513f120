"""Errors in OpenAI's form."""

import json

from recollect.records.completion_error import error_event, error_of


def test_the_form() -> None:
    """Message, type and code, which a client branches on."""
    assert error_of(429, "Slow down.") == {
        "error": {
            "message": "Slow down.",
            "type": "rate_limit_error",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }


def test_an_unknown_status() -> None:
    """Whatever else happens is ours to mend."""
    assert error_of(599, "?")["error"]["type"] == "server_error"


def test_the_last_event_of_a_stream() -> None:
    """One event of one line, whatever the message holds."""
    event = error_event(502, "It\nbroke.")
    assert event.startswith(b"data: ") and event.endswith(b"\n\n") and event.count(b"\n") == 2
    assert json.loads(event.removeprefix(b"data: "))["error"]["message"] == "It\nbroke."
