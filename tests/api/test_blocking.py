"""The synchronous form: in a script, inside a running loop, from threads, after closing, and up to date."""

import asyncio
import inspect
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from engine.conversing import until
from engine.fakes import MoodyEmbedder
from patience import LIMIT, join

from recollect import AsyncChat, AsyncMemory, Chat, InvalidInput, Memory
from recollect.admin import Admin, AsyncAdmin
from recollect.errors import StoreUnavailable
from recollect.types import AsyncTools, Tools

from .conftest import Opener

ROOT = Path(__file__).parents[2]


def test_the_generated_file_is_up_to_date() -> None:
    """blocking.py and the end of admin.py are what the generator makes of the asynchronous classes."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_blocking.py", "--check"],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("asynchronous", "synchronous"),
    [(AsyncMemory, Memory), (AsyncChat, Chat), (AsyncTools, Tools), (AsyncAdmin, Admin)],
)
def test_both_forms_have_the_same_methods(asynchronous: type, synchronous: type) -> None:
    """Every public method of the asynchronous form is one of the other, with the same parameters and words."""
    for name, method in inspect.getmembers(asynchronous, inspect.isfunction):
        if name.startswith("_") or name in ("talk", "close"):
            continue
        twin = getattr(synchronous, name)
        assert not inspect.iscoroutinefunction(inspect.unwrap(twin))
        assert inspect.signature(twin).parameters == inspect.signature(method).parameters
        assert inspect.getdoc(twin) == inspect.getdoc(method)


def test_a_memory_says_where_it_is(sqlite_path: Path) -> None:
    """Both forms show their database, and never a password."""
    with Memory(sqlite_path) as memory:
        assert repr(memory) == f"Memory({str(sqlite_path)!r})"
    assert repr(AsyncMemory(sqlite_path)) == f"AsyncMemory({str(sqlite_path)!r})"
    server = AsyncMemory("postgresql://ann:wolframite@db.example:5433/memory")
    assert repr(server) == "AsyncMemory('postgresql://ann@db.example:5433/memory')"


_SCRIPT = """
import sys
from recollect import Memory
memory = Memory(sys.argv[1])
memory.add("My wife is Jane", user="alice")
print(memory.search("Who is her partner?", user="alice").hits[0].memory.content)
"""


def test_in_a_script_that_forgets_to_close(sqlite_path: Path) -> None:
    """A plain script works and ends, with nothing on standard error, although nobody closed the memory."""
    done = subprocess.run(
        [sys.executable, "-W", "default", "-W", "ignore::ResourceWarning", "-c", _SCRIPT, sqlite_path],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout) == (0, "User's wife is named Jane\n")
    assert done.stderr == ""


def test_inside_a_running_loop(opener: Opener) -> None:
    """In a notebook or a coroutine the same calls work."""

    async def cell() -> str:
        memory = opener()
        memory.add("User keeps bees behind the house")
        return memory.search("bees").hits[0].memory.content

    assert asyncio.run(cell()) == "User keeps bees behind the house"


def test_from_many_threads(memory: Memory) -> None:
    """Eight threads store and recall at once; every fact is there, once."""

    def work(number: int) -> bool:
        stored = memory.add(
            f"User owns the pearl{number} from the shop{number * 3} by the lake{number * 7}"
        ).memory
        return stored.memory_id in [
            hit.memory.memory_id for hit in memory.search(f"pearl{number}", limit=50).hits
        ]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))
    assert len(memory.memories(limit=1000)) == 64


def test_after_close(memory: Memory) -> None:
    """A closed memory says so, and closing twice is once."""
    memory.add("User keeps bees behind the house")
    memory.close()
    memory.close()
    for act in (
        lambda: memory.search("bees"),
        lambda: memory.memories(),
        lambda: memory.add("User keeps goats too"),
    ):
        with pytest.raises(StoreUnavailable, match="closed"):
            act()


def test_closing_an_unused_memory(opener: Opener) -> None:
    """A memory that was never used can be closed."""
    opener().close()


def test_as_a_context_manager(opener: Opener) -> None:
    """Leaving the block closes it, also by an error."""
    with pytest.raises(InvalidInput), opener() as memory:
        memory.add("short")
    with pytest.raises(StoreUnavailable):
        memory.memories()


def test_closing_under_a_running_call_leaves_nobody_waiting(opener: Opener) -> None:
    """A call of another thread ends with its result or an error when the memory is closed under it."""
    embedder = MoodyEmbedder()
    memory = opener(embedder=embedder)
    memory.add("User keeps bees behind the house")
    embedder.held = "goats"
    ended = threading.Event()

    def work() -> None:
        try:
            memory.add("User keeps goats behind the house")
        except BaseException:
            pass
        finally:
            ended.set()

    caller = threading.Thread(target=work, daemon=True)
    caller.start()
    until(embedder.waiting.is_set)
    memory.close()
    assert ended.wait(LIMIT)


def test_errors_arrive_as_themselves(memory: Memory) -> None:
    """An error raised inside the loop's thread is the one that the caller sees."""
    with pytest.raises(InvalidInput) as raised:
        memory.add("short")
    assert raised.value.field == "content"


def test_a_database_that_cannot_be_opened() -> None:
    """A wrong address is an error at once, and leaves no thread behind."""
    before = set(threading.enumerate())
    with pytest.raises(InvalidInput, match="mysql"):
        Memory("mysql://localhost/memory")
    assert set(threading.enumerate()) - before == set()


_FORKING = """
import os, signal, sys
from recollect import Memory
from recollect.errors import StoreUnavailable
with Memory(sys.argv[1]) as memory:
    memory.add("I keep bees behind the house")
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            memory.search("bees")
        except StoreUnavailable as error:
            print(error, flush=True)
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print(memory.search("bees").hits[0].memory.content)
"""


def test_a_forked_child_is_told(sqlite_path: Path) -> None:
    """The threads of a memory stay in the parent: in a child of fork the call raises instead of hanging."""
    # In a process of its own: one that runs tests has threads whose locks a fork would copy as they are.
    done = subprocess.run(
        [sys.executable, "-c", _FORKING, sqlite_path], capture_output=True, text=True, timeout=LIMIT
    )
    told, found = done.stdout.splitlines()
    assert "Open a new memory" in told
    assert found == "User keeps bees behind the house"


_ENDING = """
import sys
from recollect import Memory

chat = Memory(sys.argv[1]).chat("dads-health", user="alice")
chat.add(user="My dad is allergic to penicillin.", assistant="Noted.")
print("penicillin" in chat.context("Which antibiotics are safe?").to_text())
"""


def test_a_script_that_just_ends_is_no_fault(sqlite_path: Path) -> None:
    """Nobody has to close a memory: what waits is done next time, and nothing is printed about it."""
    done = subprocess.run(
        [sys.executable, "-c", _ENDING, sqlite_path], capture_output=True, text=True, timeout=LIMIT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_closing_while_threads_keep_asking(opener: Opener) -> None:
    """Whoever asks while the memory is closed gets an answer or an error, never silence."""
    memory = opener()
    memory.add("User keeps bees behind the house")
    started, closed = threading.Event(), threading.Event()

    def ask() -> None:
        while not closed.is_set():
            try:
                memory.search("bees")
            except StoreUnavailable:
                continue
            finally:
                started.set()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert started.wait(LIMIT)
    memory.close()
    closed.set()
    join(*threads)


def test_a_call_from_inside_a_call_is_refused(memory: Memory) -> None:
    """A memory that is called from its own progress report says so, instead of waiting for itself."""
    document = memory.export()

    def again(done: int, total: int) -> None:
        memory.stats()

    with pytest.raises(StoreUnavailable, match="inside one of its own calls"):
        memory.load(document, progress=again)
