"""`AsyncMemory`: every operation of a memory. `Memory`, the synchronous form, is generated from it.

Only this module chooses concrete services: the database by its URL, the models by the settings.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import platformdirs

from recollect.api.arguments import LOCAL_USER
from recollect.api.conversations import Conversations
from recollect.api.engine import Engine
from recollect.api.facts import Facts
from recollect.api.tools import AsyncTools
from recollect.encoder import tokens
from recollect.engine import report, vocabularies
from recollect.engine.accesses import Accesses
from recollect.engine.parts import Parts
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.report import Stats
from recollect.engine.spending import Spending
from recollect.errors import InvalidInput, StoreUnavailable
from recollect.index.episode.ranker import Ranker
from recollect.index.search import SearchIndexes
from recollect.interchange import export as exporting
from recollect.interchange import load as loading
from recollect.interchange.export import check_parts
from recollect.interchange.foreign import AUTO
from recollect.interchange.load import Loaded
from recollect.models.embedders import Embedder, Embedders
from recollect.models.judge import judge_for
from recollect.models.openai import server_for
from recollect.models.relay import relay_for
from recollect.models.writer import writer_for
from recollect.settings import Settings
from recollect.store.database import Database
from recollect.store.sqlite import SqliteDatabase
from recollect.worker.handlers import worker_for


def _utc_now() -> datetime:
    return datetime.now(UTC)


def default_path() -> Path:
    """The database's default path: `recollect.db` in the user's data directory."""
    folder = Path(platformdirs.user_data_dir("recollect", appauthor=False))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {folder} cannot be created ({error.strerror}). Choose a database with --db or RECOLLECT_DATABASE_URL."
        ) from error
    return folder / "recollect.db"


def open_database(settings: Settings) -> Database:
    """The database in the settings."""
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


class AsyncMemory(Facts, Conversations):
    """Long-term memory for any number of users.

    >>> memory = AsyncMemory("alice.db")
    >>> await memory.add("I'm vegan", user="alice")
    >>> for hit in await memory.search("What does she eat?", user="alice"):
    ...     print(hit.content)
    User is vegan
    """

    def __init__(
        self,
        database: str | Path | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | Sequence[Embedder] | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        known = settings or Settings.from_env()
        if database is not None:
            known = replace(known, database_url=str(database))
        self._engine = _engine(known, embedder, clock or _utc_now)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._engine.parts.database.name!r})"

    @property
    def tools(self) -> AsyncTools:
        """The tools that a model can call, and a method to run its calls."""
        return AsyncTools(self)

    async def stats(self, *, user: str = LOCAL_USER) -> Stats:
        """Get statistics about what is stored for a user."""
        return await report.stats(*await self._for(user))

    async def export(self, *, user: str = LOCAL_USER, include: Iterable[str] | None = None) -> dict[str, Any]:
        """Export all of a user's data as a JSON document that `load` can import.

        `include` selects parts: memories, entities, chats, todos, sessions, seed. The other parts are empty.
        """
        return await exporting.export(*await self._for(user), include=check_parts(include))

    async def load(
        self,
        document: Mapping[str, Any] | Sequence[Any] | str,
        /,
        *,
        user: str = LOCAL_USER,
        format: str = AUTO,
        progress: Progress = no_progress,
    ) -> Loaded:
        """Import a document. Importing it twice has the same effect as once.

        The document can be a Recollect export, `conversations.json` from ChatGPT or Claude, memories from mem0, or a list
        of messages and memories. A text is read as JSON or JSON lines. The format is detected unless `format` is given.
        """
        parts, user_id = await self._for_work(user)
        return await loading.load(parts, user_id, document, by="import", format=format, progress=progress)

    async def close(self) -> None:
        """Finish answers in progress, write pending data, and close the database and the models."""
        await self._engine.close()

    async def __aenter__(self) -> Self:
        await self._engine.prepared()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _work(self) -> None:
        """Do all users' background work until cancelled; called by `recollect.worker.work`."""
        await self._engine.prepared()
        await self._engine.worker.run_forever()


def _engine(
    settings: Settings, embedder: Embedder | Sequence[Embedder] | None, clock: Callable[[], datetime]
) -> Engine:
    """The concrete services: the database by its URL, the models by the settings."""
    opened = open_database(settings)
    spend = Spending(opened, clock, purpose="judge", cap=settings.judge_daily_tokens)
    parts = Parts(
        settings=settings,
        database=opened,
        indexes=SearchIndexes(settings.index_memory_mb * 2**20),
        embedders=_embedders(embedder, settings),
        accesses=Accesses(opened, clock),
        clock=clock,
        suffix=lambda: secrets.token_hex(4),
        writer=writer_for(settings, tokens.count),
        judge=judge_for(settings, spend, tokens.count),
        models=server_for(settings, hurried=True),
        relay=relay_for(settings),
        vocabulary=vocabularies.load(settings),
        ranker=Ranker.shipped(),
    )
    return Engine(parts, worker_for(parts))
