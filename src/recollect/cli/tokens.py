"""`recollect token`: who may enter a service: service keys, and sessions of single users."""

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output, note
from recollect.cli.paging import listed
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.records.token import Token


def list_tokens(
    user: Annotated[
        str | None, typer.Option("--user", "-u", metavar="USER", help="Only the sessions of this user.")
    ] = None,
    limit: options.Limit = 50,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List service keys and sessions, newest first. Secrets are not shown. `recollect token` does the same."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found, more = listed(
            lambda size, after: memory.tokens(user=user, limit=size, before=after),
            limit,
            lambda token: token.cursor,
        )
    if out.as_json:
        out.json({"tokens": [token.to_dict() for token in found]})
        return
    for token in found:
        label = f" · {token.label}" if token.label else ""
        out.line((token.token_id, "bold"), f" · {_whose(token)}{label}")
        out.line((_told(token), "dim"), indent=2)
    if not found:
        out.line(("There is no token.", "dim"))
    rendering.more_line(out, more, limit)


def create(
    service: Annotated[
        bool, typer.Option("--service", help="A service key: it acts for any user and makes sessions.")
    ] = False,
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            "-u",
            metavar="USER",
            help="Whose session it is. Default: local.",
            callback=options.named,
        ),
    ] = None,
    ttl: Annotated[
        int | None,
        typer.Option(
            "--ttl",
            metavar="SECONDS",
            help="How long it lives. Default: 3600; a service key lives until it is revoked.",
        ),
    ] = None,
    scopes: Annotated[
        str | None,
        typer.Option(
            "--scopes",
            metavar="SCOPES",
            help="What it may do, with commas between: read, write; of a service key also service. Default: all.",
        ),
    ] = None,
    label: Annotated[str, typer.Option("--label", metavar="TEXT", help="What it is for.")] = "",
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Make a token and show it, this once."""
    out = Output(as_json=as_json)
    if service and user is not None:
        raise InvalidInput("A service key acts for any user; leave out --user or --service.", field="user")
    with opened(db) as memory:
        made = memory.create_token(
            user=user,
            service=service,
            scopes=None if scopes is None else [name.strip() for name in scopes.split(",")],
            ttl_seconds=ttl,
            label=label,
        )
    if out.as_json:
        out.json(made.to_dict())
        return
    # The text alone is the answer, so that `$(recollect token create)` works; the rest is for the person.
    out.document(f"{made.text}\n")
    note(f"{_whose(made.token)[:1].upper()}{_whose(made.token)[1:]} · {_told(made.token)}")
    note("It is shown only now: only a hash of it is stored.")


def revoke(
    token_id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The token's id, as `recollect token` shows it.", callback=options.named
        ),
    ],
    user: options.AnyUser = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """End a token; a running service refuses it within seconds."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        memory.revoke_token(token_id)
    if out.as_json:
        out.json({"revoked": token_id})
    else:
        out.line(("Revoked", "green"), f": {token_id}")


def _whose(token: "Token") -> str:
    return "service key" if token.user_id is None else f"session of {token.user_id}"


def _told(token: "Token") -> str:
    """What it may do, since when and until when."""
    scopes = ", ".join(token.to_dict()["scopes"])
    if token.revoked_at is not None:
        end = f"revoked {rendering.when(token.revoked_at)}"
    elif token.expires_at is not None:
        end = f"until {rendering.when(token.expires_at)}"
    else:
        end = "until it is revoked"
    return f"{scopes} · made {rendering.when(token.created_at)} · {end}"
