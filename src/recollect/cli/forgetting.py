"""`recollect forget`, which erases, and its request for confirmation.

A memory, message or todo is erased at once, because its id was typed on purpose. Erasing a chat, an entity or a whole user
erases much more, so the command asks for confirmation, and scripts must pass `--yes`.
"""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import note_unknown, opened
from recollect.cli.output import WRONG, Output, is_terminal, note, shown
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Memory


def forget(
    memory_id: Annotated[
        str | None, options.an_id(metavar="[ID]", help="Erase a memory with all its versions.")
    ] = None,
    message: Annotated[
        str | None,
        options.an_id("--message", metavar="ID", help="Erase a message and everything derived from it."),
    ] = None,
    chat: Annotated[
        str | None,
        options.an_id("--chat", metavar="CHAT", help="Erase a chat and everything derived from it."),
    ] = None,
    todo: Annotated[str | None, options.an_id("--todo", metavar="ID", help="Erase a todo.")] = None,
    entity: Annotated[
        str | None,
        options.an_id(
            "--entity", "-e", metavar="KEY", help="Erase an entity and every memory that mentions it."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="Erase all of this user's data.")] = False,
    yes: options.Yes = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Erase a memory, message, chat, todo, entity or user. Prints a receipt."""
    if sum(item is not None for item in (memory_id, message, chat, todo, entity)) + everything != 1:
        raise InvalidInput(
            "Give exactly one thing to forget: an ID, --message ID, --chat CHAT, --todo ID, --entity KEY or --everything."
        )
    out = Output(as_json=as_json)
    with opened(db) as memory:
        at_once = memory_id is not None or message is not None or todo is not None
        if not at_once and not yes and not _agreed(memory, user, chat, entity):
            note("Nothing was forgotten.")
            raise typer.Exit(WRONG)
        if everything:
            # Checked first, because the user no longer exists afterwards.
            note_unknown(memory, user)
        receipt = memory.forget(
            memory_id, user=user, message=message, chat=chat, todo=todo, entity=entity, everything=everything
        )
    if out.as_json:
        out.json(receipt.to_dict())
    else:
        rendering.receipt_line(out, receipt)


def _agreed(memory: "Memory", user: str, chat: str | None, entity: str | None) -> bool:
    """Ask for confirmation on a terminal; refuse without one."""
    if chat is not None:
        count = rendering.counted(memory.chat(chat, user=user).stats().total_messages, "messages")
        what = f"chat {chat} with {count}, and everything derived from it"
    elif entity is not None:
        found = memory.entity(entity, user=user).entity
        what = f"{found.key} and {rendering.counted(found.fact_count, 'memories')} about it"
    else:
        what = f"all data of {user}: {rendering.amount(memory.stats(user=user))}"
    if not is_terminal(sys.stdin):
        raise InvalidInput(f"This would forget {what}. Add --yes to confirm.", field="yes")
    # On standard error, to keep standard output clean.
    sys.stderr.write(f"Forget {shown(what)}? This cannot be undone. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
