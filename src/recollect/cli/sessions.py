"""Commands that look back beyond one chat: sessions, the state with a persona, and the spine (the long view)."""

from typing import Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output, Piece
from recollect.cli.paging import listed

#: What a person calls the sections of a spine.
_SECTIONS = {"PROFILE": "Who", "PROJECTS": "Projects", "PEOPLE": "People", "OPEN_LOOPS": "Open"}


def sessions(
    persona: options.Persona = None,
    limit: options.Limit = 20,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List stretches of activity, each with a line about it."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found, more = listed(
            lambda size, before: memory.sessions(user=user, persona=persona, limit=size, before=before),
            limit,
            lambda past: past.cursor,
        )
    if out.as_json:
        out.json({"sessions": [past.to_dict() for past in found], "more": more})
        return
    for past in found:
        session = past.session
        told = past.summary.digest.one_liner if past.summary else ""
        out.line((told, "bold") if told else ("no summary yet", "dim"))
        turns = rendering.counted(session.turn_count, "turns")
        until = "" if session.ended_at else " · still open"
        whom = f" · with {session.persona_id}" if session.persona_id else ""
        what = f"{rendering.when(session.started_at)} · {turns}{whom}{until} · {session.session_id}"
        out.line((what, "dim"), indent=2)
    if not found:
        out.line(("No sessions.", "dim"))
    rendering.more_line(out, more, limit)


def state(
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show how a user stands with a persona."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = memory.state(user=user, persona=persona)
        others = [name for name in memory.personas(user=user) if name != persona]
    if out.as_json:
        out.json(found.to_dict())
        return
    known = found.state
    failed = known.last_rolling_error
    rows: list[tuple[Piece, ...]] = [
        (("messages", "cyan"), str(known.message_count)),
        (("last seen", "cyan"), rendering.when(known.last_interaction)),
        *_lines("last said", known.last_user_message or "-"),
        *_lines("lately", found.rolling_summary or "no summary yet"),
        (("summarised", "cyan"), rendering.when(known.last_rolling_success_at)),
    ]
    if failed:
        rows.append((("last failure", "yellow"), f"{failed[0]}: {failed[1]}"))
    out.table(rows)
    if others and not known.message_count:
        whom = f"with {persona}" if persona else "without a persona"
        out.line()
        out.line(f"Nothing was said {whom}. Look with --persona: {', '.join(others)}")


def _lines(name: str, text: str) -> list[tuple[Piece, ...]]:
    """A text in a row for each of its lines, the first under its name."""
    first, *others = text.splitlines()
    return [((name, "cyan"), first), *(("", line) for line in others)]


def spine(
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", help="This version; without it the newest.")
    ] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show the long view of a user over all chats."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = memory.spine(version, user=user)
    if out.as_json:
        out.json({"spine": found.to_dict() if found else None})
        return
    if found is None:
        out.line(("No long view yet: the first is written after 20 messages of the user.", "dim"))
        return
    for name, text in found.content.to_dict().items():
        if text.strip():
            out.line((_SECTIONS[name], "cyan"))
            for line in filter(str.strip, text.splitlines()):
                out.line(line, indent=2)
    made = f"{rendering.when(found.created_at)} · by {rendering.writer(found.written_by)}"
    out.line((f"version {found.version} · {made}", "dim"))
