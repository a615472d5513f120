"""Spending: what a deployment's models have cost today, counted in the store so that all processes share one cap.

Callers of a model report each call here, and ask before the next. The day is that of UTC. It does not know
what a call was for beyond a word. Counting in memory was rejected: every start would forget what the day has cost.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from recollect.engine.parts import Parts
from recollect.store import spending
from recollect.store.database import EVERYONE, Connection, Database
from recollect.store.spending import Spent

#: Rows that are read for one day: one per model and purpose.
_ROWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentToday:
    """What models have cost today, and what they may."""

    day: date
    calls: int
    failures: int
    tokens: int
    #: 0: no limit.
    cap: int

    @property
    def exhausted(self) -> bool:
        """Whether rules take over until tomorrow."""
        return bool(self.cap) and self.tokens >= self.cap

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "day": self.day.isoformat(),
            "calls": self.calls,
            "failures": self.failures,
            "tokens": self.tokens,
            "cap": self.cap,
        }


class Spending:
    """The account of one purpose, on which every process writes."""

    def __init__(self, database: Database, clock: Callable[[], datetime], *, purpose: str, cap: int) -> None:
        self._database = database
        self._clock = clock
        self._purpose = purpose
        self._cap = cap

    async def allowed(self) -> bool:
        """Whether another call may be made; calls under way in other processes are not counted yet."""
        if not self._cap:
            return True
        return await self._database.read(EVERYONE, partial(spending.total, day=self._today())) < self._cap

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        """Put one call on the account."""
        day = self._today()

        def work(tx: Connection) -> None:
            spending.add(
                tx,
                day,
                self._purpose,
                model,
                calls=1,
                failures=int(failed),
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
            )

        await self._database.write(EVERYONE, work)

    def _today(self) -> date:
        return self._clock().date()


async def spent_today(parts: Parts) -> SpentToday:
    """What the judge's model has cost today."""
    today = parts.now().date()
    rows = await parts.database.read(EVERYONE, lambda tx: spending.page(tx, _ROWS))
    mine: list[Spent] = [row for row in rows if row.day == today]
    return SpentToday(
        day=today,
        calls=sum(row.calls for row in mine),
        failures=sum(row.failures for row in mine),
        tokens=sum(row.prompt_tokens + row.completion_tokens for row in mine),
        cap=parts.settings.judge_daily_tokens,
    )
