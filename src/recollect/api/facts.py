"""Facts: add, search, correct, forget and tidy them, decide what is proposed, and who is mentioned.

The methods translate arguments and hand over to the engine; no rule lives here.
"""

from collections.abc import Iterable
from datetime import datetime

from recollect.api.arguments import (
    LOCAL_USER,
    MAX_HITS,
    NewMemory,
    as_flag,
    as_id,
    as_items,
    as_limit,
    as_moment,
    as_new_memory,
    as_page,
    as_request,
    as_text,
    as_time_and_id,
    as_wanted,
    as_wanted_messages,
)
from recollect.api.engine import OnEngine
from recollect.engine import curate as curating
from recollect.engine import forget as forgetting
from recollect.engine import forget_conversation as forgetting_talk
from recollect.engine import merge as merging
from recollect.engine import proposals as proposing
from recollect.engine import recall as recalling
from recollect.engine import remember as remembering
from recollect.engine import revise
from recollect.engine.forget import Receipt
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.past import past_page
from recollect.engine.remember import Refused, Remembered
from recollect.records.category import parse_category, parse_type
from recollect.records.cursor import Page, page_of
from recollect.records.entity import canonical, parse_entity_key, parse_entity_type
from recollect.records.history import HistoryEntry
from recollect.records.hit import SearchResult
from recollect.records.memory import MemoryRecord, parse_status
from recollect.records.message import check_name
from recollect.records.proposal import Proposal, parse_proposal_kind, parse_proposal_status
from recollect.rules.curator.run import CuratorReport
from recollect.rules.user_edits import Edit
from recollect.store import aliases, histories, links, memories
from recollect.store.database import Connection
from recollect.store.memories import Filter

#: Who adds and changes what a caller adds and changes; the history says so.
BY = "user"


class Facts(OnEngine):
    """What is known of users."""

    # -- facts ----------------------------------------------------------------------------------------

    async def add(
        self,
        content: str | NewMemory,
        /,
        *,
        user: str = LOCAL_USER,
        category: str | None = None,
        importance: float | None = None,
        tags: Iterable[str] = (),
        pinned: bool = False,
        persona: str | None = None,
        reason: str | None = None,
    ) -> Remembered:
        """Store a fact: new, known already, or the new value of a known one.

        The text may be in the first person. Category, importance (0-10) and whom it is about are found by rules unless
        given. `persona` keeps it from other personas, `pinned` puts it into every context, `reason` says why it is worth
        remembering. A `NewMemory` says more: its source, its messages, its entities.
        """
        new = as_new_memory(
            content,
            category=category,
            importance=importance,
            tags=tags,
            pinned=pinned,
            persona=persona,
            reason=reason,
        )
        return await remembering.remember(*await self._for(user), new.to_request(), by=BY)

    async def add_many(
        self, items: Iterable[str | NewMemory], /, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[Remembered | Refused]:
        """Store many facts in one transaction; each that cannot be stored says why."""
        requests = [as_request(item, persona) for item in as_items(items)]
        return await remembering.remember_many(*await self._for(user), requests, by=BY)

    async def search(
        self,
        query: str,
        /,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
        category: str | None = None,
        type: str | None = None,
        tags: Iterable[str] = (),
        entity: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        messages: int = 5,
        neighbours: int = 1,
        sessions: int = 0,
        at: datetime | str | None = None,
        zone: str = "UTC",
        limit: int = 5,
    ) -> SearchResult:
        """Find what matters for a question, best first: memories, cards of the entities that they mention, past messages.

        `messages` is how many past messages, each with so many `neighbours` before and after it, of one `chat` or of all;
        `sessions` how many sessions. Words of time ("last week") are relative to `at`, now by default, in the time `zone`.
        `as_of` searches what was known at a moment. A search by category, type, tags or entity brings no messages, which
        have none.
        """
        wanted = as_wanted(
            category=category,
            type=type,
            tags=tags,
            entity=entity,
            persona=persona,
            since=since,
            until=until,
        )
        parts, user_id = await self._for(user)
        return await recalling.recall(
            parts,
            user_id,
            query,
            wanted=wanted,
            limit=min(as_limit(limit), MAX_HITS),
            episodes=as_wanted_messages(
                wanted,
                messages,
                neighbours=neighbours,
                sessions=sessions,
                chat=chat,
                as_of=as_of,
                at=at,
                zone=zone,
                now=parts.now(),
            ),
            as_of=as_moment(as_of, "as_of"),
        )

    async def get(self, memory_id: str, /, *, user: str = LOCAL_USER) -> MemoryRecord:
        """One memory, whatever its status."""
        parts, user_id = await self._for(user)

        def load(tx: Connection) -> MemoryRecord:
            (record,) = links.with_contradictions(tx, user_id, [revise.found(tx, user_id, memory_id)])
            return record

        return await parts.database.read(user_id, load)

    async def memories(
        self,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        category: str | None = None,
        type: str | None = None,
        tag: str | None = None,
        entity: str | None = None,
        status: str | None = "ACTIVE",
        past: bool = False,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryRecord]:
        """List memories, newest first.

        A status of None is any; `past` adds what was replaced since. `as_of` lists what was known at a moment; `since`
        and `until` go by when a memory was made.
        """
        parts, user_id = await self._for(user)
        key = str(parse_entity_key(entity)) if entity is not None else None
        moment = as_moment(as_of, "as_of")
        start, end = as_moment(since, "since"), as_moment(until, "until")
        size, ended = as_page(limit), as_id(cursor)

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
                rows = past_page(tx, user_id, moment, wanted, limit=size + 1, before=ended)
            else:
                rows = memories.page(tx, user_id, wanted, limit=size + 1, before=ended)
            return links.with_contradictions(tx, user_id, rows)

        rows = await parts.database.read(user_id, load)
        return page_of(rows, size, lambda memory: (memory.memory_id,))

    async def update(
        self,
        memory_id: str,
        /,
        *,
        user: str = LOCAL_USER,
        content: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        tags: Iterable[str] | None = None,
        pinned: bool | None = None,
        status: str | None = None,
        reason: str = "",
    ) -> MemoryRecord:
        """Change a memory, all of it or nothing; the history keeps what it was.

        `pinned=True` keeps it in every context, `status="ARCHIVED"` hides it from search, `status="ACTIVE"` brings it back:
        what replaced it is archived then.
        """
        change = Edit(
            content=content, category=category, importance=importance, tags=tags, pinned=pinned, status=status
        )
        return await revise.edit(*await self._for(user), memory_id, change, by=BY, reason=reason)

    async def history(self, memory_id: str, /, *, user: str = LOCAL_USER) -> list[HistoryEntry]:
        """Everything that happened to a memory, oldest first."""
        parts, user_id = await self._for(user)

        def load(tx: Connection) -> list[HistoryEntry]:
            return histories.of_memory(tx, user_id, revise.found(tx, user_id, memory_id).memory_id)

        return await parts.database.read(user_id, load)

    async def forget(
        self,
        memory: str | None = None,
        *,
        user: str = LOCAL_USER,
        message: str | None = None,
        chat: str | None = None,
        todo: str | None = None,
        entity: str | None = None,
        everything: bool = False,
    ) -> Receipt:
        """Erase one thing by its id and all that came of it: a memory, message, chat, todo, an entity with its memories,
        or a whole user. This cannot be undone; the receipt says what was erased."""
        forgetting.check_target(
            memory=memory, message=message, chat=chat, todo=todo, entity=entity, everything=everything
        )
        # Summaries that mention it are rewritten in the background.
        parts, user_id = await self._for_work(user)
        if memory is not None:
            return await forgetting.forget_memory(parts, user_id, memory)
        if message is not None:
            return await forgetting_talk.forget_message(parts, user_id, check_name(message, field="message"))
        if chat is not None:
            return await forgetting_talk.forget_chat(parts, user_id, check_name(chat, field="chat"))
        if todo is not None:
            return await forgetting.forget_todo(parts, user_id, check_name(todo, field="todo"))
        if entity is not None:
            return await forgetting.forget_entity(parts, user_id, entity)
        return await forgetting.forget_everything(parts, user_id)

    # -- entities -------------------------------------------------------------------------------------

    async def entities(
        self,
        *,
        user: str = LOCAL_USER,
        type: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Entity]:
        """People, organisations, places and projects that memories mention, last mentioned first."""
        size = as_page(limit)
        rows = await merging.list_entities(
            *await self._for(user),
            type=parse_entity_type(type) if type is not None else None,
            limit=size + 1,
            before=as_time_and_id(cursor),
        )
        return page_of(rows, size, lambda entity: entity.cursor)

    async def entity(self, key: str, /, *, user: str = LOCAL_USER) -> EntityDetails:
        """The card, the memories and the neighbours of one entity."""
        return await merging.describe(*await self._for(user), key)

    async def merge(
        self, alias: str, /, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        """Say that two names mean the same entity."""
        await merging.merge(*await self._for(user), alias, into, reason=reason)

    async def unmerge(self, alias: str, /, *, user: str = LOCAL_USER, of: str | None = None) -> None:
        """Take a merge back; `of` names the entity when the alias belongs to several."""
        await merging.unmerge(*await self._for(user), alias, of=of)

    # -- tidying --------------------------------------------------------------------------------------

    async def consolidate(self, *, user: str = LOCAL_USER, dry_run: bool = False) -> CuratorReport:
        """Tidy a user's memories now, as happens automatically after 25 new ones or a day after a change.

        Near-duplicates of one subject become one memory, faded ones are archived, what cannot both be true is proposed;
        pinned memories are never touched. The originals are kept: `update(id, status="ACTIVE")` brings one back. `dry_run`
        changes nothing.
        """
        return await curating.curate(*await self._for(user), dry_run=as_flag(dry_run, "dry_run"))

    async def proposals(
        self,
        *,
        user: str = LOCAL_USER,
        status: str | None = "open",
        kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Proposal]:
        """What waits for a decision, because doing it unasked could destroy a memory; newest first.

        `status` is open, accepted, rejected or None for any; `kind` contradiction, forgetting or merge.
        """
        parts, user_id = await self._for(user)
        size = as_page(limit)
        rows = await proposing.list_proposals(
            parts,
            user_id,
            status=None if status is None else parse_proposal_status(status),
            kind=None if kind is None else parse_proposal_kind(kind),
            limit=size + 1,
            after=as_id(cursor),
        )
        return page_of(rows, size, lambda proposal: (proposal.proposal_id,))

    async def resolve(
        self, proposal_id: str, /, *, user: str = LOCAL_USER, accept: bool, keep: str | None = None
    ) -> Proposal:
        """Do what is proposed, or leave everything as it is for good.

        Accepting archives the older of two memories, or the one that is not `keep`, erases what should be forgotten, or
        merges two names. Doing it again changes nothing. `Conflict`: a memory changed since, or it was decided otherwise.
        """
        parts, user_id = await self._for(user)
        if not as_flag(accept, "accept"):
            return await proposing.reject(parts, user_id, proposal_id, by=BY)
        return await proposing.accept(parts, user_id, proposal_id, by=BY, keep=as_text(keep, "keep"))


def _names(tx: Connection, user_id: str, key: str) -> tuple[str, ...]:
    """All names under which an entity is mentioned."""
    alias_of = aliases.of_user(tx, user_id)
    target = canonical(key, alias_of)
    return tuple({target, *(alias for alias in alias_of if canonical(alias, alias_of) == target)})
