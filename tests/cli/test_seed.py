"""seed: what is known beforehand."""

import json
from pathlib import Path

import pytest

from .conftest import Cli

SEED = {"facts": [{"content": "User is called Ann", "category": "identity"}], "notes": "Likes short answers"}


def test_set_and_shown(cli: Cli, tmp_path: Path) -> None:
    """A seed is read from a file, shown, and its facts are memories."""
    assert cli("seed").out == "No seed.\n"
    file = tmp_path / "seed.json"
    file.write_text(json.dumps(SEED))
    ran = cli("seed", "--file", str(file))
    assert ran.out == "- User is called Ann  category identity\nNotes\n  Likes short answers\n"
    assert cli("seed", "--json").json == SEED
    assert "User is called Ann" in cli("memories").out


def test_from_standard_input(cli: Cli) -> None:
    """A dash reads the pipe; what is left out is empty."""
    assert cli("seed", "--file", "-", "--json", stdin='{"notes": "Likes cats"}').json["facts"] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[]", "A seed must be an object"),
        ('{"fact": []}', "not 'fact'"),
        ('{"facts": [{"text": "x"}]}', "number 1 must be an object with a content"),
        ('{"facts": [{"content": "short"}]}', "number 1"),
        ("{", "is not JSON"),
    ],
)
def test_a_bad_seed_changes_nothing(cli: Cli, text: str, word: str) -> None:
    """What is no seed is refused in one line."""
    ran = cli("seed", "--file", "-", stdin=text)
    assert ran.code == 2
    assert word in ran.err
    assert cli("seed").out == "No seed.\n"
