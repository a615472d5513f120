"""serve: its options; how it lives is tested with the service (`tests/adapters/rest/test_serve.py`)."""

from pathlib import Path

import pytest

from .conftest import Cli


def test_help_is_instant_and_complete(cli: Cli) -> None:
    """Every option of the wire is there."""
    ran = cli("serve", "--help")
    assert ran.code == 0
    for option in ("--db", "--host", "--port", "--no-worker", "--no-console"):
        assert option in ran.out


@pytest.mark.parametrize(
    "given",
    [
        ["--port", "65536"],
        ["--port", "-1"],
        ["--port", "many"],
        ["--host", " "],
        ["--host", ""],
        ["--nonsense"],
    ],
)
def test_bad_options(cli: Cli, db: Path, given: list[str]) -> None:
    """Refused in one line with code 2, and no database is made."""
    ran = cli("serve", *given)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not db.exists()


def test_a_bad_setting(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that cannot be used is named before anything begins."""
    monkeypatch.setenv("RECOLLECT_LOG", "xml")
    ran = cli("serve", "--port", "0")
    assert ran.code == 2
    assert "RECOLLECT_LOG" in ran.err
