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
        assert memory.drain(seconds=20)


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
    assert cli("sessions", "--limit", "1").out.endswith("There are more: --limit 2\n")


def test_the_long_view_says_who_wrote_it(cli: Cli, long_ago: None) -> None:
    """Without a model that is rules, not somebody named offline."""
    assert cli("spine").out.endswith(" · by rules, offline\n")


def test_the_state_with_a_persona(cli: Cli, long_ago: None) -> None:
    """Counters, last words and the rolling summary."""
    ran = cli("state", "--persona", "guide")
    assert "messages    20\n" in ran.out
    assert "last said   Please book the train to Porto\n" in ran.out
    assert "no summary yet" not in ran.out
    assert cli("state", "--persona", "guide", "--json").json["state"]["messageCount"] == 20
    empty = cli("state").out
    assert "messages    0\n" in empty
    assert empty.endswith("Nothing was said without a persona. Look with --persona: guide\n")
    assert cli("state", "--persona", "cook").out.endswith(
        "Nothing was said with cook. Look with --persona: guide\n"
    )
    assert "Look with" not in ran.out
    assert "Look with" not in cli("state", "--user", "nobody").out


def test_the_state_in_lines(cli: Cli, long_ago: None) -> None:
    """A text of several lines is shown in as many, each under the first."""
    cli("chats", "record", "holiday", "First line\nSecond line")
    ran = cli("state", "--persona", "guide")
    assert "last said   First line\n            Second line\n" in ran.out
    assert "\\n" not in ran.out


def test_the_long_view(cli: Cli, long_ago: None) -> None:
    """The newest version, an older one by its number, and none."""
    ran = cli("spine")
    assert ran.out.splitlines()[-1].startswith("version 1 · ")
    assert cli("spine", "--version", "1", "--json").json["spine"]["version"] == 1
    assert cli("spine", "--version", "9").code == 4
    assert cli("spine", "--user", "ann").out.startswith("No long view yet")
    assert cli("spine", "--user", "ann", "--json").json == {"spine": None}
