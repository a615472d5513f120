"""The tools for models: S3's five and S2's `saveMemory`, with their descriptions and parameters.

`api/tools` runs them. The two that store a memory follow their sources: S3's asks for an importance, S2's for a reason. Each
offers the five categories of its source; the store accepts all seven.
"""

from typing import Final

from recollect.errors import NotFound
from recollect.records.category import Category
from recollect.records.memory import MAX_CONTENT, MAX_REASONING, MIN_CONTENT, MIN_REASONING
from recollect.records.tool import Kind, Parameter, Tool

#: S3's defaults, and the maximum per reply.
SEARCH_LIMIT: Final = 5
LIST_LIMIT: Final = 20
MAX_LIMIT: Final = 100

_S2_CATEGORIES: Final = ("identity", "preference", "project", "context", "relationship")
_S3_CATEGORIES: Final = ("preference", "fact", "context", "skill", "project")
_CATEGORIES: Final = tuple(category.value for category in Category)

_THIRD_PERSON: Final = (
    'Write in the third person: "I prefer TypeScript" becomes "User prefers TypeScript", "My wife is Jane" becomes'
    ' "User\'s wife is named Jane".'
)
_NOT_FOR: Final = (
    "Do not call it for one-off requests, for what is known already (look at the memories that you were given), for"
    ' vague or uncertain plans ("might try Python someday"), for questions, for general knowledge without a link to the'
    " user, or for the flow of this conversation."
)


def _limit(default: int) -> Parameter:
    return Parameter(
        name="limit",
        kind=Kind.WHOLE,
        description=f"The most memories to return; {default} if left out.",
        lowest=1,
        highest=MAX_LIMIT,
    )


_FILTER: Final = Parameter(
    name="category", kind=Kind.TEXT, description="Only memories of this category.", choices=_CATEGORIES
)
_MEMORY_ID: Final = Parameter(
    name="memory_id",
    kind=Kind.TEXT,
    description="The ID of the memory, exactly as search_memories or list_memories shows it.",
    required=True,
)

STORE_MEMORY: Final = Tool(
    name="store_memory",
    title="Store a memory",
    description=(
        "Save a lasting fact about the user to long-term memory. Call it when the user states a preference, a skill, "
        "their role or background, the goal of a project, or another important fact about themselves, and whenever they "
        f"ask you to remember something. {_NOT_FOR} {_THIRD_PERSON} If the fact corrects a memory that you know, call "
        "update_memory instead."
    ),
    parameters=(
        Parameter(
            name="content",
            kind=Kind.TEXT,
            description="One fact, in the third person: 'User prefers Python 3.12+'.",
            required=True,
            lowest=MIN_CONTENT,
            highest=MAX_CONTENT,
        ),
        Parameter(
            name="category",
            kind=Kind.TEXT,
            description="preference: likes, dislikes, settings. fact: anything else about the user. context: their situation. "
            "skill: what they can do. project: what they work on.",
            required=True,
            choices=_S3_CATEGORIES,
        ),
        Parameter(
            name="importance",
            kind=Kind.NUMBER,
            description="How much it matters for later conversations: 1 is minor, 10 is critical.",
            required=True,
            lowest=1,
            highest=10,
        ),
        Parameter(
            name="tags",
            kind=Kind.LIST,
            description="Words to find it by, such as 'python' or 'coding_style'.",
        ),
    ),
)

SEARCH_MEMORIES: Final = Tool(
    name="search_memories",
    title="Search memories",
    description=(
        "Find what is remembered about the user, by words and by meaning, best first. Call it before work that depends on "
        "the user's preferences (for example before you write code), when something that they may have told earlier would "
        "help, or to find the ID of a memory that must change. Do not call it for what is in this conversation already."
    ),
    parameters=(
        Parameter(
            name="query",
            kind=Kind.TEXT,
            description="Keywords or a question: 'python', 'How does the user test?'.",
            required=True,
        ),
        _FILTER,
        _limit(SEARCH_LIMIT),
    ),
    only_reads=True,
    repeatable=True,
)

LIST_MEMORIES: Final = Tool(
    name="list_memories",
    title="List memories",
    description=(
        "List what is remembered about the user, newest first, grouped by category. Call it when the user asks what you know "
        "about them or wants to see their memories. To find something particular, call search_memories."
    ),
    parameters=(_FILTER, _limit(LIST_LIMIT)),
    only_reads=True,
    repeatable=True,
)

UPDATE_MEMORY: Final = Tool(
    name="update_memory",
    title="Update a memory",
    description=(
        "Change what a memory says. Call it when the user corrects it ('Actually, I prefer X now'), or when it has become more or "
        f"less important. The earlier text is kept in its history. {_THIRD_PERSON}"
    ),
    parameters=(
        _MEMORY_ID,
        Parameter(
            name="new_content",
            kind=Kind.TEXT,
            description="What is true now, in the third person.",
            required=True,
            lowest=MIN_CONTENT,
            highest=MAX_CONTENT,
        ),
        Parameter(
            name="importance",
            kind=Kind.NUMBER,
            description="The new importance, 1 to 10; left out, it stays.",
            lowest=1,
            highest=10,
        ),
    ),
    repeatable=True,
)

DELETE_MEMORY: Final = Tool(
    name="delete_memory",
    title="Delete a memory",
    description=(
        "Erase a memory for good, with its history. Call it when the user asks to forget something or to delete a memory. If "
        "something else is true now, call update_memory instead."
    ),
    parameters=(_MEMORY_ID,),
    destroys=True,
    repeatable=True,
)

SAVE_MEMORY: Final = Tool(
    name="saveMemory",
    title="Save a memory",
    description=(
        "Save important information about the user to their memory bank, so that later conversations know it. Call it when "
        "the user asks you to remember or not to forget something, tells who they are (name, role, home, family), states a "
        "clear preference ('I always', 'I never'), describes a project of theirs, or names people who matter to them. "
        f"{_NOT_FOR} {_THIRD_PERSON}"
    ),
    parameters=(
        Parameter(
            name="content",
            kind=Kind.TEXT,
            description="The fact to remember, in the third person: 'User prefers dark mode'.",
            required=True,
            lowest=MIN_CONTENT,
            highest=MAX_CONTENT,
        ),
        Parameter(
            name="category",
            kind=Kind.TEXT,
            description="identity: who they are. preference: likes, dislikes, settings. project: work and ongoing tasks. "
            "context: their situation. relationship: people they know.",
            required=True,
            choices=_S2_CATEGORIES,
        ),
        Parameter(
            name="reasoning",
            kind=Kind.TEXT,
            description="Why this is worth remembering for long, in one or two sentences.",
            required=True,
            lowest=MIN_REASONING,
            highest=MAX_REASONING,
        ),
    ),
)

#: S3's tools, in its order.
S3_TOOLS: Final = (STORE_MEMORY, SEARCH_MEMORIES, LIST_MEMORIES, UPDATE_MEMORY, DELETE_MEMORY)
TOOLS: Final = (*S3_TOOLS, SAVE_MEMORY)
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def tool_named(name: str) -> Tool:
    """The tool with this name."""
    try:
        return _BY_NAME[name]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise NotFound(f"There is no tool {name[:40]!r}. Use one of {known}.", id=name) from None
