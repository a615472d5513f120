"""Records for tests of contexts, with the tokens that the store would have counted."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.context import Context, ContextParts, assemble
from recollect.encoder.tokens import count
from recollect.records.category import Category, MemoryType
from recollect.records.chat import Brief, Summary
from recollect.records.hit import EpisodeExplain, EpisodeHit, Explain, Hit
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message, Role
from recollect.records.pin import Pin, PinType
from recollect.rules.budget import Limits

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOTHING = ContextParts(
    chat_id="c1",
    persona_id=None,
    now=NOON,
    pins=(),
    profile=(),
    seed_notes="",
    spine=None,
    session_summary=None,
    todos=(),
    rolling=None,
    brief=None,
    summaries=(),
    important=(),
    recent=(),
    folded_position=0,
    cards=(),
    hits=(),
)


def message(position: int, role: str, text: str, **values: Any) -> Message:
    """A message, a minute after the one before it."""
    record = Message(
        user_id="ann",
        message_id=f"m{position}",
        chat_id="c1",
        position=position,
        role=Role(role),
        text=text,
        tokens=count(text),
        importance_score=5.0,
        created_at=NOON + timedelta(minutes=position),
    )
    return replace(record, **values)


def talk(*said: tuple[str, str], start: int = 1) -> tuple[Message, ...]:
    """A conversation, from who said what."""
    return tuple(message(position, role, text) for position, (role, text) in enumerate(said, start))


def exchanges(number: int, *, words: int = 1, start: int = 1) -> tuple[Message, ...]:
    """So many turns of a question and an answer, each of so many words."""
    return talk(
        *(
            (role, f"{word} {turn}" + " tea" * (words - 1))
            for turn in range(1, number + 1)
            for role, word in (("user", "question"), ("assistant", "answer"))
        ),
        start=start,
    )


def pin(number: int, content: str, importance: float = 5.0) -> Pin:
    """A pin by hand; later numbers are newer."""
    return Pin(
        user_id="ann",
        pin_id=f"p{number}",
        chat_id="c1",
        content=content,
        importance_score=importance,
        pin_type=PinType.MANUAL,
        tokens=count(content),
        created_at=NOON + timedelta(seconds=number),
    )


def memory(number: int, content: str, category: str = "preference", **values: Any) -> MemoryRecord:
    """A memory of importance 9; later numbers are newer."""
    record = MemoryRecord(
        user_id="ann",
        memory_id=f"f{number:03}",
        content=content,
        category=Category(category),
        type=MemoryType.PROFILE,
        importance=9.0,
        created_at=NOON - timedelta(days=1),
        updated_at=NOON - timedelta(days=1),
        valid_from=NOON - timedelta(days=1),
        tokens=count(content),
    )
    return replace(record, **values)


def hit(number: int, content: str, score: float, **values: Any) -> Hit:
    """A found memory."""
    explain = Explain(
        similarity=0.9,
        recency=0.5,
        frequency=0.25,
        plausibility=1.0,
        vector_rank=1,
        text_rank=None,
        cosine=0.8,
        bm25=1.0,
    )
    return Hit(memory=memory(number, content, "fact", **values), score=score, explain=explain)


def episode(
    position: int, role: str, text: str, score: float = 0.5, *, before: Sequence[Message] = (), **values: Any
) -> EpisodeHit:
    """A found message, of another chat unless it says so."""
    said = message(position, role, text, **{"message_id": f"e{position}", "chat_id": "old"} | values)
    return EpisodeHit(message=said, score=score, explain=EpisodeExplain(), before=tuple(before))


def brief(text: str, last: str = "m2") -> Brief:
    """A brief that reaches to this message."""
    return Brief(
        user_id="ann",
        chat_id="c1",
        revision=2,
        global_summary=text,
        last_summarized_message_id=last,
        tokens=count(text),
        created_at=NOON,
    )


def summary(number: int, text: str, importance: float = 5.0) -> Summary:
    """A segment of two messages."""
    return Summary(
        user_id="ann",
        summary_id=f"s{number}",
        chat_id="c1",
        summary=text,
        message_count=2,
        start_message_id=f"m{2 * number - 1}",
        end_message_id=f"m{2 * number}",
        start_position=2 * number - 1,
        end_position=2 * number,
        importance_score=importance,
        tokens=count(text),
        covered_tokens=100,
        created_at=NOON,
    )


def context(budget: int = 8000, limits: Limits | None = None, **values: Any) -> Context:
    """A context of these parts and nothing else."""
    parts = replace(NOTHING, **values)
    return assemble(parts, budget=budget, limits=limits or Limits(), count=count)


def costs(shown: Context) -> tuple[int, int, int]:
    """What the OpenAI, the Anthropic and the text form really cost."""
    anthropic = shown.to_anthropic()
    return (
        sum(
            count(item["content"]) + 4 + (count(item["name"]) + 1 if "name" in item else 0)
            for item in shown.to_openai()
        ),
        _blocks(anthropic["system"]) + sum(_blocks(item["content"]) + 4 for item in anthropic["messages"]),
        count(shown.to_text()),
    )


def _blocks(blocks: Sequence[dict[str, Any]]) -> int:
    return sum(count(block["text"]) for block in blocks)
