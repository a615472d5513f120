"""Arguments of recall that concern past messages: what is refused, and by which name."""

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import InvalidInput, Memory


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A memory with one message."""
    memory.chat("c").add(user="The otter swims")
    return memory


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"episodes": -1}, "episodes"),
        ({"episodes": "5"}, "episodes"),
        ({"episodes": 1.5}, "episodes"),
        ({"episodes": None}, "episodes"),
        ({"episodes": True}, "episodes"),
        ({"episodes": False}, "episodes"),
        ({"episodes": 2**60}, "episodes"),
        ({"neighbours": "a"}, "neighbours"),
        ({"neighbours": -1}, "neighbours"),
        ({"neighbours": False}, "neighbours"),
        ({"neighbours": None}, "neighbours"),
        ({"sessions": -1}, "sessions"),
        ({"sessions": True}, "sessions"),
        ({"zone": "Nowhere"}, "zone"),
        ({"zone": ""}, "zone"),
        ({"zone": "Europe"}, "zone"),
        ({"zone": "../UTC"}, "zone"),
        ({"zone": "/etc/passwd"}, "zone"),
        ({"zone": "x" * 5000}, "zone"),
        ({"zone": "a\0b"}, "zone"),
        ({"zone": "\ud800"}, "zone"),
        ({"zone": 5}, "zone"),
        ({"zone": UTC}, "zone"),
        ({"at": "x"}, "at"),
        ({"at": 5}, "at"),
        ({"at": "2026-13-01"}, "at"),
        ({"chat": 5}, "chat"),
        ({"chat": "a\0b"}, "chat"),
    ],
    ids=str,
)
def test_bad_arguments_name_their_field(told: Memory, arguments: dict[str, Any], field: str) -> None:
    """A wrong argument is refused with the name of the field, also where no message is asked for."""
    for more in ({}, {"category": "fact"}):
        with pytest.raises(InvalidInput) as raised:
            told.recall("otter", **{**arguments, **more})
        assert raised.value.field == field
        assert str(raised.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"episodes": 0},
        {"episodes": 10**9},
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
    found = told.recall(query, **arguments).episodes
    assert len(found) == (0 if arguments.get("episodes") == 0 else 1)
