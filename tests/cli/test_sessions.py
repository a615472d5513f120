"""sessions, state and spine: what is known beyond one chat."""

from pathlib import Path

import pytest

from recollect import Memory

from .conftest import Cli


@pytest.fixture
def long_ago(db: Path) -> None:
    """A session that is over and summarised, and another that goes on; twenty messages in all."""
    with Memory(db) as memory:
        chat = memory.chat("holiday", persona="guide")
        for minute in range(16):
            chat.add(
                user=f"I want to see the sea near Lisbon, part {minute}",
                created_at=f"2026-01-01T10:{minute:02}:00Z",
            )
        for _ in range(4):
            chat.add(user="Please book the train to Porto")
        assert memory.drain(timeout=20)


def test_sessions_with_a_line_each(cli: Cli, long_ago: None) -> None:
    """Last begun first: the open one without a summary, the closed one with its line."""
    ran = cli("sessions")
    first, *_ = ran.out.split("\n")
    assert first == "no summary yet"
    assert "4 turns · with guide · still open · " in ran.out
    found = cli("sessions", "--persona", "guide", "--json").json["sessions"]
    assert [item["turnCount"] for item in found] == [4, 16]
    assert found[1]["summary"]["one_liner"] in ran.out
    assert cli("sessions", "--persona", "nobody").out == "No sessions.\n"
    assert cli("sessions", "--limit", "1").out.endswith("There are more: use --limit 2\n")


def test_the_long_view_says_who_wrote_it(cli: Cli, long_ago: None) -> None:
    """Without a model that is rules, not somebody named offline."""
    assert cli("sessions", "--spine").out.endswith(" · by rules, offline\n")


def test_the_state_with_a_persona(cli: Cli, long_ago: None) -> None:
    """Counters, last words and the rolling summary."""
    ran = cli("sessions", "--state", "--persona", "guide")
    assert "messages    20\n" in ran.out
    assert "last said   Please book the train to Porto\n" in ran.out
    assert "no summary yet" not in ran.out
    assert cli("sessions", "--state", "--persona", "guide", "--json").json["state"]["messageCount"] == 20
    empty = cli("sessions", "--state").out
    assert "messages    0\n" in empty
    assert empty.endswith("There are no messages without a persona. Try --persona: guide\n")
    assert cli("sessions", "--state", "--persona", "cook").out.endswith(
        "There are no messages with cook. Try --persona: guide\n"
    )
    assert "Try --persona" not in ran.out
    assert "Try --persona" not in cli("sessions", "--state", "--user", "nobody").out


def test_the_state_in_lines(cli: Cli, long_ago: None) -> None:
    """A text of several lines is shown in as many, each under the first."""
    cli("chats", "holiday", "--record", "First line\nSecond line")
    ran = cli("sessions", "--state", "--persona", "guide")
    assert "last said   First line\n            Second line\n" in ran.out
    assert "\\n" not in ran.out


def test_the_long_view(cli: Cli, long_ago: None) -> None:
    """The newest version, every version, and none."""
    ran = cli("sessions", "--spine")
    assert ran.out.splitlines()[-1].startswith("version 1 · ")
    every = cli("sessions", "--spine", "--revisions", "--json").json["revisions"]
    assert [item["version"] for item in every] == [1]
    assert cli("sessions", "--spine", "--revisions").out == ran.out
    assert cli("sessions", "--spine", "--user", "ann").out.startswith("No long-term profile yet")
    assert cli("sessions", "--spine", "--user", "ann", "--json").json == {"spine": None}


def test_one_session(cli: Cli, long_ago: None) -> None:
    """A session by its id, with its whole summary; every revision on request; one that is not there."""
    known = cli("sessions", "--json").json["sessions"][1]
    ran = cli("sessions", known["id"])
    assert ran.out.startswith(
        f"{known['summary']['one_liner']}\n  2026-01-01 10:00 · 16 turns · with guide · "
    )
    assert len(ran.out.splitlines()) > 2
    every = cli("sessions", known["id"], "--revisions", "--json").json["sessions"][0]["revisions"]
    assert [item["revision"] for item in every] == [1]
    assert "  revision 1 · 20" in cli("sessions", known["id"], "--revisions").out
    assert cli("sessions", "nothing").code == 4


def test_every_rolling_summary(cli: Cli, long_ago: None) -> None:
    """--state --revisions shows the rolling summary as it was."""
    every = cli("sessions", "--state", "--persona", "guide", "--revisions", "--json").json["revisions"]
    shown = cli("sessions", "--state", "--persona", "guide", "--revisions").out
    assert every and shown.count("\n  revision ") == len(every)
