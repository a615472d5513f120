"""Importing other products' exports by command: recognised by content, resumed after a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from foreign_exports import (
    TALK,
    chatgpt_conversation,
    claude_conversation,
    lines,
    mem0_memory,
    openai_messages,
    zipped,
)
from patience import LIMIT

from .conftest import COMMAND, Cli

CHATGPT = [chatgpt_conversation()]
CLAUDE = [claude_conversation()]
LINES = [*openai_messages(), {"content": "User keeps bees behind the house"}]


@pytest.mark.parametrize(
    ("data", "counted", "told"),
    [
        (json.dumps(CHATGPT).encode(), 2, "conversations of ChatGPT"),
        (json.dumps(CLAUDE, indent=2).encode("utf-8-sig"), 2, "conversations of Claude"),
        (json.dumps([mem0_memory("User likes green tea")]).encode(), 1, "memories of mem0"),
        (lines(LINES).encode(), 3, "messages and memories, one per entry"),
        (json.dumps(openai_messages()).encode(), 2, "messages and memories, one per entry"),
        (
            zipped({"conversations.json": json.dumps(CHATGPT), "user.json": "{}"}),
            2,
            "conversations of ChatGPT",
        ),
        (
            zipped({"d/conversations.json": json.dumps(CLAUDE), "users.json": "[]"}),
            2,
            "conversations of Claude",
        ),
    ],
)
def test_the_content_says_what_a_file_is(
    cli: Cli, tmp_path: Path, data: bytes, counted: int, told: str
) -> None:
    """Whatever a file is called, it is recognised, said, read, and a second time known."""
    file = tmp_path / "some.file"
    file.write_bytes(data)
    first = cli("import", str(file))
    assert (first.code, first.out) == (0, f"Imported {counted}, known already 0, skipped 0\n")
    assert first.err.splitlines()[0] == f"Reading {told}."
    second = cli("import", str(file), "--json")
    assert second.json == {"imported": 0, "duplicates": counted, "skipped": []}


def test_what_is_left_out_of_an_archive_is_told(cli: Cli, tmp_path: Path) -> None:
    """Projects and users of Claude are not read, and that is said."""
    members = {"conversations.json": json.dumps(CLAUDE), "projects.json": "[]", "users.json": "[]"}
    file = tmp_path / "export.zip"
    file.write_bytes(zipped(members))
    assert "Not imported from the archive: projects.json, users.json.\n" in cli("import", str(file)).err


def test_through_a_pipe(shell: Cli, db: Path, tmp_path: Path) -> None:
    """Standard input may be an archive, and a file may be a pipe."""
    file = tmp_path / "export.zip"
    file.write_bytes(zipped({"conversations.json": json.dumps(CHATGPT)}))
    command = [*COMMAND, "import", "-", "--json"]
    with file.open("rb") as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, timeout=LIMIT, check=True)
    assert json.loads(done.stdout)["imported"] == 2
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, "import", str(pipe), "--json"], stdout=subprocess.PIPE) as running:
        pipe.write_text(lines(LINES))
        out, _ = running.communicate(timeout=LIMIT)
    assert json.loads(out)["imported"] == 3


def test_a_format_may_be_said(cli: Cli, tmp_path: Path) -> None:
    """What is said counts; a broken first line is then a line that is told; what is no format is refused."""
    file = tmp_path / "lines"
    file.write_text("broken\n" * 30 + lines(openai_messages()))
    assert cli("import", str(file)).code == 2
    ran = cli("import", str(file), "--format", "jsonl", "--json")
    assert ran.code == 3
    assert ran.json["imported"] == 2
    assert [item["line"] for item in ran.json["skipped"]] == list(range(1, 31))
    refused = cli("import", str(file), "--format", "xml")
    assert refused.code == 2
    assert "Allowed: auto, recollect, chatgpt, claude, mem0, jsonl." in refused.err


def test_skipped_entries_are_told(cli: Cli) -> None:
    """What could not be read is told with its place, the code is 3."""
    document = [5, chatgpt_conversation(), chatgpt_conversation(name="")]
    ran = cli("import", "-", stdin=json.dumps(document))
    assert ran.code == 3
    assert ran.out == (
        "Imported 2, known already 0, skipped 2\n  entry 1: not an object.\n  entry 3: it has no id.\n"
    )


def _messages(db: Path) -> int:
    if not db.exists():
        return 0
    with closing(sqlite3.connect(db, timeout=LIMIT)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM messages").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def _killed(file: Path, db: Path) -> int:
    """How many messages are stored by an import that was killed as soon as it had stored some."""
    command = [*COMMAND, "import", str(file), "--db", str(db)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        deadline = time.monotonic() + LIMIT
        while not _messages(db) and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        running.send_signal(signal.SIGKILL)
        running.wait(LIMIT)
    return _messages(db)


def test_a_killed_import_goes_on(cli: Cli, tmp_path: Path) -> None:
    """Killed without a warning in the middle and run again, everything is there once."""
    said = [(role, f"{role} number {number}") for number in range(40) for role in ("user", "assistant")]
    document: list[Any] = [claude_conversation(said, name=f"conv-{number}") for number in range(100)]
    total = len(said) * len(document)
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(document))
    # Whoever was not looking while it ran tries again.
    tries = ((_killed(file, db), str(db)) for db in (tmp_path / f"{number}.db" for number in range(5)))
    stored, db = next((stored, db) for stored, db in tries if 0 < stored < total)
    ran = cli("import", str(file), "--db", db, "--json")
    assert ran.json == {"imported": total - stored, "duplicates": stored, "skipped": []}
    assert cli("import", str(file), "--db", db, "--json").json["imported"] == 0
    exported = cli("export", "--db", db, "--json").json
    assert len(exported["chats"]) == len(document)
    assert all([(m["role"], m["text"]) for m in chat["messages"]] == said for chat in exported["chats"])


def test_a_broken_file_is_refused_in_one_line(cli: Cli, tmp_path: Path) -> None:
    """Half an archive and half a document change nothing."""
    file = tmp_path / "half"
    for data in (
        zipped({"conversations.json": json.dumps(CHATGPT)})[:-40],
        json.dumps(CHATGPT).encode()[:-9],
    ):
        file.write_bytes(data)
        ran = cli("import", str(file))
        assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert TALK[0][1] not in cli("export").out
