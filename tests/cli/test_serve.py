"""serve: its options; how it lives is tested with the service (`tests/server/test_serve.py`)."""

import io
import json
from pathlib import Path

import pytest

from recollect.cli.output import Output
from recollect.cli.serve import tell_ready

from .conftest import Cli


@pytest.mark.parametrize(
    "address", ["notaurl", "localhost:11434", "ftp://x/v1", "http://", "http://[x", "http://x:99999/"]
)
def test_an_address_of_models_that_is_none(
    cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """It is named at the start, and not at the first question; its value, which may hold a password, is not repeated."""
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    ran = cli("serve", "--port", "0")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("recollect: OPENAI_BASE_URL is not a valid address. Use one such as http://")
    assert not db.exists()


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


@pytest.mark.parametrize(
    ("wanted", "built", "pages"),
    [
        (True, True, "(console: /, docs: /docs)"),
        (False, True, "(docs: /docs)"),
        (False, False, "(docs: /docs)"),
        (
            True,
            False,
            "(docs: /docs; the console is not built: run `make console` in the clone, and install it again)",
        ),
    ],
)
def test_the_ready_line_names_the_console_only_if_there_is_one(wanted: bool, built: bool, pages: str) -> None:
    """Who wants the console and has none is told how to build it, in the same line; a program is told None."""
    stream = io.StringIO()
    tell_ready(Output(stream=stream), "http://127.0.0.1:8765", wanted=wanted, built=built)
    assert stream.getvalue() == f"Recollect is ready at http://127.0.0.1:8765 {pages}\n"
    stream = io.StringIO()
    tell_ready(Output(as_json=True, stream=stream), "http://127.0.0.1:8765", wanted=wanted, built=built)
    assert json.loads(stream.getvalue())["console"] == ("/" if wanted and built else None)
