"""Export: everything of a user as one JSON document that `load` reads again, or as Markdown for people.

Vectors are not in it: they are made again from the text, by whatever model serves then.
"""

from typing import Any

from recollect.domain.category import Category
from recollect.domain.moment import iso
from recollect.engine.parts import Parts
from recollect.store import aliases, entities, histories, links, memories, todos
from recollect.store.database import Connection

#: The version of the document.
FORMAT = 1


async def export(parts: Parts, user_id: str) -> dict[str, Any]:
    """The whole user, as JSON values."""
    now = parts.now()

    def load(tx: Connection) -> dict[str, Any]:
        records = memories.everything(tx, user_id)
        past: dict[str, list[dict[str, Any]]] = {}
        for entry in histories.of_user(tx, user_id):
            past.setdefault(entry.memory_id, []).append(entry.to_dict())
        return {
            "recollect": FORMAT,
            "user_id": user_id,
            "exported_at": iso(now),
            "memories": [
                {**record.to_dict(), "history": past.get(record.memory_id, [])} for record in records
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
            "chats": [],
            "todos": [todo.to_dict() for todo in todos.of_user(tx, user_id)],
            "seed": {},
        }

    return await parts.database.read(user_id, load)


def as_markdown(document: dict[str, Any]) -> str:
    """What is known now, for people to read."""
    current = [
        item for item in document["memories"] if item["status"] == "ACTIVE" and item["valid_to"] is None
    ]
    lines = [
        f"# What is remembered of {document['user_id']}",
        "",
        f"{len(current)} memories, {document['exported_at']}",
        "",
    ]
    for category in Category:
        facts = [item for item in current if item["category"] == category.value]
        if not facts:
            continue
        lines += [f"## {category.value.capitalize()}", ""]
        for item in sorted(
            facts, key=lambda fact: (not fact["pinned"], -fact["importance"], fact["memory_id"])
        ):
            pinned = " (pinned)" if item["pinned"] else ""
            lines.append(f"- {' '.join(item['content'].split())}{pinned} — {item['created_at'][:10]}")
        lines.append("")
    return "\n".join(lines)
