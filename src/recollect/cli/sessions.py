"""`recollect sessions`: sessions, the state with a persona, and the spine (long-term profile)."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, opened
from recollect.cli.output import Output, Piece
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Memory
    from recollect.types import PastSession, Spine

#: Readable names of a spine's sections.
_SECTIONS = {"PROFILE": "Profile", "PROJECTS": "Projects", "PEOPLE": "People", "OPEN_LOOPS": "Open loops"}


def sessions(
    session_id: Annotated[
        str | None, options.an_id(metavar="[ID]", help="Show this session. Default: list all.")
    ] = None,
    state: Annotated[
        bool, typer.Option("--state", help="Show the state between the user and a persona.")
    ] = False,
    spine: Annotated[
        bool, typer.Option("--spine", help="Show the long-term profile across all chats.")
    ] = False,
    revisions: Annotated[bool, typer.Option("--revisions", help="Include earlier versions.")] = False,
    persona: options.Persona = None,
    limit: options.Limit = 20,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List sessions, or show one. A session is a period of activity."""
    out = Output(as_json=as_json)
    action = options.only_one(state=state, spine=spine)
    if action and session_id:
        raise InvalidInput(f"--{action} applies to the user, not to one session. Omit the ID.", field=action)
    with opened(db, reading=True) as memory:
        if state:
            _state(out, memory, user, persona, revisions=revisions)
        elif spine:
            _spine(out, memory, user, revisions=revisions)
        else:
            fetch = partial(
                memory.sessions, user=user, persona=persona, session=session_id, revisions=revisions
            )
            found, more = listed(fetch, limit, cursor)
            if out.as_json:
                out.json({"sessions": [_json(past, revisions) for past in found], "next_cursor": more})
                return
            for past in found:
                _session(out, past, whole=session_id is not None)
            if not found:
                out.line(("No sessions.", "dim"))
            rendering.more_line(out, more, limit)


def _json(past: "PastSession", revisions: bool) -> dict[str, Any]:
    every = {"revisions": [item.to_dict() for item in past.summaries]} if revisions else {}
    return {**past.to_dict(), **every}


def _session(out: Output, past: "PastSession", *, whole: bool) -> None:
    session = past.session
    line = past.summary.digest.one_liner if past.summary else ""
    out.line((line, "bold") if line else ("no summary yet", "dim"))
    turns = rendering.counted(session.turn_count, "turns")
    until = "" if session.ended_at else " · still open"
    whom = f" · with {session.persona_id}" if session.persona_id else ""
    what = f"{rendering.when(session.started_at)} · {turns}{whom}{until} · {session.session_id}"
    out.line((what, "dim"), indent=2)
    if whole and past.summary:
        for name, value in past.summary.digest.to_dict().items():
            text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore
            if text and name != "one_liner":
                out.line((f"{name.replace('_', ' ')}: ", "cyan"), text, indent=2)
    for earlier in past.summaries:
        made = f"revision {earlier.revision} · {rendering.when(earlier.created_at)}: "
        out.line((made, "dim"), earlier.digest.one_liner, indent=2)


def _state(out: Output, memory: "Memory", user: str, persona: str | None, *, revisions: bool) -> None:
    found = memory.state(user=user, persona=persona, revisions=revisions)
    if out.as_json:
        every = {"revisions": [item.to_dict() for item in found.rolling_summaries]} if revisions else {}
        out.json({**found.to_dict(), **every})
        return
    known = found.state
    rows: list[tuple[Piece, ...]] = [
        (("messages", "cyan"), str(known.message_count)),
        (("last seen", "cyan"), rendering.when(known.last_interaction)),
        *_lines("last said", known.last_user_message or "-"),
        *_lines("lately", found.rolling_summary or "no summary yet"),
        (("summarised", "cyan"), rendering.when(known.last_rolling_success_at)),
    ]
    if failed := known.last_rolling_error:
        rows.append((("last failure", "yellow"), f"{failed[0]}: {failed[1]}"))
    out.table(rows)
    for summary in found.rolling_summaries if revisions else ():
        out.line()
        made = f"revision {summary.revision} · {rendering.when(summary.created_at)}"
        rendering.block(out, summary.summary)
        out.line((made, "dim"), indent=2)
    others = [name for name in found.personas if name != persona]
    if others and not known.message_count:
        whom = f"with {persona}" if persona else "without a persona"
        out.line()
        out.line(f"There are no messages {whom}. Try --persona: {', '.join(others)}")


def _lines(name: str, text: str) -> list[tuple[Piece, ...]]:
    """One row per line of a text; the first has the name."""
    first, *others = text.splitlines()
    return [((name, "cyan"), first), *(("", line) for line in others)]


def _spine(out: Output, memory: "Memory", user: str, *, revisions: bool) -> None:
    newest = memory.spine(user=user, revisions=revisions)
    if out.as_json:
        known: dict[str, Any] = {"spine": newest.to_dict() if newest else None}
        if revisions:
            known["revisions"] = [item.to_dict() for item in (newest.revisions if newest else ())]
        out.json(known)
        return
    if newest is None:
        out.line(("No long-term profile yet. The first one is written after 20 user messages.", "dim"))
        return
    for item in newest.revisions if revisions else (newest,):
        _version(out, item)


def _version(out: Output, spine: "Spine") -> None:
    for name, text in spine.content.to_dict().items():
        if text.strip():
            out.line((_SECTIONS[name], "cyan"))
            for line in filter(str.strip, text.splitlines()):
                out.line(line, indent=2)
    made = f"{rendering.when(spine.created_at)} · by {rendering.writer(spine.written_by)}"
    out.line((f"version {spine.version} · {made}", "dim"))
