"""Files of a deployment's own, named in the settings: read whole, once, or refused with what to do.

A file that cannot be used stops the start, not a message or a question later.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from recollect.errors import InvalidInput

T = TypeVar("T")


def read(name: str, parse: Callable[[str], T], *, variable: str, wanted: str, max_bytes: int) -> T:
    """What a file holds; an error names the variable and says what file is wanted."""
    try:
        return parse(_text(name, max_bytes))
    except InvalidInput as error:
        raise _unusable(name, f"cannot be used: {error.message}", variable, wanted) from error
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
        raise _unusable(name, why, variable, wanted) from error
    except (ValueError, RuntimeError) as error:  # not UTF-8, a NUL in the path, a home that nobody has
        raise _unusable(name, f"cannot be read as UTF-8 text: {error}", variable, wanted) from error


def _text(name: str, max_bytes: int) -> str:
    path = Path(name).expanduser()
    # A pipe or a device may never end.
    if path.exists() and not path.is_file():
        raise InvalidInput("it is no file")
    if path.stat().st_size > max_bytes:
        raise InvalidInput(f"it has more than {max_bytes} bytes")
    return path.read_text("utf-8")


def _unusable(name: str, why: str, variable: str, wanted: str) -> InvalidInput:
    return InvalidInput(f"{variable}: {name!r} {why}. Name {wanted}, or leave it empty.", field=variable)
