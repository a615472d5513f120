"""The spine without a model: four sections of statements, best first, one a line.

The material comes sorted and in the third person; here it is only made to fit. What says the same as a line above it is
left out, and what is too long is cut after a word. It does not weigh: whoever gathers the material knows importance,
age and use, which a sentence does not show.
"""

from collections.abc import Sequence

from recollect.domain.gist.likeness import Likeness
from recollect.domain.sentence import shorten
from recollect.domain.spine import MAX_SECTION, SpineContent
from recollect.domain.spine_material import SpineMaterial

_BULLET = "- "
#: Characters of one line, so that a section holds at least five statements.
_LONGEST = 220


def spine_content(material: SpineMaterial) -> SpineContent:
    """A version of the spine from what there is to say."""
    return SpineContent(
        profile=_section(material.profile),
        projects=_section(material.projects),
        people=_section(material.people),
        open_loops=_section(material.open_loops),
    )


def _section(statements: Sequence[str]) -> str:
    """As many statements as fit; a long one that does not leaves its place to a shorter one."""
    likeness = Likeness()
    lines: list[str] = []
    kept: list[str] = []
    room = MAX_SECTION
    for statement in statements:
        text = " ".join(statement.split()).removeprefix(_BULLET)
        line = _BULLET + shorten(text, _LONGEST - len(_BULLET))
        if not text or len(line) > room or any(likeness.same(text, other) for other in kept):
            continue
        lines.append(line)
        kept.append(text)
        room -= len(line) + 1
    return "\n".join(lines)
