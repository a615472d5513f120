"""The engine's face: `AsyncMemory`, one method a verb. `Memory`, the synchronous one, is generated from it.

This is the only place that chooses concrete parts: the database by its URL, the embedder by the settings. The methods
translate arguments and hand over to the verbs beside this file; no rule lives here.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

from recollect.domain import profile
from recollect.domain.category import parse_category, parse_type
from recollect.domain.draft import Request, check_identifier
from recollect.domain.entity import canonical, parse_entity_key
from recollect.domain.history import HistoryEntry
from recollect.domain.link import Link
from recollect.domain.memory import MemoryRecord, check_tags, check_text, check_user_id, parse_status
from recollect.domain.moment import parse
from recollect.domain.revision import Edit
from recollect.embedding.embedder import Embedder
from recollect.embedding.embedders import Embedders
from recollect.engine import export as exporting
from recollect.engine import forget as forgetting
from recollect.engine import load as loading
from recollect.engine import merge as merging
from recollect.engine import recall as recalling
from recollect.engine import reembed as reembedding
from recollect.engine import remember as remembering
from recollect.engine import report, revise
from recollect.engine.accesses import Accesses
from recollect.engine.forget import Receipt
from recollect.engine.load import Loaded
from recollect.engine.merge import Entity, EntityDetails
from recollect.engine.parts import Parts
from recollect.engine.past import past_memories
from recollect.engine.recall import Recalled
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.remember import Refused, Remembered
from recollect.engine.report import Stats, StoreInfo
from recollect.errors import Conflict, InvalidInput, NotFound, StoreUnavailable
from recollect.settings import Settings
from recollect.store import aliases, histories, links, memories
from recollect.store.database import Connection, Database
from recollect.store.memories import Filter
from recollect.store.search import SearchIndexes
from recollect.store.sqlite import SqliteDatabase
from recollect.store.user_index import Wanted

#: Whose memory it is when nobody says.
LOCAL_USER = "local"
#: The most memories that one page of a list holds.
MAX_PAGE = 1000
#: The most hits of one search.
MAX_HITS = 1000


def _utc_now() -> datetime:
    return datetime.now(UTC)


def default_path() -> Path:
    """Where the database is when nobody says: `recollect.db` in the user's data directory."""
    folder = Path(platformdirs.user_data_dir("recollect", appauthor=False))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {folder} cannot be made ({error.strerror}). Name a database with --db or RECOLLECT_DATABASE_URL."
        ) from error
    return folder / "recollect.db"


def open_database(settings: Settings) -> Database:
    """The database that the settings name."""
    url = settings.database_url
    if url.startswith(("postgresql://", "postgres://")):
        # Deferred: psycopg is an extra, and most installations have no PostgreSQL.
        from recollect.store.postgres import PostgresDatabase

        return PostgresDatabase(url, settings)
    if "://" in url:
        raise InvalidInput(
            f"{url.partition('://')[0]}:// is not supported. Give a file path for SQLite or postgresql://….",
            field="database_url",
        )
    return SqliteDatabase(url or default_path(), settings)


def _embedders(given: Embedder | Sequence[Embedder] | None, settings: Settings) -> Embedders:
    if given is None:
        return Embedders.from_settings(settings)
    return Embedders.given(given if isinstance(given, Sequence) else [given])


class AsyncMemory:
    """Long-term memory of any number of users.

    >>> memory = AsyncMemory("alice.db")
    >>> await memory.remember("I prefer dark mode", user="alice")
    >>> found = await memory.recall("Which colours should the editor have?", user="alice")
    >>> found.hits[0].memory.content
    'User prefers dark mode'
    """

    def __init__(
        self,
        database: str | Path | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | Sequence[Embedder] | None = None,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        known = settings or Settings.from_env()
        if database is not None:
            known = replace(known, database_url=str(database))
        opened = open_database(known)
        self._parts = Parts(
            settings=known,
            database=opened,
            indexes=SearchIndexes(known.index_memory_mb * 2**20),
            embedders=_embedders(embedder, known),
            accesses=Accesses(opened, clock),
            clock=clock,
            suffix=lambda: secrets.token_hex(4),
        )
        self._prepared = False
        self._preparing = asyncio.Lock()

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
    ) -> Recalled:
        """Find what matters for a question, best first, with cards of the entities that it touches."""
        wanted = Wanted(
            category=parse_category(category) if category is not None else None,
            type=parse_type(type) if type is not None else None,
            tags=check_tags(tags),
            entity=str(parse_entity_key(entity)) if entity is not None else None,
            persona_id=_text(persona, "persona_id"),
            since=_milliseconds(since, "since"),
            until=_milliseconds(until, "until"),
        )
        return await recalling.recall(
            *await self._for(user),
            query,
            wanted=wanted,
            limit=min(_positive(limit), MAX_HITS),
            as_of=_moment(as_of, "as_of"),
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
        limit: int = 50,
        before: str | None = None,
    ) -> list[MemoryRecord]:
        """List memories, newest first; `before` is the last id of the page before."""
        parts, user_id = await self._for(user)
        key = str(parse_entity_key(entity)) if entity is not None else None

        def load(tx: Connection) -> list[MemoryRecord]:
            wanted = Filter(
                category=parse_category(category) if category is not None else None,
                type=parse_type(type) if type is not None else None,
                tag=_text(tag, "tag"),
                entities=_names(tx, user_id, key) if key is not None else None,
                persona_id=_text(persona, "persona_id"),
                status=parse_status(status) if status is not None else None,
                past=past,
            )
            return memories.page(
                tx, user_id, wanted, limit=min(_positive(limit), MAX_PAGE), before=_text(before, "before")
            )

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
        at = _moment(moment, "moment")
        if at is None:
            raise InvalidInput("moment is missing; say which time to read.", field="moment")
        pairs = await parts.database.read(user_id, lambda tx: past_memories(tx, user_id, at))
        known = [then for then, _ in pairs if then.current]
        return [then for then in known if persona is None or then.persona_id in (None, persona)]

    async def memory_block(self, *, user: str = LOCAL_USER, persona: str | None = None) -> str:
        """S3's block for the system prompt: who the user is, grouped by category, as far as this persona knows."""
        parts, user_id = await self._for(user)
        known = await parts.database.read(
            user_id,
            lambda tx: memories.notable(
                tx, user_id, importance=profile.NOTABLE, categories=profile.PRELOADED
            ),
        )
        visible = [memory for memory in known if memory.persona_id in (None, persona)]
        return profile.render(profile.select(visible, parts.now()))

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
        entity: str | None = None,
        everything: bool = False,
    ) -> Receipt:
        """Erase a memory, an entity with all that mentions it, or a whole user; returns what was erased."""
        forgetting.check_target(memory_id, entity, everything)
        parts, user_id = await self._for(user)
        if memory_id is not None:
            return await forgetting.forget_memory(parts, user_id, memory_id)
        if entity is not None:
            return await forgetting.forget_entity(parts, user_id, entity)
        return await forgetting.forget_everything(parts, user_id)

    # -- entities -------------------------------------------------------------------------------------

    async def entities(self, *, user: str = LOCAL_USER) -> list[Entity]:
        """People, organisations, places and projects that memories mention, last mentioned first."""
        return await merging.list_entities(*await self._for(user))

    async def entity(self, key: str, *, user: str = LOCAL_USER) -> EntityDetails:
        """The card, the memories and the neighbours of one entity."""
        return await merging.describe(*await self._for(user), key)

    async def merge(
        self, alias: str, into: str, *, user: str = LOCAL_USER, reason: str = "merged by hand"
    ) -> None:
        """Say that two names mean the same entity."""
        await merging.merge(*await self._for(user), alias, into, reason=reason)

    async def unmerge(self, alias: str, *, user: str = LOCAL_USER) -> None:
        """Take a merge back."""
        await merging.unmerge(*await self._for(user), alias)

    # -- the whole ------------------------------------------------------------------------------------

    async def stats(self, *, user: str = LOCAL_USER) -> Stats:
        """What is remembered of a user, in numbers."""
        return await report.stats(*await self._for(user))

    async def export(self, *, user: str = LOCAL_USER) -> dict[str, Any]:
        """Everything of a user as a JSON document that `load` reads again."""
        return await exporting.export(*await self._for(user))

    async def load(
        self, document: Mapping[str, Any], *, user: str = LOCAL_USER, progress: Progress = no_progress
    ) -> Loaded:
        """Read an export; twice is the same as once."""
        return await loading.load(*await self._for(user), document, by="import", progress=progress)

    async def reembed(self, model: str | None = None, *, progress: Progress = no_progress) -> int:
        """Serve every user by another embedding model; resumable, and the old vectors serve until then."""
        parts = await self._ready()
        return await reembedding.reembed(parts, model or parts.embedders.default, progress)

    async def users(self) -> list[str]:
        """The ids of everybody who has a memory here, for whoever runs the store."""
        return await report.users_of(await self._ready())

    async def info(self) -> StoreInfo:
        """Where the store is, how large, and which models serve how many users."""
        return await report.info(await self._ready())

    async def migrate(self) -> list[str]:
        """Bring the database's schema up to date; the names of what was applied."""
        return await self._parts.database.migrate()

    async def checks(self) -> list[tuple[str, bool, str]]:
        """What is well and what is not, for `recollect doctor`."""
        return await report.checks(await self._ready())

    async def flush(self) -> None:
        """Write down the uses that are still being gathered."""
        await self._parts.accesses.flush()

    async def aclose(self) -> None:
        """Write what is open and let go of the database and the models."""
        if self._prepared:
            await self._parts.accesses.aclose()
        await self._parts.database.aclose()
        await self._parts.embedders.aclose()

    async def __aenter__(self) -> "AsyncMemory":
        await self._ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # -- S3's five functions, by name and return shape ------------------------------------------------

    async def save_memory(
        self,
        user_id: str,
        content: str,
        category: str,
        importance: float | None = None,
        tags: Iterable[str] = (),
        source_context: str | None = None,
    ) -> dict[str, Any]:
        """`{"success": True, "memory_id": …}`; a duplicate or a refusal has `success` False and says why."""
        try:
            done = await self.remember(
                content,
                user=user_id,
                category=category,
                importance=importance,
                tags=tags,
                source_context=source_context,
                source="tool",
            )
        except InvalidInput as error:
            return {"success": False, "error": error.message}
        return {**done.to_dict(), "memory_id": done.memory.memory_id}

    async def search_memories(
        self, user_id: str, query: str, category: str | None = None, limit: int = 5
    ) -> list[dict[str, Any]]:
        """Memory records that fit the query, best first."""
        found = await self.recall(query, user=user_id, category=category, limit=limit)
        return [hit.memory.to_s3() for hit in found.hits]

    async def get_memories(
        self, user_id: str, category: str | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Memory records, newest first."""
        return [
            memory.to_s3() for memory in await self.memories(user=user_id, category=category, limit=limit)
        ]

    async def update_memory(
        self, user_id: str, memory_id: str, new_content: str, importance: float | None = None
    ) -> dict[str, Any]:
        """`{"success": True, "memory_id": …}`, or `success` False and why."""
        try:
            await self.update(memory_id, user=user_id, content=new_content, importance=importance, by="tool")
        except (InvalidInput, NotFound, Conflict) as error:
            return {"success": False, "error": error.message}
        return {"success": True, "memory_id": memory_id}

    async def delete_memory(self, user_id: str, memory_id: str) -> bool:
        """Whether the memory was there; it is erased."""
        try:
            await self.forget(memory_id, user=user_id)
        except NotFound:
            return False
        return True

    # -- inside ---------------------------------------------------------------------------------------

    async def _for(self, user: str) -> tuple[Parts, str]:
        """The parts and the checked id of the user whom a verb serves."""
        return await self._ready(), check_user_id(user)

    async def _ready(self) -> Parts:
        """Open and prepare the database on first use."""
        if not self._prepared:
            async with self._preparing:
                if not self._prepared:
                    await self._parts.database.prepare()
                    self._prepared = True
        return self._parts


def _names(tx: Connection, user_id: str, key: str) -> tuple[str, ...]:
    """All names under which an entity is mentioned."""
    alias_of = aliases.of_user(tx, user_id)
    target = canonical(key, alias_of)
    return tuple({target, *(alias for alias in alias_of if canonical(alias, alias_of) == target)})


def _moment(value: datetime | str | None, field: str) -> datetime | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return parse(value, field=field)


def _milliseconds(value: datetime | str | None, field: str) -> float | None:
    moment = _moment(value, field)
    return moment.timestamp() * 1000 if moment else None


def _text(value: str | None, field: str) -> str | None:
    return None if value is None else check_text(value, field=field)


def _positive(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"limit must be a whole number of at least 1, not {limit!r}.", field="limit")
    return limit
