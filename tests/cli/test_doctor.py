"""doctor: what works, what does not, what it never shows, and the background jobs."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli.doctor import settings_shown, without_password
from recollect.settings import Settings, documented
from tests.scripted_model import ScriptedModel, refuses

from .conftest import Cli, Known, kill_jobs, speak


def test_all_is_well(cli: Cli, filled: Known) -> None:
    """A healthy installation has a mark at every check and exit code 0."""
    ran = cli("doctor")
    assert ran.code == 0
    assert "✓ integrity  ok" in ran.out
    assert "✓ user       local: 4 memories" in ran.out
    assert "✗" not in ran.out
    assert ran.out.endswith("No problems found.\n")


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
    assert ran.out.endswith("Problems: database.\n")
    told = cli("doctor", "--json")
    assert told.code == 1
    assert told.json["ok"] is False


def test_looking_makes_no_file(cli: Cli, db: Path) -> None:
    """Before the first memory the doctor says so, checks the embedder, tells who judges, and leaves no file."""
    told = cli("doctor", "--json").json
    checked = {check["name"]: check["ok"] for check in told["checks"]}
    assert checked == dict.fromkeys(("database", "embedder", "judge", "summariser", "vocabulary"), True)
    assert "✓ judge      rules, offline\n" in cli("doctor").out
    assert not db.exists()


def test_tables_that_are_not_there_yet(cli: Cli, empty_postgres: str) -> None:
    """A PostgreSQL database without our tables is in the right place: the one thing to do is said, once."""
    ran = cli("doctor", "--db", empty_postgres)
    assert ran.code == 1
    assert "✗ schema" in ran.out and "holds no tables of Recollect yet" in ran.out
    assert ran.out.count("Run `recollect db migrate`.") == 1
    assert "Check --db" not in ran.out
    (schema,) = [
        check for check in cli("doctor", "--db", empty_postgres, "--json").json["checks"] if not check["ok"]
    ]
    assert (schema["name"], schema["advice"]) == ("schema", "Run `recollect db migrate`.")


def test_a_folder_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    """A path into nowhere is not well."""
    ran = cli("doctor", "--db", str(tmp_path / "no" / "memory.db"))
    assert ran.code == 1
    assert "nor does its folder" in ran.out


def test_a_setting_that_cannot_be_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad variable is named, and nothing else is tried."""
    monkeypatch.setenv("RECOLLECT_POOL_SIZE", "many")
    ran = cli("doctor")
    assert ran.code == 1
    assert "✗ settings" in ran.out
    assert "RECOLLECT_POOL_SIZE='many'" in ran.out
    assert cli("doctor", "--json").json["settings"] is None


def test_secrets_stay_secret() -> None:
    """Keys are not shown, nor passwords in addresses."""
    shown = settings_shown(
        Settings(
            openai_api_key="sk-topsecret",
            service_key="topsecret-and-long-enough",
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


def test_work_that_is_late_or_dead_is_a_warning(cli: Cli, db: Path) -> None:
    """Late and dead work is told with what to do; the exit code stays 0, for everything serves."""
    speak(db)
    told = cli("doctor").out
    assert "✓ work       2 waiting, 1 scheduled, 0 running, 0 failed" in told
    assert "✓ messages   0 vectors; 4 messages wait for their vectors\n" in told
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE jobs SET run_at = '2026-01-01T00:00:00.000Z'")
        connection.commit()
    late = cli("doctor")
    assert late.code == 0
    assert "! work       3 waiting, 0 scheduled, 0 running, 0 failed" in late.out
    assert "→ Run `recollect worker`" in late.out
    assert late.out.endswith("Working, with warnings: work.\n")
    kill_jobs(db)
    dead = cli("doctor", "--json")
    (work,) = [check for check in dead.json["checks"] if check["name"] == "work"]
    assert (dead.code, work["ok"], work["warning"]) == (0, True, True)
    assert "recollect doctor --revive all" in work["advice"]


def test_models_are_asked(cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summariser, the hosted prompt and the chat model are named; one that refuses is not well."""
    assert "✓ summariser rules, offline" in cli("doctor").out
    with ScriptedModel() as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("MEMORY_SUMMARIZER_MODEL", "gpt-s")
        monkeypatch.setenv("PROMPT_VERSION_SUMMARY_GLOBAL", "7")
        monkeypatch.setenv("RECOLLECT_CHAT_MODEL", "gpt-c")
        model.script("OK")
        well = cli("doctor")
        assert well.code == 0
        for words in ("version 7, answers", "✓ summariser gpt-s, answers", "✓ chat model gpt-c, answers"):
            assert words in well.out
        model.script(refuses(401, "bad key"))
        ill = cli("doctor")
        assert ill.code == 1
        assert "✗ chat model gpt-c: " in ill.out
        assert "→ Check OPENAI_BASE_URL, OPENAI_API_KEY and RECOLLECT_CHAT_MODEL." in ill.out


def test_a_key_that_is_missing(cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of OpenAI without a key is not asked: what is missing is known."""
    monkeypatch.setenv("RECOLLECT_CHAT_MODEL", "gpt-c")
    ran = cli("doctor")
    assert ran.code == 1
    assert "✗ chat model gpt-c: OPENAI_API_KEY is not set" in ran.out


def test_the_vocabulary(cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of one's own is named; one that cannot be read is not well, and the rest is examined all the same."""
    file = tmp_path / "terms.txt"
    file.write_text("carburettor\n")
    monkeypatch.setenv("RECOLLECT_VOCABULARY", str(file))
    assert f"✓ vocabulary medical terms and those in {file}" in cli("doctor").out
    file.unlink()
    ran = cli("doctor")
    assert ran.code == 1
    assert "✗ vocabulary RECOLLECT_VOCABULARY: " in ran.out
    assert "✓ integrity  ok" in ran.out


def test_what_judges(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge is among the checks; failed judge jobs are a warning with what to do."""
    with Memory(settings=Settings(database_url=str(db), worker="off")) as memory:
        memory.chat("lunch").add(user="My sister Maria lives in Oslo.")
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert (checks["judge"]["detail"], checks["judge"]["warning"]) == ("rules, offline", False)
    kill_jobs(db)
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert checks["judge"]["detail"] == "rules, offline; 1 failed"
    assert "recollect doctor --jobs" in checks["judge"]["advice"]
    monkeypatch.setenv("RECOLLECT_JUDGE_MODEL", "off")
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert checks["judge"]["detail"].startswith("off")


# -- background jobs ------------------------------------------------------------------------------------


def test_without_work(cli: Cli) -> None:
    """An empty database has no work."""
    assert cli("doctor", "--jobs").out == "There is no background work.\n"
    empty = {"counts": {}, "scheduled": 0, "lag_seconds": 0.0, "jobs": [], "dead": []}
    assert cli("doctor", "--jobs", "--json").json == empty


def test_open_work_is_shown(cli: Cli, db: Path) -> None:
    """The figures of all users, then the user's own jobs in words."""
    speak(db)
    speak(db, user="ann")
    lines = cli("doctor", "--jobs").out.splitlines()
    assert lines[0].startswith("4 waiting, 2 scheduled, 0 running, 0 failed")
    assert lines[2] == "Jobs of local"
    assert any(line.startswith("  summarise recent messages") and " waiting " in line for line in lines)
    assert any(line.startswith("  index messages") and " waiting " in line for line in lines)
    assert any(line.startswith("  close a session") and " scheduled 20" in line for line in lines)
    ann = cli("doctor", "--jobs", "--user", "ann", "--json").json["jobs"]
    assert sorted(job["kind"] for job in ann) == ["close_session", "index_messages", "rolling_summary"]


def test_work_that_is_tried_again_is_not_for_later(cli: Cli, db: Path) -> None:
    """A job that failed and waits for its next try counts as waiting."""
    speak(db)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE jobs SET attempts = 1, run_at = '2999-01-01T00:00:00.000Z'")
        connection.commit()
    out = cli("doctor", "--jobs").out
    assert out.startswith("3 waiting, 0 scheduled, 0 running, 0 failed\n")
    assert out.count(" next try 2999-01-01 00:00 ") == 3


def test_failed_jobs_are_tried_again(cli: Cli, db: Path) -> None:
    """Failed jobs of all users are listed with their errors; one or all are revived."""
    speak(db, user="ann")
    kill_jobs(db)
    found = cli("doctor", "--jobs", "--json").json["dead"]
    ran = cli("doctor", "--jobs")
    assert ran.out.startswith("0 waiting, 0 scheduled, 0 running, 3 failed\n")
    assert "Failed, all users\n" in ran.out and " ann\n" in ran.out
    assert f"{found[0]['id']}: ModelError: no\n" in ran.out
    assert cli("worker", "--once").out.endswith("3 jobs failed: see `recollect doctor --jobs`.\n")
    assert cli("doctor", "--revive", found[0]["id"]).out == "Retrying: the next worker runs 1 job.\n"
    assert cli("doctor", "--revive", found[0]["id"]).code == 4
    revived = cli("doctor", "--revive", "all", "--json").json["revived"]
    assert sorted(revived) == sorted(job["id"] for job in found[1:])
    assert cli("doctor", "--revive", "all").out == "No failed jobs.\n"
