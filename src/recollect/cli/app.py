"""The root of the command line: commands by name, global options in any position, and the format of errors.

Commands are in the other files of this folder. None imports the engine before it runs, because the engine loads numpy and
`--help` must be instant. Typer's error boxes are off, because one sentence and an exit code suit both people and scripts.
"""

import contextlib
import difflib
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperCommand

from recollect.cli import (
    admin,
    chats,
    context,
    data,
    demo,
    doctor,
    entities,
    facts,
    forgetting,
    jobs,
    options,
    review,
    serve,
    sessions,
    talk,
    todos,
)
from recollect.cli.output import (
    INTERRUPTED,
    MEANINGS,
    OK,
    READER_LEFT,
    UNEXPECTED,
    WRONG,
    Output,
    Unwritable,
    complain,
    exit_code,
)
from recollect.errors import RecollectError

_HELP = "Long-term memory for AI assistants. Try `recollect demo`."
# The backspace tells Click not to join these lines.
_EPILOG = "\b\nExit codes:\n" + "\n".join(f"  {code:<4} {meaning}" for code, meaning in MEANINGS.items())
#: Parameter names of options that may also come before the command.
_GLOBAL = ("user", "db", "as_json")


class Command(TyperCommand):
    """A command that also accepts global options before its name, and shows its arguments as declared."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for item in self.params:
            if item.param_type_name == "argument":
                # Typer would add `<str>` to the name in the help.
                item.display_type_rich = _no_type  # pyright: ignore[reportAttributeAccessIssue]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Options after the command override those before it."""
        try:
            rest = super().parse_args(ctx, args)
        except typer.TyperException as error:
            # The parser's own errors lack their command.
            error.ctx = getattr(error, "ctx", None) or ctx  # pyright: ignore[reportAttributeAccessIssue]
            raise
        for name in _GLOBAL:
            outer = ctx
            while name in ctx.params and outer is not None and not _is_given(outer, name):
                outer = outer.parent
            if name in ctx.params and outer is not None:
                ctx.params[name] = outer.params[name]
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`[OPTIONS] QUERY`: Typer would put braces around the name."""
        words = (item.metavar for item in self.get_params(ctx) if item.param_type_name == "argument")
        return [word for word in (self.options_metavar, *words) if word]


def _no_type(ctx: object) -> str:
    return ""


def _is_given(ctx: Any, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _show_version(value: bool) -> None:
    if value:
        from recollect import __version__  # Deferred: --help must be instant.

        Output().line(f"recollect {__version__}")
        raise typer.Exit


def root(
    context: typer.Context,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Long-term memory for AI assistants. Try `recollect demo`."""
    _help_alone(context)


def group(
    context: typer.Context,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Accept options between a group's name and its command."""
    _help_alone(context)


def _help_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        Output().document(context.get_help() + "\n")


# Plain help: Rich's boxes would double the time of `--help`.
app = typer.Typer(
    name="recollect",
    help=_HELP,
    epilog=_EPILOG,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
app.callback()(root)

_COMMANDS: dict[str, Callable[..., None]] = {
    "remember": facts.remember,
    "recall": facts.recall,
    "context": context.context,
    "forget": forgetting.forget,
    "chat": talk.chat,
    "memories": facts.memories,
    "update": facts.update,
    "todos": todos.todos,
    "chats": chats.chats,
    "pins": chats.pins,
    "entities": entities.entities,
    "sessions": sessions.sessions,
    "review": review.review,
    "seed": data.seed,
    "stats": facts.stats,
    "import": data.load,
    "export": data.export,
    "serve": serve.serve,
    "mcp": serve.mcp,
    "worker": jobs.worker,
    "doctor": doctor.doctor,
    "demo": demo.demo,
}
_GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "db": (
        "The database as a whole: info, migrate, reembed.",
        {"info": admin.info, "migrate": admin.migrate, "reembed": admin.reembed},
    ),
    "token": (
        "Access to a service: create, list and revoke tokens.",
        {"create": admin.create, "list": admin.list_tokens, "revoke": admin.revoke},
    ),
}
#: Command names that users of other memory tools expect.
_HIDDEN = {"add": facts.remember, "search": facts.recall}

for _name, _command in _COMMANDS.items():
    app.command(_name, cls=Command)(_command)
for _name, _command in _HIDDEN.items():
    app.command(_name, cls=Command, hidden=True)(_command)
for _name, (_help, _commands) in _GROUPS.items():
    _group = typer.Typer(help=_help, rich_markup_mode=None, invoke_without_command=True)
    _group.callback()(group)
    for _inner, _command in _commands.items():
        _group.command(_inner, cls=Command)(_command)
    app.add_typer(_group, name=_name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
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
            return READER_LEFT
        complain(f"The output cannot be written: {error}.", as_json=False)
        return WRONG


def _run(given: list[str], *, as_json: bool) -> int:
    try:
        done = app(given, prog_name="recollect", standalone_mode=False)
        return done if isinstance(done, int) else OK
    except typer.TyperException as error:
        complain(_usage(error), as_json=as_json)
        return error.exit_code
    except RecollectError as error:
        complain(error.message, as_json=as_json)
        return exit_code(error)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Unwritable:
        raise
    except Exception as error:
        if os.environ.get("RECOLLECT_DEBUG"):
            traceback.print_exc()
        what = f"Unexpected {type(error).__name__}: {error}. This is a bug"
        complain(f"{what}. To see the traceback, set RECOLLECT_DEBUG=1.", as_json=as_json)
        return UNEXPECTED


# -- usage errors -------------------------------------------------------------------------------------------


def _usage(error: typer.TyperException) -> str:
    """A message about the invalid argument, and how to get help."""
    context: typer.Context | None = getattr(error, "ctx", None)
    wrong = _wrong(error, context).rstrip(".")
    end = "" if wrong.endswith("?") else "."
    return f"{wrong}{end} See `{context.command_path if context else 'recollect'} --help`."


def _wrong(error: Any, context: typer.Context | None) -> str:
    """Click's error message in our words."""
    message: str = error.message
    param = getattr(error, "param", None)
    if hasattr(error, "possibilities"):
        close = difflib.get_close_matches(str(error.option_name), list[str](error.possibilities or ()), n=1)
        return f"There is no option {error.option_name}" + (f". Did you mean {close[0]}?" if close else "")
    if hasattr(error, "param_type") and param is not None:
        meaning = (param.help or "").partition(";")[0]
        return f"{param.metavar} is missing: {meaning[:1].lower()}{meaning[1:]}"
    if param is not None:
        name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar
        limit = re.match(r"Input should be (.*?)(?:, unable.*)?$", message)
        return f"{name} must be {_plain(limit[1])}" if limit else f"{name}: {message}"
    if extra := re.match(r"Got unexpected extra argument\S* \((.*)\)$", message):
        takes_text = context is not None and any(
            getattr(item, "metavar", "") in ("TEXT", "QUERY", "[TEXT]") for item in context.command.params
        )
        hint = ". Put quotes around a text with spaces" if takes_text else ""
        return f"Too many arguments: {extra[1]}{hint}"
    if bare := re.match(r"Option '(\S+)' requires (an|\d+) arguments?", message):
        return f"{bare[1]} needs {'a value' if bare[2] == 'an' else f'{bare[2]} values'}"
    return message.replace("No such command", "There is no command")


def _plain(limit: str) -> str:
    for theirs, ours in (
        ("a valid integer", "a whole number"),
        ("a valid number", "a number"),
        ("less than or equal to", "at most"),
        ("greater than or equal to", "at least"),
    ):
        limit = limit.replace(theirs, ours)
    return limit


# -- streams ------------------------------------------------------------------------------------------------


def _be_robust(stream: TextIO) -> None:
    """Escape characters that the terminal cannot show, instead of failing."""
    with contextlib.suppress(AttributeError):
        stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def _quiet_logs() -> None:
    """Silence the engine's log except for debugging; commands report what matters."""
    if os.environ.get("RECOLLECT_DEBUG"):
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    else:
        logging.getLogger("recollect").addHandler(logging.NullHandler())


def _abandon(stream: TextIO) -> None:
    """Discard buffered output after the reader has gone, so that Python does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
