"""Facts: add, search, correct, forget and tidy them, decide on proposals, and see who is mentioned.

The methods translate arguments and call the engine; they contain no rules.
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
    as_persona,
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

#: The author that the history records for a caller's changes.
BY = "user"


class Facts(OnEngine):
    """Facts about users."""

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
        """Store a fact. It may be new, already known, or a new value for a known fact.

        The text may be in the first person. Rules determine the category, importance (0-10) and entities unless you give
        them. `persona` hides the fact from other personas, `pinned` puts it into every context, and `reason` says why it
        is worth remembering. To set the source, messages or entities as well, pass a `NewMemory`.
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
        """Store many facts in one transaction. Each fact that cannot be stored is returned with the reason."""
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
        """Find what is relevant to a question, best first: memories, cards of the entities they mention, and past messages.

        `messages` limits the past messages, from one `chat` or all chats; `neighbours` is the number of messages to add
        before and after each. `sessions` limits the sessions. Time expressions ("last week") are relative to `at` (default:
        now) in the time zone `zone`. `as_of` searches what was known at that time. A search by category, type, tags or
        entity returns no messages, because messages have none of these.
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
        """Get one memory, whatever its status."""
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

        With `status=None`, memories of any status are listed; `past` includes values that have since been replaced.
        `as_of` lists what was known at that time; `since` and `until` filter by creation time.
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
                persona_id=as_persona(persona),
                status=parse_status(status) if status is not None else None,
                past=as_flag(past, "past"),
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
        """Change a memory. Either all changes are applied or none; the history keeps the old values.

        `pinned=True` puts it into every context, `status="ARCHIVED"` hides it from search, and `status="ACTIVE"` restores
        it. If it was folded into another memory, that one is archived.
        """
        change = Edit(
            content=content, category=category, importance=importance, tags=tags, pinned=pinned, status=status
        )
        return await revise.edit(*await self._for(user), memory_id, change, by=BY, reason=reason)

    async def history(self, memory_id: str, /, *, user: str = LOCAL_USER) -> list[HistoryEntry]:
        """List every change to a memory, oldest first."""
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
        """Erase a memory, message, chat, todo, entity (with its memories) or whole user, and everything derived from it.
        This cannot be undone; the receipt lists what was erased."""
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
        """List the people, organisations, places and projects in memories, most recently mentioned first."""
        size = as_page(limit)
        rows = await merging.list_entities(
            *await self._for(user),
            type=parse_entity_type(type) if type is not None else None,
            limit=size + 1,
            before=as_time_and_id(cursor),
        )
        return page_of(rows, size, lambda entity: entity.cursor)

    async def entity(self, key: str, /, *, user: str = LOCAL_USER) -> EntityDetails:
        """Get one entity's card, its memories, and the entities mentioned with it."""
        return await merging.describe(*await self._for(user), key)

    async def merge(
        self, alias: str, /, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        """Merge two names that mean the same entity."""
        await merging.merge(*await self._for(user), alias, into, reason=reason)

    async def unmerge(self, alias: str, /, *, user: str = LOCAL_USER, of: str | None = None) -> None:
        """Undo a merge. If the alias belongs to several entities, name the entity with `of`."""
        await merging.unmerge(*await self._for(user), alias, of=of)

    # -- tidying --------------------------------------------------------------------------------------

    async def consolidate(self, *, user: str = LOCAL_USER, dry_run: bool = False) -> CuratorReport:
        """Tidy a user's memories now. This also happens automatically after 25 new memories or a day after a change.

        Near-duplicates about one subject become one memory, faded memories are archived, and contradictions become
        proposals; pinned memories are never changed. Originals are kept: to restore one, call
        `update(id, status="ACTIVE")`. `dry_run` changes nothing.
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
        """List proposals, newest first: changes that need a decision because they could destroy a memory.

        `status` is open, accepted, rejected or None (any); `kind` is contradiction, forgetting or merge.
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
        """Accept or reject a proposal. A rejected change is not proposed again.

        Accepting archives the older of two memories (or the one that is not `keep`), erases what should be forgotten, or
        merges two names. Repeating a decision changes nothing. Raises `Conflict` if a memory has changed since, or if the
        opposite was decided.
        """
        parts, user_id = await self._for(user)
        if not as_flag(accept, "accept"):
            return await proposing.reject(parts, user_id, proposal_id, by=BY)
        return await proposing.accept(parts, user_id, proposal_id, by=BY, keep=as_text(keep, "keep"))


def _names(tx: Connection, user_id: str, key: str) -> tuple[str, ...]:
    """All of an entity's names."""
    alias_of = aliases.of_user(tx, user_id)
    target = canonical(key, alias_of)
    return tuple({target, *(alias for alias in alias_of if canonical(alias, alias_of) == target)})
