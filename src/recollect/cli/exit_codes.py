"""What the exit code of a command means: the one table from error to code, shown in `--help` and in the docs.

It does not print anything and knows no command. Codes are small and stable, so that scripts may rely on them.
"""

from typing import Final

from recollect.errors import Conflict, InvalidInput, ModelError, NotFound, RecollectError, StoreError

OK: Final = 0
WRONG: Final = 1
USAGE: Final = 2
SKIPPED: Final = 3
NOT_FOUND: Final = 4
CONFLICT: Final = 5
STORE: Final = 6
MODEL: Final = 7
LATE: Final = 8
UNEXPECTED: Final = 70  # sysexits.h: internal software error
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells say it
READER_LEFT: Final = 141  # 128 + SIGPIPE

#: The first that fits counts: special errors stand before general ones.
BY_ERROR: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInput, USAGE),
    (NotFound, NOT_FOUND),
    (Conflict, CONFLICT),
    (StoreError, STORE),
    (ModelError, MODEL),
    (RecollectError, WRONG),
)

MEANINGS: Final[dict[int, str]] = {
    OK: "done",
    WRONG: "something is wrong, or you said no",
    USAGE: "bad input or usage, nothing was changed",
    SKIPPED: "imported, but some entries were skipped",
    NOT_FOUND: "there is no such thing of this user",
    CONFLICT: "the change does not fit the present state",
    STORE: "the database cannot serve",
    MODEL: "a model failed",
    LATE: "background work was not done in time",
    UNEXPECTED: "a bug of Recollect",
    INTERRUPTED: "interrupted",
    READER_LEFT: "the reader of the output left",
}


def of(error: RecollectError) -> int:
    """The exit code of an error."""
    return next(code for kind, code in BY_ERROR if isinstance(error, kind))
