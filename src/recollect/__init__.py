"""Recollect: long-term memory for AI assistants, in one SQLite file or on PostgreSQL.

from recollect import Memory

memory = Memory("alice.db")                      # one file; no key, no server, no download
memory.remember("My wife is Jane", user="alice")
for hit in memory.recall("Who is her partner?", user="alice").hits:
    print(hit.memory.content, hit.score)
"""

from recollect.domain.card import Card
from recollect.domain.category import Category, MemoryType
from recollect.domain.draft import Request
from recollect.domain.history import HistoryEntry
from recollect.domain.link import Link
from recollect.domain.memory import MemoryRecord, Status
from recollect.domain.recall import Explain, Hit
from recollect.engine.blocking import Memory
from recollect.engine.forget import Receipt
from recollect.engine.load import Loaded
from recollect.engine.memory import AsyncMemory
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.recall import Recalled
from recollect.engine.remember import Refused, Remembered
from recollect.engine.report import Stats
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
    "Recalled",
    "Receipt",
    "RecollectError",
    "Refused",
    "Remembered",
    "Request",
    "Settings",
    "Stats",
    "Status",
    "StoreCorrupt",
    "StoreError",
    "StoreOutdated",
    "StoreTooNew",
    "StoreUnavailable",
    "__version__",
]
