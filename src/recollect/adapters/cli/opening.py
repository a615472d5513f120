"""Open the engine for one command, and close it whatever happens.

The engine is imported here, not above: it brings numpy, and `--help` or a usage error must not wait for that.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.engine.blocking import Memory
    from recollect.settings import Settings


@contextmanager
def opened(database: str | None, settings: "Settings | None" = None) -> Generator["Memory"]:
    """The synchronous memory over this database; None: the one that the settings or the environment name."""
    from recollect.engine.blocking import Memory  # Deferred: numpy.

    memory = Memory(database or None, settings=settings)
    try:
        yield memory
    finally:
        memory.close()
