"""What the black-box suites start from: a memory in this process, the same over HTTP, and a user for each test.

`ann` is a user of a memory; a test that asks for her runs twice: on a `Memory` in this process and on a `Client` of a real
`recollect serve`. Marked `postgres` it runs on PostgreSQL as well, marked `in_process` only here. Memory and service live
as long as the run, because a start costs more than a test; users keep tests apart.
"""

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest
from patience import LIMIT, ended, line_of
from scripted_model import ScriptedModel

from recollect import Client, Memory, Settings

SERVICE_KEY = "test-service-key-0123456789abcdef"
#: The key that the service has for its model.
OUR_KEY = "sk-our-secret-key"
#: Summaries after a few short turns; what is said forms no facts by itself.
QUICK = {
    "MEMORY_K_RAW_TURNS": "2",
    "MEMORY_CHUNK_SUMMARIZE_THRESHOLD": "200",
    "MEMORY_SUMMARY_TOKEN_CAP": "100",
    "RECOLLECT_JUDGE_MODEL": "off",
    "RECOLLECT_SQLITE_SYNCHRONOUS": "normal",
}
COMMAND = str(Path(sys.executable).with_name("recollect"))
_ENVIRONMENT = {
    "RECOLLECT_SERVICE_KEY": SERVICE_KEY,
    "RECOLLECT_REQUESTS_PER_MINUTE": "0",
    "OMP_NUM_THREADS": "1",
}
_NUMBERS = itertools.count(1)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "postgres: on PostgreSQL as well")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of a memory in process and over HTTP, unless it is marked."""
    if "memory" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker
        kinds = ["process"] if marked("in_process") else ["process", "http"]
        metafunc.parametrize("memory", [*kinds, "postgres"] if marked("postgres") else kinds, indirect=True)


# -- users of a memory ------------------------------------------------------------------------------------


class As:
    """A user of a memory: every call names the user."""

    def __init__(self, memory: Any, user: str) -> None:
        self.memory = memory
        self.user = user

    def __getattr__(self, verb: str) -> Any:
        return partial(getattr(self.memory, verb), user=self.user)

    def call(self, tool: str, arguments: Any = None, **more: Any) -> Any:
        """Call a tool as a model would."""
        return self.memory.tools.call(tool, arguments, user=self.user, **more)

    def known(self, **filters: Any) -> list[str]:
        """The contents of the user's memories, newest first."""
        return [record.content for record in self.memory.memories(user=self.user, **filters)]

    def settle(self) -> None:
        """Wait until the background work is done."""
        assert self.memory.drain(user=self.user, timeout=LIMIT)


def somebody() -> str:
    """The name of a user that no other test has."""
    return f"user-{next(_NUMBERS)}@example.com"


@pytest.fixture(scope="session")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(tmp_path_factory.mktemp("memory") / "memory.db", settings=Settings.from_env(QUICK)) as opened:
        yield opened


@pytest.fixture(scope="session")
def over_http(service: "Service") -> Iterator[Client]:
    with Client(service.url, service_key=SERVICE_KEY) as client:
        yield client


@pytest.fixture
def memory(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The memory of a test: in this process, over HTTP, or on PostgreSQL."""
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        with Memory(url, settings=Settings.from_env(QUICK)) as opened:
            yield opened
    else:
        yield request.getfixturevalue({"process": "in_process", "http": "over_http"}[request.param])


@pytest.fixture
def ann(memory: Any) -> As:
    return As(memory, somebody())


@pytest.fixture
def bob(ann: As) -> As:
    """Somebody else in the same memory."""
    return As(ann.memory, somebody())


@pytest.fixture
def opener(tmp_path: Path, embedder: Any, clock: Any) -> Iterator[Callable[..., Memory]]:
    """Opens memories of a test's own, with a clock that it moves and quick vectors; all of one file unless named."""
    with ExitStack() as opened:

        def open_memory(database: object = None, **options: Any) -> Memory:
            given: dict[str, Any] = {
                "embedder": embedder,
                "clock": clock,
                "settings": Settings.from_env(QUICK),
                **options,
            }
            return opened.enter_context(Memory(str(database or tmp_path / "memory.db"), **given))

        yield open_memory


@pytest.fixture
def quick(opener: Callable[..., Memory]) -> Memory:
    """One memory for all examples of a property; each example has a user of its own."""
    return opener()


# -- a service --------------------------------------------------------------------------------------------


class Http(httpx2.Client):
    """A client that checks each answer against `/openapi.json`."""

    def __init__(self, service: "Service", headers: dict[str, str]) -> None:
        super().__init__(base_url=service.url, headers=headers, timeout=LIMIT, verify=False)
        self._service = service

    def request(self, method: str, url: Any, **options: Any) -> httpx2.Response:
        answer = super().request(method, url, **options)
        self._service.check(answer)
        return answer


@dataclass(kw_only=True)
class Service:
    """A `recollect serve` that answers."""

    url: str
    process: "subprocess.Popen[str]"
    log: Path
    _open: list[Http] = field(default_factory=list[Http])
    _validators: dict[tuple[str, ...], Any] = field(default_factory=dict[tuple[str, ...], Any])

    @cached_property
    def described(self) -> dict[str, Any]:
        return httpx2.get(f"{self.url}/openapi.json", timeout=LIMIT, verify=False).json()

    def http(self, user: str | None = None, **headers: str) -> Http:
        """A client that acts for a user with the service key; without a user only with these headers."""
        entry = {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user} if user else {}
        client = Http(self, {**entry, **{name.replace("_", "-"): text for name, text in headers.items()}})
        self._open.append(client)
        return client

    @property
    def operator(self) -> Http:
        """A client with the service key that names no user."""
        return self.http(authorization=f"Bearer {SERVICE_KEY}")

    def check(self, answer: httpx2.Response) -> None:
        """Status and body must be described."""
        method = answer.request.method.lower()
        sent = answer.request.url.raw_path.partition(b"?")[0].decode("ascii")
        fitting = (path for path in self._paths if _fits(path, sent))
        path = next((path for path in fitting if method in self.described["paths"][path]), None)
        if path is None:
            assert answer.status_code < 500, (method, sent, answer.text[:300])
            return
        said = self.described["paths"][path][method]["responses"].get(str(answer.status_code))
        assert said is not None, (
            f"{method} {sent}: {answer.status_code} is not described: {answer.text[:300]}"
        )
        schema = said.get("content", {}).get("application/json", {}).get("schema")
        if schema and answer.headers["content-type"].startswith("application/json"):
            key = (path, method, str(answer.status_code))
            if key not in self._validators:
                whole = {**schema, "components": self.described["components"]}
                self._validators[key] = jsonschema_rs.validator_for(whole)
            errors = [error.message for error in self._validators[key].iter_errors(answer.json())]
            assert not errors, f"{method} {sent} {answer.status_code}: {errors[:3]} in {answer.text[:500]}"

    @cached_property
    def _paths(self) -> list[str]:
        # Fixed paths before those with variables, as the router has it.
        return sorted(self.described["paths"], key=lambda path: (path.count("{"), -len(path)))

    def close(self) -> None:
        for client in self._open:
            client.close()


def _fits(described: str, path: str) -> bool:
    here, there = described.split("/"), path.split("/")
    return len(here) == len(there) and all(
        one == other or one.startswith("{") for one, other in zip(here, there, strict=True)
    )


@contextmanager
def served(database: object, *more: str, **environment: str) -> Generator[Service]:
    """A service of this database on a free port; it does not outlive the block."""
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        process = subprocess.Popen(
            [COMMAND, "serve", "--db", str(database), "--port", "0", *more],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **_ENVIRONMENT, **QUICK, **environment},
        )
        with ended(process):
            said = line_of(process)
            assert said.startswith("Recollect is ready at "), Path(log.name).read_text()
            running = Service(url=said.split()[4], process=process, log=Path(log.name))
            yield running
            running.close()


@pytest.fixture(scope="session")
def running_model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def model(running_model: ScriptedModel) -> ScriptedModel:
    """The model of the service; each test sees its own requests."""
    running_model.script("Scripted.")
    running_model.requests.clear()
    return running_model


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, running_model: ScriptedModel) -> Iterator[Service]:
    options = {
        "OPENAI_BASE_URL": running_model.url,
        "OPENAI_API_KEY": OUR_KEY,
        "RECOLLECT_CHAT_MODEL": "house",
    }
    path = tmp_path_factory.mktemp("service") / "memory.db"
    with served(path, RECOLLECT_MODEL_TIMEOUT_SECONDS="3", **options) as running:
        yield running


@pytest.fixture
def user() -> str:
    return somebody()


@pytest.fixture
def http(service: Service, user: str) -> Http:
    """A client that acts for this test's user."""
    return service.http(user)


# -- the shell, the file, and time ------------------------------------------------------------------------


def shell(*arguments: str, code: int = 0, text: str = "", **environment: str) -> str:
    """What a command prints; it must end with this code."""
    done = subprocess.run(
        [COMMAND, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + (done.stderr if code else "")


def on_disk(path: Path, *words: str) -> list[str]:
    """Which of the words can be read in the files of a database, whatever their case."""
    data = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*")).lower()
    return [word for word in words if word.lower().encode() in data]


def until(happened: Callable[[], object]) -> None:
    """Wait for something that happens in the background; the limit only ends a test that has failed."""
    deadline = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def has(record: Any, **expected: Any) -> None:
    """A record has these values."""
    assert {name: getattr(record, name) for name in expected} == expected


def everything_said(chat: Any) -> list[Any]:
    """Every message of a chat in order, page by page."""
    return sorted(walked(chat.messages), key=lambda message: message.position)


def walked(listed: Callable[..., Any], **asked: Any) -> list[Any]:
    """Every record of a list, from the first page to the one without a next."""
    page = listed(**asked)
    found = list(page)
    while page.next_cursor is not None:
        page = listed(**asked, cursor=page.next_cursor)
        found += page
        assert len(found) < 100_000
    return found
