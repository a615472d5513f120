"""Recollect: long-term memory for AI assistants, in one SQLite file or on PostgreSQL.

from recollect import Memory

memory = Memory("alice.db")                      # one file; no key, no server, no download
memory.remember("My wife is Jane", user="alice")
for hit in memory.recall("Who is her partner?", user="alice").hits:
    print(hit.memory.content, hit.score)

chat = memory.chat("dads-health", user="alice")
chat.add(user="My dad is allergic to penicillin.", assistant="Noted.")
print(chat.context("Which antibiotics are safe?", budget=8000).to_openai())
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.api.blocking import Chat, Memory
    from recollect.api.chat import AsyncChat
    from recollect.api.memory import AsyncMemory
    from recollect.client.blocking import Client, ClientChat
    from recollect.client.chat import AsyncClientChat
    from recollect.client.client import AsyncClient
    from recollect.context import Context
    from recollect.engine.amend import Amended
    from recollect.engine.entity_graph import EntityEdge, EntityGraph, EntityNode
    from recollect.engine.forget import Receipt
    from recollect.engine.judge import Judged
    from recollect.engine.look_back import ChatStats, PastSession, State
    from recollect.engine.merge import Entity, EntityDetails
    from recollect.engine.record import Recorded
    from recollect.engine.remember import Refused, Remembered
    from recollect.engine.report import Stats, StoreInfo
    from recollect.engine.spending import SpentToday
    from recollect.errors import (
        Conflict,
        EmbeddingError,
        InvalidInput,
        ModelError,
        NotAllowed,
        NotFound,
        NotWorthKeeping,
        RecollectError,
        StoreClosed,
        StoreCorrupt,
        StoreError,
        StoreOutdated,
        StoreTooNew,
        StoreUnavailable,
        TooManyRequests,
    )
    from recollect.index.answer import Recalled
    from recollect.index.recall import Explain, Hit
    from recollect.interchange.load import Loaded
    from recollect.records.brief import Brief
    from recollect.records.card import Card
    from recollect.records.category import Category, MemoryType
    from recollect.records.chat import ChatRecord
    from recollect.records.history import HistoryEntry
    from recollect.records.job import Job
    from recollect.records.link import Link
    from recollect.records.memory import MemoryRecord, Status
    from recollect.records.message import Message, Role
    from recollect.records.pin import Pin, PinType
    from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
    from recollect.records.seed import Seed
    from recollect.records.session import Session
    from recollect.records.session_state import RollingSummary
    from recollect.records.session_summary import SessionSummary
    from recollect.records.spine import Spine
    from recollect.records.summary import Summary
    from recollect.records.talk import TalkEvent, TalkEventKind
    from recollect.records.todo import Todo, TodoKind, TodoStatus
    from recollect.records.token import NewToken, Token
    from recollect.records.tool_reply import ToolReply
    from recollect.records.turn import Turn
    from recollect.rules.curator import CuratorReport
    from recollect.rules.draft import Request
    from recollect.rules.trust import Origin, Source
    from recollect.rules.variant import Variant
    from recollect.settings import Settings
    from recollect.store.jobs import JobFigures

__version__ = "0.1.0"

#: Where each public name lives. They are imported when first used: `recollect --help` must not wait for numpy.
_HOMES = {
    "Amended": "recollect.engine.amend",
    "AsyncChat": "recollect.api.chat",
    "AsyncClient": "recollect.client.client",
    "AsyncClientChat": "recollect.client.chat",
    "AsyncMemory": "recollect.api.memory",
    "Brief": "recollect.records.brief",
    "Card": "recollect.records.card",
    "Category": "recollect.records.category",
    "Chat": "recollect.api.blocking",
    "ChatRecord": "recollect.records.chat",
    "ChatStats": "recollect.engine.look_back",
    "Client": "recollect.client.blocking",
    "ClientChat": "recollect.client.blocking",
    "Conflict": "recollect.errors",
    "Context": "recollect.context",
    "CuratorReport": "recollect.rules.curator",
    "EmbeddingError": "recollect.errors",
    "Entity": "recollect.engine.merge",
    "EntityDetails": "recollect.engine.merge",
    "EntityEdge": "recollect.engine.entity_graph",
    "EntityGraph": "recollect.engine.entity_graph",
    "EntityNode": "recollect.engine.entity_graph",
    "Explain": "recollect.index.recall",
    "HistoryEntry": "recollect.records.history",
    "Hit": "recollect.index.recall",
    "InvalidInput": "recollect.errors",
    "Job": "recollect.records.job",
    "JobFigures": "recollect.store.jobs",
    "Judged": "recollect.engine.judge",
    "Link": "recollect.records.link",
    "Loaded": "recollect.interchange.load",
    "Memory": "recollect.api.blocking",
    "MemoryRecord": "recollect.records.memory",
    "MemoryType": "recollect.records.category",
    "Message": "recollect.records.message",
    "ModelError": "recollect.errors",
    "NewToken": "recollect.records.token",
    "NotAllowed": "recollect.errors",
    "NotFound": "recollect.errors",
    "NotWorthKeeping": "recollect.errors",
    "Origin": "recollect.rules.trust",
    "PastSession": "recollect.engine.look_back",
    "Pin": "recollect.records.pin",
    "PinType": "recollect.records.pin",
    "Proposal": "recollect.records.proposal",
    "ProposalKind": "recollect.records.proposal",
    "ProposalStatus": "recollect.records.proposal",
    "Recalled": "recollect.index.answer",
    "Receipt": "recollect.engine.forget",
    "RecollectError": "recollect.errors",
    "Recorded": "recollect.engine.record",
    "Refused": "recollect.engine.remember",
    "Remembered": "recollect.engine.remember",
    "Request": "recollect.rules.draft",
    "Role": "recollect.records.message",
    "RollingSummary": "recollect.records.session_state",
    "Seed": "recollect.records.seed",
    "Session": "recollect.records.session",
    "SessionSummary": "recollect.records.session_summary",
    "Settings": "recollect.settings",
    "Source": "recollect.rules.trust",
    "SpentToday": "recollect.engine.spending",
    "Spine": "recollect.records.spine",
    "State": "recollect.engine.look_back",
    "Stats": "recollect.engine.report",
    "Status": "recollect.records.memory",
    "StoreClosed": "recollect.errors",
    "StoreCorrupt": "recollect.errors",
    "StoreError": "recollect.errors",
    "StoreInfo": "recollect.engine.report",
    "StoreOutdated": "recollect.errors",
    "StoreTooNew": "recollect.errors",
    "StoreUnavailable": "recollect.errors",
    "Summary": "recollect.records.summary",
    "TalkEvent": "recollect.records.talk",
    "TalkEventKind": "recollect.records.talk",
    "Todo": "recollect.records.todo",
    "TodoKind": "recollect.records.todo",
    "TodoStatus": "recollect.records.todo",
    "Token": "recollect.records.token",
    "TooManyRequests": "recollect.errors",
    "ToolReply": "recollect.records.tool_reply",
    "Turn": "recollect.records.turn",
    "Variant": "recollect.rules.variant",
}

__all__ = [
    "Amended",
    "AsyncChat",
    "AsyncClient",
    "AsyncClientChat",
    "AsyncMemory",
    "Brief",
    "Card",
    "Category",
    "Chat",
    "ChatRecord",
    "ChatStats",
    "Client",
    "ClientChat",
    "Conflict",
    "Context",
    "CuratorReport",
    "EmbeddingError",
    "Entity",
    "EntityDetails",
    "EntityEdge",
    "EntityGraph",
    "EntityNode",
    "Explain",
    "HistoryEntry",
    "Hit",
    "InvalidInput",
    "Job",
    "JobFigures",
    "Judged",
    "Link",
    "Loaded",
    "Memory",
    "MemoryRecord",
    "MemoryType",
    "Message",
    "ModelError",
    "NewToken",
    "NotAllowed",
    "NotFound",
    "NotWorthKeeping",
    "Origin",
    "PastSession",
    "Pin",
    "PinType",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Recalled",
    "Receipt",
    "RecollectError",
    "Recorded",
    "Refused",
    "Remembered",
    "Request",
    "Role",
    "RollingSummary",
    "Seed",
    "Session",
    "SessionSummary",
    "Settings",
    "Source",
    "SpentToday",
    "Spine",
    "State",
    "Stats",
    "Status",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "StoreInfo",
    "StoreOutdated",
    "StoreTooNew",
    "StoreUnavailable",
    "Summary",
    "TalkEvent",
    "TalkEventKind",
    "Todo",
    "TodoKind",
    "TodoStatus",
    "Token",
    "TooManyRequests",
    "ToolReply",
    "Turn",
    "Variant",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
