"""`recollect entities`: the people, organisations, places and projects that memories mention."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Memory


def entities(
    key: Annotated[
        str | None, options.an_id(metavar="[KEY]", help="Show this entity: person:john. Default: list all.")
    ] = None,
    merge: Annotated[
        str | None, options.an_id("--merge", metavar="INTO", help="Make KEY another name for this entity.")
    ] = None,
    unmerge: Annotated[
        str | None,
        options.an_id("--unmerge", metavar="ALIAS", help="Make this name a separate entity again."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="List only person, org, place or project.")
    ] = None,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List entities, show one, or merge two. The most recently mentioned come first."""
    out = Output(as_json=as_json)
    options.only_one(merge=merge, unmerge=unmerge)
    if merge is not None and key is None:
        raise InvalidInput(
            "--merge requires the name to replace: recollect entities KEY --merge INTO", field="key"
        )
    with opened(db, reading=merge is None and unmerge is None) as memory:
        if merge is not None and key is not None:
            memory.merge(key, merge, user=user)
            _tell(
                out,
                memory,
                merge,
                user,
                "Merged",
                f"{key} now means {{}}. To undo this, use --unmerge {key}.",
            )
        elif unmerge is not None:
            memory.unmerge(unmerge, user=user, of=key)
            _tell(out, memory, unmerge, user, "Unmerged", "{} is a separate entity again.")
        elif key is not None:
            _show(out, memory, key, user)
        else:
            _list(out, memory, limit, cursor, user=user, kind=kind)


def _list(
    out: Output, memory: "Memory", limit: int, cursor: str | None, *, user: str, kind: str | None
) -> None:
    found, more = listed(partial(memory.entities, user=user, type=kind), limit, cursor)
    if out.as_json:
        out.json({"entities": [item.to_dict() for item in found], "next_cursor": more})
        return
    if not found:
        out.line(("No entities.", "dim"))
        return
    rows = [
        (
            (item.key, "magenta"),
            (item.label, "bold"),
            f"{item.fact_count}",
            (f"{item.last_mentioned:%Y-%m-%d}", "dim"),
            (", ".join(item.aliases), "dim"),
        )
        for item in found
    ]
    out.table(rows, right=(2,))
    rendering.more_line(out, more, limit)


def _show(out: Output, memory: "Memory", key: str, user: str) -> None:
    """An entity's card, its memories, and the entities mentioned with it."""
    details = memory.entity(key, user=user)
    if out.as_json:
        out.json(details.to_dict())
        return
    aliases = f" · also {', '.join(details.entity.aliases)}" if details.entity.aliases else ""
    out.line((details.entity.label, "bold"), (f"  {details.entity.key}{aliases}", "dim"))
    if details.card is not None:
        rendering.card_line(out, details.card)
    out.line()
    for record in details.memories:
        rendering.memory_lines(out, record)
    if details.neighbours:
        out.line()
        others = ", ".join(f"{other} {count}×" for other, count in details.neighbours)
        out.line(("mentioned with ", "dim"), others)


def _tell(out: Output, memory: "Memory", key: str, user: str, word: str, sentence: str) -> None:
    found = memory.entity(key, user=user).entity
    if out.as_json:
        out.json(found.to_dict())
    else:
        out.line((word, "green"), ": ", sentence.format(found.key))
