"""Schedule the curator's job in the same transaction as the memories."""

from datetime import datetime

from recollect.engine.parts import Parts
from recollect.rules import follow_up
from recollect.rules.follow_up import ENOUGH_NEW, due_at
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.users import UserState


def leave_curation(parts: Parts, tx: Connection, user_id: str, state: UserState, now: datetime) -> None:
    """Run the curator at once if enough is new, otherwise within a day; never delay a job that is already waiting."""
    new = memories.count_changed_since(tx, user_id, state.curated_revision, ENOUGH_NEW)
    parts.write_down(tx, user_id, [follow_up.curate(due_at(new, now))])
