"""chats: list, read, record, edit, rename, summaries and numbers."""

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
        assert memory.drain(seconds=20)
    return "garden"


def test_a_chat_from_its_first_word(cli: Cli) -> None:
    """A recorded message makes the chat, is shown, listed and counted, and brings its pin."""
    assert cli("chats").out == "No chats. `recollect chat` begins one.\n"
    ran = cli("chats", "record", "dad", "My dad is allergic to penicillin")
    assert ran.code == 0
    assert ran.out.startswith("user: My dad is allergic to penicillin\n  ")
    assert ran.out.endswith("Pinned: User's dad is allergic to penicillin (importance 10)\n")
    cli("chats", "record", "dad", "Noted.", "--role", "assistant", "--model", "gpt-x")
    listed = cli("chats").out.splitlines()
    assert listed[0].split() == ["chat", "messages", "last", "active", "persona", "title"]
    assert listed[1].startswith("dad          2  ")
    assert listed[1].endswith("My dad is allergic to penicillin")
    shown = cli("chats", "show", "dad").out
    assert "assistant: Noted.\n" in shown
    assert "by gpt-x" in shown
    assert "messages    2, " in cli("chats", "stats", "dad").out
    assert cli("chats", "stats", "dad", "--json").json["totalPins"] == 1


def test_who_speaks_is_shown(cli: Cli, db: Path) -> None:
    """A message with a name says who spoke, in the list and in JSON; one without says its role alone."""
    with Memory(db) as memory:
        said = [{"role": "user", "text": "Hello.", "name": "Zoë Lee"}, {"role": "assistant", "text": "Hi."}]
        memory.chat("dad").record(said)
    shown = cli("chats", "show", "dad").out
    assert "user Zoë Lee: Hello.\n" in shown and "assistant: Hi.\n" in shown
    first, second = cli("chats", "show", "dad", "--json").json["messages"]
    assert first["name"] == "Zoë Lee" and "name" not in second


def test_the_group_alone_lists(cli: Cli) -> None:
    """`chats`, `chats list` and options without a command are the same list."""
    cli("chats", "record", "dad", "How are you today?")
    page = cli("chats", "--json")
    assert page.json["chats"][0]["chat_id"] == "dad"
    assert page.out == cli("chats", "list", "--json").out == cli("chats", "--limit", "5", "--json").out
    assert cli("chats", "--help").out.startswith("Usage: recollect chats [OPTIONS] COMMAND")


def test_options_before_the_command_are_refused(cli: Cli) -> None:
    """An option in the wrong place is an error and never acts for another user."""
    ran = cli("chats", "--user", "ann", "record", "dad", "How are you today?")
    assert ran.code == 2
    assert cli("chats", "--user", "ann", "--json").json["chats"] == []
    assert cli("chats", "--json").json["chats"] == []


def test_a_mistyped_command_is_named(cli: Cli) -> None:
    """A word that is no command brings the nearest one."""
    ran = cli("chats", "shwo", "dad")
    assert ran.code == 2
    assert (
        ran.err == "recollect: No such command 'shwo'. Did you mean 'show'? See `recollect chats --help`.\n"
    )


def test_long_lists_say_that_they_go_on(cli: Cli, db: Path) -> None:
    """A limit shows the last ones and says that there are more."""
    with Memory(db) as memory:
        for number in range(3):
            memory.chat(f"c{number}").add(user=f"Message number {number}")
        for number in range(4):
            memory.chat("c0").add(user=f"Further message {number}")
    assert cli("chats", "--limit", "2").out.endswith("There are more: --limit 4\n")
    assert cli("chats", "--limit", "2", "--json").json["more"] is True
    shown = cli("chats", "show", "c0", "--limit", "2")
    assert shown.out.startswith("There are earlier ones: --limit 4\nuser: Further message 2\n")
    assert len(cli("chats", "show", "c0", "--limit", "5000", "--json").json["messages"]) == 5


def test_one_is_not_many(cli: Cli) -> None:
    """A chat with a single message is told in the singular."""
    cli("chats", "record", "dad", "Hello")
    numbers = cli("chats", "stats", "dad").out
    assert "not folded  1 message, 1 token\n" in numbers
    assert "messages    1, 1 token\n" in numbers


def test_a_database_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    """A mistyped path is named with the commands that would make it, and no file is made."""
    missing = tmp_path / "new.db"
    for command in (["chats"], ["worker"], ["todos"], ["memories"]):
        ran = cli(*command, "--db", str(missing))
        assert (ran.code, ran.out) == (4, "")
        assert ran.err == (
            f"recollect: There is no database at {missing} yet; the first `recollect chat` or `recollect remember`"
            " makes it.\n"
        )
    assert not missing.exists()


def test_editing_a_message(cli: Cli) -> None:
    """Other words take the old pin away and bring their own."""
    done = cli("chats", "record", "dad", "My dad is allergic to penicillin", "--json").json
    message_id = done["messages"][0]["id"]
    ran = cli("chats", "edit", message_id, "My dad is allergic to aspirin")
    assert ran.code == 0
    assert "Unpinned: User's dad is allergic to penicillin\n" in ran.out
    assert "Pinned: User's dad is allergic to aspirin\n" in ran.out
    assert cli("chats", "edit", "nothing", "Other words").code == 4


def test_hostile_text_cannot_take_over_the_terminal(cli: Cli) -> None:
    """Escape codes and reordering in what was said, pinned or noted are shown as letters."""
    odd = "Red \x1b[31mand\x1b]0;owned\x07\nnext \u202e line"
    cli("chats", "record", "a\x1b", odd, "--role", "assistant", "--model", "\x1b[2J")
    cli("chats", "rename", "a\x1b", odd)
    cli("pins", "add", "a\x1b", odd)
    cli("todos", "add", odd)
    for command in (
        ["chats"],
        ["chats", "show", "a\x1b"],
        ["pins", "a\x1b"],
        ["todos"],
        ["context", odd, "--chat", "a\x1b", "--explain"],
        ["chats", "show", "\x1b[2J"],
        ["state"],
        ["sessions"],
    ):
        ran = cli(*command)
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)


def test_renaming(cli: Cli) -> None:
    """A title of one's own replaces the first words, and can be taken away."""
    cli("chats", "record", "dad", "How is he today?")
    assert cli("chats", "rename", "dad", "Dad's health").out == "Renamed: dad is “Dad's health” now\n"
    assert cli("chats", "--json").json["chats"][0]["title"] == "Dad's health"
    for empty in ("", "  "):
        cli("chats", "rename", "dad", "Dad's health")
        assert cli("chats", "rename", "dad", empty).out == "Renamed: dad has no title of its own now\n"
        assert cli("chats", "--json").json["chats"][0]["title"] == "How is he today?"


def test_the_summaries_of_a_folded_chat(cli: Cli, folded: str) -> None:
    """The brief, its revisions and the segments are shown with who wrote them."""
    brief = cli("chats", "brief", folded)
    assert " · by rules, offline · " in brief.out
    revisions = cli("chats", "brief", folded, "--revisions", "--json").json["briefs"]
    assert [item["revision"] for item in revisions] == sorted(item["revision"] for item in revisions)
    assert revisions[-1]["global_summary"] == cli("chats", "brief", folded, "--json").json["global_summary"]
    segments = cli("chats", "summaries", folded, "--json").json["summaries"]
    assert len(segments) == len(revisions) > 0
    assert cli("chats", "summaries", folded).out.count(" tokens in place of ") == len(segments)
    assert "% of the length\n" in cli("chats", "stats", folded).out


def test_before_anything_is_folded(cli: Cli) -> None:
    """A young chat has neither brief nor summaries, and says so."""
    cli("chats", "record", "dad", "How is he today?")
    assert cli("chats", "brief", "dad").out == "No brief yet: nothing is folded.\n"
    assert cli("chats", "brief", "dad", "--revisions").out == "No brief yet: nothing is folded.\n"
    assert cli("chats", "summaries", "dad").out == "No summaries yet: nothing is folded.\n"


@pytest.mark.parametrize("command", ["show", "brief", "summaries", "stats"])
def test_a_chat_that_is_not_there(cli: Cli, command: str) -> None:
    """A mistyped id is an error, not an empty chat."""
    cli("chats", "record", "dad", "How is he today?")
    ran = cli("chats", command, "mum")
    assert (ran.code, ran.err) == (4, "recollect: There is no chat 'mum'.\n")


def test_recording_does_not_start_work(cli: Cli) -> None:
    """A command of a moment leaves what follows to a worker."""
    for number in range(4):
        cli("chats", "record", "dad", f"We talked about lunch, number {number}")
    kinds = [job["kind"] for job in cli("jobs", "--json").json["jobs"]]
    assert "rolling_summary" in kinds


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["record", "dad", " "], "text is empty"),
        (["record", "dad", "Hello", "--role", "wizard"], "role must be one of"),
        (["record", "dad", "Hello", "--at", "yesterday"], "created_at"),
        (["rename", "dad", "x" * 300], "title must have at most 200 characters"),
        (["show", "dad", "--limit", "0"], "limit must be a whole number"),
    ],
)
def test_bad_input(cli: Cli, given: list[str], word: str) -> None:
    """What cannot be recorded or shown is one line, and nothing changes."""
    cli("chats", "record", "dad", "How is he today?")
    ran = cli("chats", *given)
    assert ran.code == 2
    assert word in ran.err
    assert cli("chats", "--json").json["chats"][0]["message_count"] == 1
