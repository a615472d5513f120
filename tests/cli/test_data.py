"""export and import."""

import json
from pathlib import Path

import pytest

from recollect.cli.data import write_whole
from recollect.errors import RecollectError

from .conftest import Cli, Known


def test_export_and_import_again(cli: Cli, filled: Known, tmp_path: Path) -> None:
    """What was exported is read into another database, and a second time nothing is added."""
    exported = cli("export")
    document = exported.json
    assert document["recollect"] == 1
    assert len(document["memories"]) == 5
    other = str(tmp_path / "other.db")
    first = cli("import", "-", "--db", other, "--json", stdin=exported.out)
    assert (first.code, first.json) == (0, {"imported": 5, "duplicates": 0, "skipped": []})
    second = cli("import", "-", "--db", other, stdin=exported.out)
    assert (second.code, second.out) == (0, "Imported 0, known already 5, skipped 0\n")
    assert cli("stats", "--db", other, "--json").json["total"] == 4


def test_export_to_a_file(cli: Cli, filled: Known, tmp_path: Path) -> None:
    """A file is replaced as a whole, is its owner's alone, and nothing is left beside it."""
    file = tmp_path / "out" / "export.json"
    file.parent.mkdir()
    file.write_text("older")
    ran = cli("export", "-o", str(file))
    assert ran.out == f"Exported 5 memories to {file}\n"
    assert len(json.loads(file.read_text("utf-8"))["memories"]) == 5
    assert file.stat().st_mode & 0o077 == 0
    assert list(file.parent.iterdir()) == [file]
    told = cli("export", "-o", str(file), "--json").json
    talk = {"chats": 0, "messages": 0, "pins": 0, "todos": 0, "sessions": 0}
    assert told == {"file": str(file), "format": "json", "memories": 5, **talk}
    assert cli("import", str(file)).out == "Imported 0, known already 5, skipped 0\n"


def test_an_export_says_what_is_in_it(cli: Cli, tmp_path: Path) -> None:
    """Everything that the file holds is counted; Markdown lists chats without their messages."""
    file = str(tmp_path / "export")
    assert cli("export", "-o", file).out == f"Exported 0 memories to {file}\n"
    cli("chats", "dad", "--record", "My dad is allergic to penicillin")
    cli("chats", "dad", "--record", "Noted.", "--role", "assistant")
    cli("todos", "--add", "Call the doctor")
    assert (
        cli("export", "-o", file).out == f"Exported 1 chat, 2 messages, 1 pin, 1 todo, 1 session to {file}\n"
    )
    assert cli("export", "-f", "markdown", "-o", file).out == f"Exported 1 chat, 1 pin, 1 todo to {file}\n"
    assert "\n2 messages, since " in Path(file).read_text("utf-8")
    cli("chats", "mum", "--record", "Good morning, mum")
    assert "\n1 message, since " in cli("export", "-f", "markdown").out


def test_export_as_markdown(cli: Cli, filled: Known) -> None:
    """Markdown is for people: headings, current facts, no replaced ones."""
    ran = cli("export", "--format", "markdown")
    assert "## Identity\n\n- User lives in Lisbon — 20" in ran.out
    assert "Berlin" not in ran.out
    told = cli("export", "-f", "markdown", "--json").json
    assert told["format"] == "markdown"
    # The third line has the moment of the export.
    assert told["text"].splitlines()[3:] == ran.out.splitlines()[3:]


def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    """When writing fails half-way the older file is untouched and the unfinished one is gone."""
    file = tmp_path / "export.json"
    file.write_text("older")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "half \ud800 way")
    assert file.read_text() == "older"
    assert list(tmp_path.iterdir()) == [file]


def test_an_export_to_nowhere(cli: Cli, filled: Known, tmp_path: Path) -> None:
    """A folder that does not exist or is no file is one line and code 1."""
    ran = cli("export", "-o", str(tmp_path / "no" / "file.json"))
    assert ran.code == 1
    assert "cannot be written: No such file or directory." in ran.err
    assert cli("export", "-o", str(tmp_path)).code == 1


def test_an_export_into_a_device_keeps_the_device(tmp_path: Path) -> None:
    """What is no regular file is written to, not replaced."""
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    write_whole(link, "text")
    assert Path("/dev/null").is_char_device()
    assert link.is_symlink()


def test_a_file_that_cannot_be_written_is_one_error() -> None:
    """The error names the file and the reason."""
    with pytest.raises(RecollectError, match="/proc/nothing cannot be written"):
        write_whole(Path("/proc/nothing"), "text")


def test_an_unknown_format(cli: Cli) -> None:
    """A format that is none is bad input."""
    assert cli("export", "--format", "xml").code == 2


def test_import_tells_what_it_skipped(cli: Cli, filled: Known, tmp_path: Path) -> None:
    """Entries that cannot be read are told one by one, the others are stored, and the code is 3."""
    document = cli("export").json
    document["memories"][1]["content"] = "short"
    document["memories"].append("nonsense")
    other = str(tmp_path / "other.db")
    ran = cli("import", "-", "--db", other, stdin=json.dumps(document))
    assert ran.code == 3
    assert ran.out.splitlines()[0] == "Imported 4, known already 0, skipped 2"
    assert "  entry 2: Content too short (minimum 10 characters)" in ran.out
    assert "  entry 6: not an object." in ran.out
    assert ran.err == ""
    again = cli("import", "-", "--db", other, "--json", stdin=json.dumps(document))
    assert again.code == 3
    assert [item["line"] for item in again.json["skipped"]] == [2, 6]


def test_import_tells_only_the_first_skipped(cli: Cli) -> None:
    """A long list of skipped entries is cut for people, and the rest is counted."""
    document = {"recollect": 1, "memories": ["nonsense"] * 25}
    ran = cli("import", "-", stdin=json.dumps(document))
    assert ran.out.count("not an object") == 20
    assert "… and 5 more; --json lists all" in ran.out


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "is not JSON"),
        ('{"recollect": 1,', "is not JSON"),
        ("[]", "not an export of Recollect"),
        ('"text"', "not an export of Recollect"),
        ('{"recollect": 99, "memories": []}', "not an export of Recollect"),
        ('{"recollect": 1}', "memories is missing"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_import_of_something_else(cli: Cli, text: str, word: str) -> None:
    """What is no export is refused in one line that says why."""
    ran = cli("import", "-", stdin=text)
    assert ran.code == 2
    assert word in ran.err
    assert ran.err.count("\n") == 1


def test_import_of_a_file_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    """A missing file, a folder and a file that is no text are bad input."""
    assert "cannot be read: No such file" in cli("import", str(tmp_path / "none.json")).err
    assert cli("import", str(tmp_path)).code == 2
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "is not valid UTF-8 (byte 0)" in cli("import", str(tmp_path / "binary"), "--json").json["error"]
