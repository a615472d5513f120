"""Commands by which a person corrects what is remembered: update, pin, unpin, archive, restore."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.records.memory import MemoryRecord


def update(
    memory_id: options.MemoryId,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="The new text.")] = None,
    importance: options.Importance = None,
    category: options.Category = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", "-t", metavar="TAG", help="The new tags, instead of the old; may be repeated."),
    ] = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take all tags away.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the history.")] = "",
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Change a memory. All of it or nothing; the history keeps what it was."""

    def act(memory: "Memory") -> "MemoryRecord":
        return memory.update(
            memory_id,
            user=user,
            content=content,
            importance=importance,
            category=category,
            tags=[] if no_tags else tag or None,
            reason=reason,
        )

    _change(act, "Updated", db, as_json)


def pin(
    memory_id: options.MemoryId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Keep a memory in every context. It counts as most important while pinned."""
    _change(lambda memory: memory.pin(memory_id, user=user), "Pinned", db, as_json)


def unpin(
    memory_id: options.MemoryId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Take the pin away; the memory gets its own importance back."""
    _change(lambda memory: memory.unpin(memory_id, user=user), "Unpinned", db, as_json)


def archive(
    memory_id: options.MemoryId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Hide a memory from recall; nothing is lost."""
    _change(lambda memory: memory.archive(memory_id, user=user), "Archived", db, as_json)


def restore(
    memory_id: options.MemoryId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Bring an archived memory back."""
    _change(lambda memory: memory.restore(memory_id, user=user), "Restored", db, as_json)


def _change(act: Callable[["Memory"], "MemoryRecord"], word: str, db: str | None, as_json: bool) -> None:
    out = Output(as_json=as_json)
    with opened(db) as memory:
        record = act(memory)
    if out.as_json:
        out.json(record.to_dict())
    else:
        rendering.memory_lines(out, record, lead=(f"{word}: ", "green"))
