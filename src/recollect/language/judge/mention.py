"""Whom and what a proposed memory mentions: the entities that its key needs, then those that its words name.

The one that the fact is about comes first, for its label is shown and its card is opened. It does not store entities.
"""

from collections.abc import Mapping

from recollect.language import memory_key
from recollect.language.categorise import categorise
from recollect.language.entity_names import recognise
from recollect.records.category import Category
from recollect.rules.subject import USER

#: A memory with more is a list of names.
_MOST_REFS = 8


def mentions(
    content: str, category: Category | None, names: Mapping[str, str]
) -> tuple[tuple[str, ...], str | None]:
    """The entities of a statement, the one it is about first, and how that one is written."""
    subject = memory_key.derive(content, category or categorise(content))
    labels: dict[str, str | None] = dict.fromkeys(subject.entity_refs if subject else ())
    for found in recognise(content, names):
        if found.key not in labels or labels[found.key] is None:
            labels[found.key] = found.label
    if subject is not None and subject.primary_ref != USER and subject.entity_refs:
        labels[subject.entity_refs[0]] = subject.label
    first = next(iter(labels), None)
    return tuple(labels)[:_MOST_REFS], labels[first] if first else None
