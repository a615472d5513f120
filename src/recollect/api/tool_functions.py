"""The face for tools: S3's five functions, by their names and in the shapes that they return.

They say no instead of raising: a model that called a tool needs a reply that it can read. They stand on the verbs of a
memory alone, so that a client of a service has them too.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol

from recollect.engine.forget import Receipt
from recollect.engine.remember import Remembered
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.index.answer import Recalled
from recollect.records.memory import MemoryRecord


class Remembering(Protocol):
    """The verbs that the functions need, with the arguments of `Facts`."""

    @property
    def remember(self) -> Callable[..., Awaitable[Remembered]]: ...

    @property
    def recall(self) -> Callable[..., Awaitable[Recalled]]: ...

    @property
    def memories(self) -> Callable[..., Awaitable[list[MemoryRecord]]]: ...

    @property
    def update(self) -> Callable[..., Awaitable[MemoryRecord]]: ...

    @property
    def forget(self) -> Callable[..., Awaitable[Receipt]]: ...


class ToolFunctions:
    """What a model calls."""

    async def save_memory(
        self: Remembering,
        user_id: str,
        content: str,
        category: str,
        importance: float | None = None,
        tags: Iterable[str] = (),
        source_context: str | None = None,
    ) -> dict[str, Any]:
        """`{"success": True, "memory_id": …}`; a duplicate or a refusal has `success` False and says why."""
        try:
            done = await self.remember(
                content,
                user=user_id,
                category=category,
                importance=importance,
                tags=tags,
                source_context=source_context,
                source="tool",
            )
        except InvalidInput as error:
            return {"success": False, "error": error.message}
        return {**done.to_dict(), "memory_id": done.memory.memory_id}

    async def search_memories(
        self: Remembering, user_id: str, query: str, category: str | None = None, limit: int = 5
    ) -> list[dict[str, Any]]:
        """Memory records that fit the query, best first."""
        found = await self.recall(query, user=user_id, category=category, limit=limit, episodes=0)
        return [hit.memory.to_s3() for hit in found.hits]

    async def get_memories(
        self: Remembering, user_id: str, category: str | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Memory records, newest first."""
        return [
            memory.to_s3() for memory in await self.memories(user=user_id, category=category, limit=limit)
        ]

    async def update_memory(
        self: Remembering, user_id: str, memory_id: str, new_content: str, importance: float | None = None
    ) -> dict[str, Any]:
        """`{"success": True, "memory_id": …}`, or `success` False and why."""
        try:
            await self.update(memory_id, user=user_id, content=new_content, importance=importance, by="tool")
        except (InvalidInput, NotFound, Conflict) as error:
            return {"success": False, "error": error.message}
        return {"success": True, "memory_id": memory_id}

    async def delete_memory(self: Remembering, user_id: str, memory_id: str) -> bool:
        """Whether the memory was there; it is erased."""
        try:
            await self.forget(memory_id, user=user_id)
        except NotFound:
            return False
        return True
