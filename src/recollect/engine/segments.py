"""The folded segments of a chat as its contexts show them, kept until the chat is folded, edited or forgotten.

Kept, because a long chat has dozens of them and each context would read all of their text again. A chat's `revision` grows
with every fold, edit and deletion; where a chat is forgotten and begun anew its revisions start anew, but then the epoch
of the user's messages is another one.
"""

from recollect.engine.kept import Kept
from recollect.records.chat import ChatRecord, Summary
from recollect.store import summaries
from recollect.store.database import Connection
from recollect.store.users import UserState


class Segments:
    """The segments of the chats of the last while."""

    def __init__(self) -> None:
        self._kept = Kept[tuple[Summary, ...]]()

    def of(self, tx: Connection, state: UserState, chat: ChatRecord, newest: int) -> tuple[Summary, ...]:
        """What a context may show of a chat: the newest segments and the most important ones, in order."""
        if not chat.folded_position:
            return ()
        key, made_from = (chat.user_id, chat.chat_id, newest), (chat.revision, state.message_epoch)
        known = self._kept.get(key, made_from)
        if known is not None:
            return known
        found = summaries.for_context(tx, chat.user_id, chat.chat_id, newest=newest)
        return self._kept.put(key, made_from, tuple(found))

    def drop(self, user_id: str) -> None:
        """Hold nothing of a user any longer."""
        self._kept.drop(user_id)
