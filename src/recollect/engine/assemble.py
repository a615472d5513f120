"""Assemble: load everything a model should see in one read, and build the context with a pure function.

The question is embedded first; one read then finds memories and past messages for it and loads pins, profile, spine,
session summary, todos, brief and recent messages. If no question is given, an earlier read looks for an unanswered one in
the chat, because embedding must happen outside any transaction. No language model is called, and a long chat loads no more
messages and summaries than a short one. `context/` decides what fits.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial

from recollect.context import Context, ContextParts, Dropped, SectionName
from recollect.context import assemble as put_together
from recollect.context.selection import LOADED_TODOS
from recollect.context.wording import spoken_cost
from recollect.encoder import tokens
from recollect.engine.beside import Beside
from recollect.engine.parts import Parts
from recollect.engine.recall import MAX_QUERY, WantedEpisodes, ask, search
from recollect.index.answer import Question
from recollect.index.query import MemoryFilter, MessageFilter
from recollect.records.chat import ChatRecord
from recollect.records.hit import SearchResult
from recollect.records.message import Message, Role, check_message_text, turns_of
from recollect.records.pin import CRITICAL, Pin
from recollect.records.session import Session, touch
from recollect.rules.budget import DEFAULT_BUDGET, PROFILE_SHARE, Limits, check_budget
from recollect.store import (
    briefs,
    chats,
    messages,
    pins,
    rolling_summaries,
    seeds,
    session_summaries,
    sessions,
    spines,
    todos,
    users,
)
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: S0: old messages of at least this importance are included, up to this many.
IMPORTANT = 8.0
MAX_IMPORTANT = 5
#: S0: recent messages in a context.
MAX_RECENT = 20
#: Messages loaded to find the last turns, because one turn may contain thousands of tool messages. Messages left out of
#: a turn are reported as dropped. At least four per turn, so that ordinary turns are always complete.
MAX_LOADED = 200
_LOADED_A_TURN = 4
#: Memories found for a question.
HITS = 10
#: Past messages found for a question: one per this many tokens of the budget, up to this maximum.
TOKENS_AN_EPISODE = 25
MAX_EPISODES = 40
#: Segments and pins to read; more would not fit.
MAX_SEGMENTS = 40
MAX_SHARED_PINS = 50
#: Maximum tokens around a brief: its heading, and markers on its lines.
_BRIEF_FRAME = 64
#: Tokens in the shortest possible profile line, which limits how many memories can fit.
_SHORTEST_LINE = 10
#: Above these numbers of pins, loaded tokens or question characters, a context is built in a thread; below them it takes
#: about 10 ms, short enough to block the loop.
_MANY_PINS = 200
_MUCH_TEXT = 30_000
_LONG_QUESTION = 50_000


async def assemble(
    parts: Parts,
    user_id: str,
    *,
    chat_id: str | None = None,
    persona_id: str | None = None,
    query: str | None = None,
    budget: int = DEFAULT_BUDGET,
    at: datetime | None = None,
    zone: tzinfo = UTC,
    beside: Beside | None = None,
) -> Context:
    """The context for a chat or, if none is named, across chats; `at` and `zone` are the question's time and time zone.

    `beside`: the caller sends the conversation and the question itself, so only memory is needed.
    """
    check_budget(budget)
    if query is None:
        asked = "" if beside else await _unanswered(parts, user_id, chat_id)
    else:
        asked = check_message_text(query, field="query")
    now = parts.now()
    loading = _Loading(parts, user_id, chat_id, persona_id, asked, budget, now, beside)
    if asked:
        loaded = await ask(
            parts,
            asked.strip()[:MAX_QUERY],
            user_id=user_id,
            wanted=MemoryFilter(persona_id=persona_id),
            limit=HITS,
            now=now,
            # The read determines which ones and how many, because this depends on the chat.
            episodes=WantedEpisodes(
                limit=MAX_EPISODES,
                wanted=MessageFilter(persona_id=persona_id),
                only_questions=True,
                now=at or now,
                zone=zone,
            ),
            read=lambda question: parts.database.read(user_id, lambda tx: loading.run(question, tx)),
        )
    else:
        loaded = await parts.database.read(user_id, lambda tx: loading.run(None, tx))
    limits = Limits(
        raw_turns=parts.settings.raw_turns,
        prompt_budget=parts.settings.prompt_token_budget,
        max_recent=MAX_RECENT,
    )
    work = partial(put_together, loaded, budget=budget, limits=limits, count=tokens.count)
    context = await asyncio.to_thread(work) if _is_large(loaded) else work()
    shown = {source for section in context.sections for line in section.lines for source in line.sources}
    found = [hit.memory.memory_id for hit in loaded.hits]
    parts.accesses.record(user_id, [memory_id for memory_id in found if memory_id in shown])
    if lost := _lost(loaded, context):
        log.info(
            "context.dropped user=%s chat=%s budget=%d tail_turns=%d brief_cut=%d lines=%d tokens=%d",
            user_id,
            chat_id,
            budget,
            _turns_lost(loaded.recent, context),
            any(item.section is SectionName.BRIEF for item in lost),
            len(lost),
            sum(item.tokens for item in lost),
        )
    if log.isEnabledFor(logging.DEBUG):
        chars = sum(len(line.text) for section in context.sections for line in section.lines)
        log.debug("context.built user=%s chat=%s tokens=%d chars=%d", user_id, chat_id, context.tokens, chars)
    return context


def _is_large(loaded: ContextParts) -> bool:
    """Whether building this context would noticeably delay others."""
    if len(loaded.pins) > _MANY_PINS or len(loaded.query) > _LONG_QUESTION:
        return True
    texts = (*loaded.pins, *loaded.profile, *loaded.important, *loaded.missed, *loaded.recent)
    said = sum(hit.message.tokens for hit in loaded.episodes)
    return said + sum(item.tokens for item in texts) > _MUCH_TEXT


def _lost(loaded: ContextParts, context: Context) -> list[Dropped]:
    """What was dropped, except episodes: more are requested than fit, so dropping some means nothing."""
    found = {hit.message.message_id for hit in loaded.episodes}
    return [
        item
        for item in context.dropped
        if item.section is not SectionName.RECALL or found.isdisjoint(item.sources)
    ]


def _turns_lost(recent: Sequence[Message], context: Context) -> int:
    """Recent turns that are not shown at all."""
    lost = {
        source
        for item in context.dropped
        if item.section is SectionName.TAIL and not item.cut
        for source in item.sources
    }
    return sum(all(message.message_id in lost for message in turn.messages) for turn in turns_of(recent))


async def _unanswered(parts: Parts, user_id: str, chat_id: str | None) -> str:
    """The question if none is given: the user's last message, unless it has been answered."""
    if chat_id is None:
        return ""
    latest = await parts.database.read(user_id, lambda tx: messages.latest(tx, user_id, chat_id, 1))
    return latest[0].text if latest and latest[0].role is Role.USER else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recent:
    """The loaded end of a chat."""

    messages: tuple[Message, ...] = ()
    #: Every message from this position on is loaded.
    whole_from: int = 1
    #: Earlier messages of a turn whose first message is loaded, and their tokens.
    unread: int = 0
    unread_tokens: int = 0


class _Loading:
    """One read of everything a context needs."""

    def __init__(
        self,
        parts: Parts,
        user_id: str,
        chat_id: str | None,
        persona_id: str | None,
        query: str,
        budget: int,
        now: datetime,
        beside: Beside | None = None,
    ) -> None:
        self._parts = parts
        self._user_id = user_id
        self._chat_id = chat_id
        self._persona_id = persona_id
        self._query = query
        self._budget = budget
        self._now = now
        self._beside = beside

    def run(self, question: Question | None, tx: Connection) -> ContextParts:
        loaded = self._load(question, tx)
        return self._beside.without(tx, self._user_id, loaded) if self._beside else loaded

    def _load(self, question: Question | None, tx: Connection) -> ContextParts:
        user_id = self._user_id
        chat = chats.get(tx, user_id, self._chat_id) if self._chat_id is not None else None
        persona_id = chat.persona_id if chat else self._persona_id
        recent = self._recent(tx, chat) if chat else _Recent()
        found = self._found(tx, question, persona_id, recent) if question else SearchResult()
        state = users.state(tx, user_id)
        seed = seeds.get(tx, user_id)
        profile = (
            self._parts.profiles.of(
                tx,
                user_id,
                state,
                persona_id,
                self._now,
                int(self._budget * PROFILE_SHARE / _SHORTEST_LINE) + 1,
            )
            if state
            else ()
        )
        return ContextParts(
            chat_id=self._chat_id,
            persona_id=persona_id,
            now=self._now,
            pins=tuple(self._pins(tx, chat, persona_id)),
            profile=profile,
            seed_notes=seed.notes if seed else "",
            spine=spines.current(tx, user_id),
            session_summary=session_summaries.latest_of_persona(tx, user_id, persona_id),
            todos=tuple(todos.open_of(tx, user_id, persona_id, LOADED_TODOS)),
            rolling=rolling_summaries.current(tx, user_id, persona_id),
            session_started_at=self._session_start(tx, persona_id),
            brief=briefs.current(tx, user_id, chat.chat_id) if chat else None,
            summaries=self._parts.segments.of(tx, state, chat, MAX_SEGMENTS) if state and chat else (),
            important=tuple(self._important(tx, chat, 0, chat.folded_position)) if chat else (),
            missed=tuple(self._missed(tx, chat, recent)) if chat else (),
            recent=recent.messages,
            unread=recent.unread,
            unread_tokens=recent.unread_tokens,
            folded_position=chat.folded_position if chat else 0,
            cards=found.cards,
            hits=found.hits,
            episodes=found.messages,
            query=self._query,
        )

    def _found(
        self, tx: Connection, question: Question, persona_id: str | None, recent: _Recent
    ) -> SearchResult:
        """Shared memories, the persona's own, and messages from the persona's chats.

        The last turns are excluded if S1's limit lets them appear beside the brief; turns that may be left out of the
        tail can be found.
        """
        last = self._surely_shown(recent)
        if self._beside and self._chat_id is not None:
            last = self._beside.ids(tx, self._user_id, self._chat_id)
        asked = question.episodes and replace(
            question.episodes,
            wanted=MessageFilter(persona_id=persona_id, excluded=last),
            limit=min(self._budget // TOKENS_AN_EPISODE, MAX_EPISODES),
        )
        wanted = MemoryFilter(persona_id=persona_id)
        return search(self._parts, self._user_id, replace(question, wanted=wanted, episodes=asked), tx)

    def _surely_shown(self, recent: _Recent) -> frozenset[str]:
        """Messages of the last turns that fit into the tail whatever the brief's length; the newest turn always fits."""
        settings = self._parts.settings
        room = settings.prompt_token_budget - settings.summary_token_cap - _BRIEF_FRAME
        turns = turns_of(recent.messages)[-(settings.raw_turns + self._is_asked(recent.messages)) :]
        shown: list[str] = []
        for turn in reversed(turns):
            room -= sum(spoken_cost(message) for message in turn.messages)
            if room < 0 and shown:
                break
            shown += [message.message_id for message in turn.messages]
        return frozenset(shown)

    def _pins(self, tx: Connection, chat: ChatRecord | None, persona_id: str | None) -> list[Pin]:
        if chat is not None:
            return pins.of_chat(tx, self._user_id, chat.chat_id)
        if self._chat_id is not None:
            return []
        # Across chats: critical pins from any chat.
        return pins.critical_of_persona(
            tx, self._user_id, persona_id, minimum=CRITICAL, limit=MAX_SHARED_PINS
        )

    def _important(self, tx: Connection, chat: ChatRecord, after: int, until: int) -> list[Message]:
        return messages.important(
            tx,
            self._user_id,
            chat.chat_id,
            minimum=IMPORTANT,
            after_position=after,
            until_position=until,
            limit=MAX_IMPORTANT,
        )

    def _missed(self, tx: Connection, chat: ChatRecord, recent: _Recent) -> list[Message]:
        """Important messages between the folded part and the recent messages."""
        if not recent.messages or recent.whole_from <= chat.folded_position + 1:
            return []
        found = self._important(tx, chat, chat.folded_position, recent.whole_from - 1)
        return [message for message in found if message != recent.messages[0]]

    def _session_start(self, tx: Connection, persona_id: str | None) -> datetime:
        """When the session of a message sent at this moment began; now if the message opens one."""
        now = self._now
        fresh = Session(user_id=self._user_id, session_id="", started_at=now, last_activity_at=now)
        latest = sessions.at(tx, self._user_id, persona_id, now)
        return touch(latest, at=now, from_user=True, fresh=fresh).session.started_at

    def _recent(self, tx: Connection, chat: ChatRecord) -> _Recent:
        """The last K turns, up to `MAX_LOADED` messages, and older messages that are not folded.

        The current turn is added to those K. Older folded messages must not be included: they would be treated as
        shown, and an important one would then appear in no section at all.
        """
        raw_turns = self._parts.settings.raw_turns
        most = max(MAX_LOADED, _LOADED_A_TURN * raw_turns)
        limit = MAX_RECENT
        while True:
            latest = messages.latest(tx, self._user_id, chat.chat_id, limit)
            turns = turns_of(latest)
            wanted = raw_turns + self._is_asked(latest)
            enough = len(latest) < limit or len(turns) > wanted
            if enough or limit >= most:
                break
            limit = min(4 * limit, most)
        last = {message.message_id for turn in turns[-wanted:] for message in turn.messages}
        recent = [item for item in latest if item.position > chat.folded_position or item.message_id in last]
        if enough or latest[0].role is Role.USER:
            return _Recent(messages=tuple(recent), whole_from=recent[0].position if recent else 1)
        return self._opened(tx, chat, recent)

    def _opened(self, tx: Connection, chat: ChatRecord, recent: Sequence[Message]) -> _Recent:
        """Put the first turn's opening message before its newest ones; messages in between are only counted."""
        start = recent[0].position
        opening = messages.opening(tx, self._user_id, chat.chat_id, start)
        after = opening.position if opening else 0
        since_opening = messages.unfolded(tx, self._user_id, chat.chat_id, after)
        since_start = messages.unfolded(tx, self._user_id, chat.chat_id, start - 1)
        return _Recent(
            messages=(opening, *recent) if opening else tuple(recent),
            whole_from=start,
            unread=since_opening[0] - since_start[0],
            unread_tokens=since_opening[1] - since_start[1],
        )

    def _is_asked(self, latest: Sequence[Message]) -> bool:
        """Whether the question is already recorded as the last message."""
        asked = self._query.strip()
        return bool(asked and latest) and latest[-1].role is Role.USER and latest[-1].text.strip() == asked
