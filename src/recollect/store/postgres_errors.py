"""PostgreSQL's errors, with what to do about them.

Every driver error becomes one of ours. The server's message is kept if it helps; it never contains a password. A failed
connection has no error code, so the server's English message identifies the cause; messages in other languages are passed
on unchanged.
"""

from psycopg import Error, OperationalError, errors

from recollect.errors import RecollectError, StoreCorrupt, StoreError, StoreOutdated, StoreUnavailable
from recollect.store.database import BUSY_TIMEOUT_SECONDS

#: What the server says while connecting, and what to do.
_CONNECTING = (
    (("password", "authentication"), "refused the login. Check user and password in the database URL"),
    (("role",), "does not know this user. Check the user in the database URL"),
    (("too many", "slots"), "has no connection left. Lower RECOLLECT_POOL_SIZE or raise max_connections"),
    (("starting up", "shutting down", "recovery mode"), "is starting or stopping. Try again in a moment"),
    (
        ("refused", "no such file", "translate host", "resolve", "timeout", "timed out", "unreachable"),
        "cannot be reached. Check that the server runs and that host and port in the database URL are right",
    ),
)


class Lost(OperationalError):
    """The connection broke before anything was stored: whatever was asked may be asked again."""


def explained(error: Error, name: str) -> RecollectError:
    """The error of ours that says what to do."""
    said = _said(error)
    match error:
        case errors.DiskFull():
            return StoreUnavailable(f"The disk of {name} is full. Free some space; nothing was changed.")
        case errors.ReadOnlySqlTransaction():
            return StoreUnavailable(
                f"{name} is read-only ({said}). Use the address of the primary server, not of a standby."
            )
        case errors.QueryCanceled():
            return StoreUnavailable(
                f"{name} took too long and was stopped ({said}). Try again, or raise statement_timeout."
            )
        case errors.LockNotAvailable():
            return StoreUnavailable(
                f"{name} stayed locked by another process for {BUSY_TIMEOUT_SECONDS:g} s. Try again."
            )
        case errors.SerializationFailure() | errors.DeadlockDetected():
            return StoreUnavailable(f"{name} is too busy: others kept getting in the way. Try again.")
        case errors.InsufficientPrivilege():
            return StoreUnavailable(
                f"{name} does not permit this ({said}). Connect as the role that ran `recollect db migrate`."
            )
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.InvalidSchemaName():
            return StoreOutdated(f"{name} lacks a table or column ({said}). Run `recollect db migrate`.")
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StoreCorrupt(f"{name} is damaged ({said}). Restore a backup.")
        case errors.InvalidCatalogName():
            return _no_database(name)
        case OperationalError():
            return _unavailable(said, name)
        case _:
            return StoreError(f"{name}: {said}")


def _unavailable(said: str, name: str) -> StoreUnavailable:
    words = said.lower()
    if "database" in words and "does not exist" in words:
        return _no_database(name)
    for marks, advice in _CONNECTING:
        if any(mark in words for mark in marks):
            return StoreUnavailable(f"{name} {advice} ({said}).")
    return StoreUnavailable(f"{name} cannot be used: {said}. Try again.")


def _no_database(name: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{name}: there is no such database. Create it (createdb), then run `recollect db migrate`."
    )


def _said(error: Error) -> str:
    """The server's own sentence, on one line."""
    words = error.diag.message_primary or str(error)
    return " ".join(words.split()).rstrip(".")
