"""Which message stands before and after each one in its chat, by slot; -1 at both ends.

Kept current as messages come: one that is appended to its chat, or that takes the place of its older version, costs the
same whatever the number of messages. Anything else makes all links anew, which costs about as much as sorting them.
Asking the database was rejected: ranking looks at the neighbours of every candidate.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.index.growing import Growing

#: With more than one new message in so many, sorting all is cheaper than linking one by one.
_MANY = 16


class Neighbours:
    """Links between the living messages of each chat."""

    def __init__(self) -> None:
        self._before = Growing(np.int32)
        self._after = Growing(np.int32)
        #: The last slot of each chat, by the chat's code.
        self._last: dict[int, int] = {}

    @property
    def before(self) -> NDArray[np.int32]:
        return self._before.values

    @property
    def after(self) -> NDArray[np.int32]:
        return self._after.values

    @property
    def nbytes(self) -> int:
        return self._before.nbytes + self._after.nbytes

    def extend(
        self,
        chat: NDArray[Any],
        position: NDArray[Any],
        alive: NDArray[np.bool_],
        replaced: Mapping[int, int],
    ) -> None:
        """Link the slots that were added to the columns given.

        Those of one chat come in the order of their positions; `replaced` names the slot of which one is a new version.
        """
        first, size = len(self._before), len(chat)
        for links in (self._before, self._after):
            links.extend(np.full(size - first, -1, dtype=np.int32))
        one_by_one = (size - first) * _MANY < size
        if not one_by_one or not all(
            self._link(slot, int(chat[slot]), position, replaced.get(slot)) for slot in range(first, size)
        ):
            self._relink(chat, position, alive)

    def _link(self, slot: int, chat: int, position: NDArray[Any], older: int | None) -> bool:
        """Put one message where it belongs; False when it stands somewhere in the middle."""
        if older is None:
            before, after = self._last.get(chat, -1), -1
            if before >= 0 and position[before] >= position[slot]:
                return False
        else:
            before, after = int(self.before[older]), int(self.after[older])
            self.before[older] = self.after[older] = -1
        self.before[slot], self.after[slot] = before, after
        if before >= 0:
            self.after[before] = slot
        if after >= 0:
            self.before[after] = slot
        else:
            self._last[chat] = slot
        return True

    def _relink(self, chat: NDArray[Any], position: NDArray[Any], alive: NDArray[np.bool_]) -> None:
        slots = np.flatnonzero(alive)
        slots = slots[np.lexsort((position[slots], chat[slots]))]
        chats = chat[slots]
        together = chats[1:] == chats[:-1]
        self.before[:] = self.after[:] = -1
        self.before[slots[1:][together]] = slots[:-1][together]
        self.after[slots[:-1][together]] = slots[1:][together]
        ends = np.append(~together, True)[: len(slots)]
        self._last = dict(zip(chats[ends].tolist(), slots[ends].tolist(), strict=True))
