"""Commands about facts: remember, recall, list, show, and the numbers."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.cli.whose import note_unknown

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.engine.report import Stats
    from recollect.index.answer import Recalled
    from recollect.records.memory import MemoryRecord

#: Memories asked of the engine at a time; its own page holds no more.
_PAGE = 1000
#: Said where nothing is remembered yet, and something was said.
_WAITING = " {} jobs wait; what was said is judged by: recollect drain"


def remember(
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="A fact about the user, in any person; - reads standard input."),
    ],
    user: options.User = options.LOCAL_USER,
    category: options.Category = None,
    importance: options.Importance = None,
    tag: options.Tags = None,
    pin: Annotated[bool, typer.Option("--pin", help="Keep it in every context.")] = False,
    persona: options.Persona = None,
    entity: Annotated[
        list[str] | None,
        typer.Option(
            "--entity", "-e", metavar="KEY", help="Whom it is about: person:john_doe; may be repeated."
        ),
    ] = None,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Remember a fact. It may be new, known already, or the new value of a known one."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        done = memory.remember(
            sys.stdin.read().strip() if text == "-" else text,
            user=user,
            category=category,
            importance=importance,
            tags=tag or (),
            pinned=pin,
            persona=persona,
            entity_refs=entity or (),
        )
    if out.as_json:
        previous = done.previous.to_dict() if done.previous else None
        extra = {
            "outcome": done.outcome,
            "reason": done.reason,
            "memory": done.memory.to_dict(),
            "previous": previous,
        }
        out.json({**done.to_dict(), **extra})
    else:
        rendering.outcome_lines(out, done)


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or a few words.")],
    user: options.User = options.LOCAL_USER,
    limit: options.Limit = 5,
    category: options.Category = None,
    tag: options.Tags = None,
    entity: options.Entity = None,
    persona: options.Persona = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only what is not older: 2026-01-28.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="Only what is older: 2026-01-28T10:30:45Z."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="TIME", help="Answer as of that moment: what was known and true."),
    ] = None,
    episodes: Annotated[
        int,
        typer.Option("--episodes", metavar="N", help="At most so many past messages; 0: memories alone."),
    ] = 5,
    sessions: Annotated[
        int,
        typer.Option("--sessions", metavar="N", help="Also at most so many whole sessions, by their theme."),
    ] = 0,
    chat: Annotated[
        str | None,
        typer.Option(
            "--chat", metavar="CHAT", help="Past messages of this chat only.", callback=options.named
        ),
    ] = None,
    at: options.At = None,
    zone: options.Zone = "UTC",
    explain: Annotated[bool, typer.Option("--explain", help="Show every term of the score.")] = False,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Find what matters for a question: memories and past messages."""
    # Deferred: it brings the whole engine along.
    from recollect.api.asked_episodes import MAX_EPISODES, MAX_SESSIONS

    out = Output(as_json=as_json)
    options.check_most(episodes, "episodes", MAX_EPISODES)
    options.check_most(sessions, "sessions", MAX_SESSIONS)
    with opened(db, reading=True) as memory:
        found = memory.recall(
            query,
            user=user,
            limit=limit,
            category=category,
            tags=tag or (),
            entity=entity,
            persona=persona,
            since=since,
            until=until,
            as_of=as_of,
            episodes=episodes,
            sessions=sessions,
            chat=chat,
            at=at,
            zone=zone,
        )
        if not found.hits and not found.episodes:
            note_unknown(memory, user)
    if out.as_json:
        out.json(found.to_dict())
    else:
        _recalled_lines(out, found, explain=explain)


def _recalled_lines(out: Output, found: "Recalled", *, explain: bool) -> None:
    """Cards, memories, and below them what was said."""
    for card in found.cards:
        rendering.card_line(out, card)
    if found.cards:
        out.line()
    for place, hit in enumerate(found.hits, 1):
        rendering.hit_lines(out, hit, place, explain=explain)
    if found.hits and found.episodes:
        out.line()
    if found.episodes:
        out.line(("Said earlier", "cyan"))
    for place, episode in enumerate(found.episodes, 1):
        rendering.episode_lines(out, episode, place, explain=explain)
    if found.sessions:
        out.line()
        out.line(("Sessions about it", "cyan"))
    for place, session in enumerate(found.sessions, 1):
        rendering.session_lines(out, session, place)
    if not found.hits and not found.episodes:
        out.line(("Nothing found.", "dim"))


def memories(
    user: options.User = options.LOCAL_USER,
    category: options.Category = None,
    tag: Annotated[str | None, typer.Option("--tag", "-t", metavar="TAG", help="Only with this tag.")] = None,
    entity: options.Entity = None,
    persona: options.Persona = None,
    status: Annotated[
        str, typer.Option("--status", "-s", metavar="STATUS", help="active, archived or all.")
    ] = "active",
    past: Annotated[bool, typer.Option("--past", help="Replaced values too.")] = False,
    limit: options.Limit = 50,
    before: Annotated[
        str | None,
        typer.Option(
            "--before",
            metavar="ID",
            help="Go on after this id: the last one of the page before.",
            callback=options.named,
        ),
    ] = None,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List memories, newest first."""
    out = Output(as_json=as_json)
    wanted: dict[str, Any] = {
        "user": user,
        "category": category,
        "tag": tag,
        "entity": entity,
        "persona": persona,
        "status": None if status.strip().lower() == "all" else status,
        "past": past,
    }
    with opened(db, reading=True) as memory:
        found, more = _listed(memory, wanted, limit, before)
        waiting = 0 if found else memory.open_jobs(user=user)
        if not found:
            note_unknown(memory, user)
    cursor = found[-1].memory_id if more else None
    if out.as_json:
        out.json({"memories": [record.to_dict() for record in found], "next_cursor": cursor})
        return
    for record in found:
        rendering.memory_lines(out, record)
    if not found:
        out.line((f"No memories.{_WAITING.format(waiting) if waiting else ''}", "dim"))
    if cursor:
        out.line((f"There are more: --before '{cursor}'", "dim"))


def _listed(
    memory: "Memory", wanted: dict[str, Any], limit: int, before: str | None
) -> tuple[list["MemoryRecord"], bool]:
    """As many as asked for, however many pages that takes, and whether there are more."""
    found: list[MemoryRecord] = []
    while True:
        # One more than wanted tells whether another page follows.
        page = min(limit + 1 - len(found), _PAGE) if limit > 0 else limit
        got = memory.memories(**wanted, limit=page, before=before)
        found += got
        if len(got) < page or len(found) > limit:
            return found[:limit], len(found) > limit
        before = got[-1].memory_id


def show(
    memory_id: options.MemoryId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show one memory: the record, its links, its history."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        record = memory.get(memory_id, user=user)
        links = memory.links(memory_id, user=user)
        history = memory.history(memory_id, user=user)
    if out.as_json:
        related = [{"from": link.from_id, "kind": link.kind.value, "to": link.to_id} for link in links]
        out.json({**record.to_dict(), "links": related, "history": [entry.to_dict() for entry in history]})
        return
    rendering.memory_lines(out, record)
    out.line()
    told = {"content", "memory_id", "category", "pinned", "status", "user_id", "importance_level", "subtype"}
    rows = [
        ((name, "cyan"), ", ".join(map(str, value)) if isinstance(value, list) else str(value))  # pyright: ignore
        for name, value in record.to_dict().items()
        if name not in told and value not in (None, [], "", False)
    ]
    out.table(rows, indent=2)
    for link in links:
        other, way = (link.to_id, "→") if link.from_id == memory_id else (link.from_id, "←")
        out.line((f"{link.kind.value} {way} ", "cyan"), other, indent=2)
    out.line()
    for entry in history:
        rendering.history_lines(out, entry, indent=2)


def stats(
    user: options.User = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """What is remembered of a user, and what was said, in numbers."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        numbers = memory.stats(user=user)
        if not numbers.total and not numbers.messages:
            note_unknown(memory, user)
    if out.as_json:
        out.json(numbers.to_dict())
    else:
        stats_lines(out, numbers, user)


def users(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Everybody who has a memory in this database."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        known = memory.users()
    if out.as_json:
        out.json({"users": known})
        return
    for name in known:
        out.line(name)
    if not known:
        out.line(("Nobody yet.", "dim"))


def stats_lines(out: Output, numbers: "Stats", user: str) -> None:
    """The numbers, for a person."""
    out.line((rendering.amount(numbers), "bold"), f" of {user}")
    if numbers.messages_waiting:
        waiting = rendering.counted(numbers.messages_waiting, "messages")
        out.line((f"not indexed yet, found by words only: {waiting}", "dim"), indent=2)
    if not numbers.total:
        return
    groups = (
        ("category", numbers.by_category),
        ("type", numbers.by_type),
        ("status", numbers.by_status),
        ("source", numbers.by_source),
    )
    rows = [
        ((name, "cyan"), " · ".join(f"{label} {count}" for label, count in sorted(counts.items())))
        for name, counts in groups
    ]
    rows.append((("importance", "cyan"), f"{numbers.average_importance:.1f} on average"))
    weeks = " · ".join(f"week of {week}: {count}" for week, count in numbers.growth[-8:])
    rows.append((("growth", "cyan"), weeks))
    out.table(rows, indent=2)
    for record in numbers.most_used:
        out.line((f"{record.access_count}× ", "green"), record.content, indent=2)
