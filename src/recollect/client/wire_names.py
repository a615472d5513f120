"""Maps record fields to the wire where their names or nesting differ.

The wire uses the sources' names (S0's `id` and `session_id`, S4's `startedAt`); records use ours. Records not listed here
have the same names in both.
"""

from collections.abc import Callable, Mapping
from typing import Any

from recollect.context import Context
from recollect.engine.amend import Amended
from recollect.engine.forget import Receipt
from recollect.engine.look_back import ChatStats, PastSession, State
from recollect.engine.merge import EntityDetails
from recollect.engine.report import Stats
from recollect.interchange.load import Loaded
from recollect.records.chat import Brief, Summary
from recollect.records.hit import EpisodeHit, Explain, Hit, SearchResult, SessionHit
from recollect.records.job import Job
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message
from recollect.records.pin import Pin
from recollect.records.proposal import Proposal
from recollect.records.session import Session, SessionState, SessionSummary
from recollect.records.spine import Spine, SpineContent
from recollect.records.todo import Todo
from recollect.records.token import Token
from recollect.rules.curator.run import CuratorReport, Folded, Noted

Values = Mapping[str, Any]


def fields_of(kind: type[Any], values: Values) -> Values:
    """A record's values by field name."""
    renamed = _NAMES.get(kind)
    if renamed is not None:
        others = {name: value for name, value in values.items() if name not in renamed.values()}
        return others | {name: values[wire] for name, wire in renamed.items() if wire in values}
    placed = _PLACES.get(kind)
    return placed(values) if placed is not None else values


#: Each field's name on the wire.
_NAMES: dict[type[Any], dict[str, str]] = {
    Brief: {"created_at": "updated_at"},
    ChatStats: {
        "total_messages": "totalMessages",
        "total_summaries": "totalSummaries",
        "total_pins": "totalPins",
        "oldest_message": "oldestMessage",
        "newest_message": "newestMessage",
        "average_importance_score": "averageImportanceScore",
        "total_tokens": "totalTokens",
        "covered_tokens": "coveredTokens",
        "brief_tokens": "briefTokens",
        "compression_ratio": "compressionRatio",
        "unfolded_messages": "unfoldedMessages",
        "unfolded_tokens": "unfoldedTokens",
        "open_jobs": "openJobs",
        "dead_jobs": "deadJobs",
        "lag_seconds": "lagSeconds",
    },
    Explain: {"source_message_ids": "sources"},
    Job: {"job_id": "id"},
    Pin: {"pin_id": "id", "chat_id": "session_id"},
    Proposal: {"proposal_id": "id"},
    SearchResult: {"hits": "memories", "messages": "episodes"},
    Session: {
        "session_id": "id",
        "started_at": "startedAt",
        "last_activity_at": "lastActivityAt",
        "ended_at": "endedAt",
        "turn_count": "turnCount",
    },
    SessionSummary: {"digest": "summary"},
    Spine: {"message_count": "messageCount"},
    SpineContent: {
        "profile": "PROFILE",
        "projects": "PROJECTS",
        "people": "PEOPLE",
        "open_loops": "OPEN_LOOPS",
    },
    Summary: {"summary_id": "id", "chat_id": "session_id"},
    Todo: {"todo_id": "id"},
    Token: {"token_id": "id"},
}


def _memory(values: Values) -> Values:
    subtype: Values = values.get("subtype") or {}
    return {**values, "entity_type": subtype.get("entityType"), "fact_type": subtype.get("factType")}


def _message(values: Values) -> Values:
    """S0's message. An empty model means none; S0's usage may be our own count, so `billed_tokens` is used instead."""
    return {
        **values,
        "message_id": values["id"],
        "chat_id": values["session_id"],
        "model_id": values["model_id"] or None,
        "token_usage": values.get("billed_tokens"),
        "session_id": values.get("session"),
    }


def _said(values: Values) -> Values:
    """A message inside an episode, with S0's names."""
    return {**values, "id": values["message_id"], "session_id": values["chat_id"]}


def _episode(values: Values) -> Values:
    return {
        **values,
        "message": _said(values),
        "before": [_said(item) for item in values["before"]],
        "after": [_said(item) for item in values["after"]],
    }


def _state(values: Values) -> Values:
    """S4's two levels merged into one, with `persona_id`."""
    curator, error = values["curator"], values["lastRollingError"]
    return {
        "persona_id": values.get("persona_id"),
        "message_count": values["messageCount"],
        "last_interaction": values["lastInteraction"],
        "last_user_message": values["lastUserMessage"],
        "last_user_message_id": values.get("lastUserMessageId"),
        "last_rolling_attempt_at": values["lastRollingAttemptAt"],
        "last_rolling_success_at": values["lastRollingSuccessAt"],
        "last_rolling_error": (error["reason"], error["detail"]) if error else None,
        "curator_last_run_at": curator["lastRunAt"],
        "curator_memory_count": curator["lastMemoryCountAtRun"],
    }


def _past_session(values: Values) -> Values:
    told = values.get("summarised")
    return {
        "session": values,
        "summary": {**told, "session_id": values["id"]} if told else None,
        "chats": values.get("chats", ()),
        "summaries": [{**item, "session_id": values["id"]} for item in values.get("revisions", ())],
    }


def _receipt(values: Values) -> Values:
    counted = dict(values["receipt"])
    return {
        "erased_from_disk": counted.pop("erased_from_disk"),
        "counts": counted,
        "refolded": values["refolded"],
        "disk": values.get("disk", ""),
    }


def _amended(values: Values) -> Values:
    followed = values["rederived"]
    return {
        "message": values,
        "removed_pins": followed["removed"],
        "added_pins": followed["added"],
        "refolded": followed["refolded"],
    }


def _context(values: Values) -> Values:
    """A context that is rendered here; it has only the pins and summaries that fit S0's form."""
    asked = values["question"]["message_id"]
    recent = values["recentMessages"]
    return {
        **values,
        "tail": [message for message in recent if message["id"] != asked],
        "question": values["question"]["text"],
        "asked": next((message for message in recent if message["id"] == asked), None),
        "pins": values["semanticPins"],
    }


def _folded(values: Values) -> Values:
    into = values["into"]
    return {**values, "into": {**into, "memory_id": into["memory_id"] or ""}, "originals": values["from"]}


#: Converters for records that need more than renaming.
_PLACES: dict[type[Any], Callable[[Values], Values]] = {
    Amended: _amended,
    Context: _context,
    CuratorReport: lambda values: {
        **values,
        "merged": [(pair["from"], pair["into"]) for pair in values["merged"]],
    },
    EntityDetails: lambda values: {
        **values,
        "entity": values,
        "neighbours": [(item["key"], item["count"]) for item in values["neighbours"]],
    },
    EpisodeHit: _episode,
    Folded: _folded,
    Hit: lambda values: {**values, "memory": values},
    Loaded: lambda values: {
        **values,
        "skipped": [(item["line"], item["reason"]) for item in values["skipped"]],
    },
    MemoryRecord: _memory,
    Message: _message,
    Noted: lambda values: {"memory": values, "reason": values["reason"]},
    PastSession: _past_session,
    Receipt: _receipt,
    SessionHit: lambda values: {**values, "message": _said(values)},
    SessionState: _state,
    State: lambda values: {
        "state": {**values["state"], "persona_id": values.get("persona_id")},
        "rolling": values.get("rolling"),
        "personas": values.get("personas", ()),
        "rolling_summaries": values.get("revisions", ()),
    },
    Stats: lambda values: {
        **values,
        "growth": [(item["week"], item["count"]) for item in values["growth"]],
    },
}
