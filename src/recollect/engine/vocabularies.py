"""Reads the vocabularies: the packaged medical terms and, besides them, a deployment's own file.

It knows where the files are and nothing of what their terms are worth. A deployment adds terms and cannot
take any away: a message about an overdose is important wherever it is said.
"""

from importlib.resources import files

from recollect.engine import own_files
from recollect.rules.vocabulary import Vocabulary, parse_vocabulary
from recollect.settings import Settings

_MEDICAL = files("recollect.rules") / "data" / "medical.txt"
#: Bytes of a deployment's file; twenty times a long dictionary. More is the wrong file.
MAX_BYTES = 5_000_000


def load(settings: Settings) -> Vocabulary:
    """The terms that make a message important; a file that cannot be read stops the start, not a message."""
    medical = parse_vocabulary(_MEDICAL.read_text("utf-8"))
    if not settings.vocabulary:
        return medical
    return medical | own_files.read(
        settings.vocabulary,
        parse_vocabulary,
        variable="RECOLLECT_VOCABULARY",
        wanted="a UTF-8 text file, one term a line",
        max_bytes=MAX_BYTES,
    )
