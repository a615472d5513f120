"""Arguments of search that concern past messages: what is refused, and by which name."""

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import Memory


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A memory with one message."""
    memory.chat("c").add(user="The otter swims")
    return memory


@pytest.mark.parametrize(
    "arguments",
    [
        {"messages": 0},
        {"messages": 10**9},
        {"neighbours": 0},
        {"neighbours": 10**9},
        {"sessions": 10**9},
        {"zone": "Pacific/Kiritimati"},
        {"at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"at": datetime(2026, 3, 1)},
        {"at": "0001-01-01"},
        {"at": "9999-12-31T23:59:59Z", "zone": "Pacific/Kiritimati"},
        {"at": "0001-01-01T00:00:00Z", "zone": "America/Los_Angeles"},
        {"chat": "c"},
        {"chat": None, "at": None},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "query", ["otter", "the otter last week", "what did I say on 3 May, before the move?"]
)
def test_unusual_arguments_are_fine(told: Memory, query: str, arguments: dict[str, Any]) -> None:
    """Nothing, very many, the ends of the calendar and far zones are answered, whatever time a question names."""
    found = told.search(query, **arguments).messages
    assert len(found) == (0 if arguments.get("messages") == 0 else 1)
