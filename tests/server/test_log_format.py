"""How the log of a service reads: fields with their types, one line a record, whatever a value holds."""

import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.server.request_log import REQUEST_ID, JsonLines, TextLines, configure, fields_of


def record(message: str, *values: Any, error: Exception | None = None) -> logging.LogRecord:
    trace = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("recollect.engine.fold", logging.INFO, "fold.py", 1, message, values, trace)
    made.created = 1772366400.123
    return made


def test_an_event_becomes_fields() -> None:
    """Numbers stay numbers, as precise as the event says."""
    made = record("fold.done user=%s turns=%d seconds=%.3f by=%s at=%s", "ann", 3, 1.23456, None, 2.5)
    assert fields_of(made) == {
        "event": "fold.done",
        "user": "ann",
        "turns": 3,
        "seconds": 1.235,
        "by": None,
        "at": 2.5,
    }


def test_an_event_with_its_outcome_in_its_name() -> None:
    """`memory.%s` is the event that happened."""
    assert fields_of(record("memory.%s user=%s", "added", "ann")) == {"event": "memory.added", "user": "ann"}


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("Something else: %s", ("a=%s",)),
        ("not.ours really %s", ("x",)),
        ("fold.done user=%s", ()),
        ("plain words", ()),
    ],
)
def test_what_is_no_event_is_a_message(message: str, values: tuple[str, ...]) -> None:
    """Lines of other libraries are kept whole."""
    made = record(message, *values)
    assert fields_of(made)["event"] == "log"
    assert fields_of(made)["logger"] == "recollect.engine.fold"


def test_json_lines() -> None:
    """Time, level, event and fields; a trace is a field too."""
    line = json.loads(JsonLines().format(record("job.done user=%s seconds=%.3f", "änn", 0.5)))
    assert line == {
        "time": "2026-03-01T12:00:00.123Z",
        "level": "info",
        "event": "job.done",
        "user": "änn",
        "seconds": 0.5,
    }
    failed = JsonLines().format(record("http.failed incident=%s", "x", error=ValueError("no")))
    assert "ValueError: no" in json.loads(failed)["trace"]


def test_text_lines() -> None:
    """For people: what needs quotes has them."""
    line = TextLines().format(record("import.skipped user=%s line=%d reason=%s", "ann", 3, 'no "text" here'))
    assert line == (
        '2026-03-01T12:00:00.123Z INFO    import.skipped user=ann line=3 reason="no \\"text\\" here"'
    )
    assert "ValueError: no" in TextLines().format(
        record("http.failed incident=%s", "x", error=ValueError("no"))
    )


@given(st.text(st.characters()))
def test_no_value_begins_a_line(value: str) -> None:
    """A user's id cannot forge a line of the log."""
    made = record("memory.added user=%s", value)
    for line in (TextLines().format(made), JsonLines().format(made)):
        assert len(line.splitlines()) == 1
    assert json.loads(JsonLines().format(made))["user"] == value


def test_the_request_is_named() -> None:
    """While a request is served its id is a field, unless the event has it."""
    token = REQUEST_ID.set("r-1")
    try:
        assert fields_of(record("job.done user=%s", "ann"))["request"] == "r-1"
        assert fields_of(record("http.request request=%s", "r-2"))["request"] == "r-2"
    finally:
        REQUEST_ID.reset(token)


@pytest.mark.parametrize("form", ["json", "text"])
def test_set_up(form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Our events from info on and others' warnings go to standard error; a second listener hears ours."""
    monkeypatch.setattr(logging.root, "handlers", [])
    ours, heard = logging.getLogger("recollect"), list[str]()
    before = (logging.root.level, ours.level)

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    listening = Listening()
    try:
        configure(form, debug=False, also=listening)
        logging.getLogger("recollect.test").info("job.done user=%s", "ann")
        logging.getLogger("recollect.test").debug("job.quiet user=%s", "ann")
        logging.getLogger("somebody.else").info("noise")
        logging.getLogger("somebody.else").warning("trouble")
    finally:
        ours.removeHandler(listening)
        logging.root.setLevel(before[0])
        ours.setLevel(before[1])
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert ("job.done" in told[0], "trouble" in told[1]) == (True, True)
    assert told[0].startswith("{") == (form == "json")
    assert heard == ["job.done user=ann"]
