"""What a service process needs: starting background work, health and metrics, stored answers, and forwarding OpenAI requests.

Get it with `service_of(memory)`. It is not part of `AsyncMemory`, because programs that embed a memory do not need it.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterable

from recollect.api.arguments import as_name, as_page, as_persona
from recollect.api.engine import engine_of
from recollect.api.memory import AsyncMemory
from recollect.engine import accompany, figures, idempotency
from recollect.engine import tokens as tokens_of
from recollect.engine.accompany import Accompanied, Answered
from recollect.engine.entity_graph import EntityGraph, graph
from recollect.engine.figures import Figures, Stored
from recollect.engine.idempotency import Earlier
from recollect.engine.offered_tools import OfferedTools
from recollect.errors import ModelError, RecollectError, StoreError, StoreUnavailable
from recollect.interchange.export import Packed, check_parts, export_packed
from recollect.records.memory import check_user_id
from recollect.records.tool_reply import ToolReply
from recollect.rules.budget import check_budget
from recollect.rules.completion import chat_of
from recollect.store import jobs
from recollect.worker.worker import Worker

log = logging.getLogger(__name__)

#: Seconds within which the database must answer.
_ANSWERS_WITHIN = 5.0
#: A text to count and embed when warming up.
_A_WORD = "warm"


def public_message(error: RecollectError) -> str:
    """An error message for a caller of the service. Details that it omits are logged for the operator.

    A database error is logged under an id that the caller also gets. For a model error only the address is logged, because
    the model's message may repeat what a user said.
    """
    if isinstance(error, StoreError):
        incident = secrets.token_hex(6)
        log.error(
            "store.failed incident=%s error=%s reason=%s", incident, type(error).__name__, error.message
        )
        return f"{error.public_message.removesuffix('.')}; for details, search the log for {incident}."
    if isinstance(error, ModelError) and error.address:
        log.warning("model.failed address=%s error=%s", error.address, type(error).__name__)
    return error.public_message


def service_of(memory: AsyncMemory) -> "Service":
    """The operations that a service process needs beyond a memory's methods."""
    return Service(memory)


class Service:
    """Operations on a memory for a service process."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory
        self._engine = engine_of(memory)

    @property
    def worker(self) -> Worker:
        return self._engine.worker

    # -- status ---------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the database and start background work, unless the settings leave that to another process."""
        await self._engine.with_worker()

    async def warm(self) -> None:
        """Load what the first request would otherwise wait for: the token vocabulary and the bundled embedder."""
        parts = await self._engine.prepared()
        await parts.count([_A_WORD])
        if not parts.settings.embedding_model:
            await parts.embed(parts.embedders.default, [_A_WORD])

    async def check(self) -> None:
        """Check that the database answers."""
        parts = await self._engine.prepared()
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                await parts.database.schema_version()
        except TimeoutError as error:
            raise StoreUnavailable("The database does not answer.") from error

    async def works(self) -> bool:
        """Whether the worker is alive, if this process should have one."""
        return (await self._engine.prepared()).settings.worker != "on" or self.worker.answers

    async def figures(self) -> Figures:
        """Current figures about work, models and indexes."""
        return await figures.figures(await self._engine.prepared())

    async def stored(self) -> Stored:
        """How much is stored; this reads whole tables."""
        return await figures.stored(await self._engine.prepared())

    async def open_jobs(self, user: str) -> int:
        """Count a user's jobs that are running, due or to be retried, but not those scheduled for later."""
        parts, user_id = await self._engine.prepared(), check_user_id(user)
        return await parts.database.read(user_id, lambda tx: jobs.open_count(tx, user_id, parts.now()))

    async def has_service_keys(self) -> bool:
        """Whether there is a service key that has not been revoked."""
        return await tokens_of.has_service_keys(await self._engine.prepared())

    async def finish_talks(self, seconds: float) -> None:
        """Let answers in progress finish; after the limit, partial answers are stored."""
        await (await self._engine.prepared()).talks.aclose(seconds)

    # -- HTTP only ------------------------------------------------------------------------------------------

    async def export(self, user: str, include: Iterable[str] | None) -> Packed:
        """The export of `AsyncMemory.export` as compact text."""
        chosen = check_parts(include)
        return await export_packed(await self._engine.prepared(), check_user_id(user), include=chosen)

    async def entity_graph(self, user: str, limit: int) -> EntityGraph:
        """The most mentioned entities, and how many memories mention each pair of them."""
        return await graph(await self._engine.prepared(), check_user_id(user), limit=as_page(limit))

    async def answer(
        self,
        content: bytes,
        *,
        user: str,
        chat: str | None = None,
        persona: str | None = None,
        budget: int | None = None,
        memory: bool = True,
        tools: bool = False,
    ) -> Answered:
        """Forward a chat completion to the model with memory added, and record the turn.

        `content` is the request body. `memory` and `tools` set whether to add memory and to offer our tools. The default
        `budget` is the one in the settings.
        """
        request = accompany.read(content)
        user_id = check_user_id(user)
        chat_id, persona_id = as_name(chat, "chat_id"), as_persona(persona)
        parts = await self._engine.with_worker()
        allowed = check_budget(parts.settings.proxy_budget if budget is None else budget)
        named = chat_id or chat_of(request)
        ours = self._memory.tools

        async def call(name: str, arguments: str) -> ToolReply:
            return await ours.call(name, arguments, user=user_id, persona=persona_id, chat=named)

        asked = Accompanied(
            request=request,
            content=content,
            chat_id=named,
            persona_id=persona_id,
            budget=allowed if memory else None,
            tools=OfferedTools(schemas=await ours.schemas("openai"), call=call) if tools else None,
        )
        return await accompany.accompany(parts, user_id, asked)

    async def models(self) -> Answered:
        """List the available models."""
        return await accompany.models(await self._engine.with_worker())

    async def embeddings(self, content: bytes) -> Answered:
        """Forward a request for embeddings to the model server."""
        return await accompany.embeddings(await self._engine.with_worker(), content)

    # -- repeated requests ----------------------------------------------------------------------------------

    async def begin(self, user_id: str, key: str, request_hash: str) -> Earlier | None:
        """Reserve a key for a request; if it is taken, return the earlier request's state."""
        return await idempotency.begin(await self._engine.prepared(), user_id, key, request_hash)

    async def keep(self, user_id: str, key: str, request_hash: str, answer: str) -> None:
        """Store the answer of a request whose key was reserved."""
        await idempotency.keep(await self._engine.prepared(), user_id, key, request_hash, answer)

    async def renew(self, user_id: str, key: str, request_hash: str) -> None:
        """Mark a request as still in progress."""
        await idempotency.renew(await self._engine.prepared(), user_id, key, request_hash)

    async def release(self, user_id: str, key: str, request_hash: str) -> None:
        """Release the key of a request whose answer will not be stored."""
        await idempotency.release(await self._engine.prepared(), user_id, key, request_hash)

    async def prune(self) -> int:
        """Delete all users' expired answers; return how many."""
        return await idempotency.prune(await self._engine.prepared())
