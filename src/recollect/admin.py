"""Operator tasks: users, the database, background work and access tokens. They are not part of `Memory`.

    admin = Admin(memory)             # or AsyncAdmin(async_memory), or over a client with a service key
    admin.create_token(service=True)

Over a client, only the operations that the service offers work. Changes to the whole database need a `Memory`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Self, cast

from recollect.api.arguments import (
    LOCAL_USER,
    as_flag,
    as_id,
    as_name,
    as_page,
    as_text,
    as_time_and_id,
)
from recollect.api.blocking import Memory
from recollect.api.calls import Explained
from recollect.api.engine import engine_of
from recollect.api.loop_thread import Blocking, parts_of
from recollect.api.memory import AsyncMemory
from recollect.client.client import AsyncClient
from recollect.client.connected import page_from, transport_of
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import NOBODY
from recollect.engine import judge as judging
from recollect.engine import reembed as reembedding
from recollect.engine import report
from recollect.engine import tokens as tokens_of
from recollect.engine.judge import Judged
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.report import StoreInfo
from recollect.engine.spending import SpentToday, spent_today
from recollect.errors import InvalidInput, NotAllowed, NotFound
from recollect.records.cursor import Page, page_of
from recollect.records.job import Job, JobStatus
from recollect.records.memory import check_user_id
from recollect.records.message import check_name
from recollect.records.token import NewToken, Token, TokenKind, parse_token_kind
from recollect.store import jobs
from recollect.store.database import EVERYONE
from recollect.store.jobs import JobFigures
from recollect.store.tokens import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """How much background work there is, how late it is, and how many tokens the judge's model has used today."""

    work: JobFigures
    #: None over a client; see `GET /metrics` instead.
    spent: SpentToday | None = None


class AsyncAdmin(Explained):
    """Operator tasks on an `AsyncMemory` or `AsyncClient`."""

    _written = "admin"

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Return the HTTP form for a client."""
        over = [*given, *named.values()][:1]
        kind = _ServiceAdmin if over and isinstance(over[0], AsyncClient) else cls
        return super().__new__(cast("type[Self]", kind))

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory
        self._engine = engine_of(memory)

    def __repr__(self) -> str:
        return f"AsyncAdmin({self._memory!r})"

    # -- the store ------------------------------------------------------------------------------------

    async def users(self, *, limit: int = 50, cursor: str | None = None) -> Page[str]:
        """List the ids of all users who have memories, in alphabetical order."""
        size = as_page(limit)
        parts = await self._engine.prepared()
        rows = await report.users_of(parts, limit=size + 1, after=as_id(cursor) or "")
        return page_of(rows, size, lambda user_id: (user_id,))

    async def info(self) -> StoreInfo:
        """Get the database's location and size, and the number of users per embedding model."""
        return await report.info(await self._engine.prepared())

    async def migrate(self) -> list[str]:
        """Update the database schema, and return the names of the migrations applied."""
        return await self._engine.parts.database.migrate()

    async def reembed(self, model: str | None = None, /, *, progress: Progress = no_progress) -> int:
        """Move every user to another embedding model.

        If interrupted, it can be resumed. Search uses the old vectors until the new ones are complete.
        """
        parts = await self._engine.prepared()
        return await reembedding.reembed(parts, model or parts.embedders.default, progress)

    async def checks(self) -> list[tuple[str, bool, str]]:
        """Run the checks of `recollect doctor`. Each result has a name, whether it passed, and a detail."""
        return await report.checks(await self._engine.prepared())

    # -- background work ------------------------------------------------------------------------------

    async def jobs(self, *, user: str | None = None, status: str | None = None) -> list[Job]:
        """List a user's unfinished jobs: pending, running or dead. Without a user, list all users' dead jobs."""
        wanted = _job_status(status, user)
        parts = await self._engine.prepared()
        if user is None:
            return await parts.database.read(EVERYONE, jobs.dead)
        user_id = check_user_id(user)
        return await parts.database.read(user_id, lambda tx: jobs.of_user(tx, user_id, wanted))

    async def revive(self, job_id: str, /, *, user: str = LOCAL_USER) -> None:
        """Retry a dead job."""
        parts, user_id = await self._engine.with_worker(), check_user_id(user)
        wanted = check_name(job_id, field="job_id")
        if not await parts.database.write(user_id, lambda tx: jobs.revive(tx, user_id, wanted, parts.now())):
            raise NotFound(f"There is no dead job {job_id!r}.", id=job_id)
        parts.bell.ring()

    async def judge(self, *, user: str = LOCAL_USER, chat: str | None = None, again: bool = False) -> Judged:
        """Extract memories from messages now, in one chat or all chats, instead of in the background.

        `again` starts from the beginning, including messages older than the judge. Existing memories and later decisions by
        people stay unchanged. A memory that was erased although its message was kept is extracted again.
        """
        anew, one = as_flag(again, "again"), as_name(chat, "chat")
        parts, user_id = await self._engine.with_worker(), check_user_id(user)
        if one is None:
            return await judging.judge_all(parts, user_id, again=anew)
        return await judging.judge_chat(parts, user_id, one, again=anew)

    async def metrics(self) -> Metrics:
        """Get the amount and delay of background work, and the tokens the judge's model has used today."""
        parts = await self._engine.prepared()
        work = await parts.database.read(EVERYONE, lambda tx: jobs.figures(tx, parts.now()))
        return Metrics(work=work, spent=await spent_today(parts))

    # -- access ---------------------------------------------------------------------------------------

    async def create_token(
        self,
        *,
        user: str | None = None,
        service: bool = False,
        scopes: Sequence[str] | None = None,
        ttl_seconds: int | None = None,
        label: str = "",
    ) -> NewToken:
        """Create a token for the service: a session token for one user, or with `service`, a key that can act for any user.

        Its text is returned only this once. `scopes` can contain read and write, and for a service key also service; the
        default is all. A session is valid for `ttl_seconds` (3600), a service key until it is revoked.
        """
        as_flag(service, "service")
        return await tokens_of.create(
            await self._engine.prepared(),
            user_id=LOCAL_USER if user is None and not service else user,
            service=service,
            scopes=scopes,
            ttl_seconds=ttl_seconds,
            label=label,
        )

    async def tokens(
        self, *, user: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Token]:
        """List service keys and session tokens, newest first, including revoked ones.

        Sessions that ended more than a day ago have been deleted. Filter by `user` and `kind` (service or session). Over a
        client, only sessions are listed.
        """
        wanted = Filter(
            user_id=None if user is None else check_user_id(user),
            kind=None if kind is None else parse_token_kind(kind),
        )
        size, ended = as_page(limit), as_time_and_id(cursor)
        rows = await tokens_of.page(await self._engine.prepared(), wanted, limit=size + 1, before=ended)
        return page_of(rows, size, lambda token: token.cursor)

    async def revoke_token(self, token_id: str, /) -> None:
        """Revoke a token; other processes notice within five seconds."""
        await tokens_of.revoke(await self._engine.prepared(), check_name(token_id, field="token_id"))

    async def check_token(self, text: str, /) -> Token | None:
        """Get the token with this text, or None if it is not valid now."""
        if not isinstance(text, str):
            raise InvalidInput("token must be text.", field="token")
        return await tokens_of.check(await self._engine.prepared(), text)


class _ServiceAdmin(AsyncAdmin):
    """Operator tasks over a service."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory
        self._transport = transport_of(memory)

    async def users(self, *, limit: int = 50, cursor: str | None = None) -> Page[str]:
        found = await self._transport.get("/v1/users", user=NOBODY, limit=as_page(limit), cursor=cursor)
        return Page(found["users"], found["next_cursor"])

    async def info(self) -> StoreInfo:
        return read(StoreInfo, (await self._work())["store"], user="")

    async def migrate(self) -> list[str]:
        _only_at_the_store("db migrate")

    async def reembed(self, model: str | None = None, /, *, progress: Progress = no_progress) -> int:
        _only_at_the_store("db reembed")

    async def checks(self) -> list[tuple[str, bool, str]]:
        _only_at_the_store("doctor")

    async def jobs(self, *, user: str | None = None, status: str | None = None) -> list[Job]:
        wanted = _job_status(status, user)
        if user is None:
            return [read(Job, item, user=item["user_id"]) for item in (await self._work())["dead"]]
        found = await self._transport.get("/v1/jobs", user=user, status=wanted)
        return read_all(Job, found["jobs"], user=user)

    async def revive(self, job_id: str, /, *, user: str = LOCAL_USER) -> None:
        await self._transport.send("POST", f"/v1/jobs/{segment(job_id, 'job_id')}/revive", user=user)

    async def judge(self, *, user: str = LOCAL_USER, chat: str | None = None, again: bool = False) -> Judged:
        _only_at_the_store("worker --once")

    async def metrics(self) -> Metrics:
        return Metrics(work=read(JobFigures, await self._work(), user=""))

    async def create_token(
        self,
        *,
        user: str | None = None,
        service: bool = False,
        scopes: Sequence[str] | None = None,
        ttl_seconds: int | None = None,
        label: str = "",
    ) -> NewToken:
        if as_flag(service, "service"):
            # A key that could create keys could not be taken back.
            _only_at_the_store("token create --service")
        body = {
            **body_of(user_id=LOCAL_USER if user is None else user, label=label),
            **given(scopes=scopes, ttl_seconds=ttl_seconds),
        }
        made = await self._transport.send("POST", "/auth/sessions", body, user=NOBODY)
        values = {**made, "id": made["session_id"], "kind": TokenKind.SESSION}
        token = read(Token, values, user=made["user_id"], secret_hash="")
        return NewToken(token=token, text=made["session_token"])

    async def tokens(
        self, *, user: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Token]:
        size = as_page(limit)
        if kind is not None and parse_token_kind(kind) is TokenKind.SERVICE:
            return Page()
        found = await self._transport.get(
            "/auth/sessions", user=NOBODY, limit=size, cursor=cursor, user_id=as_text(user, "user_id")
        )
        return page_from(Token, found, "sessions", user="", secret_hash="")

    async def revoke_token(self, token_id: str, /) -> None:
        path = f"/auth/sessions/{segment(token_id, 'token_id')}"
        await self._transport.send("DELETE", path, user=NOBODY)

    async def check_token(self, text: str, /) -> Token | None:
        _only_at_the_store("token list")

    async def _work(self) -> dict[str, Any]:
        """All users' dead jobs, and information about the database."""
        found = await self._transport.get("/v1/jobs", user=NOBODY)
        if "store" not in found:
            raise NotAllowed("This needs a service key: pass service_key= to the client.")
        return found


def _only_at_the_store(command: str) -> NoReturn:
    raise NotAllowed(
        f"This is not available over a service. Run `recollect {command}` on the server, or use Admin with a Memory."
    )


def _job_status(status: str | None, user: str | None) -> JobStatus | None:
    try:
        wanted = None if status is None else JobStatus(status)
    except ValueError:
        raise InvalidInput(f"status must be one of {', '.join(JobStatus)}.", field="status") from None
    if user is None and wanted not in (None, JobStatus.DEAD):
        raise InvalidInput("Without a user, only dead jobs can be listed. Give a user.", field="user")
    return wanted


# -- Generated by tools/generate_blocking.py from here on; do not edit --


class Admin(Blocking[AsyncAdmin]):
    """What an operator does; `AsyncAdmin` without `await`."""

    _written = "admin"

    def __init__(self, memory: Memory) -> None:
        thread, inner = parts_of(memory)
        super().__init__(thread, AsyncAdmin(inner))

    def users(self, *, limit: int = 50, cursor: str | None = None) -> Page[str]:
        """List the ids of all users who have memories, in alphabetical order."""
        return self._thread.run(self._inner.users(limit=limit, cursor=cursor))

    def info(self) -> StoreInfo:
        """Get the database's location and size, and the number of users per embedding model."""
        return self._thread.run(self._inner.info())

    def migrate(self) -> list[str]:
        """Update the database schema, and return the names of the migrations applied."""
        return self._thread.run(self._inner.migrate())

    def reembed(self, model: str | None = None, /, *, progress: Progress = no_progress) -> int:
        """Move every user to another embedding model.

        If interrupted, it can be resumed. Search uses the old vectors until the new ones are complete.
        """
        return self._thread.run(self._inner.reembed(model, progress=progress))

    def checks(self) -> list[tuple[str, bool, str]]:
        """Run the checks of `recollect doctor`. Each result has a name, whether it passed, and a detail."""
        return self._thread.run(self._inner.checks())

    def jobs(self, *, user: str | None = None, status: str | None = None) -> list[Job]:
        """List a user's unfinished jobs: pending, running or dead. Without a user, list all users' dead jobs."""
        return self._thread.run(self._inner.jobs(user=user, status=status))

    def revive(self, job_id: str, /, *, user: str = LOCAL_USER) -> None:
        """Retry a dead job."""
        self._thread.run(self._inner.revive(job_id, user=user))

    def judge(self, *, user: str = LOCAL_USER, chat: str | None = None, again: bool = False) -> Judged:
        """Extract memories from messages now, in one chat or all chats, instead of in the background.

        `again` starts from the beginning, including messages older than the judge. Existing memories and later decisions by
        people stay unchanged. A memory that was erased although its message was kept is extracted again.
        """
        return self._thread.run(self._inner.judge(user=user, chat=chat, again=again))

    def metrics(self) -> Metrics:
        """Get the amount and delay of background work, and the tokens the judge's model has used today."""
        return self._thread.run(self._inner.metrics())

    def create_token(
        self,
        *,
        user: str | None = None,
        service: bool = False,
        scopes: Sequence[str] | None = None,
        ttl_seconds: int | None = None,
        label: str = "",
    ) -> NewToken:
        """Create a token for the service: a session token for one user, or with `service`, a key that can act for any user.

        Its text is returned only this once. `scopes` can contain read and write, and for a service key also service; the
        default is all. A session is valid for `ttl_seconds` (3600), a service key until it is revoked.
        """
        return self._thread.run(
            self._inner.create_token(
                user=user, service=service, scopes=scopes, ttl_seconds=ttl_seconds, label=label
            )
        )

    def tokens(
        self, *, user: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Token]:
        """List service keys and session tokens, newest first, including revoked ones.

        Sessions that ended more than a day ago have been deleted. Filter by `user` and `kind` (service or session). Over a
        client, only sessions are listed.
        """
        return self._thread.run(self._inner.tokens(user=user, kind=kind, limit=limit, cursor=cursor))

    def revoke_token(self, token_id: str, /) -> None:
        """Revoke a token; other processes notice within five seconds."""
        self._thread.run(self._inner.revoke_token(token_id))

    def check_token(self, text: str, /) -> Token | None:
        """Get the token with this text, or None if it is not valid now."""
        return self._thread.run(self._inner.check_token(text))
