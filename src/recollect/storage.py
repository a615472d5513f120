"""Five functions for a model's tool calls, named as in S3: `storage.save_memory(user_id=…, content=…)`.

A refusal is returned, not raised, because the model needs a reply it can read. The first call opens the default database;
to use another memory or a client, call `use(memory)`.
"""

from collections.abc import Iterable
from typing import Any

from recollect.api.arguments import NewMemory
from recollect.api.blocking import Memory
from recollect.errors import Conflict, InvalidInput, NotFound

_used: list[Memory] = []


def use(memory: Memory) -> None:
    """Use this memory from now on. The caller remains responsible for closing it."""
    _used[:] = [memory]


def _memory() -> Memory:
    if not _used:
        use(Memory())
    return _used[0]


def save_memory(
    user_id: str,
    content: str,
    category: str,
    importance: float | None = None,
    tags: Iterable[str] = (),
    source_context: str | None = None,
) -> dict[str, Any]:
    """Return `{"success": True, "memory_id": …}`; for a duplicate or a refusal, `success` is False with a reason."""
    new = NewMemory(
        content,
        category=category,
        importance=importance,
        tags=tags,
        source="tool",
        source_context=source_context,
    )
    try:
        done = _memory().add(new, user=user_id)
    except InvalidInput as error:
        return {"success": False, "error": error.message}
    return {**done.to_dict(), "memory_id": done.memory.memory_id}


def search_memories(
    user_id: str, query: str, category: str | None = None, limit: int = 5
) -> list[dict[str, Any]]:
    """Return memory records that match the query, best first."""
    found = _memory().search(query, user=user_id, category=category, limit=limit, messages=0)
    return [hit.memory.to_s3() for hit in found]


def get_memories(user_id: str, category: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """Return memory records, newest first."""
    return [memory.to_s3() for memory in _memory().memories(user=user_id, category=category, limit=limit)]


def update_memory(
    user_id: str, memory_id: str, new_content: str, importance: float | None = None
) -> dict[str, Any]:
    """Return `{"success": True, "memory_id": …}`, or `success` False with a reason."""
    try:
        _memory().update(memory_id, user=user_id, content=new_content, importance=importance)
    except (InvalidInput, NotFound, Conflict) as error:
        return {"success": False, "error": error.message}
    return {"success": True, "memory_id": memory_id}


def delete_memory(user_id: str, memory_id: str) -> bool:
    """Erase the memory; return whether it existed."""
    try:
        _memory().forget(memory_id, user=user_id)
    except NotFound:
        return False
    return True
