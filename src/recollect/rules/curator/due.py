"""When the curator should come: at once after 25 new memories, else within a day of the first change.

It counts nothing and knows no jobs. A fixed hour for everybody was rejected: all users at once would make a peak.
"""

from datetime import datetime, timedelta

#: So many new or changed memories make a run worth its while at once.
ENOUGH_NEW = 25
#: What fewer of them wait for at most.
DAILY = timedelta(days=1)


def due_at(new: int, now: datetime) -> datetime:
    """When memories should be tidied of which so many are new or changed since the last time."""
    return now if new >= ENOUGH_NEW else now + DAILY
