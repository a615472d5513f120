"""`recollect todos`: a user's open commitments, habits, threads and frictions."""

from functools import partial
from typing import Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, opened
from recollect.cli.output import Output

_WORDS = {"done": "Done: ", "drop": "Dropped: ", "reopen": "Reopened: "}
_STATUS = {"done": "done", "drop": "dropped", "reopen": "open"}


def todos(
    add: Annotated[str | None, typer.Option("--add", metavar="TEXT", help="Add a todo.")] = None,
    due: Annotated[
        str | None,
        typer.Option("--due", metavar="TIME", help="With --add: the due date, such as 2026-01-28."),
    ] = None,
    done: Annotated[str | None, options.an_id("--done", metavar="ID", help="Mark a todo as done.")] = None,
    drop: Annotated[str | None, options.an_id("--drop", metavar="ID", help="Mark a todo as dropped.")] = None,
    reopen: Annotated[str | None, options.an_id("--reopen", metavar="ID", help="Reopen a todo.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Include done and dropped todos.")] = False,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="commitment, habit, thread or friction.")
    ] = None,
    due_before: Annotated[
        str | None,
        typer.Option("--due-before", metavar="TIME", help="List only todos due before this time."),
    ] = None,
    persona: options.Persona = None,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List open todos, or add, finish or drop one."""
    out = Output(as_json=as_json)
    action = options.only_one(add=add, done=done, drop=drop, reopen=reopen)
    if action is None:
        with opened(db, reading=True) as memory:
            fetch = partial(
                memory.todos,
                user=user,
                persona=persona,
                status=None if every else "open",
                kind=kind,
                due_before=due_before,
            )
            found, more = listed(fetch, limit, cursor)
        if out.as_json:
            out.json({"todos": [todo.to_dict() for todo in found], "next_cursor": more})
            return
        rendering.todos_lines(out, found)
        rendering.more_line(out, more, limit)
        return
    with opened(db) as memory:
        if add is not None:
            text = options.text_of(add)
            todo = memory.add_todo(text, user=user, kind=kind or "thread", due_at=due, persona=persona)
        else:
            todo = memory.update_todo(done or drop or reopen or "", user=user, status=_STATUS[action])
    if out.as_json:
        out.json(todo.to_dict())
    else:
        rendering.todo_lines(out, todo, _WORDS.get(action, "Added: "))
