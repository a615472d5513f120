"""What the rest of the package may ask of whoever writes summaries, and who that is by the settings.

A Protocol with three implementations: rules inside the process, any model behind an OpenAI-compatible server, and S1's
hosted prompt for briefs. It knows neither when something is written nor where it is kept. One method `complete` for
everything was rejected: rules cannot follow a prompt, and callers should not know that there is one.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from recollect.language.spine_material import SpineMaterial
from recollect.models.by_model import ModelWriter
from recollect.models.hosted import HostedWriter
from recollect.models.offline import OfflineWriter
from recollect.models.openai import OpenAI
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.records.turn import Turn
from recollect.rules.fold import Folded
from recollect.settings import Settings


class Writer(Protocol):
    """Writes what is remembered of conversations; a `ModelError` says that it could not, and a later try may succeed."""

    @property
    def name(self) -> str:
        """Who writes briefs, stored with them: "offline", a model's name, or a prompt's id and version."""
        ...

    @property
    def notes_name(self) -> str:
        """Who writes everything else; another than `name` only where a hosted prompt writes the briefs."""
        ...

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        """The summary of a chat with these turns taken in; asked for in `cap` tokens, and sometimes longer."""
        ...

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        """What a session was about."""
        ...

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        """Where the conversation stands, in at most `MAX_ROLLING` characters."""
        ...

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        """The long view of a user, renewed."""
        ...

    async def aclose(self) -> None:
        """Give back connections; may be called twice."""
        ...


def writer_for(settings: Settings, count: Callable[[str], int]) -> Writer:
    """The writer that the settings ask for; without any, nothing leaves the machine. `count` counts tokens."""
    hosted = settings.summary_prompt_version
    if not hosted and not settings.summarizer_model:
        return OfflineWriter(count)
    server = OpenAI(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        timeout_seconds=settings.model_timeout_seconds,
    )
    rest = (
        ModelWriter(server, settings.summarizer_model) if settings.summarizer_model else OfflineWriter(count)
    )
    return HostedWriter(server, settings.summary_prompt_id, hosted, rest=rest) if hosted else rest
