"""A chat's folded segments as shown in contexts, cached until the chat is folded, edited or forgotten.

Without the cache, each context would read the text of dozens of segments in a long chat. A chat's `revision` grows with
every fold, edit and deletion; if a chat is forgotten and created again, its revisions restart, but the epoch of the user's
messages is then different.
"""

from recollect.engine.kept import Kept
from recollect.records.chat import ChatRecord, Summary
from recollect.store import summaries
from recollect.store.database import Connection
from recollect.store.users import UserState


class Segments:
    """Segments of recently used chats."""

    def __init__(self) -> None:
        self._kept = Kept[tuple[Summary, ...]]()

    def of(self, tx: Connection, state: UserState, chat: ChatRecord, newest: int) -> tuple[Summary, ...]:
        """The segments that a context may show: the newest and the most important ones, in order."""
        if not chat.folded_position:
            return ()
        key, made_from = (chat.user_id, chat.chat_id, newest), (chat.revision, state.message_epoch)
        known = self._kept.get(key, made_from)
        if known is not None:
            return known
        found = summaries.for_context(tx, chat.user_id, chat.chat_id, newest=newest)
        return self._kept.put(key, made_from, tuple(found))

    def drop(self, user_id: str) -> None:
        """Drop a user's entries."""
        self._kept.drop(user_id)
