"""`recollect mcp`, by the SDK's own client and by hand: nothing but the protocol on standard output, and a clean end."""

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from patience import LIMIT, ended, line_of

from recollect import Memory, Settings
from recollect.cli.app import main

from .conftest import called
from .everything import use_everything

_COMMAND = [sys.executable, "-m", "recollect", "mcp"]
_HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_FACT = {"content": "User keeps bees in Graz", "category": "fact", "importance": 9}


def _asked(number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def _environment(**more: str) -> dict[str, str]:
    """What a person's shell has, without settings of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
    return {**kept, "OMP_NUM_THREADS": "1", **more}


def _parameters(db: Path, *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=_COMMAND[0],
        args=[*_COMMAND[1:], "--db", str(db), *arguments],
        env=_environment(RECOLLECT_JUDGE_MODEL="off"),
    )


@contextmanager
def _started(db: Path, *arguments: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [*_COMMAND, "--db", str(db), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(**environment),
    )
    with ended(process):
        yield process


def _send(process: "subprocess.Popen[bytes]", *messages: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    process.stdin.flush()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_everything_over_stdio(sqlite_path: Path, mode: str) -> None:
    """A client of today and one of yesterday: eight tools, resources and the prompt."""

    async def talk() -> None:
        async with Client(_parameters(sqlite_path), mode=mode) as client:
            await use_everything(client)

    asyncio.run(talk())


def test_the_server_says_what_it_is(sqlite_path: Path) -> None:
    """Name and instructions are the client's first sight; hints tell which tools are safe."""

    async def talk() -> None:
        async with Client(_parameters(sqlite_path)) as client:
            assert client.server_info.name == "recollect"
            assert "long-term memory" in (client.instructions or "")
            hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        reading = {name for name, hint in hints.items() if hint and hint.read_only_hint}
        destroying = {name for name, hint in hints.items() if hint and hint.destructive_hint}
        assert reading == {"search_memories", "list_memories", "get_context"}
        assert destroying == {"delete_memory"}
        assert all(hint and hint.open_world_hint is False and hint.title for hint in hints.values())

    asyncio.run(talk())


def test_users_and_personas_of_one_file(sqlite_path: Path) -> None:
    """`--user` and `--persona` say whose memory it is; two of them on one file do not see each other."""

    async def talk() -> None:
        async with (
            Client(_parameters(sqlite_path, "--user", "ann", "--persona", "coach")) as ann,
            Client(_parameters(sqlite_path, "--user", "bob")) as bob,
        ):
            await called(ann, "store_memory", _FACT)
            assert "bees" in await called(ann, "list_memories")
            assert await called(bob, "list_memories") == "You have no memories yet."

    asyncio.run(talk())
    with Memory(sqlite_path) as memory:
        (stored,) = memory.memories(user="ann")
        assert stored.persona_id == "coach"


def test_facts_form_of_what_was_recorded(sqlite_path: Path) -> None:
    """A worker runs inside: when the client has left, what was said has become a memory."""
    said = [{"role": "user", "text": "My sister is called Ann and I live in Oslo."}]

    async def talk() -> None:
        parameters = _parameters(sqlite_path).model_copy(update={"env": _environment()})
        async with Client(parameters) as client:
            await called(client, "remember_conversation", {"chat_id": "c", "messages": said})

    asyncio.run(talk())
    with Memory(sqlite_path, settings=Settings(worker="on")) as memory:
        # The client waits for two seconds only; on a busy machine the rest is done here.
        memory.drain(timeout=LIMIT)
        assert any("Oslo" in found.content for found in memory.memories())


def test_nothing_but_the_protocol_on_standard_output(sqlite_path: Path) -> None:
    """Each line is a message, events go to standard error, and a client that has said all is answered before the end."""
    messages = [_HELLO, _READY, _asked(1, "store_memory", _FACT), _asked(2, "list_memories", {}), "nonsense"]
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    done = subprocess.run(
        [*_COMMAND, "--db", str(sqlite_path)],
        input=lines,
        capture_output=True,
        env=_environment(RECOLLECT_DEBUG="1"),
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0
    answers = {answer.get("id"): answer for answer in map(json.loads, done.stdout.splitlines())}
    assert {0, 1, 2} <= set(answers)
    assert all(answer["jsonrpc"] == "2.0" for answer in answers.values())
    assert "✓ Memory stored" in answers[1]["result"]["content"][0]["text"]
    assert b"memory.added" in done.stderr


def test_a_last_line_without_its_end(sqlite_path: Path) -> None:
    """The last message counts although nobody ended its line; noise between messages does not."""
    lines = b"\n\xff\xfe{\n" + b"\n".join(json.dumps(message).encode() for message in (_HELLO, _READY))
    done = subprocess.run(
        [*_COMMAND, "--db", str(sqlite_path)],
        input=lines + b"\n" + json.dumps(_asked(7, "list_memories", {})).encode(),
        capture_output=True,
        env=_environment(),
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0
    assert 7 in [json.loads(line).get("id") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(sqlite_path: Path, number: signal.Signals) -> None:
    """Although the client says nothing and does not leave: code 0, and what was stored is kept."""
    with _started(sqlite_path) as process:
        _send(process, _HELLO, _READY, _asked(1, "store_memory", _FACT))
        assert json.loads(line_of(process))["id"] == 0
        assert json.loads(line_of(process))["id"] == 1
        process.send_signal(number)
        assert process.wait(LIMIT) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    with Memory(sqlite_path) as memory:
        assert [found.content for found in memory.memories()] == ["User keeps bees in Graz"]


def test_a_client_that_vanishes(sqlite_path: Path) -> None:
    """Nobody reads the answers any more: it ends, without a trace."""
    with _started(sqlite_path) as process:
        _send(process, _HELLO)
        line_of(process)
        assert process.stdout is not None
        process.stdout.close()
        _send(process, _READY, _asked(1, "list_memories", {}))
        assert process.wait(LIMIT) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--user", ""), 2, "--user: it is empty"),
        (("--persona", ""), 2, "it is empty"),
        (("--db", "mysql://x"), 2, "is not supported"),
        (("extra",), 2, "extra"),
    ],
    ids=str,
)
def test_bad_usage_is_one_line(
    empty_sqlite: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, words: str
) -> None:
    """What is wrong is said on standard error before anything is opened, and standard output stays clean."""
    assert main(["mcp", "--db", str(empty_sqlite), *arguments]) == code
    seen = capsys.readouterr()
    assert seen.out == ""
    assert words in seen.err
    assert seen.err.count("\n") == 1
    assert not empty_sqlite.exists()


def test_without_the_sdk(
    empty_sqlite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says how to get it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "mcp" else find(name))
    assert main(["mcp", "--db", str(empty_sqlite)]) == 1
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.strip().endswith("in a clone of Recollect, run pip install '.[mcp]'")
    assert not empty_sqlite.exists()
