"""The other types that methods take and return, for annotations: `from recollect.types import Hit, Page`."""

from recollect.admin import Metrics
from recollect.api.blocking import Tools
from recollect.api.tools import AsyncTools
from recollect.context.line import Dropped, Line, Section
from recollect.engine.amend import Amended
from recollect.engine.judge import Judged
from recollect.engine.look_back import ChatStats, PastSession, State
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.record import Recorded
from recollect.engine.reembed import Progress
from recollect.engine.remember import Refused, Remembered
from recollect.engine.report import Stats, StoreInfo
from recollect.engine.spending import SpentToday
from recollect.interchange.load import Loaded
from recollect.models.embedders import Embedder
from recollect.records.category import Category, MemoryType
from recollect.records.chat import Brief, ChatRecord, Summary
from recollect.records.cursor import Page
from recollect.records.entity import Card
from recollect.records.history import HistoryEntry
from recollect.records.hit import EpisodeExplain, EpisodeHit, Explain, Hit, SessionHit
from recollect.records.job import Job
from recollect.records.memory import Origin, Source, Status
from recollect.records.message import Role
from recollect.records.pin import PinType
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.records.seed import Seed
from recollect.records.session import (
    RollingSummary,
    Session,
    SessionChat,
    SessionDigest,
    SessionState,
    SessionSummary,
)
from recollect.records.spine import Spine, SpineContent
from recollect.records.talk import TalkEvent, TalkEventKind
from recollect.records.todo import TodoKind, TodoStatus
from recollect.records.token import NewToken, Token
from recollect.records.tool_reply import ToolReply
from recollect.rules.curator.run import CuratorReport, Folded, Noted
from recollect.store.jobs import JobFigures

__all__ = [
    "Amended",
    "AsyncTools",
    "Brief",
    "Card",
    "Category",
    "ChatRecord",
    "ChatStats",
    "CuratorReport",
    "Dropped",
    "Embedder",
    "Entity",
    "EntityDetails",
    "EpisodeExplain",
    "EpisodeHit",
    "Explain",
    "Folded",
    "HistoryEntry",
    "Hit",
    "Job",
    "JobFigures",
    "Judged",
    "Line",
    "Loaded",
    "MemoryType",
    "Metrics",
    "NewToken",
    "Noted",
    "Origin",
    "Page",
    "PastSession",
    "PinType",
    "Progress",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Recorded",
    "Refused",
    "Remembered",
    "Role",
    "RollingSummary",
    "Section",
    "Seed",
    "Session",
    "SessionChat",
    "SessionDigest",
    "SessionHit",
    "SessionState",
    "SessionSummary",
    "Source",
    "SpentToday",
    "Spine",
    "SpineContent",
    "State",
    "Stats",
    "Status",
    "StoreInfo",
    "Summary",
    "TalkEvent",
    "TalkEventKind",
    "TodoKind",
    "TodoStatus",
    "Token",
    "ToolReply",
    "Tools",
]
