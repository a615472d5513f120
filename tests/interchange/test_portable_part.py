"""The parts of an export: named, or all."""

import pytest

from recollect.errors import InvalidInput
from recollect.interchange.portable_part import Part, check_parts


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
