"""Everything that can go wrong, as one tree.

    RecollectError
    ├── InvalidInput            bad input; nothing was changed; names the field
    │   └── NotWorthKeeping     a text that is no lasting fact; carries the reason
    ├── NotFound                no such thing of this user
    ├── Conflict                the change does not fit the present state
    ├── NotAllowed              a service does not let the caller in, or not do this
    ├── TooManyRequests         a service asks to come back later; says when
    ├── StoreError              the database cannot serve
    │   ├── StoreUnavailable    cannot be opened, read or written (missing, read-only, full, unreachable)
    │   │   └── StoreClosed     was closed by its owner
    │   ├── StoreCorrupt        the file is not a healthy Recollect database
    │   ├── StoreTooNew         written by a newer version of Recollect
    │   └── StoreOutdated       needs `recollect db migrate` first
    └── ModelError              a model failed; what was said is stored all the same
        └── EmbeddingError      no vectors could be had

Errors know nothing of HTTP, exit codes or MCP: each adapter has one table that translates them.
The docstring of a class is its default message. `public_message` is for callers of a service, who do not see where the
database and the models are.
"""

import re

#: How the errors of an endpoint say where its server is.
_WHERE = re.compile(r"\b(model|embedding) server at (\S+)")


def without_address(text: str) -> str:
    """A message about a model without the address of its server."""
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
        """The message for callers: without the location of the database or of a model."""
        return self.message


class InvalidInput(RecollectError):
    """The input is not valid."""

    def __init__(self, message: str | None = None, *, field: str = "") -> None:
        super().__init__(message)
        #: Which argument is wrong, as the caller spells it; empty when it is the whole request.
        self.field = field


class NotWorthKeeping(InvalidInput):
    """This text holds no lasting fact about the user."""


class NotFound(RecollectError):
    """There is no such thing."""

    def __init__(self, message: str | None = None, *, id: str = "") -> None:
        super().__init__(message)
        self.id = id


class Conflict(RecollectError):
    """The change does not fit the present state."""


class NotAllowed(RecollectError):
    """The service does not let you do this: check the token or the service key."""


class TooManyRequests(RecollectError):
    """Too many requests. Come back later."""

    def __init__(self, message: str | None = None, *, seconds: float | None = None) -> None:
        super().__init__(message)
        #: How long to wait; None when the service does not say.
        self.seconds = seconds


class StoreError(RecollectError):
    """The database cannot serve this request."""

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
    """A model failed. What was said is stored; the work is late, not lost."""

    @property
    def public_message(self) -> str:
        return without_address(self.message)

    @property
    def address(self) -> str:
        """Where the server is, if the message says it."""
        found = _WHERE.search(self.message)
        return found[2] if found else ""


class EmbeddingError(ModelError):
    """No vectors could be had from the embedding model."""


def how_to_install(extra: str) -> str:
    """What to run to get the packages of an extra."""
    return f"in a clone of Recollect, run pip install '.[{extra}]'"


def public_job_error(words: str | None) -> str | None:
    """The last error of a job, `StoreUnavailable: …`, for the user whose job it is."""
    if words is None:
        return None
    name = words.partition(":")[0]
    kind = globals().get(name)
    if isinstance(kind, type) and issubclass(kind, StoreError):
        return f"{name}: {kind().public_message}"
    return without_address(words)
