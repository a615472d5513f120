"""The client for who may enter: sessions of users, made, listed and ended with a service key.

Service keys are made where the store is (`recollect token create --service`): a key that could make keys could not be taken
back.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.api.opened import LOCAL_USER, as_cursor, as_text
from recollect.client.connected import Connected
from recollect.client.reading import read
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import NOBODY
from recollect.errors import InvalidInput, NotAllowed
from recollect.records.cursor import cursor
from recollect.records.token import NewToken, Token, TokenKind, parse_token_kind


class Access(Connected):
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
        """Make a token for the service: a session of one user. With `service`, refused: keys are made where the store is.

        Its text is shown here and never again. `scopes` are read and write, all of them by default. A session lives
        `ttl_seconds` (3600).
        """
        if not isinstance(service, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("service must be true or false.", field="service")
        if service:
            raise NotAllowed("Service keys are made where the store is: `recollect token create --service`.")
        body = {
            **body_of(user_id=LOCAL_USER if user is None else user, label=label),
            **given(scopes=scopes, ttl_seconds=ttl_seconds),
        }
        made = await self._transport.send("POST", "/auth/sessions", body, user=NOBODY)
        token = read(
            Token,
            {**made, "id": made["session_id"], "kind": TokenKind.SESSION},
            user=made["user_id"],
            secret_hash="",
        )
        return NewToken(token=token, text=made["session_token"])

    async def tokens(
        self,
        *,
        user: str | None = None,
        kind: str | None = None,
        limit: int = 50,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[Token]:
        """Sessions, newest first, revoked ones too; those that ended more than a day ago are gone. Keys are not told.

        `user` and `kind` (service or session) name which. `before` is where the page before ended: `tokens[-1].cursor`.
        """
        if kind is not None and parse_token_kind(kind) is TokenKind.SERVICE:
            return []
        ended = as_cursor(before)
        return await self._list(
            Token,
            "/auth/sessions",
            user=NOBODY,
            limit=limit,
            known={"secret_hash": ""},
            cursor=None if ended is None else cursor(*ended),
            user_id=as_text(user, "user_id"),
        )

    async def revoke_token(self, token_id: str) -> None:
        """End a token before its time; in other processes it may live for another five seconds."""
        path = f"/auth/sessions/{segment(token_id, 'token_id')}"
        await self._transport.send("DELETE", path, user=NOBODY)
