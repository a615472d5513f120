"""Dependencies that routes request by argument type: the caller, the memory and the settings.

A `Reader` may read, a `Writer` may change, an `Operator` runs the store; the gate identifies the caller once per request.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from recollect.admin import AsyncAdmin
from recollect.api.hosting import Service
from recollect.api.memory import AsyncMemory
from recollect.errors import InvalidInput
from recollect.records.memory import check_user_id
from recollect.records.token import Scope
from recollect.server.errors import Problem, forbidden
from recollect.server.metrics import Metrics
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.server.gate import Gate

READ: Final = Scope.READ
WRITE: Final = Scope.WRITE
#: May create sessions and see the whole store.
SERVICE: Final = Scope.SERVICE


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The parts of one application; created once and never changed."""

    memory: AsyncMemory
    admin: AsyncAdmin
    service: Service
    settings: Settings
    gate: "Gate"
    metrics: Metrics = field(default_factory=Metrics)


def served_by(connection: HTTPConnection) -> Served:
    """The parts that serve this request."""
    return connection.app.state.served


async def _memory(connection: HTTPConnection) -> AsyncMemory:
    return served_by(connection).memory


async def _admin(connection: HTTPConnection) -> AsyncAdmin:
    return served_by(connection).admin


async def _service(connection: HTTPConnection) -> Service:
    return served_by(connection).service


async def _settings(connection: HTTPConnection) -> Settings:
    return served_by(connection).settings


TheMemory = Annotated[AsyncMemory, Depends(_memory)]
TheAdmin = Annotated[AsyncAdmin, Depends(_admin)]
TheService = Annotated[Service, Depends(_service)]
TheSettings = Annotated[Settings, Depends(_settings)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request and their scopes."""

    #: The user whose memory is used; None for a service key without `X-User-Id`.
    user_id: str | None
    scopes: frozenset[Scope]
    #: Whether the token or `X-User-Id` names that user; in local mode the user may be the default.
    named: bool = True
    #: The token that was sent; None in local mode or for the key from the settings.
    token_id: str | None = None
    #: Whether the caller was let in without a token, in local mode.
    local: bool = False

    @property
    def user(self) -> str:
        """The user whose memory is used."""
        if self.user_id is None:
            raise Problem(400, "X-User-Id required: a service key acts for a user.")
        return self.user_id

    def need(self, scope: Scope) -> None:
        """Raise an error if the caller lacks a scope."""
        if scope not in self.scopes:
            raise forbidden(
                "This needs a service key." if scope == SERVICE else f"This token may not {scope}."
            )

    def acting_for(self, user: str) -> "Caller":
        """The caller if the body names a user, as OpenAI clients do in `user`; it must not contradict the token."""
        if not user or user == self.user_id:
            return self
        if self.named and self.user_id is not None:
            raise forbidden(
                f"user names {user[:60]!r}, but this request acts for {self.user_id!r}; omit user or use that user's"
                " token."
            )
        try:
            return replace(self, user_id=check_user_id(user), named=True)
        except InvalidInput as error:
            raise InvalidInput(f"user: {error.message}", field="user") from error


async def admitted(request: Request) -> Caller:
    """The caller of this request; repeated calls return the same object."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is None:
        known = request.state.caller = await served_by(request).gate.admit(request)
    return known


async def _reader(request: Request) -> Caller:
    caller = await admitted(request)
    caller.need(READ)
    return caller


async def _writer(request: Request) -> Caller:
    caller = await admitted(request)
    caller.need(WRITE)
    return caller


async def _operator(request: Request) -> Caller:
    caller = await admitted(request)
    caller.need(SERVICE)
    return caller


#: Any caller who was let in, with any scopes.
Known = Annotated[Caller, Depends(admitted)]
Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Operator = Annotated[Caller, Depends(_operator)]
