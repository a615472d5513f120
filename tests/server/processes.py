"""`recollect serve` and other commands as real processes: what tests about several of them start from.

with served(url) as server:
    httpx2.get(server.url + "/health")
    server.process.kill()
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from patience import ended, line_of
from serving import SERVICE_KEY

COMMAND = str(Path(sys.executable).with_name("recollect"))
#: No limit of requests, one thread each: the machine has few cores and many processes.
_ENVIRONMENT = {
    "RECOLLECT_SERVICE_KEY": SERVICE_KEY,
    "RECOLLECT_REQUESTS_PER_MINUTE": "0",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server that answers."""

    url: str
    process: "subprocess.Popen[str]"
    #: What it logs.
    log: Path


@contextmanager
def served(database: str | Path, *more: str, **environment: str) -> Generator[Served]:
    """A server of this database on a free port; it does not outlive the block."""
    command = [COMMAND, "serve", "--db", str(database), "--port", "0", *more]
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **_ENVIRONMENT, **environment},
        )
        with ended(process):
            said = line_of(process)
            assert said.startswith("Recollect is ready at "), Path(log.name).read_text()
            yield Served(url=said.split()[4], process=process, log=Path(log.name))


def recollect(*arguments: str, database: str | Path) -> str:
    """What a command of the CLI prints; it must succeed."""
    done = subprocess.run(
        [COMMAND, *arguments, "--db", str(database)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
