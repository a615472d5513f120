"""Reads the vocabularies: the packaged medical terms and, besides them, a deployment's own file.

It knows where the files are and nothing of what their terms are worth. A deployment adds terms and cannot
take any away: a message about an overdose is important wherever it is said.
"""

from importlib.resources import files
from pathlib import Path

from recollect.domain.vocabulary import Vocabulary, parse_vocabulary
from recollect.errors import InvalidInput
from recollect.settings import Settings

_MEDICAL = files("recollect.domain") / "data" / "medical.txt"
#: Bytes of a deployment's file; twenty times a long dictionary. More is the wrong file.
MAX_BYTES = 5_000_000
_VARIABLE = "RECOLLECT_VOCABULARY"


def load(settings: Settings) -> Vocabulary:
    """The terms that make a message important; a file that cannot be read stops the start, not a message."""
    medical = parse_vocabulary(_MEDICAL.read_text("utf-8"))
    return medical | _own(settings.vocabulary) if settings.vocabulary else medical


def _own(name: str) -> Vocabulary:
    try:
        path = Path(name).expanduser()
        # A pipe or a device may never end.
        if path.exists() and not path.is_file():
            raise _unusable(name, "is no file")
        if path.stat().st_size > MAX_BYTES:
            raise _unusable(name, f"has more than {MAX_BYTES} bytes")
        text = path.read_text("utf-8")
    except OSError as error:
        raise _unusable(name, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RuntimeError) as error:  # not UTF-8, a NUL in the path, a home that nobody has
        raise _unusable(name, f"cannot be read as UTF-8 text: {error}") from error
    try:
        return parse_vocabulary(text)
    except InvalidInput as error:
        raise _unusable(name, f"is no list of terms: {error}") from error


def _unusable(name: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"{_VARIABLE}: {name!r} {why}. Name a UTF-8 text file, one term a line, or leave it empty.",
        field=_VARIABLE,
    )
