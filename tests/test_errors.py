"""Errors: one tree, as drawn, with messages and attributes."""

import inspect

import pytest

from recollect import errors
from recollect.errors import InvalidInput, NotFound, NotWorthKeeping, RecollectError

CLASSES = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__
]


def _drawn() -> dict[str, str]:
    """Class and parent of each line of the tree in the module's docstring."""
    parents: dict[int, str] = {}
    found: dict[str, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        bare = line.lstrip(" │├└─")
        name = bare.split(" ")[0]
        if not name or name not in vars(errors):
            continue
        depth = len(line) - len(bare)
        above = [parents[level] for level in sorted(parents) if level < depth]
        found[name] = above[-1] if above else "Exception"
        parents = {level: parent for level, parent in parents.items() if level < depth} | {depth: name}
    return found


def test_the_tree_is_as_drawn() -> None:
    """Every class is in the drawing, under its parent, and nothing else is."""
    assert _drawn() == {kind.__name__: kind.__bases__[0].__name__ for kind in CLASSES}


@pytest.mark.parametrize("kind", CLASSES)
def test_the_docstring_is_the_default_message(kind: type[RecollectError]) -> None:
    """An error raised without words still says what happened."""
    assert kind().message == str(kind()) == (kind.__doc__ or "").strip() != ""
    assert kind("in other words").message == "in other words"


def test_attributes() -> None:
    """Bad input names its field, what is missing its id."""
    assert (
        InvalidInput("x", field="content").field == NotWorthKeeping("x", field="content").field == "content"
    )
    assert InvalidInput().field == ""
    assert NotFound("x", id="m1").id == "m1"


def test_errors_know_no_face() -> None:
    """Status codes and exit codes belong to the adapters."""
    for kind in CLASSES:
        assert not {"status", "status_code", "code", "exit_code"} & set(vars(kind))
