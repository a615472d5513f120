"""Selection: what enters a context by the fixed shares alone, before anybody asks whether it all fits.

Each section is chosen by itself, and never looks at the query, the tail or the minute where it stands before the tail:
that is what keeps the prefix the same from turn to turn. Filling each section with "what is left" was rejected for
that reason.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter, itemgetter

from recollect.context import wording
from recollect.context.brought import fill_recall
from recollect.context.draft import OVER_SHARE, Draft, Piece
from recollect.context.line import Dropped, Line, SectionName, shortened
from recollect.context.parts import ContextParts
from recollect.context.tail import choose_tail
from recollect.records.category import Category
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message, Role
from recollect.records.pin import CRITICAL
from recollect.records.spine import stale_loops
from recollect.records.todo import urgency
from recollect.rules.budget import (
    IMPORTANT_SHARE,
    PROFILE_SHARE,
    SPINE_SHARE,
    TRUSTED_SHARE,
    Count,
    Limits,
)
from recollect.rules.importance import effective

#: Open todos that are looked at; more is a list to ask for (`asked_todos`), not a part of every context.
MAX_TODOS = 10
#: Open todos that are loaded at most (`engine/assemble.py`): fewer are every one that is open.
LOADED_TODOS = 50
#: Share of the profile's allowance that the seed's notes may take.
_NOTES_SHARE = 0.5
_DAY = timedelta(days=1)
_CATEGORY_PLACES = {category: place for place, category in enumerate(Category)}
#: Tokens for a heading and the ends of messages beside a question that had to be cut.
_BESIDE_QUESTION = 64
#: Where the kinds of section 3 stand in it.
_SESSION_PLACE, _TODO_PLACE = 1, 2


def select(parts: ContextParts, pins: Sequence[Piece], *, budget: int, limits: Limits, count: Count) -> Draft:
    """Everything that the shares and S1's limits admit, beside these pins, the best of which comes first."""
    critical = {pin.pin_id for pin in parts.pins if pin.importance_score >= CRITICAL}
    draft = Draft(count=count, limits=limits, pins=list(pins))
    draft.critical = sum(piece.line.sources[0] in critical for piece in pins)
    recent = _ask(draft, parts, budget)
    _fill_profile(draft, parts, int(budget * PROFILE_SHARE))
    _fill(draft, SectionName.SPINE, draft.spine, _spine(draft, parts), int(budget * SPINE_SHARE))
    _say_once(draft, parts)
    _choose_conversation(draft, parts, recent)
    _fill_important(draft, parts, int(budget * IMPORTANT_SHARE))
    fill_recall(draft, parts, budget)
    return draft


def ranked(memories: Iterable[MemoryRecord], now: datetime) -> list[MemoryRecord]:
    """Best first, in whole points at the start of the day: what was just read or said does not reshuffle it."""
    morning = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    def points(memory: MemoryRecord) -> tuple[bool, int]:
        worth = effective(
            memory.importance,
            memory.category,
            pinned=memory.pinned,
            age_days=(morning - memory.updated_at) / _DAY,
            mentions=memory.mention_count,
            # An access is the engine's own doing, and happens on every turn.
            accesses=0,
        )
        return not memory.pinned, -round(worth)

    return sorted(sorted(memories, key=attrgetter("memory_id"), reverse=True), key=points)


def _ask(draft: Draft, parts: ContextParts, budget: int) -> tuple[Message, ...]:
    """Set the question, and return the messages before it; a question larger than the budget is cut at once."""
    recent = parts.recent
    question = parts.query.strip()
    if not question or parts.aside:
        return recent
    if recent and recent[-1].role is Role.USER and recent[-1].text.strip() == question:
        draft.asked, recent = recent[-1], recent[:-1]
    draft.question = draft.asked.text if draft.asked else parts.query
    draft.question_tokens = draft.worst(draft.question)
    if draft.question_tokens > budget:
        kept = sum(piece.line.tokens for piece in draft.pins[: draft.critical])
        draft.cut_question(max(budget // 2, budget - kept - _BESIDE_QUESTION))
    return recent


def _fill_profile(draft: Draft, parts: ContextParts, share: int) -> None:
    """Notes and memories, best first, until the first that does not fit: nothing passes what is worth more."""
    notes = [
        Piece(line=line, place=(len(Category), f"{number:06}"))
        for number, line in enumerate(wording.note_lines(parts.seed_notes, draft.count))
    ]
    _fill(draft, SectionName.PROFILE, draft.profile, notes, int(share * _NOTES_SHARE))
    room = share - sum(piece.line.tokens for piece in draft.profile)
    for memory in ranked(parts.profile, parts.now):
        if room > 0:
            line = wording.memory_line(memory, draft.count)
            room -= line.tokens
            if room >= 0:
                place = (_CATEGORY_PLACES[memory.category], memory.memory_id)
                draft.profile.append(Piece(line=line, place=place))
                continue
        room = 0
        draft.dropped.append(
            Dropped(
                section=SectionName.PROFILE,
                text=shortened(memory.content),
                tokens=memory.tokens,
                why=OVER_SHARE,
                sources=(memory.memory_id,),
            )
        )


def _spine(draft: Draft, parts: ContextParts) -> list[Piece]:
    """The newest record first, the lines of each in its own order: the oldest is the first to go (design 6.2)."""
    ordered = sorted(parts.todos, key=urgency)
    aged = [
        (
            todo.created_at,
            Piece(
                line=wording.todo_line(todo, draft.count),
                place=(_TODO_PLACE, f"{todo.due_at.isoformat() if todo.due_at else '9999'} {todo.todo_id}"),
            ),
        )
        for todo in ordered[:MAX_TODOS]
    ]
    for todo in ordered[MAX_TODOS:]:
        line = Line(text=todo.text, tokens=draft.count(todo.text), why="", sources=(todo.todo_id,))
        draft.drop(SectionName.SPINE, line, f"more than {MAX_TODOS} open todos")
    if spine := parts.spine:
        texts, every = [todo.text for todo in parts.todos], len(parts.todos) < LOADED_TODOS
        told = wording.spine_lines(spine, stale_loops(spine, texts, every=every), draft.count)
        # Statements of one section stand together, whichever of them are shown.
        aged += [
            (spine.created_at, Piece(line=line, place=(0, f"{section} {rank:06}")))
            for rank, (section, line) in enumerate(told)
        ]
    if session := parts.session_summary:
        aged += [
            (session.created_at, Piece(line=line, place=(_SESSION_PLACE, f"{number:06}")))
            for number, line in enumerate(wording.session_lines(session, draft.count))
        ]
    aged.sort(key=itemgetter(0), reverse=True)
    return [piece for _, piece in aged]


def _say_once(draft: Draft, parts: ContextParts) -> None:
    """What stands among the todos is not told by the spine as well; it goes as late as the spine's line would have gone."""
    shown = {piece.line.sources[0]: piece for piece in draft.spine if piece.line.group == wording.TODOS}
    twins = {wording.loop_text(todo): shown[todo.todo_id] for todo in parts.todos if todo.todo_id in shown}
    once = (
        twins.get(piece.line.text, piece) if piece.line.group == wording.SPINE else piece
        for piece in draft.spine
    )
    draft.spine = list(dict.fromkeys(once))


def _fill(draft: Draft, name: SectionName, into: list[Piece], pieces: Iterable[Piece], share: int) -> None:
    """Best first; what does not fit is passed over, because the next one may be shorter."""
    for piece in pieces:
        if piece.line.tokens <= share:
            into.append(piece)
            share -= piece.line.tokens
        else:
            draft.drop(name, piece.line, OVER_SHARE)


def _choose_conversation(draft: Draft, parts: ContextParts, recent: tuple[Message, ...]) -> None:
    """The brief and the tail, within S1's prompt budget."""
    limits, count = draft.limits, draft.count
    if parts.brief and parts.brief.global_summary.strip():
        draft.brief = parts.brief
        draft.brief_line = wording.brief_line(parts.brief, parts.brief.global_summary, count)
    frame = draft.heading(wording.BRIEF)
    brief_tokens = draft.brief_line.tokens + frame if draft.brief_line else 0
    costs = {message.message_id: wording.spoken_cost(message) for message in recent}
    if brief_tokens + sum(costs.values()) > TRUSTED_SHARE * limits.prompt_budget:
        # Texts that end in a line's end cost together what they cost apart, so this is what S1 would count.
        ends = ["\n\n"] * (len(recent) - 1) + [""]
        costs = {
            message.message_id: count(wording.spoken(message) + end)
            for message, end in zip(recent, ends, strict=False)
        }
        if draft.brief_line:
            brief_tokens = count(f"{wording.BRIEF}\n{draft.brief_line.text}\n\n")
    tail = choose_tail(
        recent,
        folded_position=parts.folded_position,
        limits=limits,
        brief_tokens=brief_tokens,
        cost=lambda message: costs[message.message_id],
    )
    draft.older, draft.last = list(tail.older), list(tail.last)
    room = f"no room in the {limits.prompt_budget} tokens"
    why = f"{room} or {limits.max_recent} messages of the conversation"
    for turn in tail.left_out:
        draft.drop_messages(turn.messages, why)
    if parts.unread:
        unread = Line(text=f"{parts.unread} messages", tokens=parts.unread_tokens, why="")
        draft.drop(
            SectionName.TAIL, unread, "inside a turn of too many messages; its first and newest are read"
        )
    if brief_tokens > tail.brief_room:
        draft.cut_brief(tail.brief_room - frame, f"{room} of the conversation")


def _fill_important(draft: Draft, parts: ContextParts, share: int) -> None:
    """Whole messages, newest first, that do not stand in the recent ones anyway."""
    recent = {message.message_id for message in parts.recent}
    for message in parts.important:
        if message.message_id in recent:
            continue
        # Too long is too long: what is not shown need not be read for instructions.
        line = wording.important_line(message, draft.count) if message.tokens < share else None
        if line and line.tokens <= share:
            draft.important.append(Piece(line=line, place=(message.position, "")))
            share -= line.tokens
        else:
            unseen = Line(
                text=message.text[:1000], tokens=message.tokens, why="", sources=(message.message_id,)
            )
            draft.drop(SectionName.IMPORTANT, unseen, OVER_SHARE)
