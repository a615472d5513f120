"""Read the vocabularies: the packaged medical terms and a deployment's own file.

This module knows where the files are, but not how terms are scored. A deployment can add terms but not remove any, because
a message about an overdose is important everywhere.
"""

from importlib.resources import files
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.rules.vocabulary import Vocabulary, parse_vocabulary
from recollect.settings import Settings

_MEDICAL = files("recollect.rules") / "data" / "medical.txt"
#: Maximum bytes of a deployment's file: twenty times a long dictionary. A larger one is the wrong file.
MAX_BYTES = 5_000_000


def load(settings: Settings) -> Vocabulary:
    """The terms that make a message important; an unreadable file fails at startup, not during a message."""
    medical = parse_vocabulary(_MEDICAL.read_text("utf-8"))
    if not settings.vocabulary:
        return medical
    return medical | _own(settings.vocabulary)


def _own(name: str) -> Vocabulary:
    """The terms in a deployment's file; an error names the variable and says what to do."""
    try:
        return parse_vocabulary(_text(Path(name).expanduser()))
    except InvalidInput as error:
        raise _unusable(name, f"cannot be used: {error.message}") from error
    except OSError as error:
        raise _unusable(name, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RuntimeError) as error:  # not UTF-8, a NUL in the path, an unknown home directory
        raise _unusable(name, f"cannot be read as UTF-8 text: {error}") from error


def _text(path: Path) -> str:
    # Reading a pipe or a device may never end.
    if path.exists() and not path.is_file():
        raise InvalidInput("it is no file")
    if path.stat().st_size > MAX_BYTES:
        raise InvalidInput(f"it has more than {MAX_BYTES} bytes")
    return path.read_text("utf-8")


def _unusable(name: str, why: str) -> InvalidInput:
    wanted = "Name a UTF-8 text file with one term per line, or leave it empty."
    return InvalidInput(f"RECOLLECT_VOCABULARY: {name!r} {why}. {wanted}", field="RECOLLECT_VOCABULARY")
