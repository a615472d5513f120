"""Where memory stands among the messages of a chat completion.

Around the conversation, when the server takes it: what changes rarely behind the client's own instructions, so that a
provider's cache finds everything before the conversation again, and what the question brought right before the question.
Some chat templates refuse that: system messages anywhere but at the beginning, a second one, roles that do not take
turns. Then all of it stands in front, in one system message, which no template that was tried refuses
(llama.cpp with three templates; the refusals were status 400 with the template's words).

The client's own messages stay as they are; in front, a client's own instructions are the beginning of that one message.
Memory inside the user's message was rejected: it would change what the user said.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Any, cast

#: Roles that instruct; `developer` is what newer models call `system`.
INSTRUCTING = ("system", "developer")
_ROLES = re.compile(r"system|role|template|alternat", re.IGNORECASE)


class Placing(StrEnum):
    """Where memory stands."""

    AROUND = "around"
    FRONT = "front"


def about_roles(complaint: str) -> bool:
    """Whether a server refuses messages because of who speaks when."""
    return bool(_ROLES.search(complaint))


def placed(
    messages: Sequence[Mapping[str, Any]], stable: str, recalled: str, placing: Placing
) -> list[Mapping[str, Any]]:
    """The client's messages with memory among them; without memory, as they are."""
    start = _leading(messages)
    if placing is Placing.FRONT:
        ours = _joined(stable, recalled)
        front = [_extended(messages[:start], ours)] if ours else messages[:start]
        return [*front, *messages[start:]]
    asked = _last_question(messages)
    if asked == start or not recalled:
        return [*messages[:start], *_system(_joined(stable, recalled)), *messages[start:]]
    return [
        *messages[:start],
        *_system(stable),
        *messages[start:asked],
        *_system(recalled),
        *messages[asked:],
    ]


def one_system(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages of ours for a server that wants one system message, in front, and roles that take turns."""
    told = [str(message["content"]) for message in messages if message["role"] in INSTRUCTING]
    spoken = [message for message in messages if message["role"] not in INSTRUCTING]
    turns: list[dict[str, Any]] = []
    for _, together in groupby(spoken, key=lambda message: message["role"]):
        group = list(together)
        turns.append({**group[0], "content": "\n\n".join(str(item["content"]) for item in group)})
    return [*({"role": "system", "content": text} for text in ["\n\n".join(told)] if text), *turns]


def _leading(messages: Sequence[Mapping[str, Any]]) -> int:
    """How many messages instruct before anybody speaks."""
    return next(
        (number for number, message in enumerate(messages) if message.get("role") not in INSTRUCTING),
        len(messages),
    )


def _last_question(messages: Sequence[Mapping[str, Any]]) -> int:
    """The place of the user's last message; behind everything when there is none."""
    return next(
        (place for place in range(len(messages) - 1, -1, -1) if messages[place].get("role") == "user"),
        len(messages),
    )


def _system(text: str) -> list[Mapping[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _extended(instructions: Sequence[Mapping[str, Any]], ours: str) -> Mapping[str, Any]:
    """The client's instructions and ours as one message, theirs first."""
    if not instructions:
        return {"role": "system", "content": ours}
    contents = [message.get("content") for message in instructions]
    if all(isinstance(content, str) for content in contents):
        return {**instructions[0], "content": _joined(*cast("list[str]", contents), ours)}
    parts: list[object] = []
    for content in contents:
        if isinstance(content, list):
            parts += cast("list[object]", content)
        elif isinstance(content, str):
            parts.append({"type": "text", "text": content})
    return {**instructions[0], "content": [*parts, {"type": "text", "text": ours}]}
