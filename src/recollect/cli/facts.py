"""Commands about memories: remember, recall, memories, update, stats."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, note_unknown, opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from recollect import Memory, MemoryRecord, Message

#: Fields that a record's first lines already show.
_SHOWN = {"content", "memory_id", "category", "pinned", "status", "user_id", "importance_level", "subtype"}


def remember(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="A fact about the user; - reads standard input.")
    ],
    category: options.Category = None,
    importance: options.Importance = None,
    tag: options.Tags = None,
    pin: Annotated[bool, typer.Option("--pin", help="Include it in every context.")] = False,
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Remember a fact. A known fact is not stored twice; a new value replaces the old one."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        done = memory.add(
            options.text_of(text),
            user=user,
            category=category,
            importance=importance,
            tags=tag or (),
            pinned=pin,
            persona=persona,
        )
    if out.as_json:
        extra = {
            "outcome": done.outcome,
            "reason": done.reason,
            "memory": done.memory.to_dict(),
            "previous": done.previous.to_dict() if done.previous else None,
        }
        out.json({**done.to_dict(), **extra})
    else:
        rendering.outcome_lines(out, done)


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or a few words.")],
    limit: options.Limit = 5,
    category: options.Category = None,
    tag: options.Tags = None,
    entity: options.Entity = None,
    persona: options.Persona = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="From this time on: 2026-01-28."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="Before this time: 2026-01-28T10:30Z."),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="Answer with what was true at this time.")
    ] = None,
    messages: Annotated[
        int, typer.Option("--messages", metavar="N", help="Maximum number of past messages.", min=0, max=200)
    ] = 5,
    sessions: Annotated[
        int, typer.Option("--sessions", metavar="N", help="Maximum number of past sessions.", min=0, max=30)
    ] = 0,
    chat: Annotated[
        str | None, options.an_id("--chat", metavar="CHAT", help="Find only this chat's messages.")
    ] = None,
    at: options.At = None,
    zone: options.Zone = "UTC",
    explain: Annotated[bool, typer.Option("--explain", help="Show every term of the score.")] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Search memories and past messages."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = memory.search(
            query,
            user=user,
            limit=limit,
            category=category,
            tags=tag or (),
            entity=entity,
            persona=persona,
            since=since,
            until=until,
            as_of=as_of,
            messages=messages,
            sessions=sessions,
            chat=chat,
            at=at,
            zone=zone,
        )
        if not found.hits and not found.messages:
            note_unknown(memory, user)
    if out.as_json:
        out.json(found.to_dict())
    else:
        rendering.result_lines(out, found, explain=explain)


def memories(
    memory_id: Annotated[
        str | None, options.an_id(metavar="[ID]", help="Show this memory. Default: list all.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Show every change to the memory.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Show the memory's source messages.")] = False,
    category: options.Category = None,
    tag: Annotated[
        str | None, typer.Option("--tag", "-t", metavar="TAG", help="List only memories with this tag.")
    ] = None,
    entity: options.Entity = None,
    persona: options.Persona = None,
    status: Annotated[
        str, typer.Option("--status", "-s", metavar="STATUS", help="active, archived or all.")
    ] = "active",
    past: Annotated[bool, typer.Option("--past", help="Include replaced values.")] = False,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List memories, newest first, or show one."""
    out = Output(as_json=as_json)
    if memory_id is not None:
        with opened(db, reading=True) as memory:
            _show(out, memory, memory_id, user, history=history, why=why)
        return
    if history or why:
        raise InvalidInput("--history and --why require a memory's ID: recollect memories ID --history")
    with opened(db, reading=True) as memory:
        fetch = partial(
            memory.memories,
            user=user,
            category=category,
            tag=tag,
            entity=entity,
            persona=persona,
            status=None if status.strip().lower() == "all" else status,
            past=past,
        )
        found, more = listed(fetch, limit, cursor)
        unread = 0 if found else memory.stats(user=user).messages_unjudged
        if not found:
            note_unknown(memory, user)
    if out.as_json:
        out.json({"memories": [record.to_dict() for record in found], "next_cursor": more})
        return
    for record in found:
        rendering.memory_lines(out, record)
    if not found:
        waiting = f" {rendering.counted(unread, 'messages')} not read yet: run `recollect worker --once`."
        out.line((f"No memories.{waiting if unread else ''}", "dim"))
    rendering.more_line(out, more, limit)


def _show(out: Output, memory: "Memory", memory_id: str, user: str, *, history: bool, why: bool) -> None:
    """Show one memory, and on request its changes and source messages."""
    record = memory.get(memory_id, user=user)
    changes = memory.history(memory_id, user=user) if history else []
    sources = _sources(memory, record, user) if why else []
    if out.as_json:
        extra: dict[str, Any] = {"history": [entry.to_dict() for entry in changes]} if history else {}
        extra |= {"messages": [message.to_dict() for message in sources]} if why else {}
        out.json({**record.to_dict(), **extra})
        return
    rendering.memory_lines(out, record)
    rows = [
        ((name, "cyan"), ", ".join(map(str, value)) if isinstance(value, list) else str(value))  # pyright: ignore
        for name, value in record.to_dict().items()
        if name not in _SHOWN and value not in (None, [], "", False)
    ]
    out.line()
    out.table(rows, indent=2)
    if history:
        out.line()
        for entry in changes:
            rendering.history_lines(out, entry, indent=2)
    if why:
        out.line()
        for message in sources:
            rendering.message_lines(out, message)
        if not sources:
            out.line(("None of its source messages is stored.", "dim"))


def _sources(memory: "Memory", record: "MemoryRecord", user: str) -> "list[Message]":
    """A memory's source messages that are still stored."""
    found: list[Message] = []
    for message_id in record.source_message_ids:
        try:
            found.append(memory.message(message_id, user=user))
        except NotFound:
            continue  # Since forgotten.
    return found


def update(
    memory_id: Annotated[
        str, options.an_id(metavar="ID", help="The memory's id, from `recollect memories`.")
    ],
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The new text; - reads standard input.")
    ] = None,
    pin: Annotated[
        bool | None, typer.Option("--pin/--unpin", help="Include it in every context, or stop including it.")
    ] = None,
    archive: Annotated[
        bool | None, typer.Option("--archive/--restore", help="Hide it from recall, or restore it.")
    ] = None,
    category: options.Category = None,
    importance: options.Importance = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", "-t", metavar="TAG", help="Replace all tags with this one; can be repeated."),
    ] = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Remove all tags.")] = False,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="The reason, for the history.")
    ] = "",
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Correct, pin or archive a memory. The history keeps the old values."""
    if (
        not any(value is not None for value in (text, pin, archive, category, importance, tag))
        and not no_tags
    ):
        raise InvalidInput(
            "Nothing to change: give a new TEXT, --pin, --archive, --category, --importance or --tag."
        )
    out = Output(as_json=as_json)
    with opened(db) as memory:
        record = memory.update(
            memory_id,
            user=user,
            content=None if text is None else options.text_of(text),
            importance=importance,
            category=category,
            tags=[] if no_tags else tag or None,
            pinned=pin,
            status=None if archive is None else "ARCHIVED" if archive else "ACTIVE",
            reason=reason,
        )
    if out.as_json:
        out.json(record.to_dict())
    else:
        rendering.memory_lines(out, record, lead=("Updated: ", "green"))


def stats(
    user: options.User = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Show how much is stored for a user."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        numbers = memory.stats(user=user)
        if not numbers.total and not numbers.messages:
            note_unknown(memory, user)
    if out.as_json:
        out.json(numbers.to_dict())
    else:
        rendering.stats_lines(out, numbers, user)
