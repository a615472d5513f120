"""How a run begins: its tests are found without the garbage collector, and put in an order that leaves no worker alone.

Every worker of xdist finds all tests, and what it finds lives as long as the run. The collector, which looked through it
again and again, took a third of the time of the finding; it is told to leave that alone.

Workers take file after file (`--dist loadfile --no-loadscope-reorder`). The long ones, with browsers and processes, come
first and the short ones of the rules last: a run must not end with all but one waiting. One file of the console comes
before everything: whoever takes it makes the seeded user, for whom others would only wait.
"""

import gc
from collections.abc import Generator
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
#: Makes the seeded user of the console, and is the longest file besides.
_FIRST = "console/test_memories.py"
#: Folders by how long their tests take; what is not named is in between.
_LONG = ("server", "cli", "console", "")
_SHORT = ("measuring", "records", "rules", "language")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Find the tests; what was found is no garbage until the end of the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; within a file nothing changes."""
    items.sort(key=lambda item: _rank(item.path))


def _rank(file: Path) -> int:
    if not file.is_relative_to(_TESTS):
        return 0
    inside = file.relative_to(_TESTS)
    folder = inside.parts[0] if len(inside.parts) > 1 else ""
    if inside.as_posix() == _FIRST:
        return -len(_LONG) - 1
    if folder in _LONG:
        return _LONG.index(folder) - len(_LONG)
    return _SHORT.index(folder) + 1 if folder in _SHORT else 0
