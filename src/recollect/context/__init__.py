"""The context: exactly the right part of a memory, inside a token budget, in front of a model (design 6.2).

`parts` is what was loaded, `selection` what the shares admit, `brought` what the question found, `sacrifice` what goes
when tokens are short, `assembly` all of that together; `wording` and `episode` say how a record reads, `excerpt` what of
a long one, `rendering` what is sent, `value` is the result with its forms.
Everything here is pure, so a golden test shows what a model will see. It loads nothing and calls no model.
"""

from recollect.context.assembly import assemble
from recollect.context.line import Dropped, Line, Section, SectionName
from recollect.context.parts import ContextParts
from recollect.context.value import Context

__all__ = ["Context", "ContextParts", "Dropped", "Line", "Section", "SectionName", "assemble"]
