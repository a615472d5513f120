"""chats and pins: list, read, record, edit, rename, summaries and numbers."""

from pathlib import Path

import pytest

from recollect import Memory

from .conftest import Cli

WORDS = "On that day we spoke at length about the garden, the neighbours and the long way to the sea. " * 6


@pytest.fixture
def folded(db: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A chat that is long enough to be folded, and was."""
    monkeypatch.setenv("MEMORY_CHUNK_SUMMARIZE_THRESHOLD", "400")
    with Memory(db) as memory:
        chat = memory.chat("garden")
        for number in range(8):
            chat.add(user=f"{number}: {WORDS}", assistant="I see.")
        assert memory.drain(timeout=20)
    return "garden"


def test_a_chat_from_its_first_word(cli: Cli) -> None:
    """A recorded message makes the chat, is shown, listed and counted, and brings its pin."""
    assert cli("chats").out == "No chats. To start one, run `recollect chat`.\n"
    ran = cli("chats", "dad", "--record", "My dad is allergic to penicillin")
    assert ran.code == 0
    assert ran.out.startswith("user: My dad is allergic to penicillin\n  ")
    assert ran.out.endswith("Pinned: User's dad is allergic to penicillin (importance 10)\n")
    cli("chats", "dad", "--record", "Noted.", "--role", "assistant", "--model", "gpt-x")
    listed = cli("chats").out.splitlines()
    assert listed[0].split() == ["chat", "messages", "last", "active", "persona", "title"]
    assert listed[1].startswith("dad          2  ")
    assert listed[1].endswith("My dad is allergic to penicillin")
    shown = cli("chats", "dad").out
    assert "assistant: Noted.\n" in shown
    assert "by gpt-x" in shown
    assert "messages    2, " in cli("chats", "dad", "--stats").out
    assert cli("chats", "dad", "--stats", "--json").json["totalPins"] == 1


def test_who_speaks_is_shown(cli: Cli, db: Path) -> None:
    """A message with a name says who spoke, in the list and in JSON; one without says its role alone."""
    with Memory(db) as memory:
        said = [{"role": "user", "text": "Hello.", "name": "Zoë Lee"}, {"role": "assistant", "text": "Hi."}]
        memory.chat("dad").add(said)
    shown = cli("chats", "dad").out
    assert "user Zoë Lee: Hello.\n" in shown and "assistant: Hi.\n" in shown
    first, second = cli("chats", "dad", "--json").json["messages"]
    assert first["name"] == "Zoë Lee" and "name" not in second


def test_long_lists_say_that_they_go_on(cli: Cli, db: Path) -> None:
    """A limit shows the last ones and says that there are more."""
    with Memory(db) as memory:
        for number in range(3):
            memory.chat(f"c{number}").add(user=f"Message number {number}")
        for number in range(4):
            memory.chat("c0").add(user=f"Further message {number}")
    assert cli("chats", "--limit", "2").out.endswith("There are more: use --limit 4\n")
    assert cli("chats", "--limit", "2", "--json").json["next_cursor"]
    shown = cli("chats", "c0", "--limit", "2")
    assert shown.out.startswith("There are earlier messages: use --limit 4\nuser: Further message 2\n")
    assert len(cli("chats", "c0", "--limit", "5000", "--json").json["messages"]) == 5


def test_one_is_not_many(cli: Cli) -> None:
    """A chat with a single message is told in the singular."""
    cli("chats", "dad", "--record", "Hello")
    numbers = cli("chats", "dad", "--stats").out
    assert "not folded  1 message, 1 token\n" in numbers
    assert "messages    1, 1 token\n" in numbers


def test_a_database_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    """A mistyped path is named with the commands that would create it, and no file is created."""
    missing = tmp_path / "new.db"
    for command in (["chats"], ["worker"], ["todos"], ["memories"]):
        ran = cli(*command, "--db", str(missing))
        assert (ran.code, ran.out) == (4, "")
        assert ran.err == (
            f"recollect: There is no database at {missing} yet. To create it, run `recollect remember` or `recollect chat`"
            ".\n"
        )
    assert not missing.exists()


def test_editing_a_message(cli: Cli) -> None:
    """New words remove the old pin and bring their own."""
    done = cli("chats", "dad", "--record", "My dad is allergic to penicillin", "--json").json
    message_id = done["messages"][0]["id"]
    ran = cli("chats", "dad", "--edit", message_id, "My dad is allergic to aspirin")
    assert ran.code == 0
    assert "Unpinned: User's dad is allergic to penicillin\n" in ran.out
    assert "Pinned: User's dad is allergic to aspirin\n" in ran.out
    assert cli("chats", "dad", "--edit", "nothing", "Other words").code == 4
    assert cli("chats", "dad", "--edit", message_id, "-", stdin="My dad is well\n").code == 0
    assert "user: My dad is well\n" in cli("chats", "dad").out


def test_hostile_text_cannot_take_over_the_terminal(cli: Cli) -> None:
    """Escape codes and reordering in what was said, pinned or noted are shown as letters."""
    odd = "Red \x1b[31mand\x1b]0;owned\x07\nnext \u202e line"
    cli("chats", "a\x1b", "--record", odd, "--role", "assistant", "--model", "\x1b[2J")
    cli("chats", "a\x1b", "--rename", odd)
    cli("pins", "a\x1b", "--add", odd)
    cli("todos", "--add", odd)
    for command in (
        ["chats"],
        ["chats", "a\x1b"],
        ["pins", "a\x1b"],
        ["todos"],
        ["context", odd, "--chat", "a\x1b", "--explain"],
        ["chats", "\x1b[2J"],
        ["sessions", "--state"],
        ["sessions"],
    ):
        ran = cli(*command)
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)


def test_renaming(cli: Cli) -> None:
    """A title of one's own replaces the first words, and can be taken away."""
    cli("chats", "dad", "--record", "How is he today?")
    assert cli("chats", "dad", "--rename", "Dad's health").out == "Renamed: dad is now “Dad's health”\n"
    assert cli("chats", "--json").json["chats"][0]["title"] == "Dad's health"
    for empty in ("", "  "):
        cli("chats", "dad", "--rename", "Dad's health")
        assert cli("chats", "dad", "--rename", empty).out == "Renamed: dad no longer has a title\n"
        assert cli("chats", "--json").json["chats"][0]["title"] == "How is he today?"


def test_the_summaries_of_a_folded_chat(cli: Cli, folded: str) -> None:
    """The brief, its revisions and the segments are shown with who wrote them."""
    brief = cli("chats", folded, "--brief")
    assert " · by rules, offline · " in brief.out
    revisions = cli("chats", folded, "--brief", "--revisions", "--json").json["briefs"]
    assert [item["revision"] for item in revisions] == sorted(item["revision"] for item in revisions)
    assert revisions[-1]["global_summary"] == cli("chats", folded, "--brief", "--json").json["global_summary"]
    segments = cli("chats", folded, "--summaries", "--json").json["summaries"]
    assert len(segments) == len(revisions) > 0
    assert cli("chats", folded, "--summaries").out.count(" tokens in place of ") == len(segments)
    assert "% of their length\n" in cli("chats", folded, "--stats").out


def test_before_anything_is_folded(cli: Cli) -> None:
    """A young chat has neither brief nor summaries, and says so."""
    cli("chats", "dad", "--record", "How is he today?")
    assert cli("chats", "dad", "--brief").out == "No brief yet, because nothing has been folded.\n"
    assert (
        cli("chats", "dad", "--brief", "--revisions").out
        == "No brief yet, because nothing has been folded.\n"
    )
    assert cli("chats", "dad", "--summaries").out == "No summaries yet, because nothing has been folded.\n"


@pytest.mark.parametrize("given", [[], ["--brief"], ["--summaries"], ["--stats"], ["--rename", "x"]])
def test_a_chat_that_is_not_there(cli: Cli, given: list[str]) -> None:
    """A mistyped id is an error, not an empty chat."""
    cli("chats", "dad", "--record", "How is he today?")
    ran = cli("chats", "mum", *given)
    assert (ran.code, ran.err) == (4, "recollect: There is no chat 'mum'.\n")


def test_recording_does_not_start_work(cli: Cli) -> None:
    """A command of a moment leaves what follows to a worker."""
    for number in range(4):
        cli("chats", "dad", "--record", f"We talked about lunch, number {number}")
    kinds = [job["kind"] for job in cli("doctor", "--jobs", "--json").json["jobs"]]
    assert "rolling_summary" in kinds


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["--record", " "], "text must not be empty"),
        (["--record", "Hello", "--role", "wizard"], "role must be one of"),
        (["--record", "Hello", "--at", "yesterday"], "created_at"),
        (["--rename", "x" * 300], "title must have at most 200 characters"),
        (["--limit", "0"], "limit must be a whole number"),
    ],
)
def test_bad_input(cli: Cli, given: list[str], word: str) -> None:
    """What cannot be recorded or shown is one line, and nothing changes."""
    cli("chats", "dad", "--record", "How is he today?")
    ran = cli("chats", "dad", *given)
    assert ran.code == 2
    assert word in ran.err
    assert cli("chats", "--json").json["chats"][0]["message_count"] == 1


# -- pins -----------------------------------------------------------------------------------------------


def test_a_pin_comes_and_goes(cli: Cli) -> None:
    """Add, list and remove."""
    pin = cli("pins", "dad", "--add", "Dad's doctor is Dr. Chen", "--importance", "8", "--json").json
    assert pin["pin_type"] == "manual"
    listed = cli("pins", "dad")
    assert listed.out.startswith("Dad's doctor is Dr. Chen\n  importance 8 · manual · ")
    assert pin["id"] in listed.out
    assert cli("pins", "dad", "--add", "-", stdin="He is 70\n").out.startswith("Pinned: He is 70\n")
    assert cli("pins", "dad", "--remove", pin["id"]).out == f"Removed: {pin['id']}\n"
    assert [item["content"] for item in cli("pins", "dad", "--json").json["pins"]] == ["He is 70"]


def test_pins_that_are_wrong(cli: Cli) -> None:
    """Unknown chats and pins are code 4; bad values code 2."""
    cli("chats", "dad", "--record", "How is he today?")
    assert cli("pins", "nowhere").code == 4
    assert cli("pins", "dad", "--remove", "nothing").code == 4
    assert "CHAT is missing" in cli("pins").err
    assert "--importance must be at most 10." in cli("pins", "dad", "--add", "A fact", "-i", "11").err
    assert "pin_type must be one of" in cli("pins", "dad", "--add", "A fact", "--type", "odd").err
    assert cli("pins", "dad", "--add", "A fact", "--remove", "x").code == 2
    assert cli("pins", "dad").out == "No pins.\n"
