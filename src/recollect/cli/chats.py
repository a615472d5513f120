"""`recollect chats`: the threads of a user: list, read, summaries, numbers; record, edit and rename.

Erasing a chat or a message is `recollect forget`'s business: there is one command that erases.
"""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.cli.paging import listed
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.api.blocking import Chat, Memory
    from recollect.engine.record import Recorded
    from recollect.records.brief import Brief
    from recollect.records.chat import ChatRecord
    from recollect.records.message import Message

#: Characters of a title in a list: one line of a terminal holds it.
_TITLE = 60

MessageId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The message's id, as `recollect chats show` shows it.", callback=options.named
    ),
]


def list_chats(
    persona: options.Persona = None,
    limit: options.Limit = 50,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List chats, last active first. `recollect chats` alone does the same."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found, more = listed(
            lambda size, before: memory.chats(user=user, persona=persona, limit=size, before=before),
            limit,
            lambda chat: chat.cursor,
        )
    if out.as_json:
        out.json({"chats": [chat.to_dict() for chat in found], "more": more})
        return
    if not found:
        out.line(("No chats. `recollect chat` begins one.", "dim"))
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


def show(
    chat_id: options.ChatId,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="The last so many messages.")] = 50,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show the last messages of a chat."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        thread = known_chat(memory, chat_id, user)
        newest_first, more = listed(
            lambda size, before: thread.messages(limit=size, before=before)[::-1],
            limit,
            lambda message: message.position,
        )
    messages = newest_first[::-1]
    if out.as_json:
        out.json({"messages": [message.to_dict() for message in messages], "more": more})
        return
    if more:
        out.line((f"There are earlier ones: --limit {limit * 2}", "dim"))
    for message in messages:
        message_lines(out, message)
    if not messages:
        out.line(("No messages.", "dim"))


def message_lines(out: Output, message: "Message") -> None:
    """Who said what; then when, how important it is and under which id."""
    first, *others = message.text.splitlines() or [""]
    who = f"{message.role.value} {message.name}" if message.name else message.role.value
    out.line((f"{who}: ", "green"), first)
    for text in others:
        out.line(text, indent=2)
    by = f" · by {message.model_id}" if message.model_id else ""
    weight = rendering.number(message.importance_score)
    what = f"{rendering.when(message.created_at)} · importance {weight}{by} · {message.message_id}"
    out.line((what, "dim"), indent=2)


def brief(
    chat_id: options.ChatId,
    revisions: Annotated[bool, typer.Option("--revisions", help="Every revision, oldest first.")] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show the summary of everything before the last messages."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        thread = known_chat(memory, chat_id, user)
        found = thread.briefs() if revisions else [thread.brief()]
    if out.as_json:
        told = [item.to_dict() | {"written_by": item.written_by} for item in found]
        out.json({"briefs": told} if revisions else told[0])
        return
    for item in found:
        brief_lines(out, item)
    if not found:
        out.line(("No brief yet: nothing is folded.", "dim"))


def brief_lines(out: Output, brief: "Brief") -> None:
    """The summary, and who wrote it when."""
    if not brief.revision:
        out.line(("No brief yet: nothing is folded.", "dim"))
        return
    for text in brief.global_summary.splitlines():
        out.line(text)
    made = f"{rendering.when(brief.created_at)} · by {rendering.writer(brief.written_by)}"
    size = rendering.counted(brief.tokens, "tokens")
    out.line((f"revision {brief.revision} · {made} · {size}", "dim"), indent=2)


def summaries(
    chat_id: options.ChatId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show the folded segments of a chat, in its order."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = known_chat(memory, chat_id, user).summaries()
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
        out.line(("No summaries yet: nothing is folded.", "dim"))


def stats(
    chat_id: options.ChatId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """A chat in numbers."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        numbers = memory.chat(chat_id, user=user).stats()
    if out.as_json:
        out.json(numbers.to_dict())
        return
    tokens = partial(rendering.counted, kind="tokens")
    folded = f"{tokens(numbers.covered_tokens)} in {rendering.counted(numbers.total_summaries, 'summaries')}"
    saved = (
        f", at {numbers.compression_ratio:.0%} of the length" if numbers.compression_ratio is not None else ""
    )
    work = f"{numbers.open_jobs} open, {numbers.dead_jobs} dead, oldest waits {numbers.lag_seconds:.0f} s"
    unfolded = rendering.counted(numbers.unfolded_messages, "messages")
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


def record(
    chat_id: Annotated[
        str,
        typer.Argument(
            metavar="CHAT", help="The chat's id; a new one makes the chat.", callback=options.named
        ),
    ],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said; - reads standard input.")],
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="Who said it: user, assistant, system or tool.")
    ] = "user",
    model: Annotated[
        str | None, typer.Option("--model", "-m", metavar="MODEL", help="Which model said it.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="When: 2026-01-28T10:30:45Z; now without it.")
    ] = None,
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Record one message. Memories, todos and summaries of it are left to `recollect worker` or `drain`."""
    out = Output(as_json=as_json)
    said = {"role": role, "text": _stdin() if text == "-" else text, "model_id": model, "created_at": at}
    with opened(db) as memory:
        done = memory.chat(chat_id, user=user, persona=persona).record([said])
    if out.as_json:
        out.json(recorded_json(done))
        return
    for message in done.messages:
        message_lines(out, message)
    pinned_lines(out, done)


def recorded_json(done: "Recorded") -> dict[str, Any]:
    """What one call recorded, and what it pinned."""
    return done.to_dict()


def pinned_lines(out: Output, done: "Recorded") -> None:
    """What a message pinned by itself."""
    for pin in done.pins:
        weight = rendering.number(pin.importance_score)
        out.line(("Pinned", "green"), ": ", pin.content, (f" (importance {weight})", "dim"))


def edit(
    message_id: MessageId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The new words; - reads standard input.")],
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Give a message other words. What came of it follows."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        done = memory.edit_message(message_id, _stdin() if text == "-" else text, user=user)
    if out.as_json:
        out.json(done.to_dict())
        return
    message_lines(out, done.message)
    for pin in done.removed_pins:
        out.line(("Unpinned", "yellow"), ": ", pin.content)
    for pin in done.added_pins:
        out.line(("Pinned", "green"), ": ", pin.content)
    if done.refolded:
        told = rendering.counted(done.refolded, "summaries")
        out.line((f"{told} will be written anew: see `recollect jobs`.", "dim"))


def rename(
    chat_id: options.ChatId,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The new title; '' takes it away.")],
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Give a chat a title."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        chat = memory.chat(chat_id, user=user).rename(title)
    if out.as_json:
        out.json(chat.to_dict())
    elif chat.title:
        out.line(("Renamed", "green"), f": {chat.chat_id} is “{chat.title}” now")
    else:
        out.line(("Renamed", "green"), f": {chat.chat_id} has no title of its own now")


def known_chat(memory: "Memory", chat_id: str, user: str) -> "Chat":
    """A chat that is there: a mistyped id is an error, not an empty chat."""
    thread = memory.chat(chat_id, user=user)
    thread.info()
    return thread


def _stdin() -> str:
    try:
        return sys.stdin.read().strip()
    except UnicodeDecodeError as error:
        raise InvalidInput("Standard input is not UTF-8 text.", field="text") from error
