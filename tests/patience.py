"""How tests wait for processes and threads: with a limit, and with a word about what did not come.

A test that waits without a limit turns one failure into a run that never ends. The limits here only end what has failed
already: a busy machine must not reach them. What hangs in spite of them is ended by `watchdog.py`.
"""

import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import IO, AnyStr

#: Seconds after which nothing is expected any more; well below the watchdog's.
LIMIT = 90.0


def line_of(
    process: "subprocess.Popen[AnyStr]", stream: IO[AnyStr] | None = None, seconds: float = LIMIT
) -> AnyStr:
    """The next line that a process says; one that stays silent is killed, and the test fails."""
    source = stream or process.stdout
    assert source is not None
    late = threading.Event()

    def give_up() -> None:
        late.set()
        # The end of its output ends the reading.
        process.kill()

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        line = source.readline()
    finally:
        timer.cancel()
    assert not late.is_set(), f"{process.args} said nothing for {seconds:g} s"
    return line


@contextmanager
def ended(process: "subprocess.Popen[AnyStr]") -> Generator["subprocess.Popen[AnyStr]"]:
    """A process that does not outlive the block, whatever happens in it."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        # Not `communicate`: a child of the process may hold its pipes open.
        process.wait(LIMIT)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):  # words that it did not wait for
                    pipe.close()


def join(*threads: threading.Thread) -> None:
    """Wait until threads have ended."""
    for thread in threads:
        thread.join(LIMIT)
    left = [thread.name for thread in threads if thread.is_alive()]
    assert not left, f"{', '.join(left)} did not end within {LIMIT:g} s"
