"""The context: the relevant part of a memory, inside a token budget, for a model (design 6.2).

`parts` has the loaded records, `selection` chooses by shares, `brought` adds what the question found, `sacrifice` trims, and
`assembly` runs these steps in order. `wording` and `episode` format records, `excerpt` shortens long messages, `rendering`
creates the forms to send, and `value` is the result. Everything here is pure: it loads nothing and calls no model.
"""

from recollect.context.assembly import assemble
from recollect.context.line import Dropped, Line, Section, SectionName
from recollect.context.parts import ContextParts
from recollect.context.value import Context

__all__ = ["Context", "ContextParts", "Dropped", "Line", "Section", "SectionName", "assemble"]
