"""Trimming: what is dropped when a context is too large, in this order (design 6.2 and 11.1).

1. important old messages, the oldest first; 2. what the query found, the lowest score first, down to its share;
3. older unfolded turns, the oldest first; 4. the rest of what the query found; 5. the oldest of spine, last session
and todos; 6. the profile, the least important first; 7. the oldest of the last turns, down to one; 8. the beginning of
the brief; 9. the middle of the longest messages of the last turn, and whole messages between its first and its last;
10. the middle of the question, down to its share; 11. pins below 8, the least important first; 12. the question down
to its minimum; 13. the speakers' names; 14. the other pins; 15. the rest of the last turn; 16. the rest of the question.
Costs are estimated low, so no more than necessary is dropped; then everything is counted again.
"""

from dataclasses import replace

from recollect.context.draft import MIN_MESSAGE, MIN_QUESTION, Draft, Piece
from recollect.context.line import SectionName
from recollect.context.wording import name_sent, spoken_cost
from recollect.records.message import Turn
from recollect.rules.budget import QUESTION_SHARE, RECALL_SHARE

#: The most tokens of a frame that disappears with the last line of a section: S3's block has the largest.
_FRAME = 64


def sacrifice(draft: Draft, excess: int, *, budget: int) -> bool:
    """Drop `excess` tokens, or as much of them as the next step can; False if nothing is left to drop."""
    return (
        _drop_whole(draft, excess, share=int(budget * RECALL_SHARE))
        or _cut_brief(draft, excess)
        or _cut_longest(draft, excess)
        or _drop_middle(draft, excess)
        or _cut_question(draft, excess, floor=int(budget * QUESTION_SHARE))
        or _drop_pins(draft, excess, keep=draft.critical)
        or _cut_question(draft, excess, floor=MIN_QUESTION)
        or _drop_names(draft)
        or _drop_pins(draft, excess, keep=0)
        or _drop_oldest(draft)
        or _cut_question(draft, excess, floor=0)
    )


def _drop_whole(draft: Draft, excess: int, *, share: int) -> bool:
    """Drop whole lines and turns; return whether there were any."""
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
    """Drop from the end of the list, keeping at least `keep` tokens; return the most that this saves."""
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


def _drop_pins(draft: Draft, excess: int, *, keep: int) -> bool:
    """Drop pins, the least important first, and no more than necessary: costs are estimated low."""
    freed = 0
    while len(draft.pins) > keep and freed < excess:
        freed += draft.pins.pop().line.tokens
    return freed > 0


def _cut_brief(draft: Draft, excess: int) -> bool:
    if draft.brief_line is None:
        return False
    draft.cut_brief(draft.brief_line.tokens - excess)
    return True


def _cut_longest(draft: Draft, excess: int) -> bool:
    """Cut the longest messages, each down to its minimum before the next."""
    if not draft.last:
        return False
    messages = list(draft.last[-1].messages)
    sizes = [draft.worst(message.text) for message in messages]
    freed = 0
    for number in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        size, left = sizes[number], excess - freed
        if size <= MIN_MESSAGE or left <= 0:
            break
        shorter = draft.cut_message(messages[number], max(MIN_MESSAGE, size - left))
        if draft.worst(shorter.text) >= size:
            shorter = draft.cut_message(messages[number], 0)
        messages[number] = shorter
        freed += size - draft.worst(shorter.text)
    draft.last[-1] = Turn(messages=tuple(messages))
    return freed > 0


def _drop_middle(draft: Draft, excess: int) -> bool:
    """Drop the messages between the first and the last of a turn."""
    if not draft.last or len(draft.last[-1].messages) <= 2:
        return False
    messages = list(draft.last[-1].messages)
    freed = 0
    while len(messages) > 2 and freed < excess:
        freed += spoken_cost(messages[1])
        draft.drop_messages([messages.pop(1)])
    draft.last[-1] = Turn(messages=tuple(messages))
    return True


def _drop_names(draft: Draft) -> bool:
    """Drop the speakers' names, which cost up to 65 tokens each, before any critical pin."""
    named = [message for turn in draft.last for message in turn.messages if name_sent(message)]
    if not named:
        return False
    draft.last = [
        Turn(messages=tuple(replace(message, name=None) for message in turn.messages)) for turn in draft.last
    ]
    return True


def _drop_oldest(draft: Draft) -> bool:
    if not draft.last:
        return False
    first, *others = draft.last[-1].messages
    draft.drop_messages([first])
    draft.last = [Turn(messages=tuple(others))] if others else []
    return True


def _cut_question(draft: Draft, excess: int, *, floor: int) -> bool:
    before = draft.question_tokens
    if before <= floor:
        return False
    draft.cut_question(max(floor, before - excess))
    return draft.question_tokens < before
