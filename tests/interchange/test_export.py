"""Tests of interchange/export.py: the parts that may be asked for, and a document that is written while it is made."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from recollect.errors import InvalidInput
from recollect.interchange.export import Part, built, check_parts, written


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


def test_nobody_naming_any_wants_all() -> None:
    """Everything is the default."""
    assert check_parts(None) == frozenset(Part)


def test_parts_are_named_as_on_the_wire() -> None:
    """By their names, in any order, once."""
    assert check_parts(["todos", "memories", "todos"]) == {Part.MEMORIES, Part.TODOS}


@pytest.mark.parametrize("names", [["secrets"], [""], [None], [["memories"]], [], "memories", 5])
def test_what_is_no_part_is_refused(names: object) -> None:
    """The error names the field."""
    with pytest.raises(InvalidInput, match="include") as caught:
        check_parts(names)
    assert caught.value.field == "include"
