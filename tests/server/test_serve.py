"""`recollect serve` as a process: it says when it is ready, ends well, and says clearly why it cannot begin."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cli.conftest import COMMAND
from patience import LIMIT, ended, line_of

from recollect import Memory
from recollect.admin import Admin
from recollect.errors import InvalidInput, RecollectError
from recollect.server.console.built import is_built
from recollect.server.serve import listen
from recollect.settings import documented
from tests.scripted_model import ScriptedModel, event, hangs, streams

KEY = "a-service-key-of-this-test"


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


HAS_IPV6 = _has_ipv6()


@dataclass
class Running:
    """A service in a process of its own."""

    process: "subprocess.Popen[str]"
    line: str
    log: list[str] = field(default_factory=list[str])

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+", self.line)
        assert found is not None, self.line
        return found[0]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(LIMIT)


def environment(**changed: str) -> dict[str, str]:
    """This environment without settings of ours."""
    ours = {name for name, _, _ in documented()}
    return {**{name: value for name, value in os.environ.items() if name not in ours}, **changed}


@contextlib.contextmanager
def serving(db: Path | str, *arguments: str, **variables: str) -> Generator[Running]:
    """A service that is ready; its log is read beside, so that it never waits for a reader."""
    command = [*COMMAND, "serve", "--db", str(db), "--port", "0", *arguments]
    pipe = subprocess.PIPE
    with ended(
        subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment(**variables))
    ) as process:
        running = Running(process, "")
        reading = threading.Thread(target=lambda: running.log.extend(process.stderr or ()), daemon=True)
        reading.start()
        running.line = line_of(process)
        assert running.line, running.log
        yield running
        process.wait(LIMIT) if process.poll() is not None else None
        reading.join(1)


def refused(db: Path | str, *arguments: str, **variables: str) -> tuple[int, str]:
    """Exit code and words of a service that cannot begin."""
    done = subprocess.run(
        [*COMMAND, "serve", "--db", str(db), *arguments],
        capture_output=True,
        text=True,
        env=environment(**variables),
        timeout=LIMIT,
        check=False,
    )
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def until(true: Any) -> None:
    deadline = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_when_it_is_ready_and_ends_well(tmp_path: Path, number: signal.Signals) -> None:
    """One line on standard output once connections are accepted; a signal ends it with code 0."""
    with serving(tmp_path / "memory.db") as service:
        pages = (
            "console: /, docs: /docs"
            if is_built()
            else "docs: /docs; the console is not built: .*make console.*"
        )
        assert re.fullmatch(rf"Recollect is ready at http://127\.0\.0\.1:\d+ \({pages}\)\n", service.line)
        answer = httpx2.get(f"{service.url}/health")
        assert answer.status_code == 200
        assert "server" not in answer.headers
        assert httpx2.get(f"{service.url}/").status_code == 200
        assert service.stop(number) == 0
        assert service.process.stdout is not None
        assert service.process.stdout.read() == ""
    assert "serve.ready" in service.log[0]
    assert f"database={tmp_path / 'memory.db'} mode=local worker=on" in service.log[0]
    assert "serve.stopping" in service.log[-1]


def test_local_mode_remembers_and_works(tmp_path: Path) -> None:
    """Without any key whoever asks is the user `local`, and background work is done inside."""
    with serving(tmp_path / "memory.db") as service, httpx2.Client(base_url=service.url, timeout=60) as http:
        body = {"messages": [{"role": "user", "text": "I prefer dark mode in my editor"}]}
        assert http.post("/v1/chats/first/messages", json=body).status_code == 201
        assert http.post("/v1/jobs/drain?timeout=60").json()["drained"] is True
        assert http.get("/memories").json()["memories"][0]["content"].startswith("User prefers dark mode")
        until(lambda: http.get("/ready").status_code == 200)
        events = [
            line for line in http.get("/metrics").text.splitlines() if line.startswith("recollect_events")
        ]
        assert 'recollect_events_total{event="memory.added"} 1.0' in events
        assert service.stop() == 0


def test_without_a_worker_and_a_console(tmp_path: Path) -> None:
    """--no-worker leaves work alone, --no-console leaves / alone; the line says so."""
    with serving(tmp_path / "memory.db", "--no-worker", "--no-console") as service:
        assert service.line.endswith("(docs: /docs)\n")
        assert httpx2.get(f"{service.url}/").status_code == 404
        assert httpx2.get(f"{service.url}/docs").status_code == 200
        assert httpx2.get(f"{service.url}/ready").status_code == 200
        metrics = httpx2.get(f"{service.url}/metrics").text
        assert "recollect_worker_running 0.0" in metrics
        assert service.stop() == 0
    assert "worker=off" in service.log[0]


def test_with_a_key_there_is_no_local_mode(tmp_path: Path) -> None:
    """A service key of the environment is asked for, and may be bound anywhere."""
    with serving(tmp_path / "memory.db", "--host", "0.0.0.0", RECOLLECT_SERVICE_KEY=KEY) as service:
        url = service.url.replace("0.0.0.0", "127.0.0.1")
        assert httpx2.get(f"{url}/memories").status_code == 401
        headers = {"Authorization": f"Bearer {KEY}", "X-User-Id": "ann"}
        assert httpx2.get(f"{url}/memories", headers=headers).status_code == 200
        assert service.stop() == 0
    assert "mode=keys" in service.log[0]
    assert KEY not in "".join(service.log)


def test_a_key_of_the_store_counts(tmp_path: Path) -> None:
    """A key made on the command line ends local mode too."""
    made = subprocess.run(
        [*COMMAND, "token", "create", "--service", "--db", str(tmp_path / "memory.db"), "--json"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=LIMIT,
        check=True,
    )
    assert json.loads(made.stdout)
    with serving(tmp_path / "memory.db") as service:
        assert httpx2.get(f"{service.url}/memories").status_code == 401
        assert service.stop() == 0


def test_json_lines_and_a_json_word(tmp_path: Path) -> None:
    """RECOLLECT_LOG=json writes JSON lines; --json tells the address as JSON."""
    with serving(tmp_path / "memory.db", "--json", RECOLLECT_LOG="json") as service:
        said = service.line + line_of(service.process) + line_of(service.process) + line_of(service.process)
        address = json.loads(said + line_of(service.process))["address"]
        httpx2.get(f"{address}/memories", headers={"X-Request-Id": "r-1"})
        assert service.stop() == 0
    told = [json.loads(line) for line in service.log]
    assert told[0]["event"] == "serve.ready"
    asked = next(line for line in told if line["event"] == "http.request")
    assert (asked["path"], asked["status"], asked["user"], asked["request"]) == (
        "/memories",
        200,
        "local",
        "r-1",
    )
    assert isinstance(asked["ms"], float)


@pytest.mark.skipif(not HAS_IPV6, reason="no IPv6 here")
def test_the_other_loopback(tmp_path: Path) -> None:
    """Local mode is had over IPv6 too, and the address can be used as it is shown."""
    with serving(tmp_path / "memory.db", "--host", "::1") as service:
        assert service.url.startswith("http://[::1]:")
        assert httpx2.get(f"{service.url}/memories").status_code == 200
        assert service.stop() == 0


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2"])
def test_other_names_of_loopback(host: str) -> None:
    """What is bound is an address of this machine alone, whatever it was called."""
    with listen(host, 0) as listening:
        assert listening.getsockname()[0].startswith("127.0.0.")


# -- ending -------------------------------------------------------------------------------------------------


def test_a_running_stream_is_finished(tmp_path: Path) -> None:
    """A signal in the middle of a reply: its words still come, it is stored, and the code is 0."""
    with ScriptedModel() as model:
        words = [event(f"word{number} ") for number in range(8)]
        model.script(streams(*words, event(None, "stop"), "data: [DONE]", delay_seconds=0.15))
        variables = {
            "OPENAI_BASE_URL": model.url,
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_JUDGE_MODEL": "off",
        }
        with (
            serving(tmp_path / "memory.db", **variables) as service,
            httpx2.stream(
                "POST", f"{service.url}/v1/message/first", json={"text": "Hello"}, timeout=60
            ) as reply,
        ):
            lines = reply.iter_lines()
            for line in lines:
                if "word0" in line:
                    break
            service.process.send_signal(signal.SIGTERM)
            rest = list(lines)
            assert "event: message.completed" in rest
            assert any("word7" in line for line in rest)
            until(lambda: _refuses_connections(service.url))
            assert service.process.wait(LIMIT) == 0


def test_a_running_request_is_finished(tmp_path: Path) -> None:
    """A signal while somebody waits: the answer still comes, and what the worker held is given back."""
    with ScriptedModel() as model:
        model.script(hangs())
        variables = {
            "OPENAI_BASE_URL": model.url,
            "MEMORY_SUMMARIZER_MODEL": "slow",
            "RECOLLECT_JUDGE_MODEL": "off",
        }
        with serving(tmp_path / "memory.db", **variables) as service:
            body = {
                "messages": [{"role": "user", "text": f"We had soup, number {number}"} for number in range(4)]
            }
            assert (
                httpx2.post(f"{service.url}/v1/chats/lunch/messages", json=body, timeout=60).status_code
                == 201
            )
            answers: list[httpx2.Response] = []
            waiting = threading.Thread(
                target=lambda: answers.append(
                    httpx2.post(f"{service.url}/v1/jobs/drain?timeout=2", timeout=60)
                )
            )
            waiting.start()
            until(lambda: "in_flight 2.0" in httpx2.get(f"{service.url}/metrics").text)
            assert service.stop() == 0
            waiting.join(LIMIT)
        assert answers[0].status_code == 200
        assert answers[0].json()["drained"] is False
    with Memory(tmp_path / "memory.db") as memory:
        assert "running" not in Admin(memory).metrics().work.counts


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """Whoever cannot wait sends another signal; the code says which."""
    with ScriptedModel() as model:
        model.script(hangs())
        variables = {
            "OPENAI_BASE_URL": model.url,
            "RECOLLECT_CHAT_MODEL": "slow",
            "RECOLLECT_JUDGE_MODEL": "off",
        }
        with (
            serving(tmp_path / "memory.db", **variables) as service,
            httpx2.stream(
                "POST", f"{service.url}/v1/message/first", json={"text": "Hello"}, timeout=60
            ) as reply,
        ):
            assert next(reply.iter_lines()) == "event: chat"
            service.process.send_signal(signal.SIGTERM)
            until(lambda: _refuses_connections(service.url))
            service.process.send_signal(signal.SIGTERM)
            assert service.process.wait(LIMIT) == 128 + signal.SIGTERM


# -- what stands in the way ---------------------------------------------------------------------------------


def test_a_port_in_use(tmp_path: Path) -> None:
    """One line that names the port, and code 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, words = refused(tmp_path / "memory.db", "--port", str(port))
    assert (code, words.startswith(f"recollect: Port {port} on 127.0.0.1 is already in use")) == (1, True)
    assert "--port 8080 or make run PORT=8080" in words
    assert not (tmp_path / "memory.db").exists()


def test_no_other_address_without_a_key(tmp_path: Path) -> None:
    """Without a key only loopback is bound; the line says what to do."""
    code, words = refused(tmp_path / "memory.db", "--host", "::" if HAS_IPV6 else "0.0.0.0", "--port", "0")
    assert code == 2
    assert "`recollect token create --service`" in words
    assert "RECOLLECT_SERVICE_KEY" in words


def test_no_such_host() -> None:
    """A name that is none of this machine's is refused, and one that is somebody else's address too."""
    for host in ("no-such-host.invalid", "x" * 300):
        with pytest.raises(InvalidInput, match="is not an address of this machine"):
            listen(host, 0)
    with pytest.raises(RecollectError, match="Cannot listen on"):
        listen("192.0.2.1", 0)


def test_a_database_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is no database is one line and code 6."""
    file = tmp_path / "memory.db"
    file.write_bytes(b"no database at all, but long enough to look at" * 100)
    assert refused(file, "--port", "0")[0] == 6


def test_a_database_that_must_be_migrated(empty_postgres: str) -> None:
    """PostgreSQL without our tables: the line says what to run."""
    code, words = refused(empty_postgres, "--port", "0")
    assert (code, "recollect db migrate" in words) == (6, True)


def test_postgres(postgres_url: str) -> None:
    """The same service over PostgreSQL."""
    with serving(postgres_url) as service:
        answer = httpx2.post(f"{service.url}/v1/todos", json={"text": "Call the dentist"}, timeout=60)
        assert answer.status_code == 201
        assert service.stop() == 0


def test_without_the_extra(tmp_path: Path) -> None:
    """Without the server's packages one line says how to have them."""
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from recollect.cli.app import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 1
    assert "in a clone of Recollect, run pip install '.[server]'" in done.stderr
    assert done.stderr.count("\n") == 1


def _refuses_connections(url: str) -> bool:
    try:
        httpx2.get(f"{url}/health", timeout=5)
    except httpx2.TransportError:
        return True
    return False
