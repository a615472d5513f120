"""How records look to a person: a memory in two lines, a hit with its reasons, a card, a receipt.

Only arrangement: nothing here asks the engine for anything, and what is shown is what the records hold.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.cli.output import Output, Piece
from recollect.language.sentence import shorten

if TYPE_CHECKING:
    from recollect.engine.forget import Receipt
    from recollect.engine.remember import Remembered
    from recollect.engine.report import Stats
    from recollect.index.episode.hit import EpisodeExplain, EpisodeHit
    from recollect.index.episode.session_hit import SessionHit
    from recollect.index.recall import Explain, Hit
    from recollect.records.card import Card
    from recollect.records.history import HistoryEntry
    from recollect.records.memory import MemoryRecord

#: Characters of a found message that a list shows.
_LONGEST_SAID = 300
#: One and many of what is counted.
_KINDS = {
    "memories": ("memory", "memories"),
    "vectors": ("vector", "vectors"),
    "history": ("line of history", "lines of history"),
    "links": ("link", "links"),
    "entities": ("entity", "entities"),
    "messages": ("message", "messages"),
    "message_entries": ("entry of a message", "entries of messages"),
    "message_vectors": ("vector of a message", "vectors of messages"),
    "chats": ("chat", "chats"),
    "pins": ("pin", "pins"),
    "todos": ("todo", "todos"),
    "spending": ("day of spending", "days of spending"),
    "briefs": ("brief", "briefs"),
    "summaries": ("summary", "summaries"),
    "sessions": ("session", "sessions"),
    "session_summaries": ("session summary", "session summaries"),
    "rolling_summaries": ("rolling summary", "rolling summaries"),
    "spines": ("long view", "long views"),
    "answers": ("stored answer", "stored answers"),
    "jobs": ("job", "jobs"),
    "memory_entities": ("mention of an entity", "mentions of entities"),
    "entity_aliases": ("other name of an entity", "other names of entities"),
    "session_states": ("session state", "session states"),
    "seeds": ("seed", "seeds"),
    "idempotency_keys": ("stored answer", "stored answers"),
    "proposals": ("proposal", "proposals"),
    "curator_runs": ("run of the curator", "runs of the curator"),
    "users": ("user", "users"),
    "tokens": ("token", "tokens"),
    "lines": ("line", "lines"),
    "turns": ("turn", "turns"),
    "dialogues": ("dialogue", "dialogues"),
    "utterances": ("utterance", "utterances"),
    "traps": ("trap", "traps"),
    "mistakes": ("mistake", "mistakes"),
    "observations": ("observation", "observations"),
    "questions": ("question", "questions"),
}


def number(value: float) -> str:
    """9.0 as 9, 7.25 as it is."""
    return f"{value:g}"


def counted(count: int, kind: str) -> str:
    """1 memory, 2 memories; a kind without a word of its own as it is."""
    return f"{count} {_KINDS.get(kind, (kind, kind))[count != 1]}"


def memories_counted(count: int) -> str:
    """1 memory, 2 memories."""
    return counted(count, "memories")


def amount(numbers: "Stats") -> str:
    """How much of a user there is: memories, and what was said if anything was."""
    known = memories_counted(numbers.total)
    return f"{known}, {said(numbers.messages, numbers.chats)}" if numbers.chats else known


def said(messages: int, chats: int) -> str:
    """10 messages in 2 chats."""
    return f"{counted(messages, 'messages')} in {counted(chats, 'chats')}"


def writer(written_by: str) -> str:
    """Who wrote a summary, in words."""
    return "rules, offline" if written_by == "offline" else written_by


def when(at: datetime | None) -> str:
    """A time as lists show it, in UTC; a dash for never."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at else "-"


def more_line(out: Output, more: bool, limit: int) -> None:
    """Say that a list goes on."""
    if more:
        out.line((f"There are more: --limit {limit * 2}", "dim"))


def marks(memory: "MemoryRecord") -> str:
    """What is special about a memory, in words."""
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
    """Content, then what it is, when and under which id."""
    width = len(lead if isinstance(lead, str) else lead[0])
    out.line(lead, (memory.content, "bold"))
    tags = "".join(f" #{tag}" for tag in memory.tags)
    out.line(
        (marks(memory), "cyan"),
        (f" · {memory.created_at:%Y-%m-%d} · {memory.memory_id}{tags}", "dim"),
        indent=width,
    )


def hit_lines(out: Output, hit: "Hit", place: int, *, explain: bool) -> None:
    """A found memory behind its place and score."""
    lead = f"{place:>2}. {hit.score:.2f}  "
    memory_lines(out, hit.memory, lead=(lead, "green"))
    if explain:
        for text in explanation(hit.explain):
            out.line((text, "dim"), indent=len(lead))


def explanation(explain: "Explain") -> list[str]:
    """Every term of a score in one line, and in a second one how the memory was found."""
    values = {name: value for name, value in explain.to_dict().items() if isinstance(value, float)}
    raw = [f"{name} {values.pop(name):.2f}" for name in ("cosine", "bm25")]
    arms = _arms(explain.vector_rank, explain.text_rank)
    sources = [f"from {', '.join(explain.source_message_ids)}"] if explain.source_message_ids else []
    terms = [f"{name} {value:.2f}" for name, value in values.items()]
    return [" · ".join(terms), " · ".join([*raw, *arms, *sources])]


def episode_lines(out: Output, hit: "EpisodeHit", place: int, *, explain: bool) -> None:
    """A found message behind its place and score: its words, then when, who and where."""
    message = hit.message
    lead = f"{place:>2}. {hit.score:.2f}  "
    out.line((lead, "green"), (shorten(" ".join(message.text.split()), _LONGEST_SAID), "bold"))
    who = f"{message.name} ({message.role.value})" if message.name else message.role.value
    where = f" · {when(message.created_at)} · {message.chat_id} · {message.message_id}"
    out.line((who, "cyan"), (where, "dim"), indent=len(lead))
    if hit.repeats:
        again = f"said again: {', '.join(hit.repeats)}"
        out.line((again, "dim"), indent=len(lead))
    if explain:
        for text in episode_explanation(hit.explain):
            out.line((text, "dim"), indent=len(lead))


def session_lines(out: Output, hit: "SessionHit", place: int) -> None:
    """A found session behind its place and score: its best message, then when and where."""
    message = hit.message
    lead = f"{place:>2}. {hit.score:.2f}  "
    out.line((lead, "green"), (shorten(" ".join(message.text.split()), _LONGEST_SAID), "bold"))
    where = f"{when(message.created_at)} · {message.chat_id} · {message.session_id} · theme {hit.theme:.2f}"
    out.line((where, "dim"), indent=len(lead))


def episode_explanation(explain: "EpisodeExplain") -> list[str]:
    """What each feature adds to the score, the most first, and in a second line how the message was found."""
    terms = sorted(explain.terms.items(), key=lambda item: (-item[1], item[0]))
    told = [f"{name} {value:.2f}" for name, value in terms if round(value, 2)]
    cosine = f"cosine {explain.cosine:.2f}" if explain.cosine is not None else "no vector yet"
    raw = [cosine, f"bm25 {explain.bm25:.2f}"]
    return [" · ".join(told), " · ".join([*raw, *_arms(explain.vector_rank, explain.text_rank)])]


def _arms(vector_rank: int | None, text_rank: int | None) -> list[str]:
    return [
        f"{_place(vector_rank)} by meaning" if vector_rank else "not found by meaning",
        f"{_place(text_rank)} by words" if text_rank else "not found by words",
    ]


def _place(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def card_line(out: Output, card: "Card", *, indent: int = 0) -> None:
    """An entity and its best facts."""
    out.line((f"[{card.entity}]", "magenta"), ": " + "; ".join(card.facts), indent=indent)


def outcome_lines(out: Output, done: "Remembered") -> None:
    """What became of a statement."""
    words = {"added": "Remembered", "updated": "Updated", "duplicate": "Known already"}
    style = "green" if done.stored else "yellow"
    out.line((words[done.outcome], style), ": ", (done.memory.content, "bold"))
    out.line(
        (marks(done.memory), "cyan"),
        (f" · importance {number(done.memory.importance)} · {done.memory.memory_id}", "dim"),
        indent=2,
    )
    if not done.stored:
        out.line((done.reason, "dim"), indent=2)
    if done.previous is not None:
        out.line(("replaces: " + done.previous.content, "dim"), indent=2)


def receipt_line(out: Output, receipt: "Receipt") -> None:
    """What was erased, and whether the disk is clean."""
    told = [counted(count, kind) for kind, count in receipt.counts.items() if count]
    if not told:
        # Of bytes that were never there, nothing can be said.
        out.line("There was nothing to forget.")
        return
    out.line(("Forgotten", "green"), ": ", ", ".join(told))
    if receipt.erased_from_disk:
        out.line(("The bytes are gone from the database file.", "dim"), indent=2)
    else:
        out.line(
            (
                "The rows are gone. Their bytes may stay on disk until the database reclaims the space.",
                "yellow",
            ),
            indent=2,
        )
    if receipt.refolded:
        chats = ", ".join(receipt.refolded)
        out.line((f"The summary of {chats} is written anew: see `recollect jobs`.", "dim"), indent=2)


def history_lines(out: Output, entry: "HistoryEntry", *, indent: int = 0) -> None:
    """One change: when, by whom, what, why."""
    moment = f"{entry.at:%Y-%m-%d %H:%M:%S}"
    why = f" ({entry.reason})" if entry.reason else ""
    out.line((moment, "dim"), f"  {entry.change.value} by {entry.by}{why}", indent=indent)
    for name in ("content", "category", "importance", "tags"):
        if entry.old.get(name) is not None:
            out.line((f"{name}: {entry.old.get(name)!s} → {entry.new.get(name)!s}", "dim"), indent=indent + 4)
