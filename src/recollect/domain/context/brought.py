"""What a question brings into a context: cards and memories on one side, episodes on the other.

Both come best first. They are merged so that at any length memories have their share and episodes the rest, until one
of them runs out: whatever must go later goes from the end. One score for both was rejected: the scores of memories and
of messages mean different things. Unlike the sections before the tail, this one may take all that is left.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from recollect.domain.budget import MEMORIES_SHARE, RECALL_SHARE
from recollect.domain.context import episode, wording
from recollect.domain.context.draft import OVER_SHARE, Draft, Piece
from recollect.domain.context.line import Line, SectionName
from recollect.domain.context.parts import ContextParts
from recollect.domain.message import Message
from recollect.domain.session_state import RollingSummary
from recollect.domain.terms import terms

#: Tokens of one message: this share of the budget, within these bounds; of a longer one an excerpt is shown.
_MESSAGE_SHARE = 0.05
_SHORTEST_EXCERPT = 60
_LONGEST_EXCERPT = 400
#: Tokens of the shortest line of an episode: with less left nothing more is tried.
_SHORTEST_LINE = 8
#: Where the kinds of this section stand in it.
_MEMORY_PLACE, _EPISODE_PLACE, _MISSED_PLACE, _ROLLING_PLACE = range(4)


def fill_recall(draft: Draft, parts: ContextParts, budget: int) -> None:
    """Choose what the question brought; everything else is chosen already."""
    memories = _memories(draft, parts)
    spent = sum(piece.line.tokens for piece in memories)
    left = max(budget - draft.estimate(draft.sections()), int(budget * RECALL_SHARE))
    room = max(left - spent, int(left * (1 - MEMORIES_SHARE)))
    draft.recall = list(_merged(memories, _episodes(draft, parts, room=room, budget=budget)))


def _memories(draft: Draft, parts: ContextParts) -> list[Piece]:
    """Cards, then memories by score, then the rolling summary; each memory once in the whole context."""
    shown = {piece.line.sources[0] for piece in draft.profile}
    shown.update(memory_id for card in parts.cards for memory_id in card.memory_ids)
    lines = [(_MEMORY_PLACE, wording.card_line(card, draft.count)) for card in parts.cards]
    lines += [
        (_MEMORY_PLACE, wording.hit_line(hit, draft.count))
        for hit in parts.hits
        if hit.memory.memory_id not in shown
    ]
    # Here and not in section 5: they come and go while the chat grows, and what stands before the tail must not.
    lines += [
        (_MISSED_PLACE, wording.missed_line(message, draft.count)) for message in reversed(parts.missed)
    ]
    if parts.rolling and _tells_more(parts.rolling, parts.session_started_at, draft.tail):
        lines.append((_ROLLING_PLACE, wording.rolling_line(parts.rolling, draft.count)))
    return [Piece(line=line, place=(kind, f"{number:06}")) for number, (kind, line) in enumerate(lines)]


def _episodes(draft: Draft, parts: ContextParts, *, room: int, budget: int) -> list[Piece]:
    """Messages by score while there is room; then, if all of them are there, the questions that they answer."""
    shown = _shown(draft, parts)
    found = [hit for hit in parts.episodes if hit.message.message_id not in shown]
    if not found:
        return []
    reading = episode.Reading(
        question=terms(parts.query),
        longest=min(max(int(budget * _MESSAGE_SHARE), _SHORTEST_EXCERPT), _LONGEST_EXCERPT),
        place=_EPISODE_PLACE,
        count=draft.count,
    )
    shelf = _Shelf(room - draft.heading(episode.HEADING))
    for hit in found:
        message = hit.message
        if shelf.room >= _SHORTEST_LINE and shelf.put(reading.hit(hit)):
            continue
        unseen = Line(text=message.text[:1000], tokens=message.tokens, why="", sources=(message.message_id,))
        draft.drop(SectionName.RECALL, unseen, OVER_SHARE)
    if len(shelf.pieces) == len(found):
        shown.update(hit.message.message_id for hit in found)
        for hit in found:
            asked = reading.before(hit)
            if asked and asked.line.sources[0] not in shown:
                shown.add(asked.line.sources[0])
                shelf.put(asked)
    return shelf.pieces


def _shown(draft: Draft, parts: ContextParts) -> set[str]:
    """The messages that stand elsewhere in this context."""
    shown = {message.message_id for message in (*draft.tail, *parts.missed)}
    shown.update(piece.line.sources[0] for piece in draft.important)
    if draft.asked:
        shown.add(draft.asked.message_id)
    return shown


class _Shelf:
    """Lines of episodes, with the room that is left beside them."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.pieces: list[Piece] = []
        self._talks: set[tuple[str, str]] = set()

    def put(self, piece: Piece) -> bool:
        """Take a line if there is room; after another line of its talk and day it costs less."""
        undated = piece.line.undated
        talk = (undated.chat_id, undated.day) if undated else ("", "")
        tokens = undated.tokens if undated and talk in self._talks else piece.line.tokens
        if tokens > self.room:
            return False
        self._talks.add(talk)
        self.pieces.append(piece)
        self.room -= tokens
        return True


def _merged(memories: Sequence[Piece], episodes: Sequence[Piece]) -> Iterator[Piece]:
    """One list, the best first, in which both keep their shares for as long as they last."""
    memory, said = 0, 0
    taken, heard = 0, 0
    while memory < len(memories) or said < len(episodes):
        behind = taken * (1 - MEMORIES_SHARE) <= heard * MEMORIES_SHARE
        if said == len(episodes) or (memory < len(memories) and behind):
            taken += memories[memory].line.tokens
            yield memories[memory]
            memory += 1
        else:
            heard += episodes[said].line.tokens
            yield episodes[said]
            said += 1


def _tells_more(rolling: RollingSummary, session: datetime | None, tail: Sequence[Message]) -> bool:
    """Whether it is of an earlier session (S4), or reaches back before the messages that are shown."""
    if not rolling.summary.strip():
        return False
    earlier = session is not None and rolling.until_message_at < session
    return earlier or not tail or rolling.from_message_at < tail[0].created_at
