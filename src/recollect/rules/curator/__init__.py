"""The curator: what should be tidied in a user's memories, decided by rules, as data.

`plan` looks at memories with their nearest neighbours and returns steps with their reasons; nothing here finds, stores
or changes anything. What it never does: touch a pinned memory, fold two that say different things, archive who somebody
is or whom they know.
"""

from recollect.rules.curator.due import ENOUGH_NEW, due_at
from recollect.rules.curator.fold import fold_of
from recollect.rules.curator.plan import Archive, Fold, Looked, Plan, Raise, plan
from recollect.rules.curator.report import CuratorReport, Folded, Noted
from recollect.rules.curator.run import (
    Archived,
    CuratorRun,
    FoldMade,
    Merged,
    Proposed,
    Raised,
    Respect,
    Step,
    respect,
)

__all__ = [
    "ENOUGH_NEW",
    "Archive",
    "Archived",
    "CuratorReport",
    "CuratorRun",
    "Fold",
    "FoldMade",
    "Folded",
    "Looked",
    "Merged",
    "Noted",
    "Plan",
    "Proposed",
    "Raise",
    "Raised",
    "Respect",
    "Step",
    "due_at",
    "fold_of",
    "plan",
    "respect",
]
