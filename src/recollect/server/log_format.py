"""How `recollect serve` writes its log: a line an event, as text for people or as JSON for machines.

Events are `name field=%s …` with their values apart (`docs/reference/events.md`), so the fields are read off the template
and keep their types; nothing is parsed out of a finished sentence. What other libraries log is a `message`. A value can
never begin a line of its own.
"""

import functools
import json
import logging
import re
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from recollect.records.moment import iso
from recollect.server.request_log import REQUEST_ID

_NAME: Final = re.compile(r"[a-z_]+(?:\.[a-z_%]+)+")
_FIELD: Final = re.compile(r"([a-z_]+)=(%[-+ #0-9.]*[a-z])")
#: Text that needs no quotes to stay one value.
_PLAIN: Final = re.compile('[^\\s"=\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+')
#: What JSON leaves as it is although some would begin a line with it.
_UNSAFE_IN_JSON: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """A record as its event and fields, with the id of the request that it belongs to."""
    fields = _event(record) or {"event": "log", "logger": record.name, "message": record.getMessage()}
    request_id = REQUEST_ID.get()
    if request_id and "request" not in fields:
        fields["request"] = request_id
    return fields


def _event(record: logging.LogRecord) -> dict[str, Any] | None:
    """The fields of one of our events; None: it is none."""
    known = _template(str(record.msg))
    values = record.args if isinstance(record.args, tuple) else ()
    if known is None or len(values) != known.leading + len(known.fields):
        return None
    found: dict[str, Any] = {"event": known.name % values[: known.leading] if known.leading else known.name}
    for (name, form), value in zip(known.fields, values[known.leading :], strict=True):
        found[name] = _value(form, value)
    return found


class _Template(NamedTuple):
    """An event as the source spells it."""

    name: str
    #: How many values stand in the name itself: `memory.%s`.
    leading: int
    #: Names, and how their values are written.
    fields: tuple[tuple[str, str], ...]


@functools.lru_cache(1000)
def _template(message: str) -> _Template | None:
    """What a message of the source says; read once, for there are as many as events. Others' may be any number."""
    name, *words = message.split(" ")
    places = [_FIELD.fullmatch(word) for word in words]
    if not _NAME.fullmatch(name) or None in places:
        return None
    return _Template(name, name.count("%"), tuple((place[1], place[2]) for place in places if place))


def _value(form: str, value: object) -> Any:
    """A value as JSON has it; a number as precise as the event says it."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(form % value) if form.endswith(("f", "g")) else value
    return str(value)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _time(record), "level": record.levelname.lower(), **fields_of(record)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=False)
        return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class TextLines(logging.Formatter):
    """Time, level, event and fields, for people."""

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        event = fields.pop("event")
        told = "".join(f" {name}={_told(value)}" for name, value in fields.items())
        line = f"{_time(record)} {record.levelname:<7} {event}{told}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _told(value: object) -> str:
    text = "-" if value is None else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _time(record: logging.LogRecord) -> str:
    return iso(datetime.fromtimestamp(record.created, UTC))


def configure(log_format: str, *, debug: bool, also: logging.Handler) -> None:
    """Log to standard error: our events from info on, of others what goes wrong; `also` hears every event of ours."""
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(JsonLines() if log_format == "json" else TextLines())
    logging.root.handlers = [to_stderr]
    logging.root.setLevel(logging.WARNING)
    ours = logging.getLogger("recollect")
    ours.setLevel(logging.DEBUG if debug else logging.INFO)
    ours.addHandler(also)
