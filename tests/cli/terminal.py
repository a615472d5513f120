"""A command that runs in a terminal, for tests of what a person sees and types."""

import os
import pty
import select
import signal
import subprocess
import time

from .conftest import COMMAND


class Terminal:
    """A command in a terminal of its own, read and typed into like by a person."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._side, inner = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""
        self._from = 0

    def wait_for(self, text: str, seconds: float = 20) -> None:
        """Read on until the text appears behind what was waited for before."""
        deadline = time.monotonic() + seconds
        while text not in self.seen[self._from :]:
            assert self._read(deadline), f"{text!r} did not appear in:\n{self.seen}"
        self._from = self.seen.index(text, self._from) + len(text)

    def type(self, text: str) -> None:
        os.write(self._side, text.encode())

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, later than the instant before readline listens, in which it misses one."""
        time.sleep(0.3)
        self.process.send_signal(number)

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + 20
        while self._read(deadline):
            pass
        return self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(20)
        os.close(self._side)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._side], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._side, 65536) if ready else b""
        except OSError:
            data = b""
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
