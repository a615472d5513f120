"""`recollect todos`: what is open between a user and the assistant: commitments, habits, threads, frictions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.cli.paging import listed

if TYPE_CHECKING:
    from recollect.records.todo import Todo

TodoId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The todo's id, as `recollect todos` shows it.", callback=options.named
    ),
]


def list_todos(
    every: Annotated[bool, typer.Option("--all", help="Done and dropped ones too.")] = False,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="Only commitment, habit, thread or friction."),
    ] = None,
    due_before: Annotated[
        str | None, typer.Option("--due-before", metavar="TIME", help="Only what is due before: 2026-01-28.")
    ] = None,
    persona: options.Persona = None,
    limit: options.Limit = 50,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List what is open, newest first. `recollect todos` alone does the same."""
    out = Output(as_json=as_json)
    wanted: dict[str, Any] = {"user": user, "persona": persona, "kind": kind, "due_before": due_before}
    wanted["status"] = None if every else "open"
    with opened(db, reading=True) as memory:
        found, more = listed(
            lambda size, before: memory.todos(**wanted, limit=size, before=before),
            limit,
            lambda todo: todo.cursor,
        )
    if out.as_json:
        out.json({"todos": [todo.to_dict() for todo in found], "more": more})
        return
    todos_lines(out, found)
    rendering.more_line(out, more, limit)


def todos_lines(out: Output, found: "list[Todo]") -> None:
    """Each todo."""
    for todo in found:
        todo_lines(out, todo)
    if not found:
        out.line(("Nothing is open.", "dim"))


def todo_lines(out: Output, todo: "Todo", word: str = "") -> None:
    """What is open; then its kind, when it is due and its id."""
    first, *others = todo.text.splitlines()
    out.line((word, "green"), (first, "bold"))
    for text in others:
        out.line((text, "bold"), indent=2)
    what = [todo.kind.value]
    what += [todo.status.value] if todo.status.value != "open" else []
    what += [f"due {rendering.when(todo.due_at).removesuffix(' 00:00')}"] if todo.due_at else []
    what += [f"with {todo.persona_id}"] if todo.persona_id else []
    out.line((" · ".join(what), "cyan"), (f" · {todo.todo_id}", "dim"), indent=2)


def add(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is open.")],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="commitment, habit, thread or friction.")
    ] = "thread",
    due: Annotated[
        str | None, typer.Option("--due", metavar="TIME", help="When it is due: 2026-01-28.")
    ] = None,
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Note something that is open."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        todo = memory.add_todo(text, user=user, kind=kind, due_at=due, persona=persona)
    _tell(out, todo, "Noted: ")


def done(
    todo_id: TodoId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Mark a todo as done."""
    _change(todo_id, {"status": "done"}, "Done: ", user=user, db=db, as_json=as_json)


def drop(
    todo_id: TodoId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Mark a todo as given up."""
    _change(todo_id, {"status": "dropped"}, "Dropped: ", user=user, db=db, as_json=as_json)


def reopen(
    todo_id: TodoId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Open a todo again that was done or dropped."""
    _change(todo_id, {"status": "open"}, "Open again: ", user=user, db=db, as_json=as_json)


def remove(
    todo_id: TodoId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Delete a todo."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        memory.delete_todo(todo_id, user=user)
    if out.as_json:
        out.json({"removed": todo_id})
    else:
        out.line(("Removed", "green"), f": {todo_id}")


def _change(
    todo_id: str, changes: Mapping[str, Any], word: str, *, user: str, db: str | None, as_json: bool
) -> None:
    out = Output(as_json=as_json)
    with opened(db) as memory:
        todo = memory.update_todo(todo_id, changes, user=user)
    _tell(out, todo, word)


def _tell(out: Output, todo: "Todo", word: str) -> None:
    if out.as_json:
        out.json(todo.to_dict())
    else:
        todo_lines(out, todo, word)
