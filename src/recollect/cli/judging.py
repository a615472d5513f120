"""`recollect judge`: find memories in what was said, now instead of behind.

The worker does it by itself; this is for whoever imported conversations, switched the judge on later, or wants to see
what it makes of a chat. What a judge finds is the engine's business.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened, settings_for
from recollect.cli.output import Output
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.engine.judge import Judged


def judge(
    chat: Annotated[
        str | None,
        typer.Option(
            "--chat", metavar="CHAT", help="Only this chat; without it all of them.", callback=options.named
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="From the beginning, also what was read before.")
    ] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Find memories and todos in what was said. A worker does it by itself; this does it now."""
    out = Output(as_json=as_json)
    settings = settings_for(db)
    if settings.judge == "off":
        raise InvalidInput("The judge is off. Unset RECOLLECT_JUDGE, or set it to `rules` or `model`.")
    with opened(db, settings, reading=True) as memory:
        done = memory.judge(user=user, chat=chat, again=again)
    if out.as_json:
        out.json(done.to_dict())
    else:
        judged_lines(out, done)


def judged_lines(out: Output, done: "Judged") -> None:
    """How much was read, and what came of it."""
    if not done.messages:
        out.line(("Nothing is unread.", "dim"))
        return
    by = f" by {' and '.join(done.judged_by)}" if done.judged_by else ""
    out.line(("Read", "green"), f": {rendering.counted(done.messages, 'messages')}{by}.")
    told = (
        (done.added, "new memory", "new memories"),
        (done.updated, "memory with a new value", "memories with a new value"),
        (done.duplicates, "statement that was known", "statements that were known"),
        (done.todos, "todo", "todos"),
        (done.pins, "pin", "pins"),
        (done.forgotten, "memory forgotten, as asked", "memories forgotten, as asked"),
        (done.forgettings_asked + done.contradictions, "proposal to decide", "proposals to decide"),
        (
            done.forgettings_unfound,
            "request to forget what is not known",
            "requests to forget what is not known",
        ),
        (done.refused, "proposal that was not kept", "proposals that were not kept"),
    )
    for count, one, several in told:
        if count:
            out.line(f"{count:>5} {one if count == 1 else several}", indent=2)
    if not any(count for count, _, _ in told):
        out.line("Nothing in them was worth keeping.", indent=2)
