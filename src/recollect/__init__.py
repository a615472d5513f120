"""Recollect: long-term memory for AI assistants, in one SQLite file or on PostgreSQL.

from recollect import Memory

memory = Memory("alice.db")                      # one file; no key, no server, no download
memory.add("My wife is Jane", user="alice")
for hit in memory.search("Who is her partner?", user="alice"):
    print(hit.content, hit.score)

chat = memory.chat("dads-health", user="alice")
chat.add(user="My dad is allergic to penicillin.", assistant="Noted.")
print(chat.context("Which antibiotics are safe?", tokens=8000).to_openai())
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.api.arguments import NewMemory
    from recollect.api.blocking import Chat, Memory
    from recollect.api.chat import AsyncChat
    from recollect.api.memory import AsyncMemory
    from recollect.client.client import AsyncClient, Client
    from recollect.context import Context
    from recollect.engine.forget import Receipt
    from recollect.errors import (
        Conflict,
        InvalidInput,
        ModelError,
        NotFound,
        RecollectError,
        StoreError,
    )
    from recollect.records.hit import SearchResult
    from recollect.records.memory import MemoryRecord
    from recollect.records.message import Message
    from recollect.records.pin import Pin
    from recollect.records.todo import Todo
    from recollect.settings import Settings

__version__ = "0.1.0"

#: The module of each public name. Names are imported on first use, because `recollect --help` must not wait for numpy.
_HOMES = {
    "AsyncChat": "recollect.api.chat",
    "AsyncClient": "recollect.client.client",
    "AsyncMemory": "recollect.api.memory",
    "Chat": "recollect.api.blocking",
    "Client": "recollect.client.client",
    "Conflict": "recollect.errors",
    "Context": "recollect.context",
    "InvalidInput": "recollect.errors",
    "Memory": "recollect.api.blocking",
    "MemoryRecord": "recollect.records.memory",
    "Message": "recollect.records.message",
    "ModelError": "recollect.errors",
    "NewMemory": "recollect.api.arguments",
    "NotFound": "recollect.errors",
    "Pin": "recollect.records.pin",
    "Receipt": "recollect.engine.forget",
    "RecollectError": "recollect.errors",
    "SearchResult": "recollect.records.hit",
    "Settings": "recollect.settings",
    "StoreError": "recollect.errors",
    "Todo": "recollect.records.todo",
}

__all__ = [
    "AsyncChat",
    "AsyncClient",
    "AsyncMemory",
    "Chat",
    "Client",
    "Conflict",
    "Context",
    "InvalidInput",
    "Memory",
    "MemoryRecord",
    "Message",
    "ModelError",
    "NewMemory",
    "NotFound",
    "Pin",
    "Receipt",
    "RecollectError",
    "SearchResult",
    "Settings",
    "StoreError",
    "Todo",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
