"""Open the engine for one command, and close it whatever happens.

The engine is imported here, not above: it brings numpy, and `--help` or a usage error must not wait for that. Background
work stays off: a command that lasts a moment would begin jobs only to give them back. What it leaves behind is done by
`recollect worker`, `recollect drain` or the next `recollect chat`.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from recollect.errors import InvalidInput, NotFound
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.api.blocking import Memory


@contextmanager
def opened(
    database: str | None, settings: Settings | None = None, *, reading: bool = False, working: bool = False
) -> Generator["Memory"]:
    """The synchronous memory over this database; None: the one that the settings or the environment name.

    A command that only reads must find the file that was named: a mistyped path would otherwise make a new one. One that
    is `working` stays long enough for background work, if the settings have it on.
    """
    from recollect.api.blocking import Memory  # Deferred: numpy.

    known = settings or settings_for(database)
    if reading and database:
        need_file(known)
    memory = Memory(database or None, settings=known if working else replace(known, worker="off"))
    try:
        yield memory
    finally:
        memory.close()


def need_file(settings: Settings) -> None:
    """Refuse to go on without the database."""
    missing = missing_file(settings)
    if missing is not None:
        raise NotFound(
            f"There is no database at {missing} yet; the first `recollect chat` or `recollect remember` makes it."
        )


def settings_for(db: str | None) -> Settings:
    """What the environment says, with the database that was named on the command line.

    An address of models that is none is refused here: a service would start without a word, and fail at the first question.
    """
    named: dict[str, Any] = {"database_url": db} if db else {}
    settings = Settings.from_env(**named)
    if not _is_address(settings.openai_base_url):
        raise InvalidInput(
            "OPENAI_BASE_URL cannot be used: it must be an address such as http://localhost:11434/v1.",
            field="OPENAI_BASE_URL",
        )
    return settings


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def missing_file(settings: Settings) -> Path | None:
    """The SQLite file that is not there yet; None when it is, or when a server keeps the data."""
    from recollect.api.memory import default_path  # Deferred: the engine brings numpy.

    if "://" in settings.database_url:
        return None
    path = Path(settings.database_url).expanduser() if settings.database_url else default_path()
    return None if path.exists() else path
