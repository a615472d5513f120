"""Other products' exports, read as if they were ours.

One file a format: `chatgpt`, `claude`, `mem0`, and `plain` for messages and memories one a line. `recognise` tells which
one a document is, and `read` turns it into the document that our own import takes, with a list of what was left out and
why. Ids are derived from the source's own, so that an export may be read again, and a later one beside it. Nothing here
knows what is stored, nor how a file or an archive is opened. Records are not made here: the import checks every value
as it does with anybody's file.
"""

from recollect.interchange.foreign.format import AUTO, Format, check_format
from recollect.interchange.foreign.given import Given
from recollect.interchange.foreign.lines import parsed
from recollect.interchange.foreign.recognise import read, recognise

__all__ = ["AUTO", "Format", "Given", "check_format", "parsed", "read", "recognise"]
