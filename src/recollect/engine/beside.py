"""What stands beside a context: the conversation that a client sends itself, and that memory must not repeat.

A client of OpenAI's protocol keeps its own history. Its messages are known by their words: their ids are ours, and
clients do not have them. It chooses nothing that is shown; it only takes away what is already there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect.context import ContextParts
from recollect.records.chat import ChatRecord
from recollect.records.message import Message
from recollect.store import chats, messages
from recollect.store.database import Connection

#: The newest messages of a chat that are compared before a search; older ones are compared when they are found.
_COMPARED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The words of a client's own messages."""

    #: Without blanks around them.
    texts: frozenset[str]

    def ids(self, tx: Connection, user_id: str, chat_id: str) -> frozenset[str]:
        """The newest messages of this chat that no search need find: those that the client sends too, and what follows.

        What follows the last of them are earlier answers to the same question, which the client wants anew.
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
        """What was loaded, without the conversation and without what the client's own messages tell."""
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
        """Whether the client sends the chat from its first message on; then a summary of it tells nothing new."""
        first = messages.after(tx, chat.user_id, chat.chat_id, 0, 1)
        return bool(first) and self._says(first[0])

    def _unsaid(self, found: Iterable[Message]) -> tuple[Message, ...]:
        return tuple(message for message in found if not self._says(message))

    def _says(self, message: Message) -> bool:
        return message.text.strip() in self.texts
