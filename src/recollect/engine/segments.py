"""The folded segments of a chat as its contexts show them, kept until the chat is folded, edited or forgotten.

Kept, because a long chat has dozens of them and each context would read all of their text again. A chat's `revision` grows
with every fold, edit and deletion; where a chat is forgotten and begun anew its revisions start anew, but then the epoch
of the user's messages is another one.
"""

from collections import OrderedDict

from recollect.domain.chat import ChatRecord
from recollect.domain.summary import Summary
from recollect.store import summaries
from recollect.store.database import Connection
from recollect.store.users import UserState

#: Chats whose segments are held at a time; those of one take up to a hundred kilobytes.
_HELD = 128

_Key = tuple[str, str, int]
_Made = tuple[int, int]


class Segments:
    """The segments of the chats of the last while."""

    def __init__(self) -> None:
        self._held: OrderedDict[_Key, tuple[_Made, tuple[Summary, ...]]] = OrderedDict()

    def of(self, tx: Connection, state: UserState, chat: ChatRecord, newest: int) -> tuple[Summary, ...]:
        """What a context may show of a chat: the newest segments and the most important ones, in order."""
        if not chat.folded_position:
            return ()
        key, made = (chat.user_id, chat.chat_id, newest), (chat.revision, state.message_epoch)
        known = self._held.get(key)
        if known is not None and known[0] == made:
            return known[1]
        found = tuple(summaries.for_context(tx, chat.user_id, chat.chat_id, newest=newest))
        # First away, then to the end: several threads read at once, and one that forgets may come between.
        self._held.pop(key, None)
        self._held[key] = (made, found)
        while len(self._held) > _HELD:
            self._held.popitem(last=False)
        return found

    def drop(self, user_id: str) -> None:
        """Hold nothing of a user any longer."""
        for key in list(self._held):
            if key[0] == user_id:
                self._held.pop(key, None)
