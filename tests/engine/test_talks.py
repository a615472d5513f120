"""The answers on their way: all of them are brought to an end, also those that begin late."""

import asyncio

from recollect.engine.talks import Talks


def test_what_ends_by_itself_is_waited_for() -> None:
    """Closing returns when the last answer has ended, one that began meanwhile included."""

    async def run() -> list[str]:
        talks, ended = Talks(), list[str]()

        async def second() -> None:
            await asyncio.sleep(0.01)
            ended.append("second")

        async def first() -> None:
            talks.begin(second())
            ended.append("first")

        talks.begin(first())
        await talks.aclose(60.0)
        assert talks.running == 0
        return ended

    assert asyncio.run(run()) == ["first", "second"]


def test_what_does_not_end_stores_what_it_has() -> None:
    """When time is up every answer is told, also one that began while the others were waited for."""

    async def run() -> list[str]:
        talks, stored = Talks(), list[str]()

        async def endless(name: str) -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                stored.append(name)

        async def begin_late() -> None:
            talks.begin(endless("late"))
            await endless("early")

        talks.begin(begin_late())
        await talks.aclose(0.05)
        return sorted(stored)

    assert asyncio.run(run()) == ["early", "late"]
