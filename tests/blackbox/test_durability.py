"""What was acknowledged survives `kill -9` and several processes: nothing is lost, nothing is there twice."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from patience import LIMIT, ended, line_of
from scripted_model import ScriptedModel, hangs, says

from recollect import Memory, NotFound, Settings
from recollect.errors import EmbeddingError, StoreError

from .conftest import QUICK, As, Service, everything_said, on_disk, served, until
from .program import USER, document
from .test_chats import check_chat

DICE = random.Random(7)
#: Longer than any lease: what a killed process was doing may be taken up.
LATER = timedelta(hours=1)


@contextmanager
def program(*arguments: object, stdin: Any = subprocess.PIPE) -> Generator["subprocess.Popen[str]"]:
    """A process of a user; it does not outlive the block."""
    command = [sys.executable, "-m", "blackbox.program", *map(str, arguments)]
    environment = {
        **os.environ,
        **QUICK,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, text=True, env=environment)
    with ended(process):
        yield process


def killed(process: "subprocess.Popen[str]", lines: int) -> list[list[str]]:
    """Let it promise so many lines and a little more, then kill it; everything that it promised."""
    lines_read = [line_of(process) for _ in range(lines)]
    time.sleep(DICE.uniform(0, 0.1))
    process.send_signal(signal.SIGKILL)
    assert process.stdout is not None
    lines_read += process.stdout.readlines()
    assert process.wait(LIMIT) == -signal.SIGKILL
    return [line.split() for line in lines_read if line.endswith("\n")]


def ids(lines_read: list[list[str]], kind: str) -> list[str]:
    return [one for first, *rest in lines_read if first == kind for one in rest]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def _now() -> datetime:
    return datetime.now(UTC)


def _later() -> datetime:
    return _now() + LATER


@pytest.fixture
def heir(opener: Callable[..., Memory], path: Path) -> Callable[..., As]:
    """The user of the programs, in this process: with the same models, and another clock if need be."""

    def opened(file: object = path, **options: Any) -> As:
        return As(opener(file, **{"embedder": None, "clock": _now, **options}), USER)

    return opened


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_killed_process_loses_nothing(
    kind: str, request: pytest.FixtureRequest, path: Path, heir: Callable[..., As]
) -> None:
    """After `kill -9`, again and again: all that was acknowledged is there once and found, and the work goes on."""
    url = path if kind == "sqlite" else request.getfixturevalue("postgres_url")
    messages: list[str] = []
    memories: list[str] = []
    for number in range(2 if kind == "sqlite" else 1):
        with program("record", url, f"round{number}") as process:
            lines_read = killed(process, 8)
        messages += ids(lines_read, "message")
        memories += ids(lines_read, "memory")
    ann = heir(url, clock=_later)
    said = [message.message_id for message in everything_said(ann.chat("c"))]
    assert set(messages) <= set(said)
    assert len(said) == len(set(said)) and len(said) % 2 == 0, "a turn is there whole"
    known = Counter(ann.known(limit=1000))
    assert set(known.values()) == {1}
    assert all(ann.get(memory_id).content in known for memory_id in memories)
    last = ann.get(memories[-1]).content
    assert last in [hit.content for hit in ann.search(last)]
    ann.chat("c").add(user="Still there?", assistant="Yes.")
    ann.settle()
    check_chat(ann, ann.chat("c"))


def test_two_processes_share_a_chat(path: Path, heir: Callable[..., As]) -> None:
    """Both record into it and both do its background work: no gap, no overlap, no message lost."""
    with program("talk", path, "left", 25) as left, program("talk", path, "right", 25) as right:
        lines_read = [process.communicate(timeout=LIMIT)[0].splitlines() for process in (left, right)]
        assert (left.returncode, right.returncode) == (0, 0)
    ann = heir()
    ann.settle()
    said = [message.message_id for message in everything_said(ann.chat("c"))]
    assert sorted(said) == sorted(ids([line.split() for lines in lines_read for line in lines], "message"))
    assert len(said) == 100
    check_chat(ann, ann.chat("c"))


def _ask(*asked: tuple["subprocess.Popen[str]", str]) -> list[str]:
    """Tell processes what to do, all at once; what they answer."""
    for process, line in asked:
        assert process.stdin is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
    return [line_of(process).rstrip("\n") for process, _ in asked]


def test_processes_race_and_see_each_other_at_once(path: Path, heir: Callable[..., As]) -> None:
    """Two store one fact at the same instant: both succeed, one value is current (S4); and what one forgets none finds."""
    ann = heir()
    ann.stats()
    with program("obey", path) as one, program("obey", path) as two:
        assert [line_of(process) for process in (one, two)] == ["ready\n"] * 2
        assert sorted(_ask((one, "live Berlin"), (two, "live Paris"))) == ["added", "updated"]
        assert len(ann.known()) == 1 and len(ann.memories(past=True)) == 2
        assert sorted(_ask((one, "live Rome"), (two, "live Rome"))) == ["duplicate", "updated"]
        assert ann.known() == ["User lives in Rome"]
        pearl = ann.add("User hid the pearl under a stone").memory
        assert [pearl.content in found for found in _ask((one, "find pearl"), (two, "find pearl"))] == [
            True,
            True,
        ]
        ann.forget(pearl.memory_id)
        assert [pearl.content in found for found in _ask((one, "find pearl"), (two, "find pearl"))] == [
            False,
            False,
        ]


def test_a_fold_that_is_killed_leaves_no_trace(path: Path, heir: Callable[..., As]) -> None:
    """While a model writes, `kill -9` of the worker: nothing of the fold is there, and the next worker does it."""
    with ScriptedModel() as model:
        model.script(hangs())
        modelled = {**QUICK, "MEMORY_SUMMARIZER_MODEL": "m", "OPENAI_BASE_URL": model.url}
        chat = heir(settings=Settings.from_env({**QUICK, "RECOLLECT_WORKER": "off"})).chat("c")
        for number in range(12):
            about = f"number {number} about the garden, its roses, hedges, gates, ponds and gravel paths"
            chat.add(user=f"Question {about}", assistant=f"Answer {about}")
        worker = [str(Path(sys.executable).with_name("recollect")), "worker", "--db", str(path)]
        environment = {**os.environ, **modelled, "OMP_NUM_THREADS": "1"}
        with ended(subprocess.Popen(worker, stdout=subprocess.PIPE, env=environment, text=True)) as process:
            until(lambda: any("EXISTING_SUMMARY" in asked.prompt for asked in list(model.requests)))
            process.send_signal(signal.SIGKILL)
            process.wait(LIMIT)
        assert (chat.summaries(), chat.brief().revision) == ([], 0)
        model.script(says("They talked about the garden."))
        ann = heir(settings=Settings.from_env(modelled), clock=_later)
        ann.chat("c").add(user="Still there?", assistant="Yes.")
        until(ann.chat("c").summaries)
        assert "They talked about the garden." in ann.chat("c").brief().global_summary


def test_forgetting_that_is_killed_is_whole_or_not_at_all(path: Path, heir: Callable[..., As]) -> None:
    """What was acknowledged as forgotten is in no file; the rest is there, or gone to the last byte at the next opening."""
    before = heir()
    hidden = [f"User hid the pearl under xylophone{at}q" for at in range(40)]
    known = {done.memory.memory_id: done.memory.content for done in before.add_many(hidden)}
    before.memory.close()
    with program("forget", path) as process:
        done = ids(killed(process, 6), "done")
    assert done and len(done) < 40
    ann = heir()
    left = {record.memory_id for record in ann.memories(limit=1000)}
    gone = set(known) - left
    assert set(done) <= gone and len(gone) <= len(done) + 1
    words = {memory_id: content.rpartition(" ")[2] for memory_id, content in known.items()}
    assert on_disk(path, *(words[memory_id] for memory_id in gone)) == []
    assert sorted(on_disk(path, *words.values())) == sorted(words[memory_id] for memory_id in left)
    with pytest.raises(NotFound):
        ann.get(done[0])


def test_an_import_that_is_killed_is_resumed(path: Path, tmp_path: Path, heir: Callable[..., As]) -> None:
    """Loaded again, each record is there once, as after an import without interruption."""
    given = document(300)
    source = tmp_path / "document.json"
    source.write_text(json.dumps(given))
    with source.open() as stdin, program("load", path, stdin=stdin) as process:
        assert line_of(process).startswith("progress")
        process.send_signal(signal.SIGKILL)
        process.wait(LIMIT)
    ann, calm = heir(), heir(tmp_path / "calm.db")
    there = len(ann.memories(limit=1000)) + len(ann.todos(limit=1000))
    again, once = ann.load(given), calm.load(given)
    assert (again.imported, again.duplicates, again.skipped) == (once.imported - there, there, ())
    assert sorted(ann.known(limit=1000)) == sorted(calm.known(limit=1000))
    assert ann.load(given).imported == 0


def _turn(service: Service, number: int) -> int:
    said = (("user", f"Question {number}?"), ("assistant", f"Answer {number}."))
    body = {"messages": [{"role": role, "text": text} for role, text in said]}
    http = service.http(USER, idempotency_key=f"turn-{number}")
    return http.post("/v1/chats/c/messages", json=body).status_code


def test_a_killed_server_loses_nothing(path: Path) -> None:
    """Under load: every acknowledged turn is there once; what got no answer is sent again, with its key, to another."""
    with served(path, "--no-worker") as survivor, served(path, "--no-worker") as victim:

        def write(number: int) -> bool:
            if number == 20:
                victim.process.send_signal(signal.SIGKILL)
            try:
                return _turn(victim, number) == 201
            except httpx2.TransportError:
                return False

        with ThreadPoolExecutor(4) as pool:
            acknowledged = list(pool.map(write, range(40)))
            assert {_turn(survivor, number) for number in range(40)} == {201}
        assert any(acknowledged) and not all(acknowledged)
        said = survivor.http(USER).get("/v1/chats/c/messages", params={"limit": 1000}).json()["messages"]
        wanted = [text for number in range(40) for text in (f"Question {number}?", f"Answer {number}.")]
        assert sorted(message["text"] for message in said) == sorted(wanted)
        assert [message["position"] for message in said] == list(range(1, 81))
        assert "Traceback" not in survivor.log.read_text()


@pytest.mark.parametrize("ending", ["-wal", "-shm", ""])
def test_a_file_that_vanishes_stops_the_writing(path: Path, heir: Callable[..., As], ending: str) -> None:
    """Nothing is acknowledged that the next process would not find: the first write after it says what happened."""
    ann = heir()
    ann.add("User keeps bees behind the house")
    path.with_name(path.name + ending).unlink()
    for _ in range(2):
        with pytest.raises(StoreError) as refused:
            ann.add("User owns a telescope in the attic")
        assert path.name in refused.value.message


def test_a_failing_model_refuses_no_fact(path: Path, opener: Callable[..., Memory], embedder: Any) -> None:
    """Without vectors a fact is stored and found by its words; once the model is back, so it is by another memory."""

    async def away(texts: Any) -> Any:
        raise EmbeddingError("The model cannot be reached.")

    ann = As(opener(path), USER)
    ann.add("User keeps bees behind the house")
    embeds, embedder.embed = embedder.embed, away
    assert ann.add("User owns a telescope in the attic").outcome == "added"
    assert [hit.content for hit in ann.search("telescope")] == ["User owns a telescope in the attic"]
    embedder.embed = embeds
    back = As(opener(path), USER)
    assert back.search("telescope")[0].content == "User owns a telescope in the attic"


def test_ending_without_close_is_no_death_of_a_worker(tmp_path: Path) -> None:
    """Short programs that never close their memory leave no job behind that looks as if it killed its worker."""
    path = tmp_path / "memory.db"
    program = (
        "import sys; from datetime import UTC, datetime, timedelta; from recollect import Memory\n"
        "number = int(sys.argv[2])\n"
        "clock = lambda: datetime(2026, 3, 1, tzinfo=UTC) + timedelta(minutes=number)\n"
        "memory = Memory(sys.argv[1], clock=clock)\n"
        "memory.chat('c').add(user=f'My cat is called Tom{number}, I adopted him.', assistant='Nice!')\n"
    )
    for number in range(5):
        subprocess.run([sys.executable, "-c", program, str(path), str(number)], check=True, timeout=LIMIT)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT kind, status, begun, last_error FROM jobs").fetchall()
    assert [row for row in rows if row[1] != "pending" or row[2]] == []
