"""Recollect: long-term memory for AI assistants, in one SQLite file or on PostgreSQL.

from recollect import Memory

memory = Memory("alice.db")                      # one file; no key, no server, no download
memory.remember("My wife is Jane", user="alice")
for hit in memory.recall("Who is her partner?", user="alice").hits:
    print(hit.memory.content, hit.score)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.domain.card import Card
    from recollect.domain.category import Category, MemoryType
    from recollect.domain.draft import Request
    from recollect.domain.history import HistoryEntry
    from recollect.domain.link import Link
    from recollect.domain.memory import MemoryRecord, Status
    from recollect.domain.recall import Explain, Hit
    from recollect.domain.trust import Origin, Source
    from recollect.engine.blocking import Memory
    from recollect.engine.forget import Receipt
    from recollect.engine.load import Loaded
    from recollect.engine.memory import AsyncMemory
    from recollect.engine.merge import Entity, EntityDetails
    from recollect.engine.recall import Recalled
    from recollect.engine.remember import Refused, Remembered
    from recollect.engine.report import Stats, StoreInfo
    from recollect.errors import (
        Conflict,
        EmbeddingError,
        InvalidInput,
        ModelError,
        NotFound,
        NotWorthKeeping,
        RecollectError,
        StoreCorrupt,
        StoreError,
        StoreOutdated,
        StoreTooNew,
        StoreUnavailable,
    )
    from recollect.settings import Settings

__version__ = "0.1.0"

#: Where each public name lives. They are imported when first used: `recollect --help` must not wait for numpy.
_HOMES = {
    "AsyncMemory": "recollect.engine.memory",
    "Card": "recollect.domain.card",
    "Category": "recollect.domain.category",
    "Conflict": "recollect.errors",
    "EmbeddingError": "recollect.errors",
    "Entity": "recollect.engine.merge",
    "EntityDetails": "recollect.engine.merge",
    "Explain": "recollect.domain.recall",
    "HistoryEntry": "recollect.domain.history",
    "Hit": "recollect.domain.recall",
    "InvalidInput": "recollect.errors",
    "Link": "recollect.domain.link",
    "Loaded": "recollect.engine.load",
    "Memory": "recollect.engine.blocking",
    "MemoryRecord": "recollect.domain.memory",
    "MemoryType": "recollect.domain.category",
    "ModelError": "recollect.errors",
    "NotFound": "recollect.errors",
    "NotWorthKeeping": "recollect.errors",
    "Origin": "recollect.domain.trust",
    "Recalled": "recollect.engine.recall",
    "Receipt": "recollect.engine.forget",
    "RecollectError": "recollect.errors",
    "Refused": "recollect.engine.remember",
    "Remembered": "recollect.engine.remember",
    "Request": "recollect.domain.draft",
    "Settings": "recollect.settings",
    "Source": "recollect.domain.trust",
    "Stats": "recollect.engine.report",
    "StoreInfo": "recollect.engine.report",
    "Status": "recollect.domain.memory",
    "StoreCorrupt": "recollect.errors",
    "StoreError": "recollect.errors",
    "StoreOutdated": "recollect.errors",
    "StoreTooNew": "recollect.errors",
    "StoreUnavailable": "recollect.errors",
}

__all__ = [
    "AsyncMemory",
    "Card",
    "Category",
    "Conflict",
    "EmbeddingError",
    "Entity",
    "EntityDetails",
    "Explain",
    "HistoryEntry",
    "Hit",
    "InvalidInput",
    "Link",
    "Loaded",
    "Memory",
    "MemoryRecord",
    "MemoryType",
    "ModelError",
    "NotFound",
    "NotWorthKeeping",
    "Origin",
    "Recalled",
    "Receipt",
    "RecollectError",
    "Refused",
    "Remembered",
    "Request",
    "Settings",
    "Source",
    "Stats",
    "Status",
    "StoreCorrupt",
    "StoreError",
    "StoreInfo",
    "StoreOutdated",
    "StoreTooNew",
    "StoreUnavailable",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
