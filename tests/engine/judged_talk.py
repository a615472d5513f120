"""A judge that does as the user's words tell it, for tests of what the engine makes of judgements.

"fact: …" is proposed as a memory, "todo: …" as a commitment, "pin: …" as a pin, "forget: …" as a request to forget;
whatever else is said is nothing. With `trusting` it reads everybody's words, as a judge that was fooled would.
"""

import asyncio
from collections.abc import Callable

from recollect import Memory
from recollect.engine.parts import Parts
from recollect.errors import ModelError
from recollect.records.judgement import (
    Judgement,
    Material,
    ProposedForgetting,
    ProposedMemory,
    ProposedPin,
    ProposedTodo,
)
from recollect.records.message import Role
from recollect.records.pin import PinType
from recollect.records.todo import TodoKind

REASON = "the user said so in plain words"


class FakeJudge:
    """Counts what it is asked, fails, waits, and reads the words above."""

    def __init__(self, name: str = "rules", *, trusting: bool = False) -> None:
        self._name = name
        self._trusting = trusting
        self.confidence = 0.95
        #: While true, every call fails as an unreachable model would.
        self.failing = False
        #: While set, every call waits.
        self.held = False
        #: What it was given, in order; what waits is there already.
        self.asked: list[Material] = []
        #: Called before each answer.
        self.before: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        return self._name

    async def judge(self, material: Material) -> Judgement:
        self.asked.append(material)
        while True:
            if not self.held:
                break
            await asyncio.sleep(0.001)
        self.before()
        if self.failing:
            raise ModelError("The model cannot be reached.")
        return self._judged(material)

    async def aclose(self) -> None:
        """Nothing is held."""

    def _judged(self, material: Material) -> Judgement:
        found: dict[str, list[tuple[str, str]]] = {"fact": [], "todo": [], "pin": [], "forget": []}
        for message in material.messages:
            if message.role is not Role.USER and not self._trusting:
                continue
            for line in message.text.splitlines():
                kind, mark, text = line.partition(": ")
                if mark and kind in found:
                    found[kind].append((text, message.message_id))
        return Judgement(
            memories=tuple(
                ProposedMemory(
                    content=text,
                    confidence=self.confidence,
                    reasoning=REASON,
                    said=text,
                    source_message_ids=(source,),
                )
                for text, source in found["fact"]
            ),
            todos=tuple(
                ProposedTodo(
                    text=text,
                    kind=TodoKind.COMMITMENT,
                    confidence=self.confidence,
                    reasoning=REASON,
                    source_message_ids=(source,),
                )
                for text, source in found["todo"]
            ),
            pins=tuple(
                ProposedPin(
                    content=text,
                    pin_type=PinType.MANUAL,
                    importance_score=7.0,
                    reasoning=REASON,
                    source_message_id=source,
                )
                for text, source in found["pin"]
            ),
            forgettings=tuple(
                ProposedForgetting(what=text, said=text, source_message_ids=(source,))
                for text, source in found["forget"]
            ),
            judged_by=self._name,
        )


async def asked(*judges: FakeJudge) -> None:
    """Wait until each of them was asked, then let them answer."""
    while True:
        if all(fake.asked for fake in judges):
            break
        await asyncio.sleep(0.001)
    for fake in judges:
        fake.held = False


def judged_by(parts: Parts, judge: FakeJudge | None) -> FakeJudge | None:
    """Let a fake judge, or nobody."""
    object.__setattr__(parts, "judge", judge)
    return judge


def contents(memory: Memory, user: str = "ann") -> list[str]:
    """What is known now, in the order of the alphabet."""
    return sorted(item.content for item in memory.memories(user=user, limit=1000))
