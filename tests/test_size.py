"""How large everything is, beside the ceiling that holds it. The numbers only fall, unless a change names what it adds.

python tests/test_size.py     prints the table
"""

import ast
import json
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import recollect
from recollect.settings import documented

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "recollect"
METHODS = {"get", "post", "put", "patch", "delete"}

#: Lines of each room now, and the budget that it will be rewritten to (lines with docstrings and generated code).
ROOMS = {
    "(top level)": (1_170, 700),
    "records": (3_660, 1_500),
    "encoder": (410, 900),
    "language": (21_100, 3_000),
    "models": (2_710, 1_600),
    "rules": (3_200, 2_800),
    "context": (2_100, 1_400),
    "store": (5_370, 3_300),
    "index": (3_580, 2_600),
    "engine": (8_850, 4_400),
    "worker": (620, 800),
    "api": (2_990, 2_000),
    "server": (7_320, 5_300),
    "client": (1_880, 1_900),
    "cli": (4_230, 2_000),
    "interchange": (3_340, 2_300),
}
#: What people see, with its ceiling.
SURFACE = {
    "methods of Memory": 36,
    "exports": 24,
    "routes": 68,
    "commands": 28,
    "settings": 27,
    "lines of src": 72_500,
    "files of src": 443,
    "lines of tests": 72_500,
    "exceptions to the import arrow": 33,
}


@dataclass(frozen=True, slots=True)
class Size:
    """One row: what is counted, how many there are, how many there may be."""

    name: str
    count: int
    ceiling: int
    note: str = ""


def _modules(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts]


def _lines(paths: list[Path]) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in paths)


def _statements(paths: list[Path]) -> int:
    return sum(
        isinstance(node, ast.stmt) for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def _commands() -> int:
    from recollect.cli.app import app  # Deferred: heavy.

    return sum(
        len([each for each in group.registered_commands if not each.hidden])
        for group in (app, *(each.typer_instance for each in app.registered_groups))
        if group is not None
    )


def _routes() -> int:
    paths = json.loads((ROOT / "docs/reference/openapi.json").read_text("utf-8"))["paths"]
    return sum(len(METHODS & set(methods)) for methods in paths.values())


def surface() -> list[Size]:
    """What people type and read, and the whole."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    source = _modules(SOURCE)
    counts = {
        "methods of Memory": len([name for name in dir(recollect.Memory) if not name.startswith("_")]),
        "exports": len(recollect.__all__),
        "routes": _routes(),
        "commands": _commands(),
        "settings": len(documented()),
        "lines of src": _lines(source),
        "files of src": len(source),
        "lines of tests": _lines(_modules(ROOT / "tests")),
        "exceptions to the import arrow": sum(len(each.get("ignore_imports", ())) for each in contracts),
    }
    return [Size(name, counts[name], ceiling) for name, ceiling in SURFACE.items()]


def rooms() -> list[Size]:
    """Each room, with its statements and the budget that it is rewritten to."""
    found: list[Size] = []
    for name, (ceiling, budget) in ROOMS.items():
        paths = sorted(SOURCE.glob("*.py")) if name.startswith("(") else _modules(SOURCE / name)
        note = f"{len(paths)} files, {_statements(paths):,} statements, budget {budget:,}"
        found.append(Size(name, _lines(paths), ceiling, note))
    return found


def table() -> str:
    """All of it, for people."""
    return "\n".join(
        f"{size.name:32}{size.count:>8,}{size.ceiling:>9,}  {size.note}".rstrip()
        for size in (*surface(), *rooms())
    )


def test_nothing_grows_past_its_ceiling() -> None:
    """Methods, exports, routes, commands, settings, lines, files and exceptions stay within their ceilings."""
    assert [size for size in (*surface(), *rooms()) if size.count > size.ceiling] == [], f"\n{table()}"


def test_every_room_has_a_ceiling() -> None:
    """No code lives outside the rooms that are counted."""
    assert {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(
        ROOMS
    ) - {"(top level)"}


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
