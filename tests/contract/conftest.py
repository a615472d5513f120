"""`recollect serve` in a process of its own, and a client that checks answers against docs/reference/wire.md."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from patience import LIMIT, ended, line_of
from scripted_model import ScriptedModel

from . import wire_page

#: Variables that would change how a service behaves.
_OURS = ("RECOLLECT_", "OPENAI_", "MEMORY_", "PROMPT_", "OTEL_")


@contextmanager
def serving(database: Path, **variables: str) -> Generator[str]:
    """Start a service on a free port and yield its ready line; it must exit with code 0 on SIGTERM."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    log = database.with_suffix(".log")
    command = [sys.executable, "-m", "recollect", "serve", "--db", str(database), "--port", "0"]
    with (
        log.open("w") as written,
        ended(
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
                env={**clean, "RECOLLECT_SQLITE_SYNCHRONOUS": "normal", "OMP_NUM_THREADS": "1", **variables},
            )
        ) as process,
    ):
        line = line_of(process)
        assert line, log.read_text()
        yield line
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0, log.read_text()


class Wire(httpx2.Client):
    """A client whose successful answers must have the shape that the page gives."""

    def __init__(self, line: str, walked: set[str], **headers: str) -> None:
        address = line.split()[4]
        super().__init__(base_url=address, headers=headers, timeout=60.0, verify=False)
        self._walked = walked

    def ask(self, method: str, path: str, status: int | None = None, **options: Any) -> Any:
        """The body of an answer; without `status`, it must succeed as the page says."""
        answer = self.request(method, path, **options)
        route, said = wire_page.said_of(method, str(answer.request.url.raw_path, "ascii"))
        if status is None:
            self._walked.add(route)
            for each in said:
                assert answer.is_success, answer.text
                assert each.status in (None, answer.status_code), (route, answer.status_code)
                assert wire_page.missing(each.answer, answer.json() if each.answer else None) == [], route
        assert status in (None, answer.status_code), (route, answer.status_code, answer.text)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else answer.text

    def refused(self, method: str, path: str, status: int, *words: str, **options: Any) -> str:
        """The error message, which must be the whole body and contain these words."""
        body = self.ask(method, path, status, **options)
        assert list(body) == ["error"] and isinstance(body["error"], str), body
        assert all(word in body["error"] for word in words), body
        return body["error"]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    """A scripted chat model."""
    with ScriptedModel() as running:
        yield running


@pytest.fixture(scope="module")
def walked() -> set[str]:
    """The routes of the page that were called."""
    return set()
