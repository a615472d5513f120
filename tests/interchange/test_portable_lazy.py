"""A document that is made while it is read: as JSON it is the same as when it is built at once."""

import json
from collections.abc import Iterator
from typing import Any

from recollect.interchange.portable_lazy import built, written


def _lazy() -> dict[str, Any]:
    return {
        "version": 1,
        "seed": lambda: {"notes": 'Ä " \u2028 \x00'},
        "empty": iter(()),
        "nothing": {},
        "chats": ({"chat_id": name, "messages": iter([{"text": name}, {"text": None}])} for name in "ab"),
    }


def test_written_and_built_are_the_same() -> None:
    """Iterators become lists and functions their values, at any depth; the pieces together are valid JSON."""
    expected = {
        "version": 1,
        "seed": {"notes": 'Ä " \u2028 \x00'},
        "empty": [],
        "nothing": {},
        "chats": [{"chat_id": name, "messages": [{"text": name}, {"text": None}]} for name in "ab"],
    }
    assert built(_lazy()) == expected
    assert json.loads(b"".join(written(_lazy()))) == expected


def test_rows_are_made_one_by_one() -> None:
    """A row is written before the next one is made: none of them is kept."""
    made: list[int] = []

    def rows() -> Iterator[dict[str, int]]:
        for number in range(3):
            made.append(number)
            yield {"row": number}

    seen: dict[bytes, int] = {}
    for piece in written({"rows": rows()}):
        seen.setdefault(piece, len(made))
    assert [seen[b'{"row":%d}' % number] for number in range(3)] == [1, 2, 3]
