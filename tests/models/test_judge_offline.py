"""Tests of models/judge_offline.py: the domain's rules behind the face of a judge."""

import asyncio

from recollect.language.judge import judge
from recollect.models.judge_offline import RulesJudge
from recollect.records.judgement import Judgement, Material

from .judging import heard


def judged(material: Material) -> Judgement:
    async def run() -> Judgement:
        rules = RulesJudge()
        assert rules.name == "rules"
        try:
            return await rules.judge(material)
        finally:
            await rules.aclose()

    return asyncio.run(run())


def test_it_is_the_domains_judge() -> None:
    """It adds nothing to what the rules find, and says that rules judged."""
    talk = heard(("user", "My name is Ann and I live in Porto."), ("assistant", "Hi Ann!"))
    assert judged(talk) == judge(talk)
    assert judged(talk).judged_by == "rules"
    assert judged(talk).memories


def test_much_is_judged_beside_the_loop() -> None:
    """A long text leaves the event loop free, and gives the same."""
    talk = heard(("user", "My name is Ann. " + "I had tea. " * 400))

    async def run() -> tuple[Judgement, int]:
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        found = await RulesJudge().judge(talk)
        beside.cancel()
        return found, turns

    found, turns = asyncio.run(run())
    assert found == judge(talk)
    assert turns > 0
