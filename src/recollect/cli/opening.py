"""Opens the engine for one command, and always closes it.

The engine is imported inside functions, because it loads numpy and `--help` or a usage error must not wait for that.
Background work is off, because a short command would only start jobs and return them. `recollect worker`,
`recollect worker --once` or the next `recollect chat` does it.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from recollect.cli.options import LOCAL_USER
from recollect.cli.output import note
from recollect.errors import InvalidInput, NotFound
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect import Memory
    from recollect.types import Page

Row = TypeVar("Row")

#: Rows to request at a time; the engine's pages have at most this many.
_PAGE = 1000
#: A limit that no list exceeds.
EVERY = 10**9


@contextmanager
def opened(
    database: str | None, settings: Settings | None = None, *, reading: bool = False, working: bool = False
) -> Generator["Memory"]:
    """A synchronous memory on this database; None uses the settings or the environment.

    A command that only reads requires a given file to exist, because a mistyped path would otherwise create a new one.
    `working` leaves background work on, for long-running commands.
    """
    from recollect import Memory  # Deferred: numpy.

    known = settings or settings_for(database)
    if reading and database:
        need_file(known)
    memory = Memory(database or None, settings=known if working else replace(known, worker="off"))
    try:
        yield memory
    finally:
        memory.close()


def need_file(settings: Settings) -> None:
    """Raise an error if the database does not exist."""
    missing = missing_file(settings)
    if missing is not None:
        raise NotFound(
            f"There is no database at {missing} yet. To create it, run `recollect remember` or `recollect chat`."
        )


def settings_for(db: str | None) -> Settings:
    """The environment's settings, with the database from the command line.

    An invalid model address is refused here, because otherwise a service would start and fail at the first question.
    """
    named: dict[str, Any] = {"database_url": db} if db else {}
    settings = Settings.from_env(**named)
    if not _is_address(settings.openai_base_url):
        raise InvalidInput(
            "OPENAI_BASE_URL is not a valid address. Use one such as http://localhost:11434/v1.",
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
    """The SQLite file if it does not exist yet; None if it does, or on PostgreSQL."""
    from recollect.api.memory import default_path  # Deferred: numpy.

    if "://" in settings.database_url:
        return None
    path = Path(settings.database_url).expanduser() if settings.database_url else default_path()
    return None if path.exists() else path


def note_unknown(memory: "Memory", user: str) -> None:
    """After an empty result, report on standard error if the user does not exist: the name is probably misspelt.

    The default user is not checked, because it does not exist before its first memory.
    """
    from recollect.admin import Admin  # Deferred: numpy.

    if user != LOCAL_USER and user not in listed(Admin(memory).users, EVERY)[0]:
        note(f"There is no user {user!r}. To list users, run `recollect db info`.")


def listed(
    fetch: Callable[..., "Page[Row]"], limit: int, cursor: str | None = None
) -> tuple[list[Row], str | None]:
    """The requested number of rows, from as many pages as needed, and the cursor of the rest."""
    found: list[Row] = []
    while True:
        page = fetch(limit=min(limit - len(found), _PAGE) if limit > 0 else limit, cursor=cursor)
        found += page
        cursor = page.next_cursor
        if cursor is None or len(found) >= limit:
            return found, cursor
