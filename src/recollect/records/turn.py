"""A turn: what the user said and the reply, or replies, to it. Derived from messages, never stored (S1).

A user's message opens a turn. Everything until the next one belongs to it: several replies, tool and system messages in
between, or nothing at all when the reply is missing. What stands before the first message of the user is a turn
without a user. So every message is in exactly one turn, and a fold that takes whole turns leaves no gap.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.records.message import Message, Role

SPEAKERS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.SYSTEM: "System", Role.TOOL: "Tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One exchange; at least one message, in the order of the chat."""

    messages: tuple[Message, ...]

    @property
    def replies(self) -> tuple[Message, ...]:
        """What the assistant answered; empty while the reply is missing."""
        return tuple(message for message in self.messages if message.role is Role.ASSISTANT)

    @property
    def tokens(self) -> int:
        return sum(message.tokens for message in self.messages)

    @property
    def last(self) -> Message:
        return self.messages[-1]


def turns_of(messages: Iterable[Message]) -> list[Turn]:
    """Group messages, given in the order of the chat."""
    groups: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not groups:
            groups.append([message])
        else:
            groups[-1].append(message)
    return [Turn(messages=tuple(group)) for group in groups]


def messages_of(turns: Sequence[Turn]) -> list[Message]:
    """The messages of some turns, in order."""
    return [message for turn in turns for message in turn.messages]
