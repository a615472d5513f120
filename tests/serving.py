"""A real service for tests: the application on a free port, in a thread of its own, asked over real HTTP.

    with serving(memory_options…) as service:
        service.http("alice").get("/memories")        # as a user, by a session token
        service.anyone.get("/health")                 # without a token

Every answer is checked against the description in `/openapi.json`: a status or a shape that is not described fails the
test that got it. The embedder and the clock are the tests' own; nothing else is faked.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import uvicorn
from fastapi import FastAPI
from patience import LIMIT, join

from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin
from recollect.server.app import create_app

#: The key of services that have one.
SERVICE_KEY = "test-service-key-0123456789abcdef"
#: Seconds for one answer; a busy machine must not reach it.
_PATIENCE = 60.0


class Http(httpx2.Client):
    """A client that believes nothing: each answer must be one that the description allows."""

    def __init__(self, service: "Service", headers: dict[str, str]) -> None:
        # Nothing is encrypted here: reading the certificates of the world would take 20 ms a client.
        super().__init__(base_url=service.url, headers=headers, timeout=_PATIENCE, verify=False)
        self._service = service

    def request(self, method: str, url: Any, **options: Any) -> httpx2.Response:
        answer = super().request(method, url, **options)
        self._service.described.check(method, str(answer.request.url.path), answer)
        return answer


class Described:
    """The description of a service, and whether an answer is as it says."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        #: Fixed paths before those with variables, as the router has it.
        self._paths = sorted(schema["paths"], key=lambda path: (path.count("{"), -len(path)))
        self._validators: dict[tuple[str, str, str], Any] = {}

    def check(self, method: str, path: str, answer: httpx2.Response) -> None:
        """Fail when the status is not described, or the body is not of its shape."""
        # As it was sent: a slash inside of an id is spelled otherwise there.
        sent = answer.request.url.raw_path.partition(b"?")[0].decode("ascii")
        known = next((item for item in self._paths if _matches(item, sent)), None)
        operation = self.schema["paths"].get(known, {}).get(method.lower()) if known else None
        if operation is None:
            assert answer.status_code in (401, 404, 405, 403, 307, 200), (method, path, answer.status_code)
            return
        said = operation["responses"].get(str(answer.status_code))
        assert said is not None, (
            f"{method} {path}: {answer.status_code} is not described: {answer.text[:300]}"
        )
        content = said.get("content", {}).get("application/json")
        if content and "schema" in content and answer.headers["content-type"].startswith("application/json"):
            validator = self._validator(
                known or "", method.lower(), str(answer.status_code), content["schema"]
            )
            errors = [error.message for error in validator.iter_errors(json.loads(answer.content))]
            assert not errors, f"{method} {path} {answer.status_code}: {errors[:3]} in {answer.text[:500]}"

    def _validator(self, path: str, method: str, status: str, schema: dict[str, Any]) -> Any:
        key = (path, method, status)
        if key not in self._validators:
            whole = {**schema, "components": self.schema.get("components", {})}
            self._validators[key] = jsonschema_rs.validator_for(whole)
        return self._validators[key]


def _matches(described: str, path: str) -> bool:
    here, there = described.split("/"), path.split("/")
    return len(here) == len(there) and all(
        one == other or one.startswith("{") for one, other in zip(here, there, strict=True)
    )


class Service:
    """A running application."""

    def __init__(self, url: str, memory: AsyncMemory, loop: asyncio.AbstractEventLoop) -> None:
        self.url = url
        self.memory = memory
        self.admin = AsyncAdmin(memory)
        self._loop = loop
        self._open: list[Http] = []

    @cached_property
    def described(self) -> Described:
        return Described(httpx2.get(f"{self.url}/openapi.json", timeout=_PATIENCE, verify=False).json())

    def http(self, user: str | None = None, **headers: str) -> Http:
        """A client that acts for a user with the service key; without a user, as whoever has no token."""
        given = {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user} if user else {}
        client = Http(self, {**given, **{name.replace("_", "-"): text for name, text in headers.items()}})
        self._open.append(client)
        return client

    @property
    def anyone(self) -> Http:
        return self.http()

    @property
    def operator(self) -> Http:
        """A client with the service key that names no user."""
        return self.http(authorization=f"Bearer {SERVICE_KEY}")

    def run(self, work: Any) -> Any:
        """The result of a coroutine on the service's own loop: to look behind the scenes."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT)

    def close(self) -> None:
        for client in self._open:
            client.close()


class _Server(uvicorn.Server):
    """uvicorn without its two waits of a tenth of a second at the end, for hundreds of tests have a service of their own."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = asyncio.Event()

    def end(self, loop: asyncio.AbstractEventLoop) -> None:
        """Called from another thread than the one it runs in."""
        self.should_exit = True
        with suppress(RuntimeError):  # its loop has ended already
            loop.call_soon_threadsafe(self._told.set)

    async def main_loop(self) -> None:
        # At every look it renews the date that its answers bear.
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        state = self.server_state
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while state.connections or state.tasks:  # noqa: ASYNC110 (uvicorn has no event for it)
                    await asyncio.sleep(0.002)
        for task in state.tasks:
            task.cancel()
        await self.lifespan.shutdown()


@contextmanager
def serving(
    database: str | Path,
    *,
    settings: Settings | None = None,
    local: bool = False,
    embedder: Any = None,
    clock: Any = None,
    extended: Callable[[FastAPI], None] = lambda app: None,
    tracer: Any = None,
    **changes: Any,
) -> Generator[Service]:
    """A service over a database, with the service key unless it is local; ended and closed afterwards.

    `extended` may add routes of a test's own.
    """
    known = replace(
        settings or Settings(sqlite_synchronous="normal", judge_model="off"),
        service_key="" if local else SERVICE_KEY,
        **changes,
    )
    # The protocol by name: only then does asyncio turn off Nagle's waiting, which costs 40 ms an answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    started = threading.Event()
    made: list[Service] = []
    failed: list[BaseException] = []

    async def live() -> None:
        given = {
            name: value for name, value in (("embedder", embedder), ("clock", clock)) if value is not None
        }
        async with AsyncMemory(database, settings=known, **given) as memory:
            app = create_app(memory, known, local=local, tracer=tracer)
            extended(app)
            server = _Server(
                uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=10)
            )
            servers.append((server, asyncio.get_running_loop()))
            made.append(Service(url, memory, asyncio.get_running_loop()))
            running = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started and not running.done():  # noqa: ASYNC110 (uvicorn has no event for it)
                await asyncio.sleep(0.005)
            started.set()
            await running

    servers: list[tuple[_Server, asyncio.AbstractEventLoop]] = []

    def run() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:
            failed.append(error)
        finally:
            started.set()

    thread = threading.Thread(target=run, name="service")
    thread.start()
    assert started.wait(LIMIT)
    try:
        if failed:
            raise failed[0]
        yield made[0]
    finally:
        for service in made:
            service.close()
        for server, loop in servers:
            server.end(loop)
        join(thread)
        listening.close()
