"""An export as Markdown: what is known now, for people."""

from typing import Any

from recollect.interchange.portable_markdown import as_markdown


def _memory(content: str, **fields: Any) -> dict[str, Any]:
    return {
        "memory_id": content,
        "content": content,
        "category": "preference",
        "status": "ACTIVE",
        "valid_to": None,
        "pinned": False,
        "importance": 5,
        "created_at": "2026-03-01T12:00:00.000Z",
        **fields,
    }


def _document(**parts: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"memories": [], "todos": [], "spines": [], "chats": []}
    return {"user_id": "alice", "exported_at": "2026-03-01T12:00:00.000Z", **empty, **parts}


def test_nothing_is_a_heading() -> None:
    """A document of empty parts has its heading and a count of none."""
    text = as_markdown(_document())
    assert text.startswith("# What is remembered of alice\n\n0 memories")
    assert "##" not in text


def test_what_is_known_now_by_category_the_pinned_first() -> None:
    """Archived and replaced memories are not shown; line breaks within one do not break the list."""
    text = as_markdown(
        _document(
            memories=[
                _memory("User likes\ntea", importance=9),
                _memory("User likes jazz", pinned=True),
                _memory("User is Ann", category="identity"),
                _memory("User liked rock", status="ARCHIVED"),
                _memory("User liked pop", valid_to="2026-03-01T12:00:00.000Z"),
            ]
        )
    )
    shown = [line for line in text.splitlines() if line.startswith(("#", "-"))]
    assert shown == [
        "# What is remembered of alice",
        "## Identity",
        "- User is Ann — 2026-03-01",
        "## Preference",
        "- User likes jazz (pinned) — 2026-03-01",
        "- User likes tea — 2026-03-01",
    ]


def test_open_things_have_their_date() -> None:
    """What is done is not shown."""
    todos = [
        {"text": "Call Jane", "kind": "commitment", "due_at": "2026-03-05T00:00:00.000Z", "status": "open"},
        {"text": "Done thing", "kind": "thread", "due_at": None, "status": "done"},
    ]
    assert "## Open\n\n- Call Jane (commitment, due 2026-03-05)\n" in as_markdown(_document(todos=todos))
