"""The sacrifice: what goes when a context is too large, in which order (design 6.2 and 11.1).

1. important old messages, the oldest first; 2. what the query brought, the lowest score first, down to its share;
3. older unfolded turns, the oldest first; 4. the rest of what the query brought; 5. the last session, the spine, then
todos; 6. the profile, the least important first; 7. the oldest of the last turns, down to one; 8. the beginning of the
brief; 9. the middle of the longest messages of the last turn, and whole messages between its first and its last;
10. pins, the least important first; 11. what is left of the last turn; 12. the middle of the question.
It goes only as far as costs, taken rather too high, say that it must; then everything is counted again.
"""

from recollect.domain.budget import RECALL_SHARE
from recollect.domain.context.draft import MIN_MESSAGE, Draft, Piece
from recollect.domain.context.line import SectionName
from recollect.domain.context.wording import spoken_cost
from recollect.domain.turn import Turn

#: Tokens of the frame that goes with the last line of a section, at most: S3's block has the largest.
_FRAME = 64


def sacrifice(draft: Draft, excess: int, *, budget: int) -> bool:
    """Give up what is so many tokens too much, or the next part of it; False when nothing is left to give."""
    return _drop_whole(draft, excess, share=int(budget * RECALL_SHARE)) or any(
        step(draft, excess)
        for step in (_cut_brief, _cut_longest, _drop_middle, _drop_pin, _drop_oldest, _cut_question)
    )


def _drop_whole(draft: Draft, excess: int, *, share: int) -> bool:
    """Lines and turns that go as a whole; whether there were any."""
    left = excess
    left -= _pop(draft, SectionName.IMPORTANT, draft.important, left)
    left -= _pop(draft, SectionName.RECALL, draft.recall, left, keep=share)
    left -= _pop_turns(draft, draft.older, left, keep=0)
    left -= _pop(draft, SectionName.RECALL, draft.recall, left)
    left -= _pop(draft, SectionName.SPINE, draft.spine, left)
    left -= _pop(draft, SectionName.PROFILE, draft.profile, left)
    left -= _pop_turns(draft, draft.last, left, keep=1)
    return left < excess


def _pop(draft: Draft, name: SectionName, pieces: list[Piece], excess: int, *, keep: int = 0) -> int:
    """Drop from the end of the list, leaving at least `keep` tokens in it; what that saves at most."""
    total = sum(piece.line.tokens for piece in pieces)
    freed = 0
    while pieces and freed < excess and total - freed - pieces[-1].line.tokens >= keep:
        piece = pieces.pop()
        draft.drop(name, piece.line)
        freed += piece.line.tokens
    return freed + _FRAME if freed and not pieces else freed


def _pop_turns(draft: Draft, turns: list[Turn], excess: int, *, keep: int) -> int:
    freed = 0
    while len(turns) > keep and freed < excess:
        turn = turns.pop(0)
        draft.drop_messages(turn.messages)
        freed += sum(spoken_cost(message) for message in turn.messages)
    return freed


def _drop_pin(draft: Draft, _: int) -> bool:
    """One at a time: a pin that can stay must stay."""
    return _pop(draft, SectionName.PINS, draft.pins, 1) > 0


def _cut_brief(draft: Draft, excess: int) -> bool:
    if draft.brief_line is None:
        return False
    draft.cut_brief(draft.brief_line.tokens - excess)
    return True


def _cut_longest(draft: Draft, excess: int) -> bool:
    """Cut the longest message that can be cut, to no less than its floor."""
    if not draft.last:
        return False
    messages = list(draft.last[-1].messages)
    sizes = [draft.worst(message.text) for message in messages]
    size = max(sizes)
    if size <= MIN_MESSAGE:
        return False
    longest = sizes.index(size)
    shorter = draft.cut_message(messages[longest], max(MIN_MESSAGE, size - excess))
    if draft.worst(shorter.text) >= size:
        shorter = draft.cut_message(messages[longest], 0)
    messages[longest] = shorter
    draft.last[-1] = Turn(messages=tuple(messages))
    return True


def _drop_middle(draft: Draft, excess: int) -> bool:
    """A turn of many messages keeps what the user said and the last word."""
    if not draft.last or len(draft.last[-1].messages) <= 2:
        return False
    messages = list(draft.last[-1].messages)
    freed = 0
    while len(messages) > 2 and freed < excess:
        freed += spoken_cost(messages[1])
        draft.drop_messages([messages.pop(1)])
    draft.last[-1] = Turn(messages=tuple(messages))
    return True


def _drop_oldest(draft: Draft, _: int) -> bool:
    if not draft.last:
        return False
    first, *others = draft.last[-1].messages
    draft.drop_messages([first])
    draft.last = [Turn(messages=tuple(others))] if others else []
    return True


def _cut_question(draft: Draft, excess: int) -> bool:
    room = draft.question_tokens - excess
    if not draft.question or room <= 0:
        return False
    draft.cut_question(room)
    return True
