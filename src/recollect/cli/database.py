"""`recollect db`: commands about the whole database: migrate, reembed, info."""

import sys
from typing import Annotated

import typer

from recollect.cli import exit_codes, options, rendering
from recollect.cli.opening import need_file, opened, settings_for
from recollect.cli.output import Output, note
from recollect.cli.progress import bar
from recollect.settings import Settings

#: Bytes of a megabyte as disks count it.
_MEGABYTE = 1_000_000


def migrate(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Bring the schema up to date."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        applied = memory.migrate()
    if out.as_json:
        out.json({"applied": applied})
    elif applied:
        out.line(("Applied", "green"), ": ", ", ".join(applied))
    else:
        out.line("The schema is up to date.")


def reembed(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="Default: RECOLLECT_EMBEDDING_MODEL, else the one in the package.",
        ),
    ] = None,
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Move every user to another embedding model. The old vectors serve until the new ones are there."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        try:
            with bar("Embedding", quiet=as_json) as progress:
                made = memory.reembed(model, progress=progress)
        except KeyboardInterrupt:
            note("Stopped. Nothing is lost: the old vectors serve, the new ones are kept.")
            note(f"Go on with the same command: {' '.join(['recollect', *sys.argv[1:]])}")
            raise typer.Exit(exit_codes.INTERRUPTED) from None
    if out.as_json:
        out.json({"vectors": made, "model": model})
        return
    out.line(
        ("Done", "green"),
        f": {rendering.counted(made, 'vectors')} made"
        if made
        else ": every user is served by this model already",
    )
    if model and model != Settings.from_env().embedding_model:
        out.line((f"Set RECOLLECT_EMBEDDING_MODEL={model}, so that new users are served by it too.", "dim"))


def info(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Where the database is, how large, and what is in it."""
    out = Output(as_json=as_json)
    need_file(settings_for(db))
    with opened(db) as memory:
        known = memory.info().to_dict()
    if out.as_json:
        out.json(known)
        return
    models = (
        ", ".join(f"{name}: {rendering.counted(count, 'users')}" for name, count in known["models"].items())
        or "none yet"
    )
    out.table(
        [
            (("database", "cyan"), known["database"]),
            (("size", "cyan"), f"{known['size_bytes'] / _MEGABYTE:.1f} MB"),
            (("schema", "cyan"), f"version {known['schema']}"),
            (("models", "cyan"), models),
            (("users", "cyan"), str(known["users"])),
        ]
    )
