"""Exports of other products, in their real shapes and with invented content.

Shapes are those that public parsers and examples show. Each builder takes what was said, so that a test can make a small
export, a later one that holds more, or a broken one.
"""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

#: 2025-01-28T10:30:00Z.
START = 1_738_060_200.0
NOBODY = "00000000-0000-4000-8000-000000000000"

Said = Sequence[tuple[str, str]]
TALK: Said = (
    ("user", "I live in Graz and I love the hills"),
    ("assistant", "The hills of Styria are lovely."),
)


def node(name: str, parent: str | None, message: object = None) -> dict[str, Any]:
    """A node of ChatGPT's mapping."""
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt_message(
    role: str, *parts: object, at: float | None = START, kind: str = "text", **more: Any
) -> dict[str, Any]:
    """A message of ChatGPT."""
    return {
        "id": "m",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": kind, "parts": list(parts)},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        "recipient": "all",
        **more,
    }


def chatgpt_conversation(
    said: Said | Sequence[Mapping[str, Any]] = TALK, name: str = "conv-1", **more: Any
) -> dict[str, Any]:
    """A conversation of one branch, below a root and a hidden system message, as ChatGPT writes it."""
    mapping = {
        "root": node("root", None),
        "sys": node("sys", "root", chatgpt_message("system", "", at=None)),
    }
    last = "sys"
    for number, item in enumerate(said):
        message = item if isinstance(item, Mapping) else chatgpt_message(*item, at=START + 60 * number)
        mapping[f"n{number}"] = node(f"n{number}", last, message)
        mapping[last]["children"] = [f"n{number}"]
        last = f"n{number}"
    return {
        "title": "Hills",
        "create_time": START,
        "update_time": START + 3600,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": last,
        "plugin_ids": None,
        "conversation_id": name,
        "id": name,
        "is_archived": False,
        "default_model_slug": "gpt-4o",
        **more,
    }


def claude_message(number: int, sender: str, text: str, **more: Any) -> dict[str, Any]:
    """A message of Claude."""
    at = f"2025-01-28T10:{30 + number // 60:02}:{number % 60:02}.123456Z"
    return {
        "uuid": f"m{number}",
        "text": text,
        "content": [
            {"start_timestamp": at, "stop_timestamp": at, "type": "text", "text": text, "citations": []}
        ],
        "sender": sender,
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
        **more,
    }


def claude_conversation(said: Said = TALK, name: str = "conv-1", **more: Any) -> dict[str, Any]:
    """A conversation as Claude writes it."""
    senders = {"user": "human"}
    return {
        "uuid": name,
        "name": "Hills",
        "created_at": "2025-01-28T10:30:00.000000Z",
        "updated_at": "2025-01-28T11:30:00.000000Z",
        "account": {"uuid": "account-1"},
        "chat_messages": [
            claude_message(number, senders.get(role, role), text) for number, (role, text) in enumerate(said)
        ],
        **more,
    }


def mem0_memory(text: str, name: str = "8f0e", **more: Any) -> dict[str, Any]:
    """A memory as `get_all` of mem0 gives it."""
    return {
        "id": name,
        "memory": text,
        "user_id": "ann",
        "hash": "1c2d",
        "metadata": {"source": "notes"},
        "categories": ["travel", "food"],
        "created_at": "2025-01-12T06:13:13.704457-08:00",
        "updated_at": "2025-01-14T06:13:13.704457-08:00",
        **more,
    }


def openai_messages(said: Said = TALK) -> list[dict[str, Any]]:
    """Messages as OpenAI's interface takes them."""
    return [{"role": role, "content": text} for role, text in said]


def lines(entries: Sequence[object]) -> str:
    """JSON lines."""
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def zipped(members: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()
