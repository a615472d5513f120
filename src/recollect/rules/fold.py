"""The fold: compressing the older turns of a chat into its brief (S1, design 6.1).

Decides when a chat is due and which turns a fold takes, and checks a segment that was summarised by hand. The tail is never folded.
A long backlog (an import, a model that was down) is folded in several steps, each about as large as S1's summariser
expects; normally one step takes everything before the tail.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.records.chat import Brief, ChatRecord
from recollect.records.message import Message, Turn, turns_of

#: Messages after the brief at which a chat is folded, whatever their size (S0).
MAX_UNFOLDED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """The turns of one fold."""

    turns: tuple[Turn, ...]
    #: Turns that were read and stay verbatim. If they are no more than the tail, the end of the reading decided what was
    #: taken, and a caller that did not read to the end of the chat must read on.
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """The summary of a fold."""

    brief: str
    #: The summary of the turns alone; None from a writer that would have to be asked a second time.
    segment: str | None = None


def is_due(chat: ChatRecord, brief_tokens: int, *, threshold: int) -> bool:
    """Whether a chat exceeds the threshold of tokens (S1) or messages (S0)."""
    return brief_tokens + chat.unfolded_tokens > threshold or chat.unfolded_messages >= MAX_UNFOLDED


def plan(
    chat: ChatRecord, brief: Brief | None, unfolded: Sequence[Message], *, raw_turns: int, threshold: int
) -> Fold | None:
    """The turns after the brief to fold now; None if nothing is due."""
    owed = turns_of(message for message in unfolded if message.position <= chat.refold_position)
    turns = turns_of(unfolded)
    if owed:
        taken = _as_much_as_fits(owed, threshold)
        return Fold(turns=tuple(owed[:taken]), left=len(turns) - taken)
    size = (brief.tokens if brief else 0) + sum(turn.tokens for turn in turns)
    count = sum(len(turn.messages) for turn in turns)
    if (size <= threshold and count < MAX_UNFOLDED) or len(turns) <= raw_turns:
        return None
    older = turns[: len(turns) - raw_turns]
    taken = _as_much_as_fits(older, threshold)
    return Fold(turns=tuple(older[:taken]), left=len(turns) - taken)


def _as_much_as_fits(turns: Sequence[Turn], tokens: int) -> int:
    """How many turns to take at once: as many as fit, at least one."""
    total = 0
    for number, turn in enumerate(turns):
        total += turn.tokens
        if number and total > tokens:
            return number
    return len(turns)


def check_segment(
    unfolded: Sequence[Message], start: Message | None, end: Message | None, count: object, *, chat_id: str
) -> list[Message]:
    """The messages of a manual summary; they must belong to this chat, be in order and follow the previous summary."""
    for name, message in (("start_message_id", start), ("end_message_id", end)):
        if message is None or message.chat_id != chat_id:
            raise NotFound(f"{name} names no message of chat {chat_id!r}.")
    assert start is not None
    assert end is not None
    if end.position < start.position:
        raise InvalidInput("end_message_id comes before start_message_id.", field="end_message_id")
    expected = unfolded[0] if unfolded else None
    if expected is None:
        raise Conflict("Every message of this chat is summarised already.")
    if start.message_id != expected.message_id:
        raise Conflict(
            f"start_message_id must be the first message that is not summarised: {expected.message_id}, not {start.message_id}."
        )
    segment = [message for message in unfolded if message.position <= end.position]
    if isinstance(count, bool) or not isinstance(count, int) or count != len(segment):
        raise InvalidInput(
            f"message_count is {str(count)[:20]}, but there are {len(segment)} messages from start to end.",
            field="message_count",
        )
    return segment
