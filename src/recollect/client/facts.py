"""The client's facts: add, search, correct, forget and tidy them, decide on proposals, and see who is mentioned."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from recollect.api.arguments import (
    LOCAL_USER,
    MAX_HITS,
    MAX_MESSAGES,
    MAX_NEIGHBOURS,
    MAX_SESSIONS,
    NewMemory,
    as_count,
    as_flag,
    as_items,
    as_limit,
    as_moment,
    as_new_memory,
    as_page,
    as_request,
    as_text,
)
from recollect.client.connected import Connected, page_from
from recollect.client.reading import read
from recollect.client.refusal import refused
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import LONG_SECONDS, Asked
from recollect.engine.forget import Receipt, check_target
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.remember import Refused, Remembered
from recollect.errors import InvalidInput, NotFound
from recollect.records.cursor import Page
from recollect.records.entity import parse_entity_key
from recollect.records.history import HistoryEntry
from recollect.records.hit import SearchResult
from recollect.records.memory import MemoryRecord, check_list, check_tags, check_text
from recollect.records.proposal import Proposal
from recollect.rules.curator.run import CuratorReport
from recollect.rules.draft import Request

#: Requests an answer that includes the memories.
_WHOLE: Final = {"Prefer": "return=representation"}
#: Maximum statements per request.
_STATEMENTS: Final = 1000


class Facts(Connected):
    """Facts about users."""

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
        new = as_new_memory(
            content,
            category=category,
            importance=importance,
            tags=tags,
            pinned=pinned,
            persona=persona,
            reason=reason,
        )
        body = _statement(new.to_request())
        asked = Asked(method="POST", path="/memories", user=user, body=body, headers=_WHOLE)
        return read(Remembered, (await self._transport.ask(asked)).body, user=user)

    async def add_many(
        self, items: Iterable[str | NewMemory], /, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[Remembered | Refused]:
        # In batches of the service's limit, each in its own transaction.
        requests = [as_request(item, persona) for item in as_items(items)]
        results: list[Remembered | Refused] = []
        for start in range(0, len(requests), _STATEMENTS):
            results += await self._add_portion(requests[start : start + _STATEMENTS], user)
        return results

    async def _add_portion(self, requests: list[Request], user: str) -> list[Remembered | Refused]:
        statements: dict[int, dict[str, object]] = {}
        unsendable: dict[int, Refused] = {}
        for place, request in enumerate(requests):
            try:
                statements[place] = _statement(request)
            except InvalidInput as error:
                unsendable[place] = Refused(error=error)
        answers: list[dict[str, Any]] = []
        if statements:
            asked = Asked(
                method="POST",
                path="/memories",
                user=user,
                body=list(statements.values()),
                headers=_WHOLE,
                seconds=LONG_SECONDS,
            )
            answers = (await self._transport.ask(asked)).body["results"]
        became = iter([_became(item, user) for item in answers])
        return [unsendable.get(place) or next(became) for place in range(len(requests))]

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
            episodes=min(as_count(messages, "messages"), MAX_MESSAGES),
            neighbours=min(as_count(neighbours, "neighbours"), MAX_NEIGHBOURS),
            sessions=min(as_count(sessions, "sessions"), MAX_SESSIONS),
            chat_id=as_text(chat, "chat"),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(SearchResult, found, user=user)

    async def get(self, memory_id: str, /, *, user: str = LOCAL_USER) -> MemoryRecord:
        return read(MemoryRecord, await self._transport.get(_place(memory_id), user=user), user=user)

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
        found = await self._transport.get(
            "/memories",
            user=user,
            limit=as_page(limit),
            cursor=cursor,
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
        return page_from(MemoryRecord, found, "memories", user=user)

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
        body = given(
            content=content,
            category=category,
            importance=importance,
            tags=tags,
            pinned=pinned,
            status=status,
            reason=reason,
        )
        found = await self._transport.send("PATCH", _place(memory_id), body, user=user)
        return read(MemoryRecord, found, user=user)

    async def history(self, memory_id: str, /, *, user: str = LOCAL_USER) -> list[HistoryEntry]:
        found = await self._transport.get(f"{_place(memory_id)}/history", user=user)
        return [
            read(HistoryEntry, item, user=user, memory_id=memory_id, entry=number)
            for number, item in enumerate(found["history"], 1)
        ]

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
        check_target(
            memory=memory, message=message, chat=chat, todo=todo, entity=entity, everything=everything
        )
        body = {
            **given(memory_id=memory, message_id=message, chat_id=chat, todo_id=todo, entity=entity),
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
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Entity]:
        found = await self._transport.get(
            "/v1/entities", user=user, limit=as_page(limit), cursor=cursor, type=type
        )
        return page_from(Entity, found, "entities", user=user)

    async def entity(self, key: str, /, *, user: str = LOCAL_USER) -> EntityDetails:
        found = await self._transport.get(f"/v1/entities/{_entity(key)}", user=user)
        return read(EntityDetails, found, user=user)

    async def merge(
        self, alias: str, /, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        body = {"from": as_text(alias, "alias"), **body_of(into=into, reason=reason)}
        await self._transport.send("POST", "/v1/entities/merge", body, user=user)

    async def unmerge(self, alias: str, /, *, user: str = LOCAL_USER, of: str | None = None) -> None:
        key = of if of is not None else (await self.entity(alias, user=user)).entity.key
        path = f"/v1/entities/{_entity(key)}/aliases/{_entity(alias)}"
        await self._transport.send("DELETE", path, user=user)

    # -- tidying --------------------------------------------------------------------------------------

    async def consolidate(self, *, user: str = LOCAL_USER, dry_run: bool = False) -> CuratorReport:
        asked = Asked(
            method="POST",
            path="/memories/consolidate",
            user=user,
            body={"dry_run": as_flag(dry_run, "dry_run")},
            harmless=dry_run,
            seconds=LONG_SECONDS,
        )
        return read(CuratorReport, (await self._transport.ask(asked)).body, user=user)

    async def proposals(
        self,
        *,
        user: str = LOCAL_USER,
        status: str | None = "open",
        kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Proposal]:
        found = await self._transport.get(
            "/v1/proposals",
            user=user,
            limit=as_page(limit),
            cursor=cursor,
            status="any" if status is None else status,
            kind=kind,
        )
        return page_from(Proposal, found, "proposals", user=user)

    async def resolve(
        self, proposal_id: str, /, *, user: str = LOCAL_USER, accept: bool, keep: str | None = None
    ) -> Proposal:
        path = f"/v1/proposals/{segment(proposal_id, 'proposal_id')}"
        body = {"accept": as_flag(accept, "accept"), **given(keep=as_text(keep, "keep"))}
        return read(Proposal, await self._transport.send("POST", path, body, user=user), user=user)


def _became(values: Mapping[str, Any], user: str) -> Remembered | Refused:
    """The result for one of many statements."""
    if "outcome" in values:
        return read(Remembered, values, user=user)
    return Refused(error=refused(values.get("kind", ""), values["error"], values.get("field", "")))


def _statement(request: Request) -> dict[str, object]:
    """A statement in the service's format; rules determine fields that are None."""
    if not isinstance(request, Request):
        raise InvalidInput(
            f"add_many() takes texts and NewMemory values, not {type(request).__name__}.", field="items"
        )
    return {
        **body_of(
            content=request.content,
            tags=check_list(request.tags, field="tags"),
            entity_refs=check_list(request.entity_refs, field="entity_refs"),
            source_message_ids=check_list(request.source_message_ids, field="source_message_ids"),
            pinned=request.pinned,
            source=request.source,
            origin=request.origin,
            confidence=request.confidence,
        ),
        **given(
            category=request.category,
            type=request.type,
            importance=request.importance,
            entity_label=request.entity_label,
            subtype=request.subtype,
            attribute=request.attribute,
            source_context=request.source_context,
            reasoning=request.reasoning,
            persona_id=request.persona_id,
        ),
    }


def _place(memory_id: str) -> str:
    """A memory's path; an id that cannot be part of a URL does not exist."""
    check_text(memory_id, field="memory_id")
    try:
        return f"/memories/{segment(memory_id, 'memory_id')}"
    except InvalidInput as error:
        raise NotFound(f"There is no memory {memory_id[:100]!r}.", id=memory_id) from error


def _entity(key: str) -> str:
    return segment(str(parse_entity_key(key)), "entity_refs")
