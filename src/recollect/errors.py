"""All errors, as one class tree.

    RecollectError
    ├── InvalidInput            invalid input; nothing was changed; names the field
    │   └── NotWorthKeeping     the text is not a lasting fact; gives the reason
    ├── NotFound                this user has no such object
    ├── Conflict                the change conflicts with the current state
    ├── NotAllowed              a service refuses the caller or the action
    ├── TooManyRequests         a service asks to retry later, and says when
    ├── StoreError              the database cannot be used
    │   ├── StoreUnavailable    cannot be opened, read or written (missing, read-only, full, unreachable)
    │   │   └── StoreClosed     was closed by the program
    │   ├── StoreCorrupt        the file is not a healthy Recollect database
    │   ├── StoreTooNew         written by a newer version of Recollect
    │   └── StoreOutdated       needs `recollect db migrate` first
    └── ModelError              a model failed; messages are stored all the same
        └── EmbeddingError      the embedding model returned no vectors

Errors are independent of HTTP, exit codes and MCP: each adapter translates them with one table.
A class's docstring is its default message. `public_message` is for callers of a service, and hides the addresses of the
database and the models.
"""

import re

#: How an endpoint's errors give its server's address.
_WHERE = re.compile(r"\b(model|embedding) server at (\S+)")


def without_address(text: str) -> str:
    """A model's error message without its server's address."""
    return _WHERE.sub(r"\1 server", text)


class RecollectError(Exception):
    """Recollect could not do this."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        return str(self)

    @property
    def public_message(self) -> str:
        """The message for callers, without the address of the database or a model."""
        return self.message


class InvalidInput(RecollectError):
    """The input is not valid."""

    def __init__(self, message: str | None = None, *, field: str = "") -> None:
        super().__init__(message)
        #: The invalid argument as the caller spells it; empty if it is the whole request.
        self.field = field


class NotWorthKeeping(InvalidInput):
    """This text contains no lasting fact about the user."""


class NotFound(RecollectError):
    """Not found."""

    def __init__(self, message: str | None = None, *, id: str = "") -> None:
        super().__init__(message)
        self.id = id


class Conflict(RecollectError):
    """The change conflicts with the current state."""


class NotAllowed(RecollectError):
    """The service refused this request. Check the token or the service key."""


class TooManyRequests(RecollectError):
    """Too many requests. Try again later."""

    def __init__(self, message: str | None = None, *, seconds: float | None = None) -> None:
        super().__init__(message)
        #: How long to wait; None if the service does not say.
        self.seconds = seconds


class StoreError(RecollectError):
    """The database cannot be used."""

    @property
    def public_message(self) -> str:
        return "The database is unavailable."


class StoreUnavailable(StoreError):
    """The database cannot be opened, read or written."""


class StoreClosed(StoreUnavailable):
    """The database was closed. Open a new memory."""


class StoreCorrupt(StoreError):
    """The file is not a healthy Recollect database."""


class StoreTooNew(StoreError):
    """The database was written by a newer version of Recollect. Upgrade the package."""


class StoreOutdated(StoreError):
    """The database has an older schema. Run `recollect db migrate`."""


class ModelError(RecollectError):
    """A model failed. Messages are stored; the work is delayed, not lost."""

    @property
    def public_message(self) -> str:
        return without_address(self.message)

    @property
    def address(self) -> str:
        """The server's address, if the message contains it."""
        found = _WHERE.search(self.message)
        return found[2] if found else ""


class EmbeddingError(ModelError):
    """The embedding model returned no vectors."""


def how_to_install(extra: str) -> str:
    """How to install an extra."""
    return f"in a clone of Recollect, run pip install '.[{extra}]'"


def public_job_error(words: str | None) -> str | None:
    """A job's last error (`StoreUnavailable: …`) in a form for its user."""
    if words is None:
        return None
    name = words.partition(":")[0]
    kind = globals().get(name)
    if isinstance(kind, type) and issubclass(kind, StoreError):
        return f"{name}: {kind().public_message}"
    return without_address(words)
