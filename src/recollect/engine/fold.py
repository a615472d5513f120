"""Fold: condense a chat's older turns into its brief (S1 5.2), and write summaries requested by hand.

Load the messages after the brief, let the rules choose which to fold, let the writer work outside any transaction, and
save brief, segment and cursor in one. The chat's revision guards the save: if the chat was folded, edited or truncated in
the meantime, nothing is written and the fold is decided again. So each fold happens once, however many workers try.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from recollect.encoder import tokens
from recollect.engine.parts import Parts
from recollect.errors import Conflict, NotFound
from recollect.language import gist
from recollect.language.sentence import cut_at_sentence
from recollect.records.chat import Brief, ChatRecord, Summary
from recollect.records.message import Message, Turn, turns_of
from recollect.rules import fold as folding
from recollect.store import briefs, chats, messages, summaries
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Messages read at first: enough for most folds, so that a long backlog is not read in full each time.
FIRST_LOADED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """A chat and all or the first of the messages after its brief, in one snapshot."""

    chat: ChatRecord
    brief: Brief | None
    unfolded: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The writer's summary of some turns."""

    brief: str
    brief_tokens: int
    segment: str
    segment_tokens: int
    importance: float


async def fold(parts: Parts, user_id: str, chat_id: str) -> Summary | None:
    """Fold once if a fold is due; otherwise return None."""
    limit = FIRST_LOADED
    while True:
        loaded = await parts.database.read(user_id, partial(_load, user_id, chat_id, limit))
        if loaded is None:
            return None
        settings = parts.settings
        taken = folding.plan(
            loaded.chat,
            loaded.brief,
            loaded.unfolded,
            raw_turns=settings.raw_turns,
            threshold=settings.fold_threshold_tokens,
        )
        if len(loaded.unfolded) == limit and (taken is None or taken.left <= settings.raw_turns):
            # The decision depended on the last message read, which may not be the end of the chat.
            limit *= 4
            continue
        if taken is None:
            return None
        saved = await _write(parts, loaded, taken.turns)
        if saved is not None:
            return saved
        log.info("fold.overtaken user=%s chat=%s", user_id, chat_id)


async def summarise(
    parts: Parts, user_id: str, chat_id: str, start_id: str, end_id: str, count: int
) -> Summary:
    """Check and write a summary requested by hand (S0's CreateSummaryRequest); it becomes part of the brief."""

    def load(tx: Connection) -> tuple[_Loaded, list[Message]]:
        loaded = _load(user_id, chat_id, None, tx)
        if loaded is None:
            raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)
        start, end = messages.get(tx, user_id, start_id), messages.get(tx, user_id, end_id)
        return loaded, folding.check_segment(loaded.unfolded, start, end, count, chat_id=chat_id)

    loaded, segment = await parts.database.read(user_id, load)
    saved = await _write(parts, loaded, turns_of(segment))
    if saved is None:
        raise Conflict(f"Chat {chat_id!r} changed in the meantime; read it again and retry.")
    return saved


def _load(user_id: str, chat_id: str, limit: int | None, tx: Connection) -> _Loaded | None:
    chat = chats.get(tx, user_id, chat_id)
    if chat is None:
        return None
    return _Loaded(
        chat=chat,
        brief=briefs.current(tx, user_id, chat_id),
        unfolded=tuple(messages.after(tx, user_id, chat_id, chat.folded_position, limit)),
    )


async def _write(parts: Parts, loaded: _Loaded, turns: Sequence[Turn]) -> Summary | None:
    """Let the writer write, and save the result; None if the chat has changed in the meantime."""
    began = time.monotonic()
    written = await _written(parts, loaded.brief, turns)
    chat = loaded.chat
    saved = await parts.database.write(chat.user_id, partial(_save, parts, loaded, turns, written))
    if saved is not None:
        log.info(
            "fold.done user=%s chat=%s turns=%d messages=%d tokens_before=%d tokens_after=%d by=%s seconds=%.3f",
            chat.user_id,
            chat.chat_id,
            len(turns),
            saved.message_count,
            saved.covered_tokens + (loaded.brief.tokens if loaded.brief else 0),
            written.brief_tokens,
            parts.writer.name,
            time.monotonic() - began,
        )
    return saved


async def _written(parts: Parts, brief: Brief | None, turns: Sequence[Turn]) -> _Written:
    cap = parts.settings.summary_token_cap
    existing = brief.global_summary if brief else ""
    folded = await parts.writer.fold(existing, turns, cap=cap)
    whole = tokens.count(folded.brief)
    text = folded.brief if whole <= cap else cut_at_sentence(folded.brief, cap, tokens.count)
    if text != folded.brief:
        log.warning("fold.summary_cut tokens=%d cap=%d by=%s", whole, cap, parts.writer.name)
    # The first segment is the whole summary. Later ones are extracted from their own turns, without a second model call.
    segment = folded.segment if existing else text
    if segment is None:
        # In a thread, because the rules can take tenths of a second.
        segment = await asyncio.to_thread(gist.segment, turns, cap=cap, count=tokens.count)
    return _Written(
        brief=text,
        brief_tokens=tokens.count(text),
        segment=segment,
        segment_tokens=tokens.count(segment),
        importance=gist.segment_importance(turns),
    )


def _save(
    parts: Parts, loaded: _Loaded, turns: Sequence[Turn], written: _Written, tx: Connection
) -> Summary | None:
    chat = chats.get(tx, loaded.chat.user_id, loaded.chat.chat_id)
    if chat is None or chat.revision != loaded.chat.revision:
        return None
    covered = [message for turn in turns for message in turn.messages]
    if messages.get(tx, chat.user_id, covered[0].message_id) is None:
        # The chat was forgotten and another one with the same name was created, whose revisions start again.
        return None
    now = parts.now()
    first, last = covered[0], covered[-1]
    covered_tokens = sum(message.tokens for message in covered)
    summary = Summary(
        user_id=chat.user_id,
        summary_id=parts.new_id(now),
        chat_id=chat.chat_id,
        summary=written.segment,
        message_count=len(covered),
        start_message_id=first.message_id,
        end_message_id=last.message_id,
        start_position=first.position,
        end_position=last.position,
        importance_score=written.importance,
        tokens=written.segment_tokens,
        covered_tokens=covered_tokens,
        created_at=now,
    )
    summaries.insert(tx, summary)
    briefs.insert(
        tx,
        Brief(
            user_id=chat.user_id,
            chat_id=chat.chat_id,
            revision=chat.revision + 1,
            global_summary=written.brief,
            last_summarized_message_id=last.message_id,
            tokens=written.brief_tokens,
            written_by=parts.writer.name,
            created_at=now,
        ),
    )
    # Messages may have been added in the meantime, so subtract what was folded instead of setting what was left.
    chats.save(
        tx,
        replace(
            chat,
            revision=chat.revision + 1,
            folded_position=last.position,
            unfolded_messages=chat.unfolded_messages - len(covered),
            unfolded_tokens=chat.unfolded_tokens - covered_tokens,
        ),
    )
    return summary
