"""The curator's job, written down with the memories, in the same transaction."""

from datetime import datetime

from recollect.engine.parts import Parts
from recollect.rules import follow_up
from recollect.rules.follow_up import ENOUGH_NEW, due_at
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.users import UserState


def leave_curation(parts: Parts, tx: Connection, user_id: str, state: UserState, now: datetime) -> None:
    """The curator comes at once when enough is new, else within a day; a job that waits already comes no later."""
    new = memories.count_changed_since(tx, user_id, state.curated_revision, ENOUGH_NEW)
    parts.write_down(tx, user_id, [follow_up.curate(due_at(new, now))])
