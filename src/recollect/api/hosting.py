"""For the process of a service: begin background work, say how things are, keep answers, pass on what OpenAI clients ask.

`service_of(memory)` hands it out. It is no part of a memory, because a program that uses one inside itself needs none of
it.
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

#: Seconds in which the database must answer.
_ANSWERS_WITHIN = 5.0
#: What is counted and embedded to have it done once.
_A_WORD = "warm"


def public_message(error: RecollectError) -> str:
    """An error in a sentence for a caller of the service; what it leaves out is logged for the operator.

    Of the database that is under an id that the caller gets, of a model the address alone, because a model's complaint may
    repeat what a user said.
    """
    if isinstance(error, StoreError):
        incident = secrets.token_hex(6)
        log.error(
            "store.failed incident=%s error=%s reason=%s", incident, type(error).__name__, error.message
        )
        return f"{error.public_message.removesuffix('.')}; the log has more under {incident}."
    if isinstance(error, ModelError) and error.address:
        log.warning("model.failed address=%s error=%s", error.address, type(error).__name__)
    return error.public_message


def service_of(memory: AsyncMemory) -> "Service":
    """What the process of a service asks beyond the methods of a memory."""
    return Service(memory)


class Service:
    """What the process of a service asks of a memory."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory
        self._engine = engine_of(memory)

    @property
    def worker(self) -> Worker:
        return self._engine.worker

    # -- how things are -------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the database, and begin with background work unless the settings leave it to others."""
        await self._engine.with_worker()

    async def warm(self) -> None:
        """Load what the first request would wait for: the vocabulary of tokens, the embedder if it is in the package."""
        parts = await self._engine.prepared()
        await parts.count([_A_WORD])
        if not parts.settings.embedding_model:
            await parts.embed(parts.embedders.default, [_A_WORD])

    async def check(self) -> None:
        """Return when the database answers."""
        parts = await self._engine.prepared()
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                await parts.database.schema_version()
        except TimeoutError as error:
            raise StoreUnavailable("The database does not answer.") from error

    async def works(self) -> bool:
        """Whether the worker answers, if there should be one here."""
        return (await self._engine.prepared()).settings.worker != "on" or self.worker.answers

    async def figures(self) -> Figures:
        """How work, models and indexes do now."""
        return await figures.figures(await self._engine.prepared())

    async def stored(self) -> Stored:
        """How much there is of everything; it reads whole tables."""
        return await figures.stored(await self._engine.prepared())

    async def open_jobs(self, user: str) -> int:
        """How much of a user's work is under way: running, due or to be retried; not what is for later."""
        parts, user_id = await self._engine.prepared(), check_user_id(user)
        return await parts.database.read(user_id, lambda tx: jobs.open_count(tx, user_id, parts.now()))

    async def has_service_keys(self) -> bool:
        """Whether there is a service key that nobody has revoked."""
        return await tokens_of.has_service_keys(await self._engine.prepared())

    async def finish_talks(self, seconds: float) -> None:
        """Let answers on their way come to their end; what is late then is stored as far as it has come."""
        await (await self._engine.prepared()).talks.aclose(seconds)

    # -- what only the wire has -----------------------------------------------------------------------------

    async def export(self, user: str, include: Iterable[str] | None) -> Packed:
        """What `AsyncMemory.export` gives, as text that takes little room."""
        chosen = check_parts(include)
        return await export_packed(await self._engine.prepared(), check_user_id(user), include=chosen)

    async def entity_graph(self, user: str, limit: int) -> EntityGraph:
        """Who is mentioned with whom: the most mentioned entities, and for each pair of them in how many memories."""
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
        """Pass a chat completion on to the model with memory added, and record the turn.

        `content` is the request as it came. `memory` and `tools` say whether memory is added and our tools are offered;
        without a `budget` that of the settings counts.
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
        """Which models there are."""
        return await accompany.models(await self._engine.with_worker())

    async def embeddings(self, content: bytes) -> Answered:
        """Pass a request for embeddings on to the model's server."""
        return await accompany.embeddings(await self._engine.with_worker(), content)

    # -- requests that may come twice -----------------------------------------------------------------------

    async def begin(self, user_id: str, key: str, request_hash: str) -> Earlier | None:
        """Take a key for a request; if it is taken, what is known of the earlier request."""
        return await idempotency.begin(await self._engine.prepared(), user_id, key, request_hash)

    async def keep(self, user_id: str, key: str, request_hash: str, answer: str) -> None:
        """Keep the answer of a request that was begun."""
        await idempotency.keep(await self._engine.prepared(), user_id, key, request_hash, answer)

    async def renew(self, user_id: str, key: str, request_hash: str) -> None:
        """Say that a request is still under way."""
        await idempotency.renew(await self._engine.prepared(), user_id, key, request_hash)

    async def release(self, user_id: str, key: str, request_hash: str) -> None:
        """Let the key of a request that has no answer to keep be free again."""
        await idempotency.release(await self._engine.prepared(), user_id, key, request_hash)

    async def prune(self) -> int:
        """Delete expired answers of everybody; return how many."""
        return await idempotency.prune(await self._engine.prepared())
