"""The root of the command line: every command by name, and what becomes of an error.

Commands live in the files beside this one; none of them imports the engine before it runs, because the engine brings
numpy and `--help` must be instant. Typer's own error boxes are off: one line and an exit code that means something
(`exit_codes`) serve people and scripts alike.
"""

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Annotated, TextIO

import typer

from recollect.cli import (
    chats,
    context,
    corrections,
    data,
    database,
    demo,
    doctor,
    entities,
    evaluate,
    evaluate_judge,
    exit_codes,
    facts,
    forgetting,
    jobs,
    judging,
    mcp,
    pins,
    seed,
    serve,
    sessions,
    talk,
    todos,
    tokens,
    upkeep,
)
from recollect.cli.groups import FirstByDefault
from recollect.cli.options import Json
from recollect.cli.output import Output, Unwritable, complain
from recollect.cli.usage import Command
from recollect.errors import RecollectError

# The backspace is Click's mark for lines that it must not join.
_EPILOG = "\b\nExit codes:\n" + "\n".join(
    f"  {code:<4} {meaning}" for code, meaning in exit_codes.MEANINGS.items()
)

# Plain help: Rich's boxes would double the time of `--help`.
app = typer.Typer(
    name="recollect",
    help="Long-term memory for AI assistants. Talk, and facts and todos form by themselves. Try `recollect demo`.",
    epilog=_EPILOG,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_db = typer.Typer(help="The database as a whole.", rich_markup_mode=None)


def _group(help: str, *commands: tuple[str, Callable[..., None]]) -> typer.Typer:
    """Commands about one thing; the first is what the group's name alone does."""
    group = typer.Typer(cls=FirstByDefault, help=help, rich_markup_mode=None)
    for name, command in commands:
        group.command(name, cls=Command)(command)
    return group


_GROUPS = {
    "chats": _group(
        "Chats: list, read, summaries, numbers, record.",
        ("list", chats.list_chats),
        ("show", chats.show),
        ("brief", chats.brief),
        ("summaries", chats.summaries),
        ("stats", chats.stats),
        ("record", chats.record),
        ("edit", chats.edit),
        ("rename", chats.rename),
    ),
    "pins": _group(
        "Facts that every context of one chat holds.",
        ("list", pins.list_pins),
        ("add", pins.add),
        ("edit", pins.edit),
        ("remove", pins.remove),
    ),
    "todos": _group(
        "What is open: commitments, habits, threads, frictions.",
        ("list", todos.list_todos),
        ("add", todos.add),
        ("done", todos.done),
        ("drop", todos.drop),
        ("reopen", todos.reopen),
        ("remove", todos.remove),
    ),
    "proposals": _group(
        "What somebody should decide: what contradicts, goes or is one.",
        ("list", upkeep.list_proposals),
        ("accept", upkeep.accept),
        ("reject", upkeep.reject),
    ),
    "seed": _group("What is known of a user beforehand.", ("show", seed.show), ("set", seed.plant)),
    "jobs": _group(
        "Background work: how much, how late, what failed.",
        ("list", jobs.list_jobs),
        ("dead", jobs.dead),
        ("retry", jobs.retry),
    ),
    "token": _group(
        "Who may enter a service: service keys and sessions.",
        ("list", tokens.list_tokens),
        ("create", tokens.create),
        ("revoke", tokens.revoke),
    ),
    "eval": _group(
        "How well recall and the judge do on labelled conversations.",
        ("recall", evaluate.recall),
        ("fit", evaluate.fit),
        ("context", evaluate.context),
        ("judge", evaluate_judge.judge),
    ),
}


def _show_version(value: bool) -> None:
    if value:
        version()
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    show: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Long-term memory for AI assistants. Talk, and facts and todos form by themselves. Try `recollect demo`."""
    if context.invoked_subcommand is None:
        Output().document(context.get_help() + "\n")


def version(as_json: Json = False) -> None:
    """Show the version."""
    from recollect import __version__  # Deferred: the package's face brings the engine.

    out = Output(as_json=as_json)
    if out.as_json:
        out.json({"version": __version__})
    else:
        out.line(f"recollect {__version__}")


for _command in (
    talk.chat,
    context.context,
    facts.remember,
    facts.recall,
    facts.memories,
    facts.show,
    corrections.update,
    corrections.pin,
    corrections.unpin,
    corrections.archive,
    corrections.restore,
    forgetting.forget,
    judging.judge,
    upkeep.curate,
    entities.entities,
    entities.entity,
    entities.merge,
    entities.unmerge,
    sessions.sessions,
    sessions.state,
    sessions.spine,
    facts.stats,
    facts.users,
    data.export,
):
    app.command(cls=Command)(_command)
app.command("import", cls=Command)(data.load)
for _command in (database.migrate, database.reembed, database.info):
    _db.command(cls=Command)(_command)
for _name, _commands in {**_GROUPS, "db": _db}.items():
    app.add_typer(_commands, name=_name)
for _command in (serve.serve, mcp.mcp, jobs.worker, jobs.drain, doctor.doctor, demo.demo, version):
    app.command(cls=Command)(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says what became of it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in (given[: given.index("--")] if "--" in given else given)
    _be_robust(sys.stdout)
    _be_robust(sys.stderr)
    _quiet_logs()
    try:
        return _run(given, as_json=as_json)
    except Unwritable as error:
        _abandon(sys.stdout)
        if error.reader_left:
            return exit_codes.READER_LEFT
        complain(f"The answer cannot be written: {error}.", as_json=False)
        return exit_codes.WRONG


def _run(given: list[str], *, as_json: bool) -> int:
    try:
        done = app(given, prog_name="recollect", standalone_mode=False)
        return done if isinstance(done, int) else exit_codes.OK
    except typer.TyperException as error:
        complain(_usage(error), as_json=as_json)
        return error.exit_code
    except RecollectError as error:
        complain(error.message, as_json=as_json)
        return exit_codes.of(error)
    except (KeyboardInterrupt, typer.Abort):
        return exit_codes.INTERRUPTED
    except Unwritable:
        raise
    except Exception as error:
        if os.environ.get("RECOLLECT_DEBUG"):
            traceback.print_exc()
        what = f"Unexpected {type(error).__name__}: {error}. This is a bug"
        complain(f"{what}; set RECOLLECT_DEBUG=1 for the trace.", as_json=as_json)
        return exit_codes.UNEXPECTED


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the command line, and where help is."""
    context: typer.Context | None = getattr(error, "ctx", None)
    message = error.format_message().rstrip(".")
    end = "" if message.endswith("?") else "."
    return f"{message}{end} See `{context.command_path if context else 'recollect'} --help`."


def _be_robust(stream: TextIO) -> None:
    """A character that the terminal cannot show is shown escaped instead of ending the command."""
    with contextlib.suppress(AttributeError):
        stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def _quiet_logs() -> None:
    """Commands say what matters themselves; the engine's events are for those who debug."""
    if os.environ.get("RECOLLECT_DEBUG"):
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    else:
        logging.getLogger("recollect").addHandler(logging.NullHandler())


def _abandon(stream: TextIO) -> None:
    """Let what is still buffered for a reader who left go nowhere, so that Python does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
