"""Options that many commands share, each declared once."""

from typing import Annotated

import typer

from recollect.errors import InvalidInput

#: The same as `recollect.api.opened.LOCAL_USER`, which would bring the engine along; a test compares them.
LOCAL_USER = "local"


def named(value: str | None) -> str | None:
    """Refuse an empty id: it is a shell variable that nobody set, and must not mean another command than the one typed."""
    if value is not None and not value.strip():
        raise typer.BadParameter("it is empty. Give an id, or leave it out.")
    return value


Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="The database: a file path for SQLite or postgresql://…. Default: RECOLLECT_DATABASE_URL, else recollect.db "
        "in your data directory.",
    ),
]
User = Annotated[str, typer.Option("--user", "-u", metavar="USER", help="Whose memory it is.")]
#: For commands about everybody: a script that says `--user` everywhere need not know which those are. Help is silent of it.
AnyUser = Annotated[
    str,
    typer.Option(
        "--user",
        "-u",
        metavar="USER",
        hidden=True,
        help="Accepted, without effect: this command is about the whole database.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, errors included.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

MemoryId = Annotated[
    str, typer.Argument(metavar="ID", help="The memory's id, as the lists show it.", callback=named)
]
ChatId = Annotated[
    str, typer.Argument(metavar="CHAT", help="The chat's id, as `recollect chats` shows it.", callback=named)
]
EntityKey = Annotated[
    str, typer.Argument(metavar="KEY", help="The entity's key, such as person:john_doe.", callback=named)
]

Category = Annotated[
    str | None,
    typer.Option(
        "--category",
        "-c",
        metavar="CATEGORY",
        help="identity, preference, relationship, project, skill, fact or context.",
    ),
]
Importance = Annotated[float | None, typer.Option("--importance", "-i", metavar="N", help="0-10.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="A tag; may be repeated.")]
Persona = Annotated[
    str | None,
    typer.Option(
        "--persona",
        metavar="PERSONA",
        help="One character of the assistant; none: all share it.",
        callback=named,
    ),
]
Entity = Annotated[
    str | None,
    typer.Option(
        "--entity",
        "-e",
        metavar="KEY",
        help="Only what mentions this entity: person:john_doe.",
        callback=named,
    ),
]
Budget = Annotated[
    int, typer.Option("--budget", "-b", metavar="N", help="Tokens that a model is given, at most.")
]
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="TIME", help='When it is asked: "last week" is relative to it. Default: now.'
    ),
]
Zone = Annotated[str, typer.Option("--zone", metavar="ZONE", help="Whose days are meant: Europe/Vienna.")]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="At most so many.")]


def check_most(value: int, field: str, most: int) -> None:
    """Refuse what the service refuses, in its words: fewer than were asked for would look like all there are."""
    if value > most:
        raise InvalidInput(f"{field} must be at most {most}.", field=field)
