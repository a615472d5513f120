"""Work behind gives way to whoever is there."""

import asyncio
import time

from recollect.engine.presence import Presence


def test_nobody_is_waited_for() -> None:
    """While nobody calls, work goes on without a rest."""

    async def work() -> float:
        began = time.monotonic()
        await Presence().give_way(60.0)
        return time.monotonic() - began

    assert asyncio.run(work()) < 30.0


def test_somebody_is_given_way() -> None:
    """While somebody calls, a piece of work is followed by a rest that is longer than it was."""

    async def work() -> float:
        presence = Presence()
        presence.noticed()
        began = time.monotonic()
        await presence.give_way(0.01)
        return time.monotonic() - began

    assert asyncio.run(work()) > 0.05
