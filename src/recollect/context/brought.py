"""Recall for a question: todos, cards and memories in one list, past messages in another.

Both are sorted best first and merged so that at any length memories have their share and messages the rest, until one list
runs out; trimming then removes from the end. There is no common score, because the scores of memories and messages are not
comparable. Unlike the sections before the tail, this one may take all remaining room.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.context import episode, wording
from recollect.context.draft import OVER_SHARE, Draft, Piece
from recollect.context.line import Line, SectionName
from recollect.context.parts import ContextParts
from recollect.language.asked_todos import asks_for_todos
from recollect.language.terms import terms
from recollect.records.hit import EpisodeHit
from recollect.records.message import Message
from recollect.records.session import RollingSummary
from recollect.records.todo import urgency
from recollect.rules.budget import MEMORIES_SHARE, RECALL_SHARE

#: Tokens per message: this share of the budget within these bounds; a longer one is shown as an excerpt. The lower bound is
#: what a budget of 2,000 gives: below that, fewer messages are shown and not shorter ones.
_MESSAGE_SHARE = 0.05
_SHORTEST_EXCERPT = 100
_LONGEST_EXCERPT = 400
#: Messages that are shown whatever their scores; others need at least this share of the best score. Irrelevant messages
#: would cost money at every turn, so the room is left empty.
_FIRST = 10
_AS_GOOD = 0.5
FAR_FROM_BEST = "scored less than half of the best hit"
#: Approximate tokens of day and speaker around a message.
_AROUND = 15
#: The order inside this section.
_TODO_PLACE, _MEMORY_PLACE, _EPISODE_PLACE, _MISSED_PLACE, _ROLLING_PLACE = range(5)


def fill_recall(draft: Draft, parts: ContextParts, budget: int) -> None:
    """Choose from what the question found, after everything else has been chosen."""
    memories = _memories(draft, parts)
    if not parts.episodes:
        draft.recall = memories
        return
    longest = min(max(int(budget * _MESSAGE_SHARE), _SHORTEST_EXCERPT), _LONGEST_EXCERPT)
    needed = sum(min(hit.message.tokens, longest) + _AROUND for hit in parts.episodes)
    share = int(budget * RECALL_SHARE)
    left = budget - draft.cost()
    left += _give_way(draft, min(share, needed + sum(piece.line.tokens for piece in memories)) - left)
    reading = episode.Reading(
        question=terms(parts.query), longest=longest, place=_EPISODE_PLACE, count=draft.count
    )
    # Memories keep at least their share.
    room = max(int(left * MEMORIES_SHARE), left - needed, share)
    first = _Shelf(draft, min(room, left - _best(draft, parts, reading, left)))
    waiting = [piece for piece in memories if not first.put(piece)]
    said = _Shelf(draft, left - first.spent)
    _put_episodes(draft, parts, said, reading)
    last = _Shelf(draft, left - first.spent - said.spent)
    for piece in waiting:
        if not last.put(piece):
            draft.drop(SectionName.RECALL, piece.line, OVER_SHARE)
    draft.recall = [*_merged(first.pieces, said.pieces), *last.pieces]


def _best(draft: Draft, parts: ContextParts, reading: episode.Reading, room: int) -> int:
    """The tokens of the best message, if it fits: in a small budget, no card must take its place."""
    shown = _shown(draft, parts)
    best = next((hit for hit in parts.episodes if hit.message.message_id not in shown), None)
    if best is None or min(best.message.tokens, reading.longest // 2) >= room:
        return 0
    line = reading.hit(best).line
    tokens = line.tokens + draft.heading(line.group)
    return tokens if tokens <= room else 0


def _give_way(draft: Draft, tokens: int) -> int:
    """Drop older turns that no summary covers yet, oldest first, to free this many tokens; return the number freed."""
    freed = 0
    while draft.older and freed < tokens:
        turn = draft.older.pop(0)
        freed += sum(wording.spoken_cost(message) for message in turn.messages)
        draft.drop_messages(turn.messages)
    return freed


def _memories(draft: Draft, parts: ContextParts) -> list[Piece]:
    """Requested todos, cards, memories by score, then the rolling summary; nothing that is shown elsewhere."""
    shown = {piece.line.sources[0] for piece in draft.profile}
    shown.update(memory_id for card in parts.cards for memory_id in card.memory_ids)
    lines = [(_TODO_PLACE, line) for line in _other_todos(draft, parts)]
    lines += [(_MEMORY_PLACE, wording.card_line(card, draft.count)) for card in parts.cards]
    lines += [
        (_MEMORY_PLACE, wording.hit_line(hit, draft.count))
        for hit in parts.hits
        if hit.memory.memory_id not in shown
    ]
    # Here and not in section 5: they change while the chat grows, and the prefix must not.
    lines += [
        (_MISSED_PLACE, wording.missed_line(message, draft.count)) for message in reversed(parts.missed)
    ]
    if parts.rolling and _tells_more(parts.rolling, parts.session_started_at, draft.tail):
        lines.append((_ROLLING_PLACE, wording.rolling_line(parts.rolling, draft.count)))
    return [Piece(line=line, place=(kind, f"{number:06}")) for number, (kind, line) in enumerate(lines)]


def _other_todos(draft: Draft, parts: ContextParts) -> list[Line]:
    """Open todos that section 3 does not show, if the question asks for todos; the most urgent first."""
    if not asks_for_todos(parts.query):
        return []
    shown = {piece.line.sources[0] for piece in draft.spine if piece.line.group == wording.TODOS}
    told = {piece.line.text for piece in draft.spine if piece.line.group == wording.SPINE}
    others = [
        todo
        for todo in sorted(parts.todos, key=urgency)
        if todo.todo_id not in shown and wording.loop_text(todo) not in told
    ]
    named = {todo.todo_id for todo in others}
    draft.dropped = [item for item in draft.dropped if named.isdisjoint(item.sources[:1])]
    return [replace(wording.todo_line(todo, draft.count), group=wording.MORE_TODOS) for todo in others]


def _put_episodes(draft: Draft, parts: ContextParts, shelf: "_Shelf", reading: episode.Reading) -> None:
    """Add messages by score while there is room; then, if all fit, the questions that they answer."""
    shown = _shown(draft, parts)
    every = [hit for hit in parts.episodes if hit.message.message_id not in shown]
    found = _plausible(every)
    for hit in found:
        message = hit.message
        # A message that cannot fit is not rendered.
        if min(message.tokens, reading.longest // 2) < shelf.room and shelf.put(reading.hit(hit)):
            continue
        _drop(draft, message, OVER_SHARE)
    near = {hit.message.message_id for hit in found}
    for hit in every:
        if hit.message.message_id not in near:
            _drop(draft, hit.message, FAR_FROM_BEST)
    if len(shelf.pieces) < len(found):
        return
    shown.update(hit.message.message_id for hit in found)
    for hit in found:
        if hit.before and hit.before[-1].message_id in shown:
            continue
        if asked := reading.before(hit):
            shown.add(asked.line.sources[0])
            shelf.put(asked)


def _drop(draft: Draft, message: Message, why: str) -> None:
    unseen = Line(text=message.text[:1000], tokens=message.tokens, why="", sources=(message.message_id,))
    draft.drop(SectionName.RECALL, unseen, why)


def _plausible(hits: Sequence[EpisodeHit]) -> list[EpisodeHit]:
    """The first few, and those with at least half of the best score."""
    return [hit for place, hit in enumerate(hits) if place < _FIRST or hit.score >= _AS_GOOD * hits[0].score]


def _shown(draft: Draft, parts: ContextParts) -> set[str]:
    """The ids of messages that are shown elsewhere."""
    shown = {message.message_id for message in (*draft.tail, *parts.missed)}
    shown.update(piece.line.sources[0] for piece in draft.important)
    if draft.asked:
        shown.add(draft.asked.message_id)
    return shown


class _Shelf:
    """Lines with their cost and the room that is left."""

    def __init__(self, draft: Draft, room: int) -> None:
        self.room = room
        self.spent = 0
        self.pieces: list[Piece] = []
        self._draft = draft
        self._groups: set[str] = set()
        self._talks: set[tuple[str, str]] = set()

    def put(self, piece: Piece) -> bool:
        """Add a line if there is room; the first under a heading costs more, later ones of a chat and day less."""
        line, undated = piece.line, piece.line.undated
        talk = (undated.chat_id, undated.day) if undated else ("", "")
        tokens = undated.tokens if undated and talk in self._talks else line.tokens
        tokens += 0 if line.group in self._groups else self._draft.heading(line.group)
        if tokens > self.room:
            return False
        self._groups.add(line.group)
        self._talks.add(talk)
        self.pieces.append(piece)
        self.room -= tokens
        self.spent += tokens
        return True


def _merged(memories: Sequence[Piece], episodes: Sequence[Piece]) -> Iterator[Piece]:
    """One list, best first, in which both keep their shares as long as they last."""
    memory, said = deque(memories), deque(episodes)
    taken, heard = 0, 0
    while memory and said:
        more_taken, more_heard = taken + memory[0].line.tokens, heard + said[0].line.tokens
        if more_taken * (1 - MEMORIES_SHARE) <= more_heard * MEMORIES_SHARE:
            taken = more_taken
            yield memory.popleft()
        else:
            heard = more_heard
            yield said.popleft()
    yield from memory
    yield from said


def _tells_more(rolling: RollingSummary, session: datetime | None, tail: Sequence[Message]) -> bool:
    """Whether it covers an earlier session (S4), or reaches back before the shown messages."""
    if not rolling.summary.strip():
        return False
    earlier = session is not None and rolling.until_message_at < session
    return earlier or not tail or rolling.from_message_at < tail[0].created_at
