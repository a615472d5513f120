"""Time words: what a question says about when, relative to its own time and zone.

`read` finds stretches ("in May 2023"), events ("before the move") and the manner ("the last time", "what did I tell you");
`closeness` says how near messages are to the stretches; `remembered_time`, `said_time` and `anchored` serve whoever looks an
event up. Everything here is pure. dateparser, parsedatetime and dateutil were rejected: each answers most phrases with one
moment, so that a month or a year becomes a day of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.language.time_words.anchor import Anchor, Relation, anchored, yearly
    from recollect.language.time_words.event_time import remembered_time, said_time
    from recollect.language.time_words.fact_date import date_in
    from recollect.language.time_words.falloff import closeness
    from recollect.language.time_words.reading import MOST, TimeWords, read
    from recollect.language.time_words.stretch import EARLIEST, Precision, Stretch

#: Where each name lives. Imported when first used: `closeness` needs numpy, and most of a program reads no question.
_HOMES = {
    "Anchor": "anchor", "EARLIEST": "stretch", "MOST": "reading", "Precision": "stretch", "Relation": "anchor",
    "Stretch": "stretch", "TimeWords": "reading", "anchored": "anchor", "closeness": "falloff", "date_in": "fact_date",
    "read": "reading", "remembered_time": "event_time", "said_time": "event_time", "yearly": "anchor",
}  # fmt: skip

__all__ = [
    "EARLIEST", "MOST", "Anchor", "Precision", "Relation", "Stretch", "TimeWords", "anchored", "closeness", "date_in",
    "read", "remembered_time", "said_time", "yearly",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
