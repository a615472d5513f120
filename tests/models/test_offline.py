"""Tests of models/offline.py: the domain's rules behind the face of a writer."""

import asyncio

from spoken import spoken

from recollect.language import gist
from recollect.language.spine_material import SpineMaterial
from recollect.models.offline import OfflineWriter
from recollect.records.spine import SpineContent

TURNS = spoken(
    ("user", "My name is Ann and I live in Porto. I will bake a cake for Tom by Friday."),
    ("assistant", "Nice, Ann!"),
    ("user", "I decided to use almonds, because Tom is allergic to peanuts."),
    ("assistant", "Good idea."),
)


def words(text: str) -> int:
    return len(text.split())


def test_every_method_is_the_domains() -> None:
    """The writer adds nothing to what the rules say, and is called offline."""

    async def run() -> None:
        writer = OfflineWriter(words)
        assert (writer.name, writer.notes_name) == ("offline", "offline")
        folded = await writer.fold("Before.", TURNS, cap=60)
        assert folded.brief == gist.brief("Before.", TURNS, cap=60, count=words)
        assert folded.segment == gist.segment(TURNS, cap=60, count=words)
        assert await writer.session(TURNS) == gist.session_digest(TURNS)
        assert await writer.rolling("Before.", TURNS) == gist.rolling("Before.", TURNS)
        material = SpineMaterial(profile=("User is a nurse",))
        assert await writer.spine(SpineContent(people="Tom"), material) == gist.spine_content(material)
        await writer.aclose()

    asyncio.run(run())


def test_it_says_something() -> None:
    """Rules alone keep who is allergic to what."""

    async def run() -> None:
        writer = OfflineWriter(words)
        assert "peanuts" in (await writer.fold("", TURNS, cap=60)).brief
        assert (await writer.session(TURNS)).one_liner
        assert await writer.rolling("", TURNS)

    asyncio.run(run())
