"""Briefs by S1's hosted prompt: its instructions and its model are kept by the provider, under an id and a version.

Only briefs: S1 hosts no other prompt. Everything else goes to another writer.
"""

from collections.abc import Sequence

from recollect.language.spine_material import SpineMaterial
from recollect.models.by_model import ModelWriter
from recollect.models.offline import OfflineWriter
from recollect.models.openai import OpenAI
from recollect.models.prompts.brief import fold_input
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.records.turn import Turn
from recollect.rules.fold import Folded


class HostedWriter:
    """The writer whose briefs come from a hosted prompt."""

    def __init__(
        self, server: OpenAI, prompt_id: str, version: str, *, rest: ModelWriter | OfflineWriter
    ) -> None:
        """`rest` writes what is not a brief."""
        self._server = server
        self._prompt_id = prompt_id
        self._version = version
        self._rest = rest

    @property
    def name(self) -> str:
        return f"{self._prompt_id}@{self._version}"

    @property
    def notes_name(self) -> str:
        return self._rest.name

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The prompt's summary; its cap is in the prompt, so a longer one is left to the fold."""
        answer = await self._server.responses(self._prompt_id, self._version, fold_input(existing, turns))
        return Folded(brief=answer.text)

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """The rest's digest."""
        return await self._rest.session(turns)

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """The rest's summary."""
        return await self._rest.rolling(previous, turns)

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The rest's long view."""
        return await self._rest.spine(previous, material)

    async def aclose(self) -> None:
        """Give the connections back; may be called twice."""
        await self._server.aclose()
        await self._rest.aclose()
