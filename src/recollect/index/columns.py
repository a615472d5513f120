"""Columns of an index: arrays that grow, stored moments as numbers, and the neighbours of messages.

`Growing` extends without copying everything each time. `Neighbours` links the messages of each chat: appending a message, or
replacing one by its newer version, costs the same whatever the number of messages; anything else links all again, which costs
about as much as sorting them. The database is not asked, because ranking looks at the neighbours of every candidate.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


class Growing:
    """An array that grows at its end; a matrix grows by rows."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._held: NDArray[Any] = np.zeros(0, dtype=dtype)
        self._size = 0

    def extend(self, values: ArrayLike) -> None:
        """Append values; the first ones are stored without spare room."""
        added = np.asarray(values, dtype=self._held.dtype)
        needed = self._size + len(added)
        if not self._size:
            self._held = added
        elif needed > len(self._held):
            grown = np.empty(
                (max(needed, len(self._held) * 5 // 4 + 64), *added.shape[1:]), dtype=added.dtype
            )
            grown[: self._size] = self._held[: self._size]
            self._held = grown
        if self._held is not added:
            self._held[self._size : needed] = added
        self._size = needed

    @property
    def values(self) -> NDArray[Any]:
        """The present values, not copied."""
        return self._held[: self._size]

    @property
    def nbytes(self) -> int:
        return self._held.nbytes

    def __len__(self) -> int:
        return self._size


def milliseconds(moments: Sequence[str]) -> NDArray[np.float64]:
    """Stored moments, at least one, as milliseconds since 1970.

    All have the same length (`records/moment.iso`), so NumPy reads them, without the `Z`, in one piece, which is fastest.
    """
    letters = np.frombuffer("".join(moments).encode(), dtype="S1").reshape(len(moments), -1)[:, :-1]
    text = np.ascontiguousarray(letters).view(f"S{letters.shape[1]}")[:, 0]
    return text.astype("datetime64[ms]").astype(np.float64)


#: If more than one message in this many is new, sorting all is cheaper than linking one by one.
_MANY = 16


class Neighbours:
    """The slots before and after each living message in its chat; -1 at both ends."""

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
        """Link the slots that were added to these columns.

        Those of one chat are in the order of their positions; `replaced` gives the older slot of a new version.
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
        """Link one message; False if it belongs in the middle of its chat."""
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
