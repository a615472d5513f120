"""What requests are served by: the memory, the settings, the gate, the metrics. Made once for an application, never changed."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from recollect.api.memory import AsyncMemory
from recollect.server.metrics import Metrics
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.server.gate import Gate


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The parts of one application."""

    memory: AsyncMemory
    settings: Settings
    gate: "Gate"
    metrics: Metrics = field(default_factory=Metrics)


def served_by(connection: HTTPConnection) -> Served:
    """What this request is served by."""
    return connection.app.state.served


async def _memory(connection: HTTPConnection) -> AsyncMemory:
    return served_by(connection).memory


async def _settings(connection: HTTPConnection) -> Settings:
    return served_by(connection).settings


#: Arguments of a route: the memory, and how the service was started.
TheMemory = Annotated[AsyncMemory, Depends(_memory)]
TheSettings = Annotated[Settings, Depends(_settings)]
