"""Exports of other products, read as if they were ours.

`chatgpt`, `claude` and `mem0` read one product each, `plain` reads messages and memories, one per line. `recognise` finds the
format of a document, and `read` turns it into our own document, with a list of what was skipped and why. Ids are derived from
the source's ids, so an export may be read again, and a later one as well. The import then checks every value as in any file.
"""

from recollect.interchange.foreign.piece import AUTO, Format, check_format
from recollect.interchange.foreign.recognise import Given, parsed, read, recognise

__all__ = ["AUTO", "Format", "Given", "check_format", "parsed", "read", "recognise"]
