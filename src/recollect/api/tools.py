"""Tools for models: their schemas in each provider's format, and a method that runs a tool call.

A tool that refuses returns its reason instead of raising, because the model needs an answer it can act on. Errors that no
model can fix (unknown tool, invalid user, unavailable database) are raised. The user is never a tool argument, so that no
model can choose another user.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.api.arguments import LOCAL_USER, NewMemory, as_name, as_persona
from recollect.api.calls import Explained
from recollect.api.engine import engine_of
from recollect.api.facts import Facts
from recollect.engine import remember as remembering
from recollect.engine import revise
from recollect.engine.parts import Parts
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.records import tool_reply
from recollect.records.category import parse_category
from recollect.records.memory import MemoryRecord, check_user_id
from recollect.records.message import Role
from recollect.records.tool import in_format, parse_format, read_arguments
from recollect.records.tool_catalogue import LIST_LIMIT, SEARCH_LIMIT, TOOLS, tool_named
from recollect.records.tool_reply import ToolReply
from recollect.rules.user_edits import Edit
from recollect.store import memories, messages
from recollect.store.database import Connection
from recollect.store.memories import Filter

#: How many of a chat's last messages to search for the user's last one: a turn may contain many tool calls.
_LATEST = 20
#: The author that the history records.
_BY = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The user of a tool call, and its arguments."""

    parts: Parts
    user: str
    persona: str | None
    chat: str | None
    given: dict[str, Any]


class AsyncTools(Explained):
    """Tools that a model can call."""

    _written = "memory.tools"

    def __init__(self, memory: Facts) -> None:
        self._memory = memory

    async def schemas(self, format: str = "openai") -> list[dict[str, Any]]:
        """Get the schemas of all tools in a provider's format: openai, anthropic or gemini."""
        return in_format(TOOLS, parse_format(format))

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        /,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
    ) -> ToolReply:
        """Run a model's tool call. If the tool refuses, `is_error` is True and `text` gives the reason.

        `arguments` is an object or JSON text, as OpenAI sends it. With `persona`, the tool sees what that persona sees. With
        `chat`, a stored fact is linked to the user's last message in that chat and is forgotten along with it.
        """
        tool = tool_named(name)
        who, persona, chat = check_user_id(user), as_persona(persona), as_name(chat, "chat_id")
        parts = await engine_of(self._memory).prepared()
        try:
            asked = _Asked(
                parts=parts, user=who, persona=persona, chat=chat, given=read_arguments(tool, arguments)
            )
            match tool.name:
                case "store_memory" | "saveMemory":
                    return await self._store(asked)
                case "search_memories":
                    return await self._search(asked, **asked.given)
                case "list_memories":
                    return await self._list(asked, **asked.given)
                case "update_memory":
                    return await self._update(asked, **asked.given)
                case _:
                    return await self._delete(asked, **asked.given)
        except (InvalidInput, NotFound, Conflict) as error:
            return tool_reply.refusal(error.message)

    async def _store(self, asked: _Asked) -> ToolReply:
        given = {("reason" if name == "reasoning" else name): value for name, value in asked.given.items()}
        new = NewMemory(
            **given,
            persona=asked.persona,
            source="tool",
            source_message_ids=await _said_last(asked),
        )
        done = await remembering.remember(asked.parts, asked.user, new.to_request(), by=_BY)
        text = tool_reply.stored(done.memory.memory_id) if done.stored else tool_reply.known(done.memory)
        result = done.to_dict()
        if "reason" not in given:
            # S3's function has its own name for the id.
            result["memory_id"] = done.memory.memory_id
        return ToolReply(text=text, result=result)

    async def _search(
        self, asked: _Asked, query: str, category: str | None = None, limit: int = SEARCH_LIMIT
    ) -> ToolReply:
        hits = await self._memory.search(
            query, user=asked.user, persona=asked.persona, category=category, limit=limit, messages=0
        )
        found = [hit.memory for hit in hits]
        return ToolReply(
            text=tool_reply.found(query, found), result={"memories": [memory.to_s3() for memory in found]}
        )

    async def _list(self, asked: _Asked, category: str | None = None, limit: int = LIST_LIMIT) -> ToolReply:
        kind = parse_category(category) if category is not None else None

        def load(tx: Connection) -> tuple[list[MemoryRecord], int]:
            wanted = Filter(category=kind, persona_id=asked.persona)
            return (
                memories.page(tx, asked.user, wanted, limit=limit),
                memories.count_active(tx, asked.user, category=kind, persona_id=asked.persona),
            )

        found, total = await asked.parts.database.read(asked.user, load)
        return ToolReply(
            text=tool_reply.listed(found, total, kind),
            result={"memories": [memory.to_s3() for memory in found], "total": total},
        )

    async def _update(
        self, asked: _Asked, memory_id: str, new_content: str, importance: float | None = None
    ) -> ToolReply:
        await self._reachable(asked, memory_id)
        change = Edit(content=new_content, importance=importance)
        await revise.edit(asked.parts, asked.user, memory_id, change, by=_BY)
        return ToolReply(text=tool_reply.UPDATED, result={"success": True, "memory_id": memory_id})

    async def _delete(self, asked: _Asked, memory_id: str) -> ToolReply:
        await self._reachable(asked, memory_id)
        await self._memory.forget(memory_id, user=asked.user)
        return ToolReply(text=tool_reply.DELETED, result={"success": True, "memory_id": memory_id})

    async def _reachable(self, asked: _Asked, memory_id: str) -> None:
        """Refuse an id that is not this user's, or is private to another persona."""
        try:
            known = await self._memory.get(memory_id, user=asked.user)
        except NotFound:
            known = None
        if known is None or (asked.persona is not None and known.persona_id not in (None, asked.persona)):
            raise NotFound(
                f"There is no memory {memory_id[:100]!r}. Get IDs from search_memories or list_memories.",
                id=memory_id,
            )


async def _said_last(asked: _Asked) -> list[str]:
    """The user's last message in the tool call's chat, which is the fact's source."""
    if asked.chat is None:
        return []
    chat_id = asked.chat
    latest = await asked.parts.database.read(
        asked.user, lambda tx: messages.latest(tx, asked.user, chat_id, _LATEST)
    )
    return [message.message_id for message in latest if message.role is Role.USER][-1:]
