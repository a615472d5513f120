"""The client for facts: remember, recall, correct, forget, and who is mentioned. The methods are those of `api/facts.py`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from recollect.api.asked_episodes import MAX_EPISODES, MAX_NEIGHBOURS, MAX_SESSIONS
from recollect.api.facts import MAX_HITS
from recollect.api.opened import (
    LOCAL_USER,
    as_count,
    as_cursor,
    as_limit,
    as_moment,
    as_place,
    as_text,
)
from recollect.client.connected import Connected
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, segment
from recollect.client.statement import WHOLE, became, statement
from recollect.client.transport import LONG_SECONDS, Asked
from recollect.engine.forget import Receipt
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.remember import Refused, Remembered
from recollect.errors import InvalidInput, NotFound
from recollect.index.answer import Recalled
from recollect.records.cursor import cursor
from recollect.records.entity import parse_entity_key
from recollect.records.history import HistoryEntry
from recollect.records.link import Link
from recollect.records.memory import MemoryRecord, check_tags, check_text
from recollect.rules.draft import Request

#: Statements that the service takes at once.
_STATEMENTS: Final = 1000


class Facts(Connected):
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
        body = {**statement(request), **body_of(by=by)}
        asked = Asked(method="POST", path="/memories", user=user, body=body, headers=WHOLE)
        return read(Remembered, (await self._transport.ask(asked)).body, user=user)

    async def remember_many(
        self, requests: Sequence[Request], *, user: str = LOCAL_USER, by: str = "user"
    ) -> list[Remembered | Refused]:
        """Store many facts in one transaction; each that cannot be stored says why.

        Over HTTP they go in portions of 1,000, each in a transaction of its own.
        """
        results: list[Remembered | Refused] = []
        for start in range(0, len(requests), _STATEMENTS):
            portion = requests[start : start + _STATEMENTS]
            statements: dict[int, dict[str, object]] = {}
            unsendable: dict[int, Refused] = {}
            for place, request in enumerate(portion):
                try:
                    statements[place] = statement(request)
                except InvalidInput as error:
                    unsendable[place] = Refused(error=error)
            answers = iter(await self._remembered(list(statements.values()), user, by))
            results += [unsendable.get(place) or next(answers) for place in range(len(portion))]
        return results

    async def _remembered(
        self, statements: list[dict[str, object]], user: str, by: str
    ) -> list[Remembered | Refused]:
        if not statements:
            return []
        asked = Asked(
            method="POST",
            path="/memories/batch",
            user=user,
            body={"memories": statements, **body_of(by=by)},
            headers=WHOLE,
            seconds=LONG_SECONDS,
        )
        found: list[dict[str, Any]] = (await self._transport.ask(asked)).body["results"]
        return [became(item, user) for item in found]

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
        found = await self._transport.get(
            "/memories/search",
            user=user,
            query=as_text(query, "query"),
            limit=min(as_limit(limit), MAX_HITS),
            category=category,
            type=type,
            tag=check_tags(tags),
            entity=entity,
            persona_id=as_text(persona, "persona_id"),
            since=as_moment(since, "since"),
            until=as_moment(until, "until"),
            as_of=as_moment(as_of, "as_of"),
            episodes=min(as_count(episodes, "episodes"), MAX_EPISODES),
            neighbours=min(as_count(neighbours, "neighbours"), MAX_NEIGHBOURS),
            sessions=min(as_count(sessions, "sessions"), MAX_SESSIONS),
            chat_id=as_text(chat, "chat"),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(Recalled, found, user=user)

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
        ended = as_place(before, "before")
        return await self._list(
            MemoryRecord,
            "/memories",
            user=user,
            limit=limit,
            cursor=None if ended is None else cursor(ended),
            category=category,
            type=type,
            tag=as_text(tag, "tag"),
            entity=entity,
            persona_id=as_text(persona, "persona_id"),
            status="any" if status is None else status,
            past=past,
            since=as_moment(since, "since"),
            until=as_moment(until, "until"),
            as_of=as_moment(as_of, "as_of"),
        )

    async def get(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """One memory, whatever its status."""
        return read(MemoryRecord, await self._transport.get(_place(memory_id), user=user), user=user)

    async def history(self, memory_id: str, *, user: str = LOCAL_USER) -> list[HistoryEntry]:
        """Everything that happened to a memory, oldest first."""
        found = await self._transport.get(f"{_place(memory_id)}/history", user=user)
        return [
            read(HistoryEntry, item, user=user, memory_id=memory_id, entry=number)
            for number, item in enumerate(found["history"], 1)
        ]

    async def as_of(
        self, moment: datetime | str, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[MemoryRecord]:
        """What was known and true at a moment, oldest first; with a persona, what that persona knew."""
        at = as_moment(moment, "moment")
        if at is None:
            raise InvalidInput("moment is missing; say which time to read.", field="moment")
        known = await self._list(
            MemoryRecord, "/memories", user=user, as_of=at, persona_id=as_text(persona, "persona_id")
        )
        return sorted(known, key=lambda memory: memory.memory_id)

    async def memory_block(self, *, user: str = LOCAL_USER, persona: str | None = None) -> str:
        """S3's block for the system prompt: who the user is, grouped by category, as far as this persona knows."""
        found = await self._transport.get(
            "/memories/block", user=user, persona_id=as_text(persona, "persona_id")
        )
        return found["text"]

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
        body = given(
            content=content,
            category=category,
            importance=importance,
            tags=tags,
            pinned=pinned,
            status=status,
            by=by,
            reason=reason,
        )
        return read(
            MemoryRecord, await self._transport.send("PATCH", _place(memory_id), body, user=user), user=user
        )

    async def pin(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Keep a memory in every context; it counts as most important while pinned."""
        return await self.update(memory_id, user=user, pinned=True)

    async def unpin(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Take the pin away; the memory gets its own importance back."""
        return await self.update(memory_id, user=user, pinned=False)

    async def archive(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Hide a memory from recall; nothing is lost."""
        return await self.update(memory_id, user=user, status="ARCHIVED")

    async def restore(self, memory_id: str, *, user: str = LOCAL_USER) -> MemoryRecord:
        """Bring back an archived memory, or one that was replaced by mistake."""
        return await self.update(memory_id, user=user, status="ACTIVE")

    async def link(self, from_id: str, to_id: str, *, user: str = LOCAL_USER, kind: str = "related") -> Link:
        """Relate two memories: related, supports, contradicts, part_of, caused_by."""
        path = f"{_place(from_id, 'from_id')}/links"
        body = body_of(to=as_text(to_id, "to_id"), kind=kind)
        return read(Link, await self._transport.send("POST", path, body, user=user), user=user)

    async def unlink(
        self, from_id: str, to_id: str, *, user: str = LOCAL_USER, kind: str = "related"
    ) -> bool:
        """Take a relation back; says whether there was one."""
        path = f"{_place(from_id, 'from_id')}/links/{segment(to_id, 'to_id')}"
        done = await self._transport.send("DELETE", path, user=user, kind=kind)
        return done["success"]

    async def links(self, memory_id: str, *, user: str = LOCAL_USER) -> list[Link]:
        """The relations of a memory."""
        found = await self._transport.get(f"{_place(memory_id)}/links", user=user)
        return read_all(Link, found["links"], user=user)

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
        body = {
            **given(memory_id=memory_id, message_id=message_id, chat_id=chat_id, entity=entity),
            **body_of(everything=everything),
        }
        asked = Asked(method="POST", path="/v1/forget", user=user, body=body, seconds=LONG_SECONDS)
        return read(Receipt, (await self._transport.ask(asked)).body, user=user)

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
        ended = as_cursor(before)
        return await self._list(
            Entity,
            "/v1/entities",
            user=user,
            limit=limit,
            cursor=None if ended is None else cursor(*ended),
            type=type,
        )

    async def entity(self, key: str, *, user: str = LOCAL_USER) -> EntityDetails:
        """The card, the memories and the neighbours of one entity."""
        found = await self._transport.get(f"/v1/entities/{_entity(key)}", user=user)
        return read(EntityDetails, found, user=user)

    async def merge(
        self, alias: str, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        """Say that two names mean the same entity."""
        body = {"from": as_text(alias, "alias"), **body_of(into=into, reason=reason)}
        await self._transport.send("POST", "/v1/entities/merge", body, user=user)

    async def unmerge(self, alias: str, *, user: str = LOCAL_USER, of: str | None = None) -> None:
        """Take a merge back; `of` names the entity, if a name of any other is not meant."""
        key = of if of is not None else (await self.entity(alias, user=user)).entity.key
        path = f"/v1/entities/{_entity(key)}/aliases/{_entity(alias)}"
        await self._transport.send("DELETE", path, user=user)


def _place(memory_id: str, field: str = "memory_id") -> str:
    """Where a memory is; what cannot stand in an address is no id of ours."""
    check_text(memory_id, field=field)
    try:
        return f"/memories/{segment(memory_id, field)}"
    except InvalidInput as error:
        raise NotFound(f"There is no memory {memory_id[:100]!r}.", id=memory_id) from error


def _entity(key: str) -> str:
    return segment(str(parse_entity_key(key)), "entity_refs")
