"""Selection: what enters a context by fixed shares, before the whole is trimmed, and the tail of the conversation.

Sections before the tail never depend on the query, the tail or the minute, so that the prefix stays the same from turn to turn. That
is why shares are fixed and not parts of what is left.

The tail (S1 5.1, design 11.2) always has the last K turns; before them come whole turns that no summary covers yet, newest first,
so that nothing recent is invisible. Brief and tail together keep to S1's prompt budget: the oldest turns are dropped first,
down to one, then the brief is cut. If one turn leaves no room for it, the brief stays, and the budget of the context decides.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter, itemgetter

from recollect.context import wording
from recollect.context.brought import fill_recall
from recollect.context.draft import OVER_SHARE, Draft, Piece
from recollect.context.line import Dropped, Line, SectionName, shortened
from recollect.context.parts import ContextParts
from recollect.records.category import Category
from recollect.records.memory import MemoryRecord, effective
from recollect.records.message import Message, Role, Turn, turns_of
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

#: Open todos per context; a question about todos (`asked_todos`) lists more.
MAX_TODOS = 10
#: The most open todos that `engine/assemble.py` loads: fewer are all of them.
LOADED_TODOS = 50
#: Share of the profile's allowance that the seed's notes may take.
_NOTES_SHARE = 0.5
_DAY = timedelta(days=1)
_CATEGORY_PLACES = {category: place for place, category in enumerate(Category)}
#: Tokens for a heading and message delimiters next to a question that was cut.
_BESIDE_QUESTION = 64
#: The order inside section 3.
_SESSION_PLACE, _TODO_PLACE = 1, 2


def select(parts: ContextParts, pins: Sequence[Piece], *, budget: int, limits: Limits, count: Count) -> Draft:
    """Everything that the shares and S1's limits admit, with these pins, which are best first."""
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
    """Best first, in whole points at the start of the day, so that the last turn does not change the order."""
    morning = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    def points(memory: MemoryRecord) -> tuple[bool, int]:
        worth = effective(
            memory.importance,
            memory.category,
            pinned=memory.pinned,
            age_days=(morning - memory.updated_at) / _DAY,
            mentions=memory.mention_count,
            # The engine itself causes accesses, on every turn.
            accesses=0,
        )
        return not memory.pinned, -round(worth)

    return sorted(sorted(memories, key=attrgetter("memory_id"), reverse=True), key=points)


def _ask(draft: Draft, parts: ContextParts, budget: int) -> tuple[Message, ...]:
    """Set the question and return the messages before it; a question larger than the budget is cut."""
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
    """Notes and memories, best first, up to the first that does not fit: nothing overtakes a better one."""
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
    """The newest record first, with its lines in order: the oldest is trimmed first (design 6.2)."""
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
        # Statements of one section stay together.
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
    """Drop the spine's lines that repeat a todo; the todo takes the later of the two places."""
    shown = {piece.line.sources[0]: piece for piece in draft.spine if piece.line.group == wording.TODOS}
    twins = {wording.loop_text(todo): shown[todo.todo_id] for todo in parts.todos if todo.todo_id in shown}
    once = (
        twins.get(piece.line.text, piece) if piece.line.group == wording.SPINE else piece
        for piece in draft.spine
    )
    draft.spine = list(dict.fromkeys(once))


def _fill(draft: Draft, name: SectionName, into: list[Piece], pieces: Iterable[Piece], share: int) -> None:
    """Add pieces, best first; one that does not fit is skipped, because the next may be shorter."""
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
        # Texts that end with a line break cost the same together and apart, so this is what S1 would count.
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
    """Whole messages, newest first, that are not among the recent ones."""
    recent = {message.message_id for message in parts.recent}
    for message in parts.important:
        if message.message_id in recent:
            continue
        # A message that is too long is not rendered.
        line = wording.important_line(message, draft.count) if message.tokens < share else None
        if line and line.tokens <= share:
            draft.important.append(Piece(line=line, place=(message.position, "")))
            share -= line.tokens
        else:
            unseen = Line(
                text=message.text[:1000], tokens=message.tokens, why="", sources=(message.message_id,)
            )
            draft.drop(SectionName.IMPORTANT, unseen, OVER_SHARE)


#: Tokens. Less of a brief with its heading says nothing.
LEAST_BRIEF = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The turns within S1's limits."""

    #: Unfolded turns before the last ones, in the order of the chat.
    older: tuple[Turn, ...]
    #: The last turns; at least one, when there is any.
    last: tuple[Turn, ...]
    #: Turns that do not fit, in the order of the chat.
    left_out: tuple[Turn, ...]
    #: Tokens that the brief may have.
    brief_room: int


def choose_tail(
    recent: Sequence[Message],
    *,
    folded_position: int,
    limits: Limits,
    brief_tokens: int,
    cost: Callable[[Message], int],
) -> Tail:
    """Apply S1's limits to the recent messages."""
    turns = turns_of(recent)
    costs = [sum(cost(message) for message in turn.messages) for turn in turns]
    first = max(0, len(turns) - limits.raw_turns)
    unfolded = next(
        (number for number, turn in enumerate(turns[:first]) if turn.last.position > folded_position), first
    )
    room = limits.prompt_budget - brief_tokens
    start = first
    while start < len(turns) - 1 and sum(costs[start:]) > room:
        start += 1
    shown = start
    if start == first:
        messages = sum(len(turn.messages) for turn in turns[first:])
        spent = sum(costs[first:])
        for number in range(first - 1, unfolded - 1, -1):
            spent += costs[number]
            messages += len(turns[number].messages)
            if spent > room or messages > limits.max_recent:
                break
            shown = number
    left = limits.prompt_budget - sum(costs[shown:])
    return Tail(
        older=tuple(turns[shown:start]),
        last=tuple(turns[start:]),
        left_out=tuple(turns[unfolded:shown]),
        brief_room=left if left >= LEAST_BRIEF else brief_tokens,
    )
