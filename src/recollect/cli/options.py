"""Options that several commands share, each declared once."""

import sys
from typing import Annotated, Any

import typer

from recollect.errors import InvalidInput

#: Same as `recollect.api.arguments.LOCAL_USER`, which would load the engine; a test compares them.
LOCAL_USER = "local"


def named(value: str | None) -> str | None:
    """Refuse an empty id: an unset shell variable must not turn one command into another."""
    if value is not None and not value.strip():
        raise typer.BadParameter("it is empty. Give an id or omit it.")
    return value


def an_id(*names: str, metavar: str, help: str) -> Any:
    """An option (with names) or an argument (without) that takes an id."""
    if names:
        return typer.Option(*names, metavar=metavar, help=help, callback=named)
    return typer.Argument(metavar=metavar, help=help, callback=named)


def only_one(**given: object) -> str | None:
    """The name of the only action given, or None. More than one is refused."""
    asked = [name for name, value in given.items() if value is not None and value is not False]
    if len(asked) > 1:
        raise InvalidInput(
            f"--{asked[0]} and --{asked[1]} cannot be combined. Run two commands.", field=asked[1]
        )
    return asked[0] if asked else None


def text_of(text: str) -> str:
    """A text argument; - reads standard input."""
    if text != "-":
        return text
    try:
        return sys.stdin.read().strip()
    except UnicodeDecodeError as error:
        raise InvalidInput("Standard input is not valid UTF-8.", field="text") from error


Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="SQLite file or postgresql://… URL. Default: RECOLLECT_DATABASE_URL, or recollect.db in your data "
        "directory.",
    ),
]
User = Annotated[str, an_id("--user", "-u", metavar="USER", help="The user whose memory to use.")]
#: For commands about the whole database, so that scripts can always pass `--user`. Hidden, because it has no effect.
AnyUser = Annotated[
    str,
    typer.Option(
        "--user", "-u", metavar="USER", hidden=True, help="No effect: this command covers all users."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, including errors.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]

Category = Annotated[
    str | None,
    typer.Option(
        "--category",
        "-c",
        metavar="CATEGORY",
        help="identity, preference, relationship, project, skill, fact or context.",
    ),
]
Importance = Annotated[
    float | None, typer.Option("--importance", "-i", metavar="N", help="0-10.", min=0, max=10)
]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="A tag; can be repeated.")]
Persona = Annotated[
    str | None, an_id("--persona", metavar="PERSONA", help="Use only this persona of the assistant.")
]
Chat = Annotated[str | None, an_id("--chat", metavar="CHAT", help="A chat's id.")]
Entity = Annotated[
    str | None, an_id("--entity", "-e", metavar="KEY", help="Only memories about this entity: person:john.")
]
Budget = Annotated[
    int,
    typer.Option(
        "--budget", "-b", metavar="N", help="Maximum tokens in the context.", min=200, max=1_000_000
    ),
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help='Reference time for "last week". Default: now.'),
]
Zone = Annotated[str, typer.Option("--zone", metavar="ZONE", help='Time zone for "today": Europe/Vienna.')]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Maximum number of results.")]
Cursor = Annotated[
    str | None,
    an_id("--cursor", metavar="CURSOR", help="The previous page's next_cursor."),
]
