"""The command that erases, and the question it asks first.

One memory or message is erased at once: its id was typed or copied on purpose. A chat, an entity or a whole user takes
much along, so a person is asked, and a script has to say `--yes`.
"""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import exit_codes, options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output, is_terminal, note, shown
from recollect.cli.whose import note_unknown
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.api.blocking import Memory


def forget(
    memory_id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="One memory, with all its versions.", callback=options.named),
    ] = None,
    message: Annotated[
        str | None,
        typer.Option(
            "--message",
            metavar="ID",
            help="A message, and everything that came of it.",
            callback=options.named,
        ),
    ] = None,
    chat: Annotated[
        str | None,
        typer.Option(
            "--chat", metavar="CHAT", help="A chat, and everything that came of it.", callback=options.named
        ),
    ] = None,
    entity: Annotated[
        str | None,
        typer.Option(
            "--entity",
            "-e",
            metavar="KEY",
            help="An entity and every memory that mentions it.",
            callback=options.named,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="Everything of this user.")] = False,
    yes: options.Yes = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Erase a memory, message, chat, entity, or a whole user. Prints a receipt of what was erased."""
    named = (memory_id, message, chat, entity)
    if sum(item is not None for item in named) + everything != 1:
        raise InvalidInput(
            "Name exactly one thing to forget: an ID, --message ID, --chat CHAT, --entity KEY, or --everything."
        )
    out = Output(as_json=as_json)
    with opened(db) as memory:
        at_once = memory_id is not None or message is not None
        if not at_once and not yes and not _agreed(memory, user, chat, entity):
            note("Nothing was forgotten.")
            raise typer.Exit(exit_codes.WRONG)
        if everything:
            # Before: afterwards nobody of this name is left.
            note_unknown(memory, user)
        receipt = memory.forget(
            memory_id, user=user, message_id=message, chat_id=chat, entity=entity, everything=everything
        )
    if out.as_json:
        out.json(receipt.to_dict())
    else:
        rendering.receipt_line(out, receipt)


def _agreed(memory: "Memory", user: str, chat: str | None, entity: str | None) -> bool:
    """Ask the person at the terminal; without one, refuse."""
    if chat is not None:
        count = rendering.counted(memory.chat(chat, user=user).stats().total_messages, "messages")
        what = f"chat {chat} with {count}, and everything that came of it"
    elif entity is not None:
        details = memory.entity(entity, user=user)
        what = f"{details.entity.key} and {rendering.memories_counted(details.entity.fact_count)} about it"
    else:
        what = f"everything of {user}: {rendering.amount(memory.stats(user=user))}"
    if not is_terminal(sys.stdin):
        raise InvalidInput(
            f"This would forget {what}. Nobody can be asked here: say --yes to do it.", field="yes"
        )
    # On standard error: the answer on standard output stays clean.
    sys.stderr.write(f"Forget {shown(what)}? This cannot be undone. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
