"""`recollect seed`: what is known of a user before the first word."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from recollect.cli import options
from recollect.cli.data import read_json
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.records.seed import Seed

_FIELDS = {"facts", "notes"}


def show(
    user: options.User = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Show what was known beforehand. `recollect seed` alone does the same."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = memory.seed(user=user)
    _tell(out, found)


def plant(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help='JSON: {"facts": [{"content": "…", "category": "…"}], "notes": "…"}; - reads standard input.',
        ),
    ],
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Say what is known beforehand. Facts become memories."""
    out = Output(as_json=as_json)
    facts, notes = _read(file)
    with opened(db) as memory:
        planted = memory.set_seed(facts, notes=notes, user=user)
    _tell(out, planted)


def _read(file: str) -> tuple[Any, Any]:
    values = read_json(file)
    if not isinstance(values, dict):
        raise InvalidInput('A seed is an object: {"facts": […], "notes": "…"}.', field="file")
    known = cast("dict[str, Any]", values)
    unknown = sorted(set(known) - _FIELDS)
    if unknown:
        raise InvalidInput(f"A seed has facts and notes, but no {unknown[0]!r}.", field=unknown[0])
    return known.get("facts", []), known.get("notes", "")


def _tell(out: Output, seed: "Seed") -> None:
    if out.as_json:
        out.json(seed.to_dict())
        return
    for fact in seed.facts:
        rest = " · ".join(f"{name} {value}" for name, value in fact.items() if name != "content")
        out.line("- ", (str(fact["content"]), "bold"), (f"  {rest}" if rest else "", "dim"))
    if seed.notes:
        out.line(("Notes", "cyan"))
        for text in seed.notes.splitlines():
            out.line(text, indent=2)
    if not seed.facts and not seed.notes:
        out.line(("No seed.", "dim"))
