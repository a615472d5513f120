"""The spine without a model: four sections of statements, best first, one a line.

The material comes sorted and in the third person; here it is only made to fit. What says the same as a line above it is
left out, also across sections, and what is too long is cut after a word. It does not weigh: whoever gathers the material knows importance,
age and use, which a sentence does not show.
"""

from collections.abc import Sequence

from recollect.language.gist.likeness import Likeness
from recollect.language.spine_material import SpineMaterial
from recollect.records.spine import MAX_SECTION, SpineContent, statement


def spine_content(material: SpineMaterial) -> SpineContent:
    """A version of the spine from what there is to say."""
    likeness, kept = Likeness(), list[str]()
    # What is still open is no lasting fact: it stands where it can be ticked off.
    open_loops = _section(material.open_loops, kept, likeness)
    return SpineContent(
        profile=_section(material.profile, kept, likeness),
        projects=_section(material.projects, kept, likeness),
        people=_section(material.people, kept, likeness),
        open_loops=open_loops,
    )


def _section(statements: Sequence[str], kept: list[str], likeness: Likeness) -> str:
    """As many statements as fit and say what none in `kept` says; a long one that does not fit gives way to a shorter."""
    lines: list[str] = []
    room = MAX_SECTION
    for text in statements:
        line = statement(text)
        if not line or len(line) > room or any(likeness.same(text, other) for other in kept):
            continue
        lines.append(line)
        kept.append(text)
        room -= len(line) + 1
    return "\n".join(lines)
