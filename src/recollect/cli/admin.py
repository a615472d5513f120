"""Commands for operators: `recollect db` for the whole database, and `recollect token` for access to a service."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import EVERY, listed, need_file, opened, settings_for
from recollect.cli.output import INTERRUPTED, Output, bar, note
from recollect.errors import InvalidInput
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.types import Token

#: Bytes per megabyte, as for disk sizes.
_MEGABYTE = 1_000_000
#: Maximum users that `db info` lists; `--json` lists all.
_NAMED = 50


def migrate(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Update the schema to this version of Recollect."""
    from recollect.admin import Admin  # Deferred here and below: numpy.

    out = Output(as_json=as_json)
    with opened(db) as memory:
        applied = Admin(memory).migrate()
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
            help="Default: RECOLLECT_EMBEDDING_MODEL, or the bundled model.",
        ),
    ] = None,
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Move every user to another embedding model. Search uses the old vectors until then."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    out = Output(as_json=as_json)
    with opened(db) as memory:
        try:
            with bar("Embedding", quiet=as_json) as progress:
                made = Admin(memory).reembed(model, progress=progress)
        except KeyboardInterrupt:
            note("Stopped. Nothing is lost: the old vectors stay in use, and the new ones are kept.")
            note(f"To continue, run the same command: {' '.join(['recollect', *sys.argv[1:]])}")
            raise typer.Exit(INTERRUPTED) from None
    if out.as_json:
        out.json({"vectors": made, "model": model})
        return
    if made:
        out.line(("Done", "green"), f": {rendering.counted(made, 'new vectors')}")
    else:
        out.line(("Done", "green"), ": every user already has this model")
    if model and model != Settings.from_env().embedding_model:
        out.line((f"To use it for new users too, set RECOLLECT_EMBEDDING_MODEL={model}.", "dim"))


def info(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Show the database's location, size, models and users."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    out = Output(as_json=as_json)
    need_file(settings_for(db))
    with opened(db) as memory:
        known = Admin(memory).info().to_dict()
        users, more = listed(Admin(memory).users, EVERY if as_json else _NAMED)
    if out.as_json:
        out.json({**known, "user_ids": users})
        return
    models = [f"{name}: {rendering.counted(count, 'users')}" for name, count in known["models"].items()]
    named = ", ".join(users) + (", …" if more else "")
    rows = (
        ("database", known["database"]),
        ("size", f"{known['size_bytes'] / _MEGABYTE:.1f} MB"),
        ("schema", f"version {known['schema']}"),
        ("models", ", ".join(models) or "none yet"),
        ("users", f"{known['users']}: {named}" if users else "none yet"),
    )
    out.table([((name, "cyan"), text) for name, text in rows])


# -- tokens -------------------------------------------------------------------------------------------------


def list_tokens(
    user: Annotated[
        str | None, typer.Option("--user", "-u", metavar="USER", help="List only this user's sessions.")
    ] = None,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List service keys and session tokens, without their secrets."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found, more = listed(partial(Admin(memory).tokens, user=user), limit, cursor)
    if out.as_json:
        out.json({"tokens": [token.to_dict() for token in found], "next_cursor": more})
        return
    for token in found:
        label = f" · {token.label}" if token.label else ""
        out.line((token.token_id, "bold"), f" · {_owner(token)}{label}")
        out.line((_validity(token), "dim"), indent=2)
    if not found:
        out.line(("No tokens.", "dim"))
    rendering.more_line(out, more, limit)


def create(
    service: Annotated[
        bool,
        typer.Option(
            "--service", help="Create a service key, which can act for any user and create session tokens."
        ),
    ] = False,
    user: Annotated[
        str | None,
        options.an_id(
            "--user", "-u", metavar="USER", help="Create a session token for this user. Default: local."
        ),
    ] = None,
    ttl: Annotated[
        int | None,
        typer.Option(
            "--ttl", metavar="SECONDS", help="Lifetime. Default: 3600, or unlimited for a service key."
        ),
    ] = None,
    scopes: Annotated[
        str | None,
        typer.Option(
            "--scopes", metavar="SCOPES", help="Comma-separated: read, write, service. Default: all."
        ),
    ] = None,
    label: Annotated[str, typer.Option("--label", metavar="TEXT", help="A note about the token's use.")] = "",
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Create a token. Its secret is shown only once."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    out = Output(as_json=as_json)
    if service and user is not None:
        raise InvalidInput("A service key acts for any user. Omit --user or --service.", field="user")
    with opened(db) as memory:
        made = Admin(memory).create_token(
            user=user,
            service=service,
            scopes=None if scopes is None else [name.strip() for name in scopes.split(",")],
            ttl_seconds=ttl,
            label=label,
        )
    if out.as_json:
        out.json(made.to_dict())
        return
    # Standard output has only the token, so that `$(recollect token create)` works; the rest is for people.
    out.document(f"{made.text}\n")
    owner = _owner(made.token)
    note(f"{owner[:1].upper()}{owner[1:]} · {_validity(made.token)}")
    note("Save the token now: it is shown only once, and only its hash is stored.")


def revoke(
    token_id: Annotated[
        str, options.an_id(metavar="ID", help="The token's id, from `recollect token list`.")
    ],
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Revoke a token. A running service rejects it within seconds."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    out = Output(as_json=as_json)
    with opened(db) as memory:
        Admin(memory).revoke_token(token_id)
    if out.as_json:
        out.json({"revoked": token_id})
    else:
        out.line(("Revoked", "green"), f": {token_id}")


def _owner(token: "Token") -> str:
    return "service key" if token.user_id is None else f"session of {token.user_id}"


def _validity(token: "Token") -> str:
    """A token's scopes, and when it was created and expires."""
    scopes = ", ".join(token.to_dict()["scopes"])
    if token.revoked_at is not None:
        end = f"revoked {rendering.when(token.revoked_at)}"
    elif token.expires_at is not None:
        end = f"until {rendering.when(token.expires_at)}"
    else:
        end = "until it is revoked"
    return f"{scopes} · created {rendering.when(token.created_at)} · {end}"
