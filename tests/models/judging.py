"""What tests of the judges start from: material from who said what, and an account of what models cost."""

from dataclasses import dataclass, field
from typing import Any

from spoken import spoken

from recollect.records.judgement import Material
from recollect.records.message import messages_of


def heard(*said: tuple[str, str], **more: Any) -> Material:
    """Material of these messages, with the ids m1, m2 …, from Sunday 1 March 2026."""
    return Material(messages=messages_of(spoken(*said)), **more)


def reply(**lists: Any) -> dict[str, Any]:
    """A whole reply with these lists in it."""
    return {"reasoning": "x", "memories": [], "pins": [], "todos": [], "forget": [], **lists}


def fact(content: str, message: object = 1, **more: Any) -> dict[str, Any]:
    """A memory as a model writes it."""
    values: dict[str, Any] = {
        "reasoning": "It will matter for long.",
        "content": content,
        "category": "fact",
        "entities": [],
        "confidence": 0.9,
        "message": message,
    }
    return {**values, **more}


@dataclass
class Account:
    """Notes every call; `allows` says how many more may be made."""

    allows: int = 1000
    #: Model, tokens of the question and of the answer, and whether it failed.
    notes: list[tuple[str, int, int, bool]] = field(default_factory=list[tuple[str, int, int, bool]])

    async def allowed(self) -> bool:
        return len(self.notes) < self.allows

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        self.notes.append((model, prompt_tokens, completion_tokens, failed))
