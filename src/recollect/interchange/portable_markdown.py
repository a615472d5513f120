"""An export as Markdown, for people: what is known now, what is open, and what the chats were about.

Renders the document that `export` makes. Messages, replaced and archived memories are in the JSON only; Markdown is not read back.
"""

from typing import Any

from recollect.records.category import Category

#: Characters of a chat's first message that replace a missing title.
_TITLE = 80


def as_markdown(document: dict[str, Any]) -> str:
    """The document as Markdown; missing parts are left out."""
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
    if summary := chat["brief"].get("global_summary"):
        lines += [summary, ""]
    return lines + _section("Pinned:", [_line(pin["content"]) for pin in chat["pins"]])


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _line(words: str) -> str:
    return " ".join(words.split())
