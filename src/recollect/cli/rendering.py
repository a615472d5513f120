"""How records are displayed: a memory in two lines, a hit with its score, a message, a pin, a todo, a receipt.

This is layout only; nothing here calls the engine.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.cli.output import Output, Piece
from recollect.language.sentence import shorten

if TYPE_CHECKING:
    from recollect import MemoryRecord, Message, Pin, Receipt, SearchResult, Todo
    from recollect.types import (
        Brief,
        Card,
        EpisodeExplain,
        EpisodeHit,
        Explain,
        HistoryEntry,
        Hit,
        Proposal,
        Recorded,
        Remembered,
        SessionHit,
        Stats,
    )

#: Maximum characters of a found message in a list.
_LONGEST = 300
#: Irregular plurals.
_SINGULAR = {
    "memories": "memory",
    "history": "history entry",
    "entities": "entity",
    "entity_aliases": "entity alias",
    "summaries": "summary",
    "session_summaries": "session summary",
    "rolling_summaries": "rolling summary",
    "message_entries": "message index entry",
    "memory_entities": "entity mention",
    "spending": "day of token counts",
}
_PLURAL = {
    "history": "history entries",
    "message_entries": "message index entries",
    "memory_entities": "entity mentions",
    "spending": "days of token counts",
}


def number(value: float) -> str:
    """9.0 as 9; 7.25 unchanged."""
    return f"{value:g}"


def counted(count: int, kind: str) -> str:
    """1 memory, 2 memories; `kind` is the plural, often a table's name."""
    if count == 1:
        return f"1 {_SINGULAR.get(kind, kind.removesuffix('s')).replace('_', ' ')}"
    return f"{count} {_PLURAL.get(kind, kind).replace('_', ' ')}"


def amount(numbers: "Stats") -> str:
    """How much is stored for a user: memories, and messages if there are any."""
    known = counted(numbers.total, "memories")
    if not numbers.chats:
        return known
    return f"{known}, {counted(numbers.messages, 'messages')} in {counted(numbers.chats, 'chats')}"


def writer(written_by: str) -> str:
    """Who wrote a summary, in words."""
    return "rules, offline" if written_by == "offline" else written_by


def when(at: datetime | None) -> str:
    """A time in UTC for lists; a dash if there is none."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at else "-"


def more_line(out: Output, cursor: str | None, limit: int) -> None:
    """Say that a list continues."""
    if cursor:
        out.line((f"There are more: use --limit {limit * 2}", "dim"))


def block(out: Output, text: str, style: str = "", lead: Piece = "") -> None:
    """Several lines of text: the first after its lead, the others indented."""
    first, *others = text.splitlines() or [""]
    out.line(lead, (first, style))
    for line in others:
        out.line((line, style), indent=2)


# -- memories -----------------------------------------------------------------------------------------------


def marks(memory: "MemoryRecord") -> str:
    """A memory's special states, in words."""
    found = [memory.category.value]
    if memory.pinned:
        found.append("pinned")
    if memory.status.value != "ACTIVE":
        found.append(memory.status.value.lower())
    if memory.valid_to is not None:
        found.append(f"until {memory.valid_to:%Y-%m-%d}")
    if memory.flagged:
        found.append("flagged: it addresses the model")
    return " · ".join(found)


def memory_lines(out: Output, memory: "MemoryRecord", *, lead: Piece = "") -> None:
    """The text, then its category, date, id and tags."""
    width = len(lead if isinstance(lead, str) else lead[0])
    out.line(lead, (memory.content, "bold"))
    tags = "".join(f" #{tag}" for tag in memory.tags)
    out.line(
        (marks(memory), "cyan"),
        (f" · {memory.created_at:%Y-%m-%d} · {memory.memory_id}{tags}", "dim"),
        indent=width,
    )


def outcome_lines(out: Output, done: "Remembered") -> None:
    """The result for a new statement."""
    words = {"added": "Remembered", "updated": "Updated", "duplicate": "Already known"}
    out.line((words[done.outcome], "green" if done.stored else "yellow"), ": ", (done.memory.content, "bold"))
    out.line(
        (marks(done.memory), "cyan"),
        (f" · importance {number(done.memory.importance)} · {done.memory.memory_id}", "dim"),
        indent=2,
    )
    if not done.stored:
        out.line((done.reason, "dim"), indent=2)
    if done.previous is not None:
        out.line((f"replaces: {done.previous.content}", "dim"), indent=2)


def history_lines(out: Output, entry: "HistoryEntry", *, indent: int = 0) -> None:
    """One change: when, who, what and why."""
    why = f" ({entry.reason})" if entry.reason else ""
    out.line(
        (f"{entry.at:%Y-%m-%d %H:%M:%S}", "dim"), f"  {entry.change.value} by {entry.by}{why}", indent=indent
    )
    for name in ("content", "category", "importance", "tags"):
        if entry.old.get(name) is not None:
            out.line((f"{name}: {entry.old.get(name)!s} → {entry.new.get(name)!s}", "dim"), indent=indent + 4)


def receipt_line(out: Output, receipt: "Receipt") -> None:
    """What was erased, and whether it is erased from disk."""
    erased = [counted(count, kind) for kind, count in receipt.counts.items() if count]
    if not erased:
        out.line("There was nothing to forget.")
        return
    out.line(("Forgotten", "green"), ": ", ", ".join(erased))
    out.line((receipt.disk, "dim" if receipt.erased_from_disk else "yellow"), indent=2)
    if receipt.refolded:
        chats = ", ".join(receipt.refolded)
        out.line((f"The summary of {chats} will be rewritten in the background.", "dim"), indent=2)


def stats_lines(out: Output, numbers: "Stats", user: str) -> None:
    """A user's statistics."""
    out.line((amount(numbers), "bold"), f" of {user}")
    if numbers.messages_waiting:
        waiting = counted(numbers.messages_waiting, "messages")
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


# -- search results -----------------------------------------------------------------------------------------


def result_lines(out: Output, found: "SearchResult", *, explain: bool) -> None:
    """Entity cards and memories, then messages and sessions."""
    for card in found.cards:
        card_line(out, card)
    if found.cards:
        out.line()
    for place, hit in enumerate(found.hits, 1):
        hit_lines(out, hit, place, explain=explain)
    if found.hits and found.messages:
        out.line()
    if found.messages:
        out.line(("Messages", "cyan"))
    for place, message in enumerate(found.messages, 1):
        _message_hit(out, message, place, explain=explain)
    if found.sessions:
        out.line()
        out.line(("Sessions", "cyan"))
    for place, session in enumerate(found.sessions, 1):
        _session_hit(out, session, place)
    if not found.hits and not found.messages:
        out.line(("Nothing found.", "dim"))


def card_line(out: Output, card: "Card") -> None:
    """An entity and its best facts."""
    out.line((f"[{card.entity}]", "magenta"), ": " + "; ".join(card.facts))


def hit_lines(out: Output, hit: "Hit", place: int, *, explain: bool) -> None:
    """A found memory, after its rank and score."""
    lead = f"{place:>2}. {hit.score:.2f}  "
    memory_lines(out, hit.memory, lead=(lead, "green"))
    if explain:
        for text in _explanation(hit.explain):
            out.line((text, "dim"), indent=len(lead))


def _explanation(explain: "Explain") -> list[str]:
    """Every term of a score in one line, then how the memory was found."""
    values = {name: value for name, value in explain.to_dict().items() if isinstance(value, float)}
    raw = [f"{name} {values.pop(name):.2f}" for name in ("cosine", "bm25")]
    arms = _arms(explain.vector_rank, explain.text_rank)
    sources = [f"from {', '.join(explain.source_message_ids)}"] if explain.source_message_ids else []
    terms = [f"{name} {value:.2f}" for name, value in values.items()]
    return [" · ".join(terms), " · ".join([*raw, *arms, *sources])]


def _message_hit(out: Output, hit: "EpisodeHit", place: int, *, explain: bool) -> None:
    message = hit.message
    lead = f"{place:>2}. {hit.score:.2f}  "
    out.line((lead, "green"), (shorten(" ".join(message.text.split()), _LONGEST), "bold"))
    who = f"{message.name} ({message.role.value})" if message.name else message.role.value
    where = f" · {when(message.created_at)} · {message.chat_id} · {message.message_id}"
    out.line((who, "cyan"), (where, "dim"), indent=len(lead))
    if hit.repeats:
        out.line((f"repeated in {', '.join(hit.repeats)}", "dim"), indent=len(lead))
    if explain:
        for text in _message_explanation(hit.explain):
            out.line((text, "dim"), indent=len(lead))


def _message_explanation(explain: "EpisodeExplain") -> list[str]:
    """Each feature's contribution to the score, largest first, then how the message was found."""
    terms = sorted(explain.terms.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} {value:.2f}" for name, value in terms if round(value, 2)]
    cosine = f"cosine {explain.cosine:.2f}" if explain.cosine is not None else "no vector yet"
    arms = _arms(explain.vector_rank, explain.text_rank)
    return [" · ".join(shown), " · ".join([cosine, f"bm25 {explain.bm25:.2f}", *arms])]


def _session_hit(out: Output, hit: "SessionHit", place: int) -> None:
    message = hit.message
    lead = f"{place:>2}. {hit.score:.2f}  "
    out.line((lead, "green"), (shorten(" ".join(message.text.split()), _LONGEST), "bold"))
    where = f"{when(message.created_at)} · {message.chat_id} · {message.session_id} · theme {hit.theme:.2f}"
    out.line((where, "dim"), indent=len(lead))


def _arms(vector_rank: int | None, text_rank: int | None) -> list[str]:
    return [
        f"{_place(vector_rank)} by meaning" if vector_rank else "not found by meaning",
        f"{_place(text_rank)} by words" if text_rank else "not found by words",
    ]


def _place(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


# -- conversations ------------------------------------------------------------------------------------------


def message_lines(out: Output, message: "Message") -> None:
    """The speaker and the text, then the time, importance and id."""
    who = f"{message.role.value} {message.name}" if message.name else message.role.value
    block(out, message.text, lead=(f"{who}: ", "green"))
    by = f" · by {message.model_id}" if message.model_id else ""
    weight = number(message.importance_score)
    what = f"{when(message.created_at)} · importance {weight}{by} · {message.message_id}"
    out.line((what, "dim"), indent=2)


def recorded_pins(out: Output, done: "Recorded") -> None:
    """What was pinned automatically because of a message."""
    for pin in done.pins:
        weight = number(pin.importance_score)
        out.line(("Pinned", "green"), ": ", pin.content, (f" (importance {weight})", "dim"))


def brief_lines(out: Output, brief: "Brief") -> None:
    """A chat's summary, and who wrote it when."""
    if not brief.revision:
        out.line(("No brief yet, because nothing has been folded.", "dim"))
        return
    for text in brief.global_summary.splitlines():
        out.line(text)
    made = f"{when(brief.created_at)} · by {writer(brief.written_by)}"
    out.line((f"revision {brief.revision} · {made} · {counted(brief.tokens, 'tokens')}", "dim"), indent=2)


def pin_lines(out: Output, pin: "Pin", word: str = "") -> None:
    """The pinned text, then its importance, type, date and id."""
    block(out, pin.content, "bold", (word, "green"))
    weight = number(pin.importance_score)
    what = f"importance {weight} · {pin.pin_type.value} · {when(pin.created_at)} · {pin.pin_id}"
    out.line((what, "dim"), indent=2)


def pins_lines(out: Output, found: "list[Pin]") -> None:
    """Every pin of a chat."""
    for pin in found:
        pin_lines(out, pin)
    if not found:
        out.line(("No pins.", "dim"))


def todo_lines(out: Output, todo: "Todo", word: str = "") -> None:
    """The text, then its kind, status, due date and id."""
    block(out, todo.text, "bold", (word, "green"))
    what = [todo.kind.value]
    what += [todo.status.value] if todo.status.value != "open" else []
    what += [f"due {when(todo.due_at).removesuffix(' 00:00')}"] if todo.due_at else []
    what += [f"with {todo.persona_id}"] if todo.persona_id else []
    out.line((" · ".join(what), "cyan"), (f" · {todo.todo_id}", "dim"), indent=2)


def todos_lines(out: Output, found: "list[Todo]") -> None:
    """Every todo."""
    for todo in found:
        todo_lines(out, todo)
    if not found:
        out.line(("No open todos.", "dim"))


def proposal_lines(
    out: Output, proposal: "Proposal", known: "dict[str, MemoryRecord]", indent: int = 0
) -> None:
    """The proposal and its reason, then the memories or entities concerned, and its id."""
    decided = (
        "" if proposal.status.value == "open" else f"{proposal.status.value} by {proposal.decided_by} · "
    )
    out.line((f"{proposal.kind.value}: ", "magenta"), proposal.reason, indent=indent)
    for memory_id in proposal.memory_ids:
        text = f"{known[memory_id].content}  " if memory_id in known else ""
        out.line(text, (memory_id, "dim"), indent=indent + 2)
    if proposal.entity_keys:
        out.line(" and ".join(proposal.entity_keys), indent=indent + 2)
    if proposal.proposal_id:
        out.line((f"{decided}{proposal.proposal_id}", "dim"), indent=indent + 2)
