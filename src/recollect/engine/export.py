"""Export: everything of a user as one JSON document that `load` reads again, or as Markdown for people.

What is made again is not in it: vectors, by whatever model serves then, and background work. Rows are read in portions and
turned into JSON values at once, so that the document is the only thing in memory that grows with the user.
"""

from collections.abc import Iterator
from typing import Any

from recollect.domain.category import Category
from recollect.domain.chat import ChatRecord
from recollect.domain.moment import iso
from recollect.domain.portable_chat import brief_values, message_values, pin_values
from recollect.domain.portable_session import rolling_values, session_values, spine_values, state_values
from recollect.engine.parts import Parts
from recollect.store import (
    aliases,
    briefs,
    chats,
    entities,
    histories,
    links,
    memories,
    messages,
    pins,
    rolling_summaries,
    seeds,
    session_states,
    session_summaries,
    sessions,
    spines,
    summaries,
    todos,
)
from recollect.store.database import Connection

#: The version of the document.
FORMAT = 1
#: Rows that are read at once.
_PORTION = 1000
#: Characters of a chat's first words that stand for a title.
_TITLE = 80


async def export(parts: Parts, user_id: str) -> dict[str, Any]:
    """The whole user, as JSON values."""
    now = parts.now()

    def load(tx: Connection) -> dict[str, Any]:
        seed = seeds.get(tx, user_id)
        return {
            "recollect": FORMAT,
            "user_id": user_id,
            "exported_at": iso(now),
            **_facts(tx, user_id),
            "chats": [_chat(tx, chat) for chat in _chats(tx, user_id)],
            "todos": [todo.to_dict() for todo in todos.of_user(tx, user_id)],
            **_sessions(tx, user_id),
            "seed": seed.to_dict() if seed else {},
        }

    return await parts.database.read(user_id, load)


def _facts(tx: Connection, user_id: str) -> dict[str, Any]:
    past: dict[str, list[dict[str, Any]]] = {}
    for entry in histories.of_user(tx, user_id):
        past.setdefault(entry.memory_id, []).append(entry.to_dict())
    return {
        "memories": [
            {**record.to_dict(), "history": past.get(record.memory_id, [])}
            for record in memories.everything(tx, user_id)
        ],
        "links": [
            {"from": link.from_id, "kind": link.kind.value, "to": link.to_id}
            for link in links.of_user(tx, user_id)
        ],
        "entities": [
            {
                "key": row.entity_key,
                "label": row.label,
                "type": row.type,
                "last_mentioned": iso(row.last_mentioned),
            }
            for row in entities.of_user(tx, user_id)
        ],
        "aliases": dict(aliases.of_user(tx, user_id)),
    }


def _chats(tx: Connection, user_id: str) -> Iterator[ChatRecord]:
    before: tuple[str, str] | None = None
    while found := chats.page(tx, user_id, limit=_PORTION, before=before):
        yield from (chat for chat, _ in found)
        before = found[-1][0].cursor


def _chat(tx: Connection, chat: ChatRecord) -> dict[str, Any]:
    user_id, chat_id = chat.user_id, chat.chat_id
    revisions = [brief_values(brief) for brief in briefs.revisions(tx, user_id, chat_id)]
    said = list(_messages(tx, user_id, chat_id))
    return {
        "chat_id": chat_id,
        "persona_id": chat.persona_id,
        "title": chat.title,
        "created_at": iso(chat.created_at),
        # Not beyond the last message: places of deleted ones are not in the file.
        "judged_position": min(chat.judged_position, said[-1]["position"] if said else 0),
        "messages": said,
        "pins": [pin_values(pin) for pin in pins.of_chat(tx, user_id, chat_id)],
        "summaries": [summary.to_dict() for summary in summaries.of_chat(tx, user_id, chat_id)],
        "brief": revisions[-1] if revisions else {},
        "briefs": revisions,
    }


def _messages(tx: Connection, user_id: str, chat_id: str) -> Iterator[dict[str, Any]]:
    position = 0
    while found := messages.after(tx, user_id, chat_id, position, _PORTION):
        yield from map(message_values, found)
        position = found[-1].position


def _sessions(tx: Connection, user_id: str) -> dict[str, Any]:
    stretches: list[dict[str, Any]] = []
    before: tuple[str, str] | None = None
    while found := sessions.page(tx, user_id, limit=_PORTION, before=before):
        stretches += [
            session_values(item, session_summaries.revisions(tx, user_id, item.session_id)) for item in found
        ]
        before = found[-1].cursor
    states = session_states.of_user(tx, user_id)
    return {
        "sessions": stretches,
        "states": [state_values(state) for state in states],
        "rolling_summaries": [
            rolling_values(rolling)
            for state in states
            for rolling in rolling_summaries.revisions(tx, user_id, state.persona_id)
        ],
        "spines": [spine_values(spine) for spine in spines.versions(tx, user_id)],
    }


# -- for people -----------------------------------------------------------------------------------------


def as_markdown(document: dict[str, Any]) -> str:
    """What is known now, for people to read; what was said word by word is in the JSON."""
    current = [
        item for item in document["memories"] if item["status"] == "ACTIVE" and item["valid_to"] is None
    ]
    lines = [
        f"# What is remembered of {document['user_id']}",
        "",
        f"{_counted(len(current), 'memory', 'memories')}, {document['exported_at']}",
        "",
    ]
    for category in Category:
        facts = [item for item in current if item["category"] == category.value]
        lines += _section(
            f"## {category.value.capitalize()}",
            [
                f"{_line(item['content'])}{' (pinned)' if item['pinned'] else ''} — {item['created_at'][:10]}"
                for item in sorted(
                    facts, key=lambda fact: (not fact["pinned"], -fact["importance"], fact["memory_id"])
                )
            ],
        )
    lines += _section("## Open", [_todo(todo) for todo in document["todos"] if todo["status"] == "open"])
    lines += _long_view(document["spines"])
    if document["chats"]:
        lines += ["## Chats", ""]
    for chat in document["chats"]:
        lines += _talk(chat)
    return "\n".join(lines)


def _section(heading: str, items: list[str]) -> list[str]:
    return [heading, "", *(f"- {item}" for item in items), ""] if items else []


def _todo(todo: dict[str, Any]) -> str:
    due = f", due {todo['due_at'][:10]}" if todo["due_at"] else ""
    return f"{_line(todo['text'])} ({todo['kind']}{due})"


def _long_view(versions: list[dict[str, Any]]) -> list[str]:
    if not versions:
        return []
    lines = ["## The long view", ""]
    for name, words in versions[-1]["content"].items():
        heading = f"### {name.replace('_', ' ').capitalize()}"
        lines += _section(heading, [_line(item.removeprefix("- ")) for item in words.splitlines()])
    return lines


def _talk(chat: dict[str, Any]) -> list[str]:
    first = next((item["text"] for item in chat["messages"] if item["role"] == "user"), "")
    title = _line(chat["title"] or first[:_TITLE]) or chat["chat_id"]
    said = _counted(len(chat["messages"]), "message", "messages")
    lines = [f"### {title}", "", f"{said}, since {chat['created_at'][:10]}", ""]
    if told := chat["brief"].get("global_summary"):
        lines += [told, ""]
    return lines + _section("Pinned:", [_line(pin["content"]) for pin in chat["pins"]])


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _line(words: str) -> str:
    return " ".join(words.split())
