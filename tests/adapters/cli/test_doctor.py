"""doctor: what is well, what is not, and what it never shows."""

from pathlib import Path

import pytest

from recollect.adapters.cli.doctor import settings_shown, without_password
from recollect.settings import Settings, documented

from .conftest import Cli, Known


def test_all_is_well(cli: Cli, filled: Known) -> None:
    """A healthy installation has a mark at every check and exit code 0."""
    ran = cli("doctor")
    assert ran.code == 0
    assert "✓ integrity  ok" in ran.out
    assert "✓ user       local: 4 memories" in ran.out
    assert "✗" not in ran.out
    assert ran.out.endswith("All is well.\n")


def test_every_setting_and_version_is_shown(cli: Cli, filled: Known) -> None:
    """Python, the packages and all settings in force are listed."""
    told = cli("doctor", "--json").json
    assert told["ok"] is True
    assert told["packages"]["numpy"][0].isdigit()
    assert set(told["settings"]) == {name for name, _, _ in documented()}
    ran = cli("doctor")
    assert "Python 3." in ran.out
    assert all(name in ran.out for name, _, _ in documented())


def test_a_file_that_is_no_database(cli: Cli, db: Path) -> None:
    """A damaged file is found, with advice, and the exit code is 1."""
    db.write_text("this is not a database, it is a poem about one" * 100)
    ran = cli("doctor")
    assert ran.code == 1
    assert "✗ database" in ran.out
    assert "→ Check --db or RECOLLECT_DATABASE_URL." in ran.out
    assert ran.out.endswith("Not well: database.\n")
    told = cli("doctor", "--json")
    assert told.code == 1
    assert told.json["ok"] is False


def test_looking_makes_no_file(cli: Cli, db: Path) -> None:
    """Before the first memory the doctor says so, checks the embedder, and leaves no file."""
    told = cli("doctor", "--json").json
    assert {check["name"]: check["ok"] for check in told["checks"]} == {"database": True, "embedder": True}
    assert not db.exists()


def test_a_folder_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    """A path into nowhere is not well."""
    ran = cli("doctor", "--db", str(tmp_path / "no" / "memory.db"))
    assert ran.code == 1
    assert "nor does its folder" in ran.out


def test_a_setting_that_cannot_be_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad variable is named, and nothing else is tried."""
    monkeypatch.setenv("RECOLLECT_CANDIDATES", "many")
    ran = cli("doctor")
    assert ran.code == 1
    assert "✗ settings" in ran.out
    assert "RECOLLECT_CANDIDATES='many'" in ran.out
    assert cli("doctor", "--json").json["settings"] is None


def test_secrets_stay_secret() -> None:
    """Keys are not shown, nor passwords in addresses."""
    shown = settings_shown(
        Settings(
            openai_api_key="sk-topsecret",
            database_url="postgresql://ann:topsecret@db.example/memory?password=topsecret&sslmode=require",
        )
    )
    assert "topsecret" not in str(shown)
    assert (
        shown["RECOLLECT_DATABASE_URL"] == "postgresql://ann:…@db.example/memory?password=…&sslmode=require"
    )
    assert shown["OPENAI_API_KEY"] == "set (hidden)"


@pytest.mark.parametrize(
    "text", ["/home/ann/memory.db", "postgresql://db.example/memory", "https://api.example/v1"]
)
def test_what_holds_no_password_is_shown_as_it_is(text: str) -> None:
    """Only passwords are hidden."""
    assert without_password(text) == text


@pytest.mark.parametrize("password", ["plain", "with:colon", "with/slash", "with%40at"])
def test_every_password_is_hidden(password: str) -> None:
    """Whatever characters a password has, it is not shown."""
    assert (
        without_password(f"postgresql://ann:{password}@db.example/memory")
        == "postgresql://ann:…@db.example/memory"
    )
