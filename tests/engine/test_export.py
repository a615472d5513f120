"""Export for a service: the same document, packed while it is read."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from conftest import FakeEmbedder

from recollect import AsyncMemory, Settings
from recollect.api.hosting import service_of

from .fakes import FakeClock


def test_a_packed_export_is_the_same_document(sqlite_path: Path, clock: FakeClock) -> None:
    """What a service hands out piece by piece is what `export` gives, with more messages than are read at once."""

    async def run() -> None:
        idle = replace(Settings(), worker="off")
        async with AsyncMemory(sqlite_path, embedder=FakeEmbedder(), clock=clock, settings=idle) as memory:
            said = [
                {"role": "user", "text": f"I walked {number} km, größer als je."} for number in range(2500)
            ]
            for start in range(0, len(said), 500):
                await memory.chat("c", user="ann").add(said[start : start + 500])
            await memory.add("I keep bees in Graz", user="ann")
            packed = await service_of(memory).export("ann", None)
            text = b"".join(packed.pieces())
            assert json.loads(text) == await memory.export(user="ann")
            assert sum(map(len, packed.chunks)) < len(text) / 4
            few = await service_of(memory).export("ann", ["todos"])
            assert json.loads(b"".join(few.pieces())) == await memory.export(user="ann", include=["todos"])

    asyncio.run(run())
