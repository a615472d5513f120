"""The reference page of the command line is current and complete."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LIMIT
from typer.main import get_command

from recollect.cli.app import app

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "cli.md"


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{path} {name}")


EVERYTHING = dict(_commands(get_command(app), "recollect"))
#: Without the groups, which do nothing themselves.
COMMANDS = {
    path: command
    for path, command in EVERYTHING.items()
    if path == "recollect" or not hasattr(command, "commands")
}


def test_the_page_is_current() -> None:
    """Generating the page again gives the page."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_cli_docs.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("path", list(COMMANDS))
def test_every_command_and_option_is_on_the_page(path: str) -> None:
    """Each command has a section that names all its options and arguments, each with a word about it, but for hidden ones."""
    section = f"\n{PAGE.read_text('utf-8')}\n## ".partition(f"\n## {path}\n")[2].partition("\n## ")[0]
    for item in COMMANDS[path].params:
        names = item.opts if item.param_type_name == "option" else [item.metavar]
        assert item.help, f"{path} {names} has no help"
        for name in names:
            assert (f"`{name}" in section) is not getattr(item, "hidden", False)


@pytest.mark.parametrize("path", [path for path in COMMANDS if path != "recollect"])
def test_every_command_speaks_json(path: str) -> None:
    """`--json` is everywhere, and every command that opens a database takes `--db` and `--user`."""
    names = {name for item in COMMANDS[path].params for name in item.opts}
    assert "--json" in names
    if path not in ("recollect demo", "recollect version", "recollect eval judge"):
        assert "--db" in names
        assert "--user" in names
