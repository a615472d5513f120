"""The tail: which recent messages are shown verbatim (S1 5.1, design 11.2).

The last K turns always; before them, newest first and as whole turns, those that no summary covers yet, so that nothing
recent is invisible. Brief and tail together keep to S1's prompt budget: the oldest turns go first, down to one, then
the brief is cut. One turn that leaves no room for any of it breaks that budget: the brief stays then, and the budget of
the whole context decides. What is folded already and older than the last K turns stays with the brief. It knows costs, not
texts, and not the budget of the whole context.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.records.message import Message
from recollect.records.turn import Turn, turns_of
from recollect.rules.budget import Limits

#: Tokens. Less of a brief with its heading says nothing.
LEAST_BRIEF = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What S1's limits leave."""

    #: Unfolded turns before the last ones, in the order of the chat.
    older: tuple[Turn, ...]
    #: The last turns; at least one, when there is any.
    last: tuple[Turn, ...]
    #: Left out, in the order of the chat.
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
