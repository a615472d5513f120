"""`recollect chats` and `recollect pins`: a user's chats, and the facts pinned in them.

To erase a chat or message, use `recollect forget`, the only command that erases.
"""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from recollect import Chat, Memory, Message
    from recollect.types import ChatRecord

#: Maximum characters of a title in a list: one line of a terminal.
_TITLE = 60


def chats(
    chat_id: Annotated[
        str | None, options.an_id(metavar="[ID]", help="Show this chat. Default: list all.")
    ] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Show the summary of older messages.")] = False,
    revisions: Annotated[
        bool, typer.Option("--revisions", help="With --brief: show every revision.")
    ] = False,
    summaries: Annotated[
        bool, typer.Option("--summaries", help="Show the summaries of folded segments.")
    ] = False,
    stats: Annotated[bool, typer.Option("--stats", help="Show the chat's statistics.")] = False,
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="TEXT",
            help="Add a message; - reads standard input. A new ID creates the chat.",
        ),
    ] = None,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="With --record: user, assistant, system or tool.")
    ] = "user",
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="MODEL", help="With --record: the model that wrote the message."
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="With --record: the message's time. Default: now."),
    ] = None,
    edit: Annotated[
        tuple[str, str] | None,
        typer.Option("--edit", metavar="MESSAGE TEXT", help="Replace a message's text."),
    ] = None,
    rename: Annotated[
        str | None, typer.Option("--rename", metavar="TITLE", help="Set the title; '' removes it.")
    ] = None,
    persona: options.Persona = None,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List chats, show one, or record, edit or rename."""
    out = Output(as_json=as_json)
    action = options.only_one(
        brief=brief, summaries=summaries, stats=stats, record=record, edit=edit, rename=rename
    )
    if chat_id is None:
        if action:
            raise InvalidInput(
                f"--{action} requires a chat's ID: recollect chats ID --{action}", field="chat_id"
            )
        with opened(db, reading=True) as memory:
            _list(out, memory, limit, cursor, user=user, persona=persona)
        return
    if revisions and not brief:
        raise InvalidInput("--revisions requires --brief: recollect chats ID --brief --revisions")
    with opened(db, reading=action not in ("record", "edit", "rename")) as memory:
        thread = memory.chat(chat_id, user=user, persona=persona)
        if action != "record":
            check_known(memory, chat_id, user)
        match action:
            case "brief":
                _brief(out, thread, revisions=revisions)
            case "summaries":
                _summaries(out, thread)
            case "stats":
                _stats(out, thread)
            case "record":
                said = {
                    "role": role,
                    "text": options.text_of(record or ""),
                    "model_id": model,
                    "created_at": at,
                }
                _record(out, thread, said)
            case "edit":
                _edit(out, memory, edit or ("", ""), user)
            case "rename":
                _rename(out, thread, rename or "")
            case _:
                _show(out, thread, limit, cursor)


def check_known(memory: "Memory", chat_id: str, user: str) -> None:
    """Refuse a chat that does not exist, because a mistyped id must not look like an empty chat."""
    if not memory.chats(user=user, chat=chat_id):
        raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)


def _list(
    out: Output, memory: "Memory", limit: int, cursor: str | None, *, user: str, persona: str | None
) -> None:
    found, more = listed(partial(memory.chats, user=user, persona=persona), limit, cursor)
    if out.as_json:
        out.json({"chats": [chat.to_dict() for chat in found], "next_cursor": more})
        return
    if not found:
        out.line(("No chats. To start one, run `recollect chat`.", "dim"))
        return
    head = [(name, "dim") for name in ("chat", "messages", "last active", "persona", "title")]
    out.table([head, *(_row(chat) for chat in found)], right=(1,))
    rendering.more_line(out, more, limit)


def _row(chat: "ChatRecord") -> tuple[Any, ...]:
    title = chat.title or ""
    return (
        (chat.chat_id, "cyan"),
        str(chat.message_count),
        (rendering.when(chat.last_message_at), "dim"),
        chat.persona_id or "-",
        title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…",
    )


def _show(out: Output, thread: "Chat", limit: int, cursor: str | None) -> None:
    """The last messages, oldest first; pages go backwards."""
    found: list[Message] = []
    while True:
        page = thread.messages(limit=min(limit - len(found), 1000) if limit > 0 else limit, cursor=cursor)
        found = [*page, *found]
        cursor = page.next_cursor
        if cursor is None or len(found) >= limit:
            break
    if out.as_json:
        out.json({"messages": [message.to_dict() for message in found], "next_cursor": cursor})
        return
    if cursor:
        out.line((f"There are earlier messages: use --limit {limit * 2}", "dim"))
    for message in found:
        rendering.message_lines(out, message)
    if not found:
        out.line(("No messages.", "dim"))


def _brief(out: Output, thread: "Chat", *, revisions: bool) -> None:
    newest = thread.brief(revisions=revisions)
    found = list(newest.revisions) if revisions else [newest]
    if out.as_json:
        known = [item.to_dict() | {"written_by": item.written_by} for item in found]
        out.json({"briefs": known} if revisions else known[0])
        return
    for item in found or [newest]:
        rendering.brief_lines(out, item)


def _summaries(out: Output, thread: "Chat") -> None:
    found = thread.summaries()
    if out.as_json:
        out.json({"summaries": [item.to_dict() for item in found]})
        return
    for item in found:
        for text in item.summary.splitlines():
            out.line(text)
        sizes = f"{rendering.counted(item.tokens, 'tokens')} in place of {item.covered_tokens}"
        span = f"messages {item.start_position}-{item.end_position} ({item.message_count})"
        weight = rendering.number(item.importance_score)
        out.line((f"{span} · {sizes} · importance {weight} · {item.summary_id}", "dim"), indent=2)
    if not found:
        out.line(("No summaries yet, because nothing has been folded.", "dim"))


def _stats(out: Output, thread: "Chat") -> None:
    numbers = thread.stats()
    if out.as_json:
        out.json(numbers.to_dict())
        return
    tokens = partial(rendering.counted, kind="tokens")
    folded = f"{tokens(numbers.covered_tokens)} in {rendering.counted(numbers.total_summaries, 'summaries')}"
    ratio = numbers.compression_ratio
    saved = f", {ratio:.0%} of their length" if ratio is not None else ""
    unfolded = rendering.counted(numbers.unfolded_messages, "messages")
    work = f"{numbers.open_jobs} open, {numbers.dead_jobs} failed, oldest waits {numbers.lag_seconds:.0f} s"
    rows = [
        ("messages", f"{numbers.total_messages}, {tokens(numbers.total_tokens)}"),
        ("first", rendering.when(numbers.oldest_message)),
        ("last", rendering.when(numbers.newest_message)),
        ("importance", f"{numbers.average_importance_score:.1f} on average"),
        ("pins", str(numbers.total_pins)),
        ("folded", folded + saved),
        ("brief", tokens(numbers.brief_tokens)),
        ("not folded", f"{unfolded}, {tokens(numbers.unfolded_tokens)}"),
        ("work", work),
    ]
    out.table([((name, "cyan"), text) for name, text in rows])


def _record(out: Output, thread: "Chat", said: dict[str, Any]) -> None:
    """Record one message. `recollect worker` then derives memories, todos and summaries."""
    done = thread.add([said])
    if out.as_json:
        out.json(done.to_dict())
        return
    for message in done.messages:
        rendering.message_lines(out, message)
    rendering.recorded_pins(out, done)


def _edit(out: Output, memory: "Memory", change: tuple[str, str], user: str) -> None:
    """Change a message's text, and everything derived from it."""
    done = memory.edit(change[0], options.text_of(change[1]), user=user)
    if out.as_json:
        out.json(done.to_dict())
        return
    rendering.message_lines(out, done.message)
    for pin in done.removed_pins:
        out.line(("Unpinned", "yellow"), ": ", pin.content)
    for pin in done.added_pins:
        out.line(("Pinned", "green"), ": ", pin.content)
    if done.refolded:
        count = rendering.counted(done.refolded, "summaries")
        out.line((f"{count} will be rewritten in the background.", "dim"))


def _rename(out: Output, thread: "Chat", title: str) -> None:
    chat = thread.rename(title)
    if out.as_json:
        out.json(chat.to_dict())
    elif title.strip():
        out.line(("Renamed", "green"), f": {chat.chat_id} is now “{chat.title}”")
    else:
        out.line(("Renamed", "green"), f": {chat.chat_id} no longer has a title")


# -- pins ---------------------------------------------------------------------------------------------------


def pins(
    chat_id: Annotated[str, options.an_id(metavar="CHAT", help="The chat's id, from `recollect chats`.")],
    add: Annotated[
        str | None, typer.Option("--add", metavar="TEXT", help="Pin a fact. A new CHAT ID creates the chat.")
    ] = None,
    importance: Annotated[
        float,
        typer.Option(
            "--importance",
            "-i",
            metavar="N",
            help="With --add: 0-10; pins of 8 or more are trimmed last.",
            min=0,
            max=10,
        ),
    ] = 5.0,
    kind: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="With --add: manual, auto, code, concept or system.")
    ] = "manual",
    remove: Annotated[str | None, options.an_id("--remove", metavar="ID", help="Remove a pin.")] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List a chat's pins, or add or remove one. Every context of the chat contains its pins."""
    out = Output(as_json=as_json)
    action = options.only_one(add=add, remove=remove)
    with opened(db, reading=action is None) as memory:
        thread = memory.chat(chat_id, user=user)
        if add is not None:
            pin = thread.pin(options.text_of(add), importance_score=importance, pin_type=kind)
            if out.as_json:
                out.json(pin.to_dict())
            else:
                rendering.pin_lines(out, pin, "Pinned: ")
            return
        check_known(memory, chat_id, user)
        if remove is not None:
            memory.unpin(remove, user=user)
            if out.as_json:
                out.json({"removed": remove})
            else:
                out.line(("Removed", "green"), f": {remove}")
            return
        found = thread.pins()
    if out.as_json:
        out.json({"pins": [pin.to_dict() for pin in found]})
    else:
        rendering.pins_lines(out, found)
