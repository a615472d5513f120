"""The face for who may enter a service: service keys and sessions, made, listed, checked and revoked.

The methods translate arguments and hand over to the verbs of the engine; no rule lives here. A program that uses `Memory`
inside itself needs none of this.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.api.opened import LOCAL_USER, Opened, as_cursor, as_limit
from recollect.engine import tokens as tokens_of
from recollect.errors import InvalidInput
from recollect.records.memory import check_user_id
from recollect.records.message import check_name
from recollect.records.token import NewToken, Token, parse_token_kind
from recollect.store.tokens import Filter

#: The most rows that one page of a list holds.
MAX_PAGE = 1000


class Access(Opened):
    """Who may enter."""

    async def create_token(
        self,
        *,
        user: str | None = None,
        service: bool = False,
        scopes: Sequence[str] | None = None,
        ttl_seconds: int | None = None,
        label: str = "",
    ) -> NewToken:
        """Make a token for the service: a session of one user, or with `service` a key that acts for any.

        Its text is shown here and never again. `scopes` are read and write, of a service key also service; all of them by
        default. A session lives `ttl_seconds` (3600), a service key until it is revoked.
        """
        if not isinstance(service, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("service must be true or false.", field="service")
        return await tokens_of.create(
            await self._ready(),
            user_id=LOCAL_USER if user is None and not service else user,
            service=service,
            scopes=scopes,
            ttl_seconds=ttl_seconds,
            label=label,
        )

    async def tokens(
        self,
        *,
        user: str | None = None,
        kind: str | None = None,
        limit: int = 50,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[Token]:
        """Service keys and sessions, newest first, revoked ones too; sessions that ended more than a day ago are gone.

        `user` and `kind` (service or session) name which. `before` is where the page before ended: `tokens[-1].cursor`.
        """
        parts = await self._ready()
        wanted = Filter(
            user_id=None if user is None else check_user_id(user),
            kind=None if kind is None else parse_token_kind(kind),
        )
        size = min(as_limit(limit), MAX_PAGE)
        return await tokens_of.page(parts, wanted, limit=size, before=as_cursor(before))

    async def revoke_token(self, token_id: str) -> None:
        """End a token before its time; in other processes it may live for another five seconds."""
        await tokens_of.revoke(await self._ready(), check_name(token_id, field="token_id"))

    async def check_token(self, text: str) -> Token | None:
        """The token that this text is, if it is valid now."""
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("token must be text.", field="token")
        return await tokens_of.check(await self._ready(), text)

    async def has_service_keys(self) -> bool:
        """Whether there is a service key that nobody has revoked."""
        return await tokens_of.has_service_keys(await self._ready())
