"""`recollect pins`: the facts that enter every context of one chat. (`recollect pin` is about a memory.)"""

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import chats, options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output

if TYPE_CHECKING:
    from recollect.records.pin import Pin

PinId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The pin's id, as `recollect pins CHAT` shows it.", callback=options.named
    ),
]
PinKind = Annotated[
    str | None,
    typer.Option("--type", metavar="TYPE", help="manual, auto, code, concept or system."),
]


def list_pins(
    chat_id: options.ChatId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List the pins of a chat. `recollect pins CHAT` does the same."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = chats.known_chat(memory, chat_id, user).pins()
    if out.as_json:
        out.json({"pins": [pin.to_dict() for pin in found]})
    else:
        pins_lines(out, found)


def pins_lines(out: Output, found: "list[Pin]") -> None:
    """Each pin, most important first."""
    for pin in found:
        pin_lines(out, pin)
    if not found:
        out.line(("Nothing is pinned.", "dim"))


def pin_lines(out: Output, pin: "Pin", word: str = "") -> None:
    """What is pinned; then how important, since when and under which id."""
    first, *others = pin.content.splitlines()
    out.line((word, "green"), (first, "bold"))
    for text in others:
        out.line((text, "bold"), indent=2)
    weight = rendering.number(pin.importance_score)
    what = f"importance {weight} · {pin.pin_type.value} · {rendering.when(pin.created_at)} · {pin.pin_id}"
    out.line((what, "dim"), indent=2)


def add(
    chat_id: Annotated[
        str,
        typer.Argument(
            metavar="CHAT", help="The chat's id; a new one makes the chat.", callback=options.named
        ),
    ],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The fact.")],
    importance: Annotated[
        float, typer.Option("--importance", "-i", metavar="N", help="0-10; from 8 it is the last to go.")
    ] = 5.0,
    kind: PinKind = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Pin a fact: every context of this chat holds it."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        pin = memory.chat(chat_id, user=user).pin(
            text, importance_score=importance, pin_type="manual" if kind is None else kind
        )
    _tell(out, pin, "Pinned: ")


def edit(
    pin_id: PinId,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="The new text.")] = None,
    importance: options.Importance = None,
    kind: PinKind = None,
    chat: Annotated[
        str | None,
        typer.Option("--chat", metavar="CHAT", help="Move it to this chat.", callback=options.named),
    ] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Change a pin, or move it to another chat."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        pin = memory.update_pin(
            pin_id, user=user, content=content, importance_score=importance, pin_type=kind, chat_id=chat
        )
    _tell(out, pin, "Changed: ")


def remove(
    pin_id: PinId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Take a pin away; what was said stays."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        memory.remove_pin(pin_id, user=user)
    if out.as_json:
        out.json({"removed": pin_id})
    else:
        out.line(("Removed", "green"), f": {pin_id}")


def _tell(out: Output, pin: "Pin", word: str) -> None:
    if out.as_json:
        out.json(pin.to_dict())
    else:
        pin_lines(out, pin, word)
