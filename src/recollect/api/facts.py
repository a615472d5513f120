"""The face for facts: remember, recall, correct, forget, and who is mentioned.

The methods translate arguments and hand over to the verbs of the engine; no rule lives here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.api.asked_episodes import wanted_episodes
from recollect.api.opened import (
    LOCAL_USER,
    Opened,
    as_cursor,
    as_limit,
    as_milliseconds,
    as_moment,
    as_place,
    as_text,
)
from recollect.engine import forget as forgetting
from recollect.engine import forget_conversation as forgetting_talk
from recollect.engine import merge as merging
from recollect.engine import profiles, revise
from recollect.engine import recall as recalling
from recollect.engine import remember as remembering
from recollect.engine.forget import Receipt
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.past import past_memories, past_page
from recollect.engine.remember import Refused, Remembered
from recollect.errors import InvalidInput
from recollect.index.answer import Recalled
from recollect.index.wanted import Wanted
from recollect.records.category import parse_category, parse_type
from recollect.records.entity import canonical, parse_entity_key, parse_entity_type
from recollect.records.history import HistoryEntry
from recollect.records.link import Link
from recollect.records.memory import MemoryRecord, check_tags, check_user_id, parse_status
from recollect.records.message import check_name
from recollect.records.revision import Edit
from recollect.rules import profile
from recollect.rules.draft import Request, check_identifier
from recollect.store import aliases, histories, links, memories
from recollect.store.database import Connection
from recollect.store.memories import Filter

#: The most memories that one page of a list holds.
MAX_PAGE = 1000
#: The most hits of one search.
MAX_HITS = 1000


class Facts(Opened):
    """What is known of users."""

    # -- facts ----------------------------------------------------------------------------------------

    async def remember(
        self,
        content: str,
        *,
        user: str = LOCAL_USER,
        category: str | None = None,
        importance: float | None = None,
        tags: Iterable[str] = (),
        reasoning: str | None = None,
        persona: str | None = None,
        pinned: bool = False,
        entity_refs: Iterable[str] = (),
        entity_label: str | None = None,
        subtype: Mapping[str, Any] | None = None,
        attribute: str | None = None,
        type: str | None = None,
        source: str = "manual",
        origin: str = "user",
        source_context: str | None = None,
        source_message_ids: Iterable[str] = (),
        confidence: float = 1.0,
        by: str = "user",
    ) -> Remembered:
        """Store a fact: new, known already, or the new value of a known one.

        `content` may be in the first person. `category`, `importance` and whom the fact is about (`entity_refs`,
        `subtype`, `attribute`) are found by rules when not given. `persona` keeps it from other personas. `origin` is
        who said it (user, assistant, tool, system, import), `source` the way it came (manual, tool, import, …), `by`
        who asked to store it; `reasoning` and `source_context` say why, `source_message_ids` from where.
        """
        request = Request(
            content=content,
            category=category,
            importance=importance,
            tags=tags,
            reasoning=reasoning,
            persona_id=persona,
            pinned=pinned,
            entity_refs=entity_refs,
            entity_label=entity_label,
            subtype=subtype,
            attribute=attribute,
            type=type,
            source=source,
            origin=origin,
            source_context=source_context,
            source_message_ids=source_message_ids,
            confidence=confidence,
        )
        return await remembering.remember(
            *await self._for(user), request, by=check_identifier(by, field="by")
        )

    async def remember_many(
        self, requests: Sequence[Request], *, user: str = LOCAL_USER, by: str = "user"
    ) -> list[Remembered | Refused]:
        """Store many facts in one transaction; each that cannot be stored says why."""
        return await remembering.remember_many(
            *await self._for(user), requests, by=check_identifier(by, field="by")
        )

    async def recall(
        self,
        query: str,
        *,
        user: str = LOCAL_USER,
        limit: int = 5,
        category: str | None = None,
        type: str | None = None,
        tags: Iterable[str] = (),
        entity: str | None = None,
        persona: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        episodes: int = 5,
        neighbours: int = 1,
        sessions: int = 0,
        chat: str | None = None,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Recalled:
        """Find what matters for a question, best first: memories, cards of the entities that they touch, past messages.

        `episodes` says how many past messages, each with so many `neighbours` before and after it, of one `chat` or of
        all; `sessions` how many sessions, ranked by themselves. Words of time ("last week") are relative to `at`, now unless told, in the time `zone`. A question that asks
        for memories of a category, a type, tags or an entity brings no messages, which have none.
        """
        wanted = Wanted(
            category=parse_category(category) if category is not None else None,
            type=parse_type(type) if type is not None else None,
            tags=check_tags(tags),
            entity=str(parse_entity_key(entity)) if entity is not None else None,
            persona_id=as_text(persona, "persona_id"),
            since=as_milliseconds(since, "since"),
            until=as_milliseconds(until, "until"),
        )
        return await recalling.recall(
            *await self._for(user),
            query,
            wanted=wanted,
            limit=min(as_limit(limit), MAX_HITS),
            episodes=wanted_episodes(
                wanted,
                episodes,
                neighbours=neighbours,
                sessions=sessions,
                chat=chat,
                as_of=as_of,
                at=at,
                zone=zone,
                now=self._parts.now(),
            ),
            as_of=as_moment(as_of, "as_of"),
        )

    async def memories(
        self,
        *,
        user: str = LOCAL_USER,
        category: str | None = None,
        type: str | None = None,
        tag: str | None = None,
        entity: str | None = None,
        persona: str | None = None,
        status: str | None = "ACTIVE",
        past: bool = False,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> list[MemoryRecord]:
        """List memories, newest first; `before` is the last id of the page before.

        A status of None is any; `past` adds what was replaced since. `as_of` lists what was known at a moment; `since`
        and `until` go by when a memory was made.
        """
        parts, user_id = await self._for(user)
        key = str(parse_entity_key(entity)) if entity is not None else None
        moment = as_moment(as_of, "as_of")
        start, end = as_moment(since, "since"), as_moment(until, "until")
        size, ended = min(as_limit(limit), MAX_PAGE), as_place(before, "before")

        def load(tx: Connection) -> list[MemoryRecord]:
            wanted = Filter(
                category=parse_category(category) if category is not None else None,
                type=parse_type(type) if type is not None else None,
                tag=as_text(tag, "tag"),
                entities=_names(tx, user_id, key) if key is not None else None,
                persona_id=as_text(persona, "persona_id"),
                status=parse_status(status) if status is not None else None,
                past=past,
                since=start,
                until=end,
            )
            if moment is not None:
                return past_page(tx, user_id, moment, wanted, limit=size, before=ended)
            return memories.page(tx, user_id, wanted, limit=size, before=ended)

        return await parts.database.read(user_id, load)

    async def get(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """One memory, whatever its status."""
        parts, user_id = await self._for(user)
        return await parts.database.read(user_id, lambda tx: revise.found(tx, user_id, memory_id))

    async def history(self, memory_id: str, *, user: str = LOCAL_USER) -> list[HistoryEntry]:
        """Everything that happened to a memory, oldest first."""
        parts, user_id = await self._for(user)

        def load(tx: Connection) -> list[HistoryEntry]:
            revise.found(tx, user_id, memory_id)
            return histories.of_memory(tx, user_id, memory_id)

        return await parts.database.read(user_id, load)

    async def as_of(
        self, moment: datetime | str, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[MemoryRecord]:
        """What was known and true at a moment, oldest first; with a persona, what that persona knew."""
        parts, user_id = await self._for(user)
        at = as_moment(moment, "moment")
        if at is None:
            raise InvalidInput("moment is missing; say which time to read.", field="moment")
        pairs = await parts.database.read(user_id, lambda tx: past_memories(tx, user_id, at))
        known = [then for then, _ in pairs if then.current]
        return [then for then in known if persona is None or then.persona_id in (None, persona)]

    async def memory_block(self, *, user: str = LOCAL_USER, persona: str | None = None) -> str:
        """S3's block for the system prompt: who the user is, grouped by category, as far as this persona knows."""
        parts, user_id = await self._for(user)
        now = parts.now()
        known = await parts.database.read(
            user_id, lambda tx: profiles.select(tx, user_id, as_text(persona, "persona_id"), now, MAX_PAGE)
        )
        return profile.render(known)

    # -- corrections ----------------------------------------------------------------------------------

    async def update(
        self,
        memory_id: str,
        *,
        user: str = LOCAL_USER,
        content: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        tags: Iterable[str] | None = None,
        pinned: bool | None = None,
        status: str | None = None,
        by: str = "user",
        reason: str = "",
    ) -> MemoryRecord:
        """Change a memory, all of it or nothing; the history keeps what it was."""
        change = Edit(
            content=content, category=category, importance=importance, tags=tags, pinned=pinned, status=status
        )
        return await revise.edit(*await self._for(user), memory_id, change, by=by, reason=reason)

    async def pin(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Keep a memory in every context; it counts as most important while pinned."""
        return await revise.edit(*await self._for(user), memory_id, Edit(pinned=True), by="user")

    async def unpin(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Take the pin away; the memory gets its own importance back."""
        return await revise.edit(*await self._for(user), memory_id, Edit(pinned=False), by="user")

    async def archive(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Hide a memory from recall; nothing is lost."""
        return await revise.edit(*await self._for(user), memory_id, Edit(status="ARCHIVED"), by="user")

    async def restore(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Bring back an archived memory, or one that was replaced by mistake."""
        return await revise.edit(*await self._for(user), memory_id, Edit(status="ACTIVE"), by="user")

    async def link(self, from_id: str, to_id: str, *, user: str = LOCAL_USER, kind: str = "related") -> Link:
        """Relate two memories: related, supports, contradicts, part_of, caused_by."""
        return await revise.link(*await self._for(user), from_id, to_id, kind)

    async def unlink(
        self, from_id: str, to_id: str, *, user: str = LOCAL_USER, kind: str = "related"
    ) -> bool:
        """Take a relation back; says whether there was one."""
        return await revise.unlink(*await self._for(user), from_id, to_id, kind)

    async def links(self, memory_id: str, *, user: str = LOCAL_USER) -> list[Link]:
        """The relations of a memory."""
        parts, user_id = await self._for(user)

        def load(tx: Connection) -> list[Link]:
            revise.found(tx, user_id, memory_id)
            return links.of_memory(tx, user_id, memory_id)

        return await parts.database.read(user_id, load)

    async def forget(
        self,
        memory_id: str | None = None,
        *,
        user: str = LOCAL_USER,
        message_id: str | None = None,
        chat_id: str | None = None,
        entity: str | None = None,
        everything: bool = False,
    ) -> Receipt:
        """Erase a memory, a message, a chat, an entity with its memories, or a whole user, and all that came of it."""
        forgetting.check_target(
            memory_id=memory_id, message_id=message_id, chat_id=chat_id, entity=entity, everything=everything
        )
        # Summaries that told of it are written anew: somebody must do that.
        parts, user_id = await self._working(), check_user_id(user)
        if memory_id is not None:
            return await forgetting.forget_memory(parts, user_id, memory_id)
        if message_id is not None:
            return await forgetting_talk.forget_message(
                parts, user_id, check_name(message_id, field="message_id")
            )
        if chat_id is not None:
            return await forgetting_talk.forget_chat(parts, user_id, check_name(chat_id, field="chat_id"))
        if entity is not None:
            return await forgetting.forget_entity(parts, user_id, entity)
        return await forgetting.forget_everything(parts, user_id)

    # -- entities -------------------------------------------------------------------------------------

    async def entities(
        self,
        *,
        user: str = LOCAL_USER,
        type: str | None = None,
        limit: int | None = None,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[Entity]:
        """People, organisations, places and projects that memories mention, last mentioned first.

        All of them, or a page: `before` is where the page before ended, `entities[-1].cursor`, a time and a key.
        """
        return await merging.list_entities(
            *await self._for(user),
            type=parse_entity_type(type) if type is not None else None,
            limit=None if limit is None else as_limit(limit),
            before=as_cursor(before),
        )

    async def entity(self, key: str, *, user: str = LOCAL_USER) -> EntityDetails:
        """The card, the memories and the neighbours of one entity."""
        return await merging.describe(*await self._for(user), key)

    async def merge(
        self, alias: str, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        """Say that two names mean the same entity."""
        await merging.merge(*await self._for(user), alias, into, reason=reason)

    async def unmerge(self, alias: str, *, user: str = LOCAL_USER, of: str | None = None) -> None:
        """Take a merge back; `of` names the entity, if a name of any other is not meant."""
        await merging.unmerge(*await self._for(user), alias, of=of)


def _names(tx: Connection, user_id: str, key: str) -> tuple[str, ...]:
    """All names under which an entity is mentioned."""
    alias_of = aliases.of_user(tx, user_id)
    target = canonical(key, alias_of)
    return tuple({target, *(alias for alias in alias_of if canonical(alias, alias_of) == target)})
