"""Contexts: what a model should see now, in one chat or across all chats, within a token budget.

The shape is S0's MemoryContext, plus the forms to send and the reason for each line.
"""

# ruff: noqa: N815 (the names in the shapes are S0's)

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from recollect.context import Context
from recollect.engine.accesses import counted
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.server.caller import Reader, TheMemory
from recollect.server.chat_memory import PIN, SUMMARY, PinShape, SummaryShape, chat_named
from recollect.server.messages import MESSAGE, MessageShape
from recollect.server.wire import Json, example, problems

router = APIRouter(tags=["context"])

Asked = Annotated[
    str | None,
    Query(
        description="The user's question; in a chat, defaults to the user's last message if it is unanswered."
    ),
]
Budget = Annotated[int, Query(description="Maximum tokens in the context, at least 200.")]
AsWhom = Annotated[
    str | None, Query(alias="persona_id", description="The persona that answers; the chat must belong to it.")
]
At = Annotated[
    str | None,
    Query(description="The time of the question, to resolve words such as `yesterday`; default: now."),
]
Zone = Annotated[str, Query(description="The user's time zone as an IANA name, such as Europe/Berlin.")]
Record = Annotated[bool, Query(description="`false`: do not count the memories shown as used.")]


class UndatedShape(BaseModel):
    """The wording of a past message that follows another from the same talk and day."""

    chat_id: str
    day: str
    text: str
    tokens: int


class LineShape(BaseModel):
    """One line that a model sees: its cost, its reason, and the records it comes from."""

    text: str
    tokens: int
    why: str
    sources: list[str]
    #: The heading inside its section.
    group: str
    undated: UndatedShape | None


class SectionShape(BaseModel):
    """A group of related lines."""

    name: str
    tokens: int
    lines: list[LineShape]


class DroppedShape(BaseModel):
    """Text that was omitted or shortened (`cut`): its beginning, and the reason."""

    section: str
    text: str
    tokens: int
    why: str
    sources: list[str]
    cut: bool


class QuestionShape(BaseModel):
    """The user's question, empty if there is none, and its message ID if it is already recorded."""

    text: str
    message_id: str | None


class ContextShape(BaseModel):
    """What a model should see: pins, summaries and messages, the forms to send, and their parts."""

    recentMessages: list[MessageShape]
    semanticPins: list[PinShape]
    summaries: list[SummaryShape]
    #: Tokens in the three lists.
    totalTokens: int
    #: S1's memory text.
    text: str
    #: For any chat-completions API.
    messages: list[dict[str, Any]]
    sections: list[SectionShape]
    dropped: list[DroppedShape]
    chat_id: str | None
    budget: int
    #: Tokens in the most expensive form.
    tokens: int
    question: QuestionShape
    #: S3's block for a system prompt: only the profile.
    memory_block: str


_CONTEXT = {
    "recentMessages": [MESSAGE],
    "semanticPins": [PIN],
    "summaries": [SUMMARY],
    "totalTokens": 1250,
    "text": "PINNED FACTS (always true in this chat):\n- Patient allergic to Penicillin and Sulfa drugs. …",
    "messages": [
        {"role": "system", "content": "PINNED FACTS (always true in this chat):\n- …"},
        {"role": "user", "content": "My dad is allergic to Penicillin, had anaphylaxis in 2010"},
    ],
    "sections": [
        {
            "name": "pins",
            "tokens": 31,
            "lines": [
                {
                    "text": "Patient allergic to Penicillin and Sulfa drugs. …",
                    "tokens": 24,
                    "why": "pinned, importance 10",
                    "sources": [PIN["id"]],
                    "group": "",
                    "undated": None,
                }
            ],
        }
    ],
    "dropped": [],
    "chat_id": "session-456",
    "budget": 8000,
    "tokens": 1312,
    "question": {"text": "What antibiotics are safe?", "message_id": None},
    "memory_block": "=== LONG-TERM MEMORY ===\n…\n=== END MEMORY ===",
}


@router.get(
    "/api/memory/context/{session_id}",
    response_model=ContextShape,
    responses=problems(409, 502, 504) | example(_CONTEXT),
)
async def get_chat_context(
    session_id: Annotated[
        str,
        Path(
            description="The chat's ID. A chat that does not exist yet has a context too: what is known about the user."
        ),
    ],
    caller: Reader,
    memory: TheMemory,
    query: Asked = None,
    budget: Budget = DEFAULT_BUDGET,
    persona: AsWhom = None,
    at: At = None,
    zone: Zone = "UTC",
    record: Record = True,
) -> Json:
    """Show everything that a model should see now in a chat, line by line, with reasons and costs."""
    chat = chat_named(session_id, caller, memory, persona=persona)
    with counted(record):
        return _answer(await chat.context(query or None, tokens=check_budget(budget), at=at, zone=zone))


@router.get(
    "/v1/context",
    response_model=ContextShape,
    responses=problems(502, 504)
    | example(_CONTEXT | {"chat_id": None, "recentMessages": [], "summaries": []}),
)
async def get_context(
    caller: Reader,
    memory: TheMemory,
    query: Asked = None,
    budget: Budget = DEFAULT_BUDGET,
    persona: AsWhom = None,
    at: At = None,
    zone: Zone = "UTC",
    record: Record = True,
) -> Json:
    """Show what a model should see outside any chat: who the user is, what is open, and what is relevant to the question."""
    with counted(record):
        found = await memory.context(
            query or None, user=caller.user, persona=persona, tokens=check_budget(budget), at=at, zone=zone
        )
    return _answer(found)


def _answer(context: Context) -> Json:
    return Json({**context.to_dict(), "memory_block": context.memory_block()})
