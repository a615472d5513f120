"""Who is asking: the caller that the gate let in, as the routes see it.

Routes say what they need by the type of an argument: `Reader` may look, `Writer` may change, `Operator` runs the store.
Who that is, the gate finds out once a request.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request

from recollect.records.token import Scope
from recollect.server.errors import Problem, forbidden
from recollect.server.served import served_by

READ: Final = Scope.READ
WRITE: Final = Scope.WRITE
#: May make sessions, and see how the store does.
SERVICE: Final = Scope.SERVICE


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is asking, and what they may do."""

    #: Whose memory is meant; None: a service that named nobody.
    user_id: str | None
    scopes: frozenset[Scope]
    #: The token that was shown; None: local mode, or the key of the settings.
    token_id: str | None = None
    #: Let in without a token, in local mode.
    local: bool = False

    @property
    def user(self) -> str:
        """Whose memory is meant."""
        if self.user_id is None:
            raise Problem(400, "X-User-Id required: a service key acts for a user.")
        return self.user_id

    def need(self, scope: Scope) -> None:
        """Refuse what the caller may not do."""
        if scope not in self.scopes:
            raise forbidden(
                "This needs a service key." if scope == SERVICE else f"This token may not {scope}."
            )


async def admitted(request: Request) -> Caller:
    """The caller of this request; asked for twice, it is the same."""
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


#: Whoever was let in, whatever they may do.
Known = Annotated[Caller, Depends(admitted)]
Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Operator = Annotated[Caller, Depends(_operator)]
