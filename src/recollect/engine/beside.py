"""The conversation that a client sends itself, which memory must not repeat.

A client of OpenAI's protocol keeps its own history. Its messages are matched by their text, because clients do not have
our message ids. This module selects nothing to show; it only removes what the client already sends.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect.context import ContextParts
from recollect.records.chat import ChatRecord
from recollect.records.message import Message
from recollect.store import chats, messages
from recollect.store.database import Connection

#: How many of a chat's newest messages are compared before a search; older ones are compared when found.
_COMPARED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The text of a client's own messages."""

    #: Stripped of surrounding whitespace.
    texts: frozenset[str]

    def ids(self, tx: Connection, user_id: str, chat_id: str) -> frozenset[str]:
        """This chat's newest messages that a search can skip: those the client also sends, and any that follow.

        Messages after the last of these are earlier answers to the same question, which the client is asking again.
        """
        newest = messages.latest(tx, user_id, chat_id, _COMPARED)
        sent = [place for place, message in enumerate(newest) if self._says(message)]
        return (
            frozenset(
                message.message_id
                for place, message in enumerate(newest)
                if self._says(message) or place > sent[-1]
            )
            if sent
            else frozenset()
        )

    def without(self, tx: Connection, user_id: str, loaded: ContextParts) -> ContextParts:
        """The loaded data without the conversation and without anything in the client's own messages."""
        chat = chats.get(tx, user_id, loaded.chat_id) if loaded.chat_id is not None else None
        rest = replace(
            loaded,
            aside=True,
            recent=(),
            unread=0,
            unread_tokens=0,
            important=self._unsaid(loaded.important),
            missed=self._unsaid(loaded.missed),
            episodes=tuple(
                hit
                for hit in loaded.episodes
                if hit.message.chat_id != loaded.chat_id or not self._says(hit.message)
            ),
        )
        if chat is None or not self._from_the_beginning(tx, chat):
            return rest
        rolling = rest.rolling
        told_here = rolling is not None and rolling.from_message_at >= chat.created_at
        return replace(rest, brief=None, summaries=(), rolling=None if told_here else rolling)

    def _from_the_beginning(self, tx: Connection, chat: ChatRecord) -> bool:
        """Whether the client sends the chat from its first message on, so that a summary would add nothing."""
        first = messages.after(tx, chat.user_id, chat.chat_id, 0, 1)
        return bool(first) and self._says(first[0])

    def _unsaid(self, found: Iterable[Message]) -> tuple[Message, ...]:
        return tuple(message for message in found if not self._says(message))

    def _says(self, message: Message) -> bool:
        return message.text.strip() in self.texts
