"""The answers on their way: all of them are brought to an end, also those that begin late."""

import asyncio

import pytest

from recollect.engine import talks as module
from recollect.engine.talks import Talks


def test_what_ends_by_itself_is_waited_for() -> None:
    """Closing returns when the last answer has ended, one that began meanwhile included."""

    async def run() -> list[str]:
        talks, ended = Talks(), list[str]()

        async def second() -> None:
            await asyncio.sleep(0.01)
            ended.append("second")

        async def first() -> None:
            talks.begin(second(), "ann")
            ended.append("first")

        talks.begin(first(), "ann")
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
            talks.begin(endless("late"), "ann")
            await endless("early")

        talks.begin(begin_late(), "ann")
        await talks.aclose(0.05)
        return sorted(stored)

    assert asyncio.run(run()) == ["early", "late"]


def test_an_answer_is_expected_until_it_has_ended() -> None:
    """From before the message is stored until the answer is over, for its user and nobody else."""

    async def run() -> None:
        talks, end = Talks(), asyncio.Event()

        async def answer() -> None:
            await end.wait()

        talks.expect("ann")
        assert talks.expects("ann")
        assert not talks.expects("bob")
        talks.begin(answer(), "ann")
        assert talks.expects("ann")
        end.set()
        await talks.aclose(60.0)
        assert not talks.expects("ann")

    asyncio.run(run())


def test_two_answers_to_one_user() -> None:
    """One that ends takes nothing from the other."""

    async def run() -> None:
        talks, end = Talks(), asyncio.Event()

        async def answer() -> None:
            await end.wait()

        async def short() -> None:
            pass

        talks.begin(answer(), "ann")
        talks.begin(short(), "ann")
        await asyncio.sleep(0.01)
        assert (talks.running, talks.expects("ann")) == (1, True)
        end.set()
        await talks.aclose(60.0)
        assert not talks.expects("ann")

    asyncio.run(run())


def test_no_answer_is_expected_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never begins, or does not end, is expected for some seconds only, and nobody is remembered for it."""
    talks = Talks()
    monkeypatch.setattr(module, "HUSHED_SECONDS", 0.0)
    for number in range(1500):
        talks.expect(f"user-{number}")
    assert not talks.expects("user-1499")
    assert len(talks._expected) <= 1000  # pyright: ignore[reportPrivateUsage]
