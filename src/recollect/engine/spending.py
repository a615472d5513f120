"""Spending: today's cost of a deployment's models, counted in the store so that all processes share one cap.

A model's callers report each call here and check before the next. Days are in UTC. Each call is identified only by a
one-word purpose. Counting in memory was rejected, because every restart would lose the day's total.
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

#: Maximum rows read for one day: one per model and purpose.
_ROWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentToday:
    """Today's model cost and its limit."""

    day: date
    calls: int
    failures: int
    tokens: int
    #: 0: no limit.
    cap: int

    @property
    def exhausted(self) -> bool:
        """Whether the limit is reached, so that rules take over until tomorrow."""
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
    """One purpose's account, shared by all processes."""

    def __init__(self, database: Database, clock: Callable[[], datetime], *, purpose: str, cap: int) -> None:
        self._database = database
        self._clock = clock
        self._purpose = purpose
        self._cap = cap

    async def allowed(self) -> bool:
        """Whether another call is allowed; calls in progress in other processes are not counted yet."""
        if not self._cap:
            return True
        return await self._database.read(EVERYONE, partial(spending.total, day=self._today())) < self._cap

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        """Add one call to the account."""
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
    """Today's cost of the judge's model."""
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
