"""`recollect judge`: what was said is read on demand."""

from pathlib import Path

import pytest

from recollect import Memory
from recollect.settings import Settings

from .conftest import Cli, kill_jobs


@pytest.fixture
def talked(db: Path) -> Path:
    """A database with a few unread words of the user `local`."""
    with Memory(settings=Settings(database_url=str(db), worker="off")) as memory:
        chat = memory.chat("lunch")
        chat.add(user="My sister Maria lives in Oslo.", assistant="Nice.")
        chat.add(user="What is the time?", assistant="Noon.")
    return db


def test_what_was_read(cli: Cli, talked: Path) -> None:
    """It says how much was read, by whom, and what came of it; a second time there is nothing."""
    ran = cli("judge")
    assert ran.code == 0
    assert "Read: 4 messages by rules." in ran.out
    assert "1 new memory" in ran.out
    assert "Oslo" in cli("memories").out
    assert cli("judge").out.strip() == "Nothing is unread."


def test_as_json(cli: Cli, talked: Path) -> None:
    """Scripts get every count."""
    done = cli("judge", "--chat", "lunch", "--json").json
    assert (done["messages"], done["added"], done["judged_by"]) == (4, 1, ["rules"])
    again = cli("judge", "--again", "--json").json
    assert (again["messages"], again["added"], again["duplicates"]) == (4, 0, 1)


def test_nothing_worth_keeping(cli: Cli, db: Path) -> None:
    """Small talk is read, and that is said."""
    with Memory(settings=Settings(database_url=str(db), worker="off")) as memory:
        memory.chat("lunch").add(user="Good morning!")
    assert "Nothing in them was worth keeping." in cli("judge").out


def test_a_chat_that_is_not_there(cli: Cli, talked: Path) -> None:
    """A wrong name is told."""
    ran = cli("judge", "--chat", "dinner")
    assert ran.code != 0
    assert "There is no chat 'dinner'." in ran.err


def test_the_judge_is_off(cli: Cli, talked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who switched it off is told how to switch it on, and nothing is read."""
    monkeypatch.setenv("RECOLLECT_JUDGE", "off")
    ran = cli("judge")
    assert ran.code != 0
    assert "RECOLLECT_JUDGE" in ran.err


def test_doctor_tells_who_judges(cli: Cli, talked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who judges stands among the checks; dead judge jobs are a warning with what to do."""
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert (checks["judge"]["detail"], checks["judge"]["warning"]) == ("rules, offline", False)
    kill_jobs(talked)
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert checks["judge"]["detail"] == "rules, offline; 1 dead"
    assert "recollect jobs dead" in checks["judge"]["advice"]
    monkeypatch.setenv("RECOLLECT_JUDGE", "off")
    checks = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}
    assert checks["judge"]["detail"].startswith("off")
