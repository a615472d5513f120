"""The reference page of the command line is current, complete and short."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LIMIT
from typer.main import get_command

from recollect.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "cli.md"
GLOBAL = ("user", "db", "as_json")


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, inner in command.commands.items():
        full = f"{path} {name}".strip()
        if hasattr(inner, "commands"):
            yield from _commands(inner, full)
        elif not inner.hidden:
            yield full, inner


ROOT_COMMAND = get_command(app)
COMMANDS = dict(_commands(ROOT_COMMAND, ""))


def test_there_are_28_commands() -> None:
    """Each is worth its place."""
    assert len(COMMANDS) <= 28


def test_the_page_is_current_and_short() -> None:
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
    assert len(PAGE.read_text("utf-8").split()) <= 2800


@pytest.mark.parametrize("path", list(COMMANDS))
def test_every_command_and_option_is_on_the_page(path: str) -> None:
    """A section names all arguments and options with a word about each, and its example parses."""
    section = f"\n{PAGE.read_text('utf-8')}\n## ".partition(f"\n## {path}\n")[2].partition("\n## ")[0]
    for item in COMMANDS[path].params:
        names = item.opts if item.param_type_name == "option" else [item.metavar]
        assert item.help, f"{path} {names} has no help"
        assert item.name in GLOBAL or all(name in section for name in names)
    example = section.partition("Example: `")[2].partition("`")[0]
    words = shlex.split(example)[1 + len(path.split()) :]
    with COMMANDS[path].make_context(path, words) as context:
        assert context.params


@pytest.mark.parametrize("path", list(COMMANDS))
def test_the_global_options_are_everywhere(path: str) -> None:
    """Every command takes `--json`; every command that opens a database takes `--db` and `--user`."""
    names = {name for item in COMMANDS[path].params for name in item.opts}
    assert "--json" in names
    if path != "demo":
        assert {"--db", "--user"} <= names
