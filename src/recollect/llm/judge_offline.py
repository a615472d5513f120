"""Judging by rules: the domain's own function behind the face of a judge.

No model, no key, no network; the same messages always give the same judgement. It decides nothing itself. It reads a
message at a time on the event loop and then lets others have their turn for at least as long: who talks meanwhile waits
for one message at the most. A thread was rejected: Python lets it keep the processor for 5 ms each time, and a turn was
recorded five times as slowly.
"""

import asyncio
import time

from recollect.domain.judge import Reading
from recollect.domain.judgement import Judgement, Material

#: Seconds of reading after which others get their turn, and for how long at the least.
_SPELL = 0.0005
_REST = 0.001


class RulesJudge:
    """The judge that is always there."""

    @property
    def name(self) -> str:
        return "rules"

    async def judge(self, material: Material) -> Judgement:
        """What the rules find."""
        reading = Reading(material)
        began = time.monotonic()
        for message in material.messages:
            reading.take(message)
            if (taken := time.monotonic() - began) > _SPELL:
                await asyncio.sleep(max(taken, _REST))
                began = time.monotonic()
        return reading.judgement()

    async def aclose(self) -> None:
        """Nothing is held."""
