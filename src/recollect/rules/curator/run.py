"""A run of the curator as it is kept: what was done, by ids and with reasons, so that it can be read and taken back.

It holds no word of any memory: what is forgotten must not live on in a list of deeds. Proposals that a run made are
named; they are decided on their own and stay when the run is undone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from recollect.records.link import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldMade:
    """Memories that became one."""

    into: str
    #: The original whose words the fold has.
    wording: str
    originals: tuple[str, ...]
    #: Mentions of the originals together: what the fold has beyond was said since.
    mentions: int
    #: The links that the fold was given.
    links: tuple[Link, ...]
    reason: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return self.into, *self.originals


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """A memory that had faded."""

    memory_id: str
    reason: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return (self.memory_id,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A memory that is worth more than when it was stored."""

    memory_id: str
    reason: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return (self.memory_id,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A proposal that was made."""

    proposal_id: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A name that certainly meant a known entity, and is its alias since."""

    alias: str
    into: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return ()


Step = FoldMade | Archived | Raised | Proposed | Merged


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratorRun:
    """One run."""

    user_id: str
    run_id: str
    steps: tuple[Step, ...]
    #: Memories that were compared or weighed.
    looked_at: int
    started_at: datetime
    ended_at: datetime
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Respect:
    """What is people's to decide: what they took back is not done again, and what they are asked about is left alone."""

    #: Each a set of memories that must not be folded together.
    parts: frozenset[frozenset[str]] = frozenset()
    archived: frozenset[str] = frozenset()
    #: Memories about which somebody is asked: they wait for the answer as they are.
    waiting: frozenset[str] = frozenset()

    def parted(self, first: str, second: str) -> bool:
        """Whether somebody took these two apart."""
        return any(first in part and second in part for part in self.parts)


def respect(undone: Iterable[CuratorRun], waiting: Iterable[str] = ()) -> Respect:
    """What follows from the runs that were undone, and from the memories about which somebody is asked."""
    steps = [step for run in undone for step in run.steps]
    return Respect(
        parts=frozenset(frozenset(step.originals) for step in steps if isinstance(step, FoldMade)),
        archived=frozenset(step.memory_id for step in steps if isinstance(step, Archived)),
        waiting=frozenset(waiting),
    )
