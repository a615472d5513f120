"""Judging by rules: the domain's own function behind the face of a judge.

No model, no key, no network; the same messages always give the same judgement. It decides nothing itself. It reads on the
event loop, for half a millisecond at a time; then others have their turn. A thread was rejected: Python lets it keep the
processor for 5 ms each time, and a turn was recorded five times as slowly. Only the rules' expressions are compiled in one, before the first reading of a process.
"""

import asyncio
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from recollect.language import judge as rules
from recollect.language.pattern import Pattern
from recollect.records.judgement import Judgement, Material

#: Seconds of reading after which others get their turn.
_SPELL = 0.0005
#: Seconds between two looks whether another chat is being read, and after an expression that was compiled.
_PAUSE = 0.001

#: Whether this process has compiled the rules.
_compiled = threading.Event()


def _compile() -> None:
    """Load the rules and compile every expression, with a rest after each: all together take half a second, which nobody should wait for."""
    _ = rules.Reading
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith(("recollect.language.", "recollect.rules."))
    ]
    for pattern in chain.from_iterable(_patterns(vars(module)) for module in modules):
        if not pattern.is_compiled:
            pattern.compiled()
            time.sleep(_PAUSE)
    _compiled.set()


def _patterns(held: object) -> Iterator[Pattern]:
    """The expressions in a value, as rules hold them: alone, or in tables."""
    if isinstance(held, Pattern):
        yield held
    elif isinstance(held, Mapping):
        yield from _patterns(tuple(cast(Mapping[object, object], held).values()))
    elif isinstance(held, tuple | list):
        for item in cast(Sequence[object], held):
            yield from _patterns(item)


class RulesJudge:
    """The judge that is always there."""

    def __init__(self) -> None:
        #: One chat is read at a time, or each would take a turn between two of somebody who waits.
        self._reading = False
        #: Seconds read since others had their turn.
        self._spent = 0.0

    @property
    def name(self) -> str:
        return "rules"

    async def judge(self, material: Material) -> Judgement:
        """What the rules find."""
        if not _compiled.is_set():
            await asyncio.to_thread(_compile)
        # No lock: it would belong to one event loop, and a memory may outlive several.
        while self._reading:  # noqa: ASYNC110
            await asyncio.sleep(_PAUSE)
        self._reading = True
        try:
            return await self._read(material)
        finally:
            self._reading = False

    async def _read(self, material: Material) -> Judgement:
        reading = rules.Reading(material)
        for message in material.messages:
            began = time.monotonic()
            reading.take(message)
            self._spent += time.monotonic() - began
            if self._spent > _SPELL:
                self._spent = 0.0
                await asyncio.sleep(0)
        return reading.judgement()

    async def aclose(self) -> None:
        """Nothing is held."""
