"""The gate: who a request comes from, by the token that it shows."""

from starlette.requests import HTTPConnection

from recollect.adapters.rest.caller import READ, SERVICE, WRITE, Caller
from recollect.adapters.rest.errors import unauthenticated
from recollect.face.memory import AsyncMemory
from recollect.face.opened import LOCAL_USER


class Gate:
    """Lets callers in."""

    def __init__(
        self, memory: AsyncMemory, *, service_key: str, local: bool, requests_per_minute: int
    ) -> None:
        self._memory = memory
        self._service_key = service_key
        self._local = local
        self._requests_per_minute = requests_per_minute

    async def admit(self, connection: HTTPConnection) -> Caller:
        """The caller of a request, or an error that says why not."""
        shown = connection.headers.get("x-session-token") or connection.headers.get(
            "authorization", ""
        ).removeprefix("Bearer ")
        if self._service_key and shown == self._service_key:
            return Caller(
                user_id=connection.headers.get("x-user-id"), scopes=frozenset((READ, WRITE, SERVICE))
            )
        if self._local and not shown:
            return Caller(user_id=LOCAL_USER, scopes=frozenset((READ, WRITE, SERVICE)))
        raise unauthenticated()
