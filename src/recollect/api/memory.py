"""`AsyncMemory`: the whole face. `Memory`, the synchronous one, is generated from it.

This is the only place that chooses concrete parts: the database by its URL, the models by the settings.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

from recollect.api.access import Access
from recollect.api.conversations import Conversations
from recollect.api.facts import MAX_PAGE
from recollect.api.opened import LOCAL_USER, as_limit
from recollect.api.running import Running
from recollect.api.talking import Talking
from recollect.api.upkeep import Upkeep
from recollect.encoder import tokens
from recollect.encoder.embedder import Embedder
from recollect.encoder.embedders import Embedders
from recollect.engine import reembed as reembedding
from recollect.engine import report, vocabularies
from recollect.engine.accesses import Accesses
from recollect.engine.parts import Parts
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.report import Stats, StoreInfo
from recollect.engine.spending import Spending
from recollect.errors import InvalidInput, StoreUnavailable
from recollect.index import rankers
from recollect.index.search import SearchIndexes
from recollect.interchange import export as exporting
from recollect.interchange import load as loading
from recollect.interchange.foreign import AUTO
from recollect.interchange.load import Loaded
from recollect.interchange.portable_part import check_parts
from recollect.models.judge import judge_for
from recollect.models.openai import answering_for
from recollect.models.relay import relay_for
from recollect.models.writer import writer_for
from recollect.settings import Settings
from recollect.store.database import Database
from recollect.store.sqlite import SqliteDatabase
from recollect.worker.handlers import handlers, waits
from recollect.worker.worker import Worker


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


class AsyncMemory(Talking, Conversations, Upkeep, Access):
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
        spend = Spending(opened, clock, purpose="judge", cap=known.judge_daily_tokens)
        parts = Parts(
            settings=known,
            database=opened,
            indexes=SearchIndexes(known.index_memory_mb * 2**20),
            embedders=_embedders(embedder, known),
            accesses=Accesses(opened, clock),
            clock=clock,
            suffix=lambda: secrets.token_hex(4),
            writer=writer_for(known, tokens.count),
            judge=judge_for(known, spend, tokens.count),
            models=answering_for(known),
            relay=relay_for(known),
            vocabulary=vocabularies.load(known),
            ranker=rankers.load(known),
        )
        worker = Worker(
            opened,
            handlers(parts),
            clock=parts.now,
            new_id=lambda: parts.new_id(parts.now()),
            waits=waits(parts),
        )
        parts.bell.heard = worker.ring
        super().__init__(parts, worker)

    @property
    def running(self) -> Running:
        """What the process of a service asks beyond the verbs."""
        return Running(self._ready, self._working, self._worker)

    # -- the whole ------------------------------------------------------------------------------------

    async def stats(self, *, user: str = LOCAL_USER) -> Stats:
        """What is remembered of a user, in numbers."""
        return await report.stats(*await self._for(user))

    async def export(self, *, user: str = LOCAL_USER, include: Iterable[str] | None = None) -> dict[str, Any]:
        """Everything of a user as a JSON document that `load` reads again.

        `include` names the parts that are wanted: memories, entities, chats, todos, sessions, seed; the others are empty.
        """
        return await exporting.export(*await self._for(user), include=check_parts(include))

    async def load(
        self,
        document: Mapping[str, Any] | Sequence[Any] | str,
        *,
        user: str = LOCAL_USER,
        format: str = AUTO,
        progress: Progress = no_progress,
    ) -> Loaded:
        """Read an export; twice is the same as once.

        The document is Recollect's own, the `conversations.json` of ChatGPT or Claude, memories of mem0, or messages and
        memories in a list; a text is read as JSON or as JSON lines. Which one it is, its content says, unless `format` does.
        """
        parts, user_id = await self._for_work(user)
        return await loading.load(parts, user_id, document, by="import", format=format, progress=progress)

    async def reembed(self, model: str | None = None, *, progress: Progress = no_progress) -> int:
        """Serve every user by another embedding model; resumable, and the old vectors serve until then."""
        parts = await self._ready()
        return await reembedding.reembed(parts, model or parts.embedders.default, progress)

    async def users(self, *, limit: int | None = None, after: str = "") -> list[str]:
        """The ids of everybody who has a memory here, for whoever runs the store, in the order of names.

        With a `limit` so many of them; `after` is the last name of the page before.
        """
        size = None if limit is None else min(as_limit(limit), MAX_PAGE)
        return await report.users_of(await self._ready(), limit=size, after=after)

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
        """Write what is open and let go of the database and the models; answers on their way are finished first."""
        await self._parts.talks.aclose()
        await self._worker.aclose()
        if self._prepared:
            await self._parts.accesses.aclose()
        await self._parts.database.aclose()
        await self._parts.embedders.aclose()
        await self._parts.writer.aclose()
        await self._parts.models.aclose()
        await self._parts.relay.aclose()
        if self._parts.judge is not None:
            await self._parts.judge.aclose()

    async def __aenter__(self) -> "AsyncMemory":
        await self._ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
