"""Which message stands beside which."""

import itertools
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.columns import Neighbours


@dataclass
class Thread:
    """Chats as plain lists: what neighbours must agree with."""

    chat: list[int] = field(default_factory=list)
    position: list[int] = field(default_factory=list)
    alive: list[bool] = field(default_factory=list)
    links: Neighbours = field(default_factory=Neighbours)

    def add(self, rows: list[tuple[int, int]]) -> None:
        """Messages as chat and position; one at a taken place is a new version of what is there."""
        replaced: dict[int, int] = {}
        for chat, position in sorted(dict.fromkeys(rows), key=lambda row: row[1]):
            for slot in range(len(self.chat)):
                if (self.chat[slot], self.position[slot], self.alive[slot]) == (chat, position, True):
                    self.alive[slot] = False
                    replaced[len(self.chat)] = slot
            self.chat.append(chat)
            self.position.append(position)
            self.alive.append(True)
        self.links.extend(np.array(self.chat), np.array(self.position), np.array(self.alive), replaced)

    def check(self) -> None:
        before, after = [-1] * len(self.chat), [-1] * len(self.chat)
        for chat in set(self.chat):
            slots = [slot for slot, one in enumerate(self.chat) if one == chat and self.alive[slot]]
            slots.sort(key=self.position.__getitem__)
            for earlier, later in itertools.pairwise(slots):
                before[later], after[earlier] = earlier, later
        assert self.links.before.tolist() == before
        assert self.links.after.tolist() == after


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 40)), max_size=6)


@given(st.lists(ROWS, max_size=12))
def test_links_follow_whatever_comes(portions: list[list[tuple[int, int]]]) -> None:
    """Appended, edited or put in between, in portions of any size: each message knows who stands beside it."""
    thread = Thread()
    # Many to begin with, so that what follows is linked one by one.
    thread.add([(chat, position) for chat in range(2) for position in range(1, 80, 2)])
    thread.check()
    for rows in portions:
        thread.add(rows)
        thread.check()


@given(ROWS)
def test_links_from_nothing(rows: list[tuple[int, int]]) -> None:
    """The first messages, and none at all."""
    thread = Thread()
    thread.add([])
    thread.check()
    thread.add(rows)
    thread.check()
