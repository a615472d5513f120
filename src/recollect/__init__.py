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
    from recollect.client.blocking import Client, ClientChat
    from recollect.client.chat import AsyncClientChat
    from recollect.client.client import AsyncClient
    from recollect.domain.brief import Brief
    from recollect.domain.card import Card
    from recollect.domain.category import Category, MemoryType
    from recollect.domain.chat import ChatRecord
    from recollect.domain.context import Context
    from recollect.domain.curator import CuratorReport
    from recollect.domain.draft import Request
    from recollect.domain.history import HistoryEntry
    from recollect.domain.job import Job
    from recollect.domain.link import Link
    from recollect.domain.memory import MemoryRecord, Status
    from recollect.domain.message import Message, Role
    from recollect.domain.pin import Pin, PinType
    from recollect.domain.proposal import Proposal, ProposalKind, ProposalStatus
    from recollect.domain.recall import Explain, Hit
    from recollect.domain.seed import Seed
    from recollect.domain.session import Session
    from recollect.domain.session_state import RollingSummary
    from recollect.domain.session_summary import SessionSummary
    from recollect.domain.spine import Spine
    from recollect.domain.summary import Summary
    from recollect.domain.talk import TalkEvent, TalkEventKind
    from recollect.domain.todo import Todo, TodoKind, TodoStatus
    from recollect.domain.token import NewToken, Token
    from recollect.domain.tool_reply import ToolReply
    from recollect.domain.trust import Origin, Source
    from recollect.domain.turn import Turn
    from recollect.domain.variant import Variant
    from recollect.engine.amend import Amended
    from recollect.engine.answer import Recalled
    from recollect.engine.entity_graph import EntityEdge, EntityGraph, EntityNode
    from recollect.engine.forget import Receipt
    from recollect.engine.judge import Judged
    from recollect.engine.load import Loaded
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
    from recollect.face.blocking import Chat, Memory
    from recollect.face.chat import AsyncChat
    from recollect.face.memory import AsyncMemory
    from recollect.settings import Settings
    from recollect.store.jobs import JobFigures

__version__ = "0.1.0"

#: Where each public name lives. They are imported when first used: `recollect --help` must not wait for numpy.
_HOMES = {
    "Amended": "recollect.engine.amend",
    "AsyncChat": "recollect.face.chat",
    "AsyncClient": "recollect.client.client",
    "AsyncClientChat": "recollect.client.chat",
    "AsyncMemory": "recollect.face.memory",
    "Brief": "recollect.domain.brief",
    "Card": "recollect.domain.card",
    "Category": "recollect.domain.category",
    "Chat": "recollect.face.blocking",
    "ChatRecord": "recollect.domain.chat",
    "ChatStats": "recollect.engine.look_back",
    "Client": "recollect.client.blocking",
    "ClientChat": "recollect.client.blocking",
    "Conflict": "recollect.errors",
    "Context": "recollect.domain.context",
    "CuratorReport": "recollect.domain.curator",
    "EmbeddingError": "recollect.errors",
    "Entity": "recollect.engine.merge",
    "EntityDetails": "recollect.engine.merge",
    "EntityEdge": "recollect.engine.entity_graph",
    "EntityGraph": "recollect.engine.entity_graph",
    "EntityNode": "recollect.engine.entity_graph",
    "Explain": "recollect.domain.recall",
    "HistoryEntry": "recollect.domain.history",
    "Hit": "recollect.domain.recall",
    "InvalidInput": "recollect.errors",
    "Job": "recollect.domain.job",
    "JobFigures": "recollect.store.jobs",
    "Judged": "recollect.engine.judge",
    "Link": "recollect.domain.link",
    "Loaded": "recollect.engine.load",
    "Memory": "recollect.face.blocking",
    "MemoryRecord": "recollect.domain.memory",
    "MemoryType": "recollect.domain.category",
    "Message": "recollect.domain.message",
    "ModelError": "recollect.errors",
    "NewToken": "recollect.domain.token",
    "NotAllowed": "recollect.errors",
    "NotFound": "recollect.errors",
    "NotWorthKeeping": "recollect.errors",
    "Origin": "recollect.domain.trust",
    "PastSession": "recollect.engine.look_back",
    "Pin": "recollect.domain.pin",
    "PinType": "recollect.domain.pin",
    "Proposal": "recollect.domain.proposal",
    "ProposalKind": "recollect.domain.proposal",
    "ProposalStatus": "recollect.domain.proposal",
    "Recalled": "recollect.engine.answer",
    "Receipt": "recollect.engine.forget",
    "RecollectError": "recollect.errors",
    "Recorded": "recollect.engine.record",
    "Refused": "recollect.engine.remember",
    "Remembered": "recollect.engine.remember",
    "Request": "recollect.domain.draft",
    "Role": "recollect.domain.message",
    "RollingSummary": "recollect.domain.session_state",
    "Seed": "recollect.domain.seed",
    "Session": "recollect.domain.session",
    "SessionSummary": "recollect.domain.session_summary",
    "Settings": "recollect.settings",
    "Source": "recollect.domain.trust",
    "SpentToday": "recollect.engine.spending",
    "Spine": "recollect.domain.spine",
    "State": "recollect.engine.look_back",
    "Stats": "recollect.engine.report",
    "Status": "recollect.domain.memory",
    "StoreClosed": "recollect.errors",
    "StoreCorrupt": "recollect.errors",
    "StoreError": "recollect.errors",
    "StoreInfo": "recollect.engine.report",
    "StoreOutdated": "recollect.errors",
    "StoreTooNew": "recollect.errors",
    "StoreUnavailable": "recollect.errors",
    "Summary": "recollect.domain.summary",
    "TalkEvent": "recollect.domain.talk",
    "TalkEventKind": "recollect.domain.talk",
    "Todo": "recollect.domain.todo",
    "TodoKind": "recollect.domain.todo",
    "TodoStatus": "recollect.domain.todo",
    "Token": "recollect.domain.token",
    "TooManyRequests": "recollect.errors",
    "ToolReply": "recollect.domain.tool_reply",
    "Turn": "recollect.domain.turn",
    "Variant": "recollect.domain.variant",
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
