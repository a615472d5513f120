"""The command as a whole: help, exit codes, errors, pipes and encodings."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from patience import LIMIT

import recollect
from recollect import errors
from recollect.cli.app import app
from recollect.cli.output import MEANINGS, UNEXPECTED

from .conftest import COMMAND, Cli, Known

HOSTILE = "I like \x1b[31mred\x1b]0;owned\x07 and [bold]bold[/bold] \u202e text"


def test_help_names_every_command_and_exit_code(shell: Cli) -> None:
    """`--help`, `-h` and no argument at all show the same page, with code 0."""
    page = shell("--help")
    assert page.code == 0
    for command in app.registered_commands:
        assert (f"\n  {command.name} " in page.out) is not command.hidden
    for group in app.registered_groups:
        assert f"\n  {group.name} " in page.out
    for code, meaning in MEANINGS.items():
        assert f"{code:<4} {meaning}\n" in page.out
    assert shell("-h").out == page.out
    assert shell().out == page.out
    assert "..." not in page.out.partition("Commands:")[2]


@pytest.mark.parametrize("group", [str(group.name) for group in app.registered_groups])
def test_help_of_a_group_is_whole(cli: Cli, group: str) -> None:
    """On 80 columns the help of every command is a whole sentence."""
    page = cli(group, "--help")
    assert page.code == 0
    assert "..." not in page.out.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        (["recall"], "recollect recall [OPTIONS] QUERY\n"),
        (["forget"], "recollect forget [OPTIONS] [ID]\n"),
        (["update"], "recollect update [OPTIONS] ID [TEXT]\n"),
        (["chats"], "recollect chats [OPTIONS] [ID]\n"),
        (["import"], "recollect import [OPTIONS] FILE\n"),
        (["db", "migrate"], "recollect db migrate [OPTIONS]\n"),
    ],
    ids=" ".join,
)
def test_the_usage_line_is_what_one_types(cli: Cli, command: list[str], usage: str) -> None:
    """Arguments are shown as they are declared, without more braces, brackets or types."""
    page = cli(*command, "--help").out
    assert page.startswith(f"Usage: {usage}")
    assert "<str>" not in page


@pytest.mark.parametrize(
    "command",
    [["serve"], ["db", "info"], ["db", "reembed"], ["token", "revoke"]],
    ids=" ".join,
)
def test_help_is_silent_of_what_has_no_effect(cli: Cli, command: list[str]) -> None:
    """A command about the whole database takes `--user`, for scripts, and does not show it."""
    assert "--user" not in cli(*command, "--help").out
    assert cli(*command, "--user", "ann", "--help").code == 0


def test_help_does_not_import_what_is_heavy() -> None:
    """The commands load neither Rich nor onnxruntime before they run."""
    code = "import sys, recollect.cli.app; print([n for n in ('rich', 'onnxruntime') if n in sys.modules])"
    done = subprocess.run([COMMAND[0], "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT)
    assert done.stdout == "[]\n"


def test_version(cli: Cli) -> None:
    """`--version` shows it."""
    assert cli("--version").out == f"recollect {recollect.__version__}\n"


def test_global_options_in_any_place(cli: Cli, tmp_path: Path) -> None:
    """--db, --user and --json work before the command, after it and inside a group; the last one counts."""
    one, two = str(tmp_path / "one.db"), str(tmp_path / "two.db")
    assert cli("--db", one, "-u", "ann", "remember", "I prefer tea over coffee").code == 0
    assert cli("remember", "--db", two, "I live in Lisbon", "--user", "bob").code == 0
    assert cli("--json", "--db", one, "stats", "-u", "ann").json["total"] == 1
    assert cli("--db", one, "stats", "--db", two, "--user", "bob", "--json").json["total"] == 1
    assert cli("--user", "ann", "stats", "--db", one, "--user", "bob").out == "0 memories of bob\n"
    for given in (["--db", one, "db", "info"], ["db", "--db", one, "info"], ["db", "info", "--db", one]):
        assert cli(*given, "--json").json["user_ids"] == ["ann"]
    assert cli("--json", "db", "info", "--db", two).json["user_ids"] == ["bob"]


def test_hidden_spellings(cli: Cli) -> None:
    """`add` is `remember`, `search` is `recall`."""
    assert cli("add", "I prefer tea over coffee").out.startswith("Remembered: ")
    assert "User prefers tea over coffee" in cli("search", "What do I drink?").out


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["recal", "x"], "There is no command 'recal'. Did you mean 'recall'? See `recollect --help`."),
        (["remember"], "TEXT is missing: a fact about the user. See `recollect remember --help`."),
        (["remember", "I", "drink", "tea"], "Too many arguments: drink tea. Put quotes around a text"),
        (["stats", "x"], "Too many arguments: x. See `recollect stats --help`."),
        (["memories", "--limt", "3"], "There is no option --limt. Did you mean --limit?"),
        (["memories", "--limit", "many"], "--limit must be a whole number."),
        (["memories", "--limit"], "--limit needs a value. See `recollect memories --help`."),
        (["chats", "a", "--edit", "b"], "--edit needs 2 values."),
        (["chats", "a", "--brief", "--stats"], "--brief and --stats cannot be combined."),
        (["chats", "--brief"], "--brief requires a chat's ID: recollect chats ID --brief"),
        (["memories", "--why"], "--history and --why require a memory's ID"),
        (["entities", "--merge", "person:bob"], "recollect entities KEY --merge INTO"),
        (["sessions", "x", "--spine"], "Omit the ID"),
        (["db", "nonsense"], "See `recollect db --help`."),
        (["memories", "--limit", "0"], "limit must be a whole number of at least 1"),
        (["recall", "tea", "--messages", "-3"], "--messages must be at least 0."),
        (["recall", "tea", "--messages", "201"], "--messages must be at most 200."),
        (["recall", "tea", "--sessions", "99"], "--sessions must be at most 30."),
        (["remember", "too short"], "Content too short (minimum 10 characters)"),
        (["remember", "I prefer tea over coffee", "--category", "nonsense"], "nonsense"),
        (
            ["remember", "I prefer tea over coffee", "--importance", "11"],
            "--importance must be at most 10.",
        ),
        (["recall", ""], "query is empty"),
        (["recall", "tea", "--since", "yesterday"], "since: 'yesterday' is not an ISO-8601 time"),
        (["stats", "--user", " "], "--user: it is empty."),
        (["stats", "--db", "mysql://host/db"], "mysql:// is not supported"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(cli: Cli, given: list[str], word: str) -> None:
    """Bad usage and bad input are one line on standard error, or an error in JSON on standard output."""
    plain = cli(*given)
    assert (plain.code, plain.out) == (2, "")
    assert plain.err.startswith("recollect: ")
    assert plain.err.count("\n") == 1
    assert word in plain.err
    as_json = cli("--json", *given)
    assert (as_json.code, as_json.err) == (2, "")
    assert word in as_json.json["error"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.RecollectError("odd"), 1),
        (errors.InvalidInput("odd"), 2),
        (errors.NotWorthKeeping("odd"), 2),
        (errors.NotFound("odd"), 4),
        (errors.Conflict("odd"), 5),
        (errors.StoreError("odd"), 6),
        (errors.StoreUnavailable("odd"), 6),
        (errors.ModelError("odd"), 7),
        (errors.EmbeddingError("odd"), 7),
    ],
)
def test_every_error_has_its_code(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, error: errors.RecollectError, code: int
) -> None:
    """The table from error to exit code holds for the whole tree, without a trace even when debugging."""
    monkeypatch.setattr("recollect.cli.facts.opened", lambda db, **options: _raising(error))
    monkeypatch.setenv("RECOLLECT_DEBUG", "1")
    ran = cli("stats")
    assert (ran.code, ran.out, ran.err) == (code, "", "recollect: odd\n")
    assert cli("stats", "--json").json == {"error": "odd"}


def _raising(error: BaseException) -> None:
    raise error


def test_an_unexpected_error_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is told in one line with code 70, and its trace on request."""
    monkeypatch.setattr("recollect.cli.facts.opened", lambda db, **options: _raising(KeyError("lost")))
    ran = cli("stats")
    assert ran.code == UNEXPECTED
    assert (
        ran.err
        == "recollect: Unexpected KeyError: 'lost'. This is a bug. To see the traceback, set RECOLLECT_DEBUG=1.\n"
    )
    monkeypatch.setenv("RECOLLECT_DEBUG", "1")
    assert "Traceback (most recent call last)" in cli("stats").err


def test_an_interrupt_is_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command with 130 and without a trace."""
    monkeypatch.setattr("recollect.cli.facts.opened", lambda db, **options: _raising(KeyboardInterrupt()))
    ran = cli("stats")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


@pytest.mark.parametrize("made", ["folder", "text", "missing"])
def test_a_database_that_cannot_serve_is_code_6(cli: Cli, tmp_path: Path, made: str) -> None:
    """A path that is no database is one line that names it."""
    path = tmp_path / made
    if made == "folder":
        path.mkdir()
    elif made == "text":
        path.write_text("not a database, but long enough to be looked at as one " * 50)
    else:
        path = tmp_path / "no" / "such" / "folder.db"
    ran = cli("remember", "I prefer tea over coffee", "--db", str(path))
    assert ran.code == 6
    assert str(tmp_path) in ran.err
    assert ran.err.count("\n") == 1


def test_db_option_beats_the_environment(cli: Cli, filled: Known, tmp_path: Path) -> None:
    """--db names the database for one command; the environment names it otherwise."""
    assert cli("stats", "--json").json["total"] == 4
    other = str(tmp_path / "new.db")
    cli("remember", "I prefer tea over coffee", "--db", other)
    assert cli("stats", "--json", "--db", other).json["total"] == 1


def test_a_mistyped_path_makes_no_database(cli: Cli, tmp_path: Path) -> None:
    """A command that only reads refuses a file that is not there instead of making one."""
    path = tmp_path / "mistyped.db"
    reading = "memories,recall tea,stats,export,entities,context tea,chats,chats a,pins a,todos,sessions,review,seed"
    for command in f"{reading},sessions --spine,doctor --jobs,worker --once,db info,token list".split(","):
        ran = cli(*command.split(), "--db", str(path))
        assert ran.code == 4
        assert not path.exists()


def test_hostile_text_cannot_take_over_the_terminal(cli: Cli) -> None:
    """Escape codes, bells, reordering and markup in a memory are shown as letters by every command."""
    stored = cli("remember", HOSTILE, "--tag", "\x1b[2J", "--user", "\x1b[5m", "--json").json["memory"]
    assert stored["tags"] == ["\x1b[2J"]
    assert not {"\x1b", "\x07"} & set(stored["content"])
    memory_id = stored["memory_id"]
    told = [
        cli(*command, "--user", "\x1b[5m")
        for command in (
            ["recall", "red", "--explain"],
            ["memories"],
            ["memories", memory_id],
            ["stats"],
            ["update", memory_id, "--pin"],
            ["remember", HOSTILE],
            ["memories", "\x1b[2Jnothing"],
            ["remember", "I prefer tea over coffee", "--category", "\x1b[2J"],
            ["doctor"],
        )
    ]
    for ran in told:
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)
    assert "[bold]bold[/bold]" in told[0].out
    assert "\\x1b[2J" in told[2].out


def test_the_main_path_as_processes(shell: Cli) -> None:
    """Remember, recall, list and forget work as processes of their own, one after the other."""
    stored = shell("remember", "My wife is Jane", "--json").json
    assert shell("recall", "Who is my wife?").out.startswith("[person:jane]: User's wife is named Jane\n")
    assert stored["memoryId"] in shell("memories").out
    ran = shell("forget", stored["memoryId"])
    assert (ran.code, ran.err) == (0, "")
    assert shell("memories").out == "No memories.\n"
    assert shell("memories", stored["memoryId"]).code == 4


def test_an_entity_is_not_forgotten_by_a_pipe(shell: Cli, filled: Known) -> None:
    """A yes that comes through a pipe is not a person's."""
    ran = shell("forget", "--everything", stdin="y\n")
    assert ran.code == 2
    assert shell("forget", "--everything", "--yes").code == 0


def test_a_reader_who_leaves(filled: Known) -> None:
    """`recollect memories | head -1` ends without a word on standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "memories"], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=LIMIT
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output(filled: Known) -> None:
    """An answer that cannot be written is one line, not a trace."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "memories"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=LIMIT
        )
    assert done.stderr == b"recollect: The output cannot be written: No space left on device.\n"
    assert done.returncode == 1


def test_a_terminal_that_knows_only_ascii(shell: Cli) -> None:
    """Characters that cannot be shown are escaped instead of ending the command; JSON stays JSON."""
    ran = shell("remember", "I drink café crème every morning", PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert "caf\\xe9" in ran.out
    found = shell("memories", "--json", PYTHONIOENCODING="ascii").json["memories"]
    assert found[0]["content"] == "User drinks café crème every morning"


def test_bytes_that_are_no_text(db: Path) -> None:
    """An argument of broken UTF-8 is bad input."""
    done = subprocess.run(
        [*COMMAND, "remember", b"I like \xff\xfe very much"], capture_output=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_text_that_starts_with_a_dash(cli: Cli) -> None:
    """Behind two dashes everything is text, --json too."""
    ran = cli("recall", "--", "--json")
    assert (ran.code, ran.out) == (0, "Nothing found.\n")
