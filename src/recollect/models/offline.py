"""Summaries by rules: the domain's own functions behind the face of a writer.

No model, no key, no network; the same turns always give the same text. It decides nothing itself. The rules take up to
tenths of a second, so they run in a thread: whoever talks meanwhile must not wait for them.
"""

import asyncio
from collections.abc import Callable, Sequence

from recollect.language import gist
from recollect.language.spine_material import SpineMaterial
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.records.turn import Turn
from recollect.rules.fold import Folded


class OfflineWriter:
    """The writer that is always there."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """`count` counts the tokens of a text."""
        self._count = count

    @property
    def name(self) -> str:
        return "offline"

    @property
    def notes_name(self) -> str:
        return self.name

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The sentences that matter most, old and new; and of the new ones alone."""
        brief, segment = await asyncio.to_thread(gist.fold, existing, turns, cap=cap, count=self._count)
        return Folded(brief=brief, segment=segment)

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """S4's six fields, by rules."""
        return await asyncio.to_thread(gist.session_digest, turns)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The newest that matters."""
        return await asyncio.to_thread(gist.rolling, previous, turns)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The material in its four sections; it holds what is true now, so the version before adds nothing."""
        return await asyncio.to_thread(gist.spine_content, material)

    async def aclose(self) -> None:
        """Nothing is held."""
