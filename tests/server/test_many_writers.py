"""Several servers and the command line on one database, with two hundred writers at once, and some of them killed.

What was acknowledged is there, once, in the order of its chat; nobody hears of a lock; what a killed server left undone is
taken up by another. Everything runs in real processes and over real HTTP.
"""

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
from patience import LIMIT, join
from serving import SERVICE_KEY

from .processes import Served, recollect, served

USERS = [f"writer-{number}@example.com" for number in range(4)]
#: Chats of each user; five writers share one.
CHATS = [f"chat-{number}" for number in range(10)]
WRITERS = 200
#: What each of them says, one after the other.
TURNS = 3


def headers(user: str, **more: str) -> dict[str, str]:
    """A service that acts for a user."""
    return {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user, **more}


@asynccontextmanager
async def clients(servers: Sequence[Served]) -> AsyncIterator[list[httpx2.AsyncClient]]:
    """A client for each server, with as many connections as there are writers."""
    limits = httpx2.Limits(max_connections=WRITERS, max_keepalive_connections=WRITERS)
    made = [
        httpx2.AsyncClient(base_url=server.url, timeout=LIMIT, limits=limits, verify=False)
        for server in servers
    ]
    try:
        yield made
    finally:
        for client in made:
            await client.aclose()


@dataclass
class Writer:
    """Somebody who says one thing after the other in a chat, and remembers what was acknowledged."""

    number: int
    acknowledged: list[str] = field(default_factory=list[str])
    statuses: Counter[int] = field(default_factory=Counter[int])

    @property
    def user(self) -> str:
        return USERS[self.number % len(USERS)]

    @property
    def chat(self) -> str:
        return CHATS[self.number // len(USERS) % len(CHATS)]

    async def say(self, client: httpx2.AsyncClient, turn: int, key: str | None = None) -> None:
        """Say something, and note it when the server says that it is stored."""
        text = f"writer {self.number} turn {turn}"
        answer = await client.post(
            f"/v1/chats/{self.chat}/messages",
            json={"messages": [{"role": "user", "text": text}]},
            headers=headers(self.user, **({"Idempotency-Key": key} if key else {})),
        )
        self.statuses[answer.status_code] += 1
        if answer.status_code == 201:
            assert [message["text"] for message in answer.json()["messages"]] == [text]
            self.acknowledged.append(text)


async def storm(servers: Sequence[Served]) -> list[Writer]:
    """Two hundred writers at once, spread over the servers."""
    writers = [Writer(number) for number in range(WRITERS)]
    async with clients(servers) as open_clients:

        async def write(writer: Writer) -> None:
            for turn in range(TURNS):
                await writer.say(open_clients[(writer.number + turn) % len(open_clients)], turn)

        await asyncio.gather(*map(write, writers))
    return writers


def said_in(server: Served, user: str, chat: str) -> list[dict[str, object]]:
    """Every message of a chat, page by page."""
    found: list[dict[str, object]] = []
    cursor: str | None = ""
    while cursor is not None:
        params = {"limit": "200", **({"cursor": cursor} if cursor else {})}
        answer = httpx2.get(
            f"{server.url}/v1/chats/{chat}/messages",
            params=params,
            headers=headers(user),
            timeout=LIMIT,
            verify=False,
        )
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page["messages"]
        cursor = page["next_cursor"]
    return found


def check(server: Served, writers: Sequence[Writer]) -> None:
    """Whatever was acknowledged is there once, in the order of its writer; positions have no gaps and no doubles."""
    for user in USERS:
        for chat in CHATS:
            mine = [writer for writer in writers if (writer.user, writer.chat) == (user, chat)]
            messages = said_in(server, user, chat) if mine else []
            texts = [str(message["text"]) for message in messages]
            assert [message["position"] for message in messages] == list(range(1, len(messages) + 1))
            assert len(set(texts)) == len(texts)
            for writer in mine:
                own = [text for text in texts if text.startswith(f"writer {writer.number} ")]
                assert own == writer.acknowledged


def check_log(server: Served) -> None:
    """No word of a lock, of a failure or of a bug."""
    words = server.log.read_text()
    for bad in ("database is locked", "http.failed", "Traceback", "deadlock"):
        assert bad not in words, words[-2000:]


@pytest.fixture
def two(sqlite_path: Path) -> Iterator[list[Served]]:
    """Two servers on one SQLite file."""
    with ExitStack() as stack:
        quick = {"RECOLLECT_SQLITE_SYNCHRONOUS": "normal"}
        yield [stack.enter_context(served(sqlite_path, **quick)) for _ in range(2)]


@pytest.fixture
def four(postgres_url: str) -> Iterator[list[Served]]:
    """Four servers on one PostgreSQL database."""
    with ExitStack() as stack:
        yield [stack.enter_context(served(postgres_url)) for _ in range(4)]


def test_two_servers_and_the_command_line_share_a_file(two: list[Served], sqlite_path: Path) -> None:
    """Two hundred writers and the CLI on one SQLite file: nothing is lost, nothing is there twice, no lock is seen."""
    from_shell = [
        "User plays the oboe",
        "User keeps bees in Graz",
        "User sails on Sundays",
        "User speaks Welsh",
    ]

    def shell() -> None:
        for text in from_shell:
            recollect("remember", text, "--user", USERS[0], database=sqlite_path)

    beside = threading.Thread(target=shell)
    beside.start()
    writers = asyncio.run(storm(two))
    join(beside)
    assert sum((writer.statuses for writer in writers), Counter[int]()) == {201: WRITERS * TURNS}
    check(two[1], writers)
    there = httpx2.get(
        f"{two[0].url}/memories", headers=headers(USERS[0]), timeout=LIMIT, verify=False
    ).json()
    assert set(from_shell) <= {memory["content"] for memory in there["memories"]}
    for server in two:
        check_log(server)


def test_four_servers_share_a_database(four: list[Served]) -> None:
    """Two hundred writers through four servers on PostgreSQL: nothing is lost, nothing is there twice."""
    writers = asyncio.run(storm(four))
    assert sum((writer.statuses for writer in writers), Counter[int]()) == {201: WRITERS * TURNS}
    check(four[3], writers)
    for server in four:
        check_log(server)


async def until_killed(
    victim: Served, survivor: Served, writers: Sequence[Writer], seconds: float, first: int
) -> int:
    """Write to a server until it is killed; whoever got no answer asks the other one. How many turns were acknowledged."""
    async with clients([victim, survivor]) as (there, here):
        begun = asyncio.Event()

        async def write(writer: Writer) -> None:
            for turn in range(first, first + 1000):
                key = f"{writer.number}-{turn}"
                try:
                    await writer.say(there, turn, key)
                    begun.set()
                except httpx2.TransportError:
                    # Nobody knows whether it was stored: the same key, sent again, stores it once.
                    await writer.say(here, turn, key)
                    return

        async def kill() -> None:
            await begun.wait()
            await asyncio.sleep(seconds)
            victim.process.send_signal(signal.SIGKILL)

        await asyncio.gather(kill(), *map(write, writers))
    return sum(len(writer.acknowledged) for writer in writers)


def post(server: Served, path: str, body: object = None) -> httpx2.Response:
    """The answer to a request of the first user."""
    return httpx2.post(
        f"{server.url}{path}", json=body, headers=headers(USERS[0]), timeout=LIMIT, verify=False
    )


def brief_of(server: Served, chat: str) -> str:
    """What a chat of the first user was about."""
    answer = httpx2.get(
        f"{server.url}/v1/chats/{chat}/brief", headers=headers(USERS[0]), timeout=LIMIT, verify=False
    )
    return answer.json().get("global_summary") or ""


def wait_until(happened: Callable[[], bool], server: Served) -> None:
    """Until something has happened; the limit only ends a test that has failed."""
    deadline = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < deadline, server.log.read_text()[-2000:]
        time.sleep(0.05)
