"""Commands about entities: the people, organisations, places and projects that memories mention."""

from typing import Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput


def entities(
    variants: Annotated[
        bool, typer.Option("--variants", help="Pairs of names that may mean one entity instead.")
    ] = False,
    graph: Annotated[
        bool, typer.Option("--graph", help="Who is mentioned with whom, how often, instead.")
    ] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List the entities that memories mention, last mentioned first."""
    out = Output(as_json=as_json)
    if variants and graph:
        raise InvalidInput("Ask for --variants or for --graph, not for both.")
    if variants:
        _variants(out, user, db)
    elif graph:
        _graph(out, user, db)
    else:
        _list(out, user, db)


def _list(out: Output, user: str, db: str | None) -> None:
    with opened(db, reading=True) as memory:
        found = memory.entities(user=user)
    if out.as_json:
        out.json({"entities": [item.to_dict() for item in found]})
        return
    if not found:
        out.line(("No entities.", "dim"))
        return
    out.table(
        [
            (
                (item.key, "magenta"),
                (item.label, "bold"),
                f"{item.fact_count}",
                (f"{item.last_mentioned:%Y-%m-%d}", "dim"),
                (", ".join(item.aliases), "dim"),
            )
            for item in found
        ],
        right=(2,),
    )


def _variants(out: Output, user: str, db: str | None) -> None:
    with opened(db, reading=True) as memory:
        found = memory.entity_variants(user=user)
    if out.as_json:
        out.json({"variants": [item.to_dict() for item in found]})
        return
    if not found:
        out.line(("No names that may mean the same.", "dim"))
        return
    for item in found:
        out.line(
            (item.alias, "magenta"), " → ", (item.into, "magenta"), f"  {item.score:.2f}  {item.evidence}"
        )
    out.line(("`recollect merge ALIAS INTO` makes two names one.", "dim"))


def _graph(out: Output, user: str, db: str | None) -> None:
    with opened(db, reading=True) as memory:
        found = memory.entity_graph(user=user)
    if out.as_json:
        out.json(found.to_dict())
        return
    if not found.edges:
        out.line(("Nobody is mentioned with anybody yet.", "dim"))
        return
    out.table(
        [((edge.a, "magenta"), (edge.b, "magenta"), f"{edge.count}×") for edge in found.edges], right=(2,)
    )


def entity(
    key: options.EntityKey,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show one entity. Its card, its memories, and who is mentioned with it."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        details = memory.entity(key, user=user)
    if out.as_json:
        out.json(details.to_dict())
        return
    aliases = f" · also {', '.join(details.entity.aliases)}" if details.entity.aliases else ""
    out.line((details.entity.label, "bold"), (f"  {details.entity.key}{aliases}", "dim"))
    if details.card is not None:
        rendering.card_line(out, details.card)
    out.line()
    for record in details.memories:
        rendering.memory_lines(out, record)
    if details.neighbours:
        out.line()
        out.line(("with ", "dim"), ", ".join(f"{other} {count}×" for other, count in details.neighbours))


def merge(
    alias: Annotated[str, typer.Argument(metavar="ALIAS", help="The name that goes: person:bob.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The name that stays: person:robert.")],
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Say that two names mean the same entity."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        memory.merge(alias, into, user=user)
        details = memory.entity(into, user=user)
    if out.as_json:
        out.json(details.entity.to_dict())
    else:
        out.line(
            ("Merged", "green"),
            f": {alias} means {details.entity.key} from now on. `recollect unmerge` undoes it.",
        )


def unmerge(
    alias: Annotated[
        str, typer.Argument(metavar="ALIAS", help="The name that becomes its own entity again.")
    ],
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Take a merge back."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        memory.unmerge(alias, user=user)
        details = memory.entity(alias, user=user)
    if out.as_json:
        out.json(details.entity.to_dict())
    else:
        out.line(("Unmerged", "green"), f": {details.entity.key} is an entity of its own again.")
