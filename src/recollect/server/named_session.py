"""S0's word for a chat: what it calls `session_id` is the name of a chat, and errors say it in S0's word too."""

from recollect.api.chat import AsyncChat
from recollect.api.memory import AsyncMemory
from recollect.records.message import check_name
from recollect.server.caller import Caller


def chat_named(
    session_id: str, caller: Caller, memory: AsyncMemory, *, persona: str | None = None
) -> AsyncChat:
    """The chat that a caller means by a `session_id`."""
    return memory.chat(check_name(session_id, field="session_id"), user=caller.user, persona=persona)
