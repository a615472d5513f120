"""The three tools that only MCP clients need: record a conversation, get a context, pin a fact.

Python and HTTP have better ways to do this, but MCP clients have only tools. S3's five tools are in `api/tools.py`.
"""

from typing import Any, Final

from recollect.api.memory import AsyncMemory
from recollect.context import Context
from recollect.errors import InvalidInput
from recollect.records.message import Role
from recollect.records.pin import MAX_CONTENT
from recollect.records.tool import Kind, Parameter, Tool, read_arguments
from recollect.records.tool_reply import ToolReply
from recollect.rules.budget import DEFAULT_BUDGET, MAX_BUDGET, MIN_BUDGET
from recollect.server.mcp.asking import Asking

NOTHING_KNOWN: Final = "Nothing is remembered about this user yet."
#: The allowed roles. System text counts as trusted, and a model must not be able to create trusted text.
_SPEAKERS: Final = (Role.USER.value, Role.ASSISTANT.value)


def _chat_id(description: str, *, required: bool = True) -> Parameter:
    return Parameter(name="chat_id", kind=Kind.TEXT, description=description, required=required)


REMEMBER_CONVERSATION: Final = Tool(
    name="remember_conversation",
    title="Remember a conversation",
    description=(
        "Record what was said, word for word, so that it can be found later and lasting facts and open tasks are drawn from it "
        "without your doing. Call it after an exchange that matters beyond this moment, with the messages since the last "
        "call, each once and in order. Do not call it for a single fact that the user asks you to keep: that is "
        "store_memory."
    ),
    parameters=(
        _chat_id(
            "A name for this conversation that you choose once and use throughout it: 'trip-to-lisbon'."
        ),
        Parameter(
            name="messages",
            kind=Kind.LIST,
            description="What was said, oldest first.",
            required=True,
            entries=(
                Parameter(
                    name="role",
                    kind=Kind.TEXT,
                    description="Who said it.",
                    required=True,
                    choices=_SPEAKERS,
                ),
                Parameter(name="text", kind=Kind.TEXT, description="The exact words.", required=True),
            ),
        ),
    ),
)

GET_CONTEXT: Final = Tool(
    name="get_context",
    title="Get the context of a question",
    description=(
        "Get everything remembered that bears on a question, as one text within a budget of tokens: who the user is, what is "
        "pinned and open, and past messages that touch it. Call it at the start of a conversation, or when a question refers "
        "to something earlier. For single facts with their IDs call search_memories."
    ),
    parameters=(
        Parameter(
            name="query",
            kind=Kind.TEXT,
            description="The question or the topic, in the user's words.",
            required=True,
        ),
        _chat_id("A recorded conversation to go on with; left out, what all of them share.", required=False),
        Parameter(
            name="budget",
            kind=Kind.WHOLE,
            description=f"The most tokens that the text may have; {DEFAULT_BUDGET} if left out.",
            lowest=MIN_BUDGET,
            highest=MAX_BUDGET,
        ),
    ),
    only_reads=True,
    repeatable=True,
)

PIN_FACT: Final = Tool(
    name="pin_fact",
    title="Pin a fact",
    description=(
        "Pin a fact to one conversation: every context of it holds the fact from then on. Call it when the user says that "
        "something must not be lost sight of here. For what holds in every conversation call store_memory."
    ),
    parameters=(
        Parameter(
            name="content",
            kind=Kind.TEXT,
            description="The fact, in one sentence.",
            required=True,
            lowest=1,
            highest=MAX_CONTENT,
        ),
        _chat_id("The conversation, by the name that remember_conversation was given."),
    ),
    repeatable=True,
)

OWN_TOOLS: Final = (REMEMBER_CONVERSATION, GET_CONTEXT, PIN_FACT)


async def call_own(memory: AsyncMemory, asking: Asking, tool: Tool, arguments: object) -> ToolReply:
    """Execute one of the three tools; raises an error if it refuses."""
    given = read_arguments(tool, arguments)
    if tool is REMEMBER_CONVERSATION:
        return await _remember(memory, asking, **given)
    if tool is PIN_FACT:
        return await _pin(memory, asking, **given)
    return ToolReply(text=await context_text(memory, asking, **given))


async def _remember(
    memory: AsyncMemory, asking: Asking, chat_id: str, messages: list[dict[str, Any]]
) -> ToolReply:
    for number, message in enumerate(messages):
        if message["role"] not in _SPEAKERS:
            raise InvalidInput(f"messages[{number}].role must be user or assistant.", field="messages")
    if not messages:
        raise InvalidInput("messages is empty; send what was said.", field="messages")
    chat = memory.chat(chat_id, user=asking.user, persona=asking.persona)
    recorded = await chat.add(messages)
    count = len(recorded.messages)
    return ToolReply(text=f"✓ {count} message{'' if count == 1 else 's'} recorded")


async def _pin(memory: AsyncMemory, asking: Asking, content: str, chat_id: str) -> ToolReply:
    chat = memory.chat(chat_id, user=asking.user, persona=asking.persona)
    for known in await chat.pins():
        if known.content == content.strip():
            return ToolReply(text=f"This fact is pinned already (ID: {known.pin_id})")
    pin = await chat.pin(content)
    return ToolReply(text=f"✓ Fact pinned (ID: {pin.pin_id})")


async def context_text(
    memory: AsyncMemory,
    asking: Asking,
    query: str | None = None,
    chat_id: str | None = None,
    budget: int = DEFAULT_BUDGET,
) -> str:
    """What a model should see for a question, in one chat or across all, or a sentence that nothing is known."""
    given: Context
    if chat_id is None:
        given = await memory.context(query, user=asking.user, persona=asking.persona, tokens=budget)
    else:
        chat = memory.chat(chat_id, user=asking.user, persona=asking.persona)
        given = await chat.context(query, tokens=budget)
    return given.to_text() if given.sections or given.tail else NOTHING_KNOWN
