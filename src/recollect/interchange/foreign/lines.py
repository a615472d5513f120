"""JSON, or JSON lines: a text becomes a document.

Lines stand at their places in the list, also those that cannot be read, so that whoever is told of one can find it.
NaN and Infinity are refused: no other reader would take them. It does not know what the lines mean.
"""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from recollect.errors import InvalidInput

#: Lines that are looked at before a text that is no JSON is said to be no JSON lines either.
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that holds no JSON; without a reason it is blank."""

    reason: str = ""


def parsed(text: str, *, name: str = "The document", lines: bool = False) -> Any:
    """What a text holds: one JSON value, or a list of one a line. With `lines` it is taken as lines in any case."""
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
    """Whether a line near the beginning is an object by itself."""
    start = seen = 0
    while seen < _LOOKED_AT and start < len(text):
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
    raise ValueError(f"{name} is no number")
