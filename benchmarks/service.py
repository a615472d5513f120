"""What the service costs over HTTP: each route beside the framework's empty endpoint, and each streamed token beside none.

The service is the real command in a process of its own, with its worker and its embedder, over a user with a thousand
memories and a chat of a thousand messages; the load comes from another process. On a machine of two cores both are busy, so
that only the ratios travel. Streams are measured by tokens that carry the moment at which the model wrote them.
"""

import asyncio
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from benchmarks.facts import fact, question
from benchmarks.load import Ask, LoadClient, Rate, announced, load_client
from benchmarks.measure import Line, milliseconds
from benchmarks.talk import messages, turns
from benchmarks.upstream import PACE, SLOW, TOKENS, now
from recollect import AsyncMemory, NewMemory, Settings
from recollect.api.memory import open_database

USER, CHAT = "alice@example.com", "talk"
CONNECTIONS = (1, 16, 64)
#: Different requests of a kind, in turn: nothing is answered from what was just asked.
_VARIETY = 200
_KEY = "benchmark-service-key-0123456789"
_RECORD = "POST /v1/chats/{id}/messages"
#: Seconds that a process gets to say that it is ready, and the worker to do what the messages leave to do.
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How long a run takes."""

    memories: int
    messages: int
    #: Of each load, and how often each is made.
    seconds: float
    rounds: int
    #: Streams of each kind.
    streams: int


FULL = Size(memories=1000, messages=1000, seconds=0.7, rounds=3, streams=16)
QUICK = Size(memories=200, messages=200, seconds=0.3, rounds=1, streams=6)


# -- processes --------------------------------------------------------------------------------------------


@contextmanager
def running(command: Sequence[str], **environment: str) -> Generator[int]:
    """A server in a process of its own; the port that it says. What it logged is shown when the run fails."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment}
        )
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said, f"{command} ended with {process.wait()}"
            yield int(said.split(" (")[0].rstrip("/\n").rpartition(":")[2])
        except Exception:
            log.seek(0)
            print(*(line for line in log if " INFO " not in line), sep="", file=sys.stderr)
            raise
        finally:
            process.terminate()
            process.communicate(timeout=_PATIENCE)


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


def serve_command(url: str) -> list[str]:
    return [str(Path(sys.executable).with_name("recollect")), "serve", "--db", url, "--port", "0"]


_OPEN = {"RECOLLECT_SERVICE_KEY": _KEY, "RECOLLECT_REQUESTS_PER_MINUTE": "0"}
_AS_USER = {"Authorization": f"Bearer {_KEY}", "X-User-Id": USER}


async def _filled(url: str, size: Size) -> None:
    """The user, with all that follows from the messages done."""
    dice = random.Random(61)
    facts = [NewMemory(fact(number, dice), category="fact") for number in range(size.memories)]
    said = messages(size.messages // 2, dice, datetime.now(UTC) - timedelta(days=30))
    settings = replace(Settings(), database_url=url)
    database = open_database(settings)
    await database.migrate()
    await database.aclose()
    async with AsyncMemory(url, settings=settings) as memory:
        await memory.add_many(facts, user=USER)
        await memory.chat(CHAT, user=USER).add(said)
        done = await memory.drain(user=USER, timeout=_PATIENCE)
        assert done, "the worker was not done in time"


# -- requests ---------------------------------------------------------------------------------------------


def _token(port: int) -> dict[str, str]:
    """How a user's own requests enter: by a session's token."""
    body = json.dumps({"user_id": USER, "ttl_seconds": 3600})
    said = asyncio.run(_asked(port, "POST", "/auth/sessions", {"Authorization": f"Bearer {_KEY}"}, body))
    return {"X-Session-Token": json.loads(said)["session_token"]}


def _asks(entering: dict[str, str]) -> dict[str, list[Ask]]:
    """What is asked of the service, by what it is called in the table."""
    dice = random.Random(62)
    asked = [quote(question(dice)) for _ in range(_VARIETY)]
    said = [
        json.dumps({"messages": [{"role": "user", "text": words}, {"role": "assistant", "text": answer}]})
        for words, answer, _ in turns(_VARIETY, dice)
    ]

    def get(path: str) -> Ask:
        return Ask(method="GET", path=path, headers=entering)

    recording = f"/v1/chats/{CHAT}/messages"
    return {
        "GET /memories": [get("/memories")],
        "GET /memories/search": [get(f"/memories/search?query={words}") for words in asked],
        "GET /api/memory/context/{id}": [get(f"/api/memory/context/{CHAT}?query={words}") for words in asked],
        # Last: it makes the chat longer.
        _RECORD: [
            Ask(method="POST", path=recording, headers=entering, body=body, status=201) for body in said
        ],
    }


def _rates(
    client: LoadClient, ours: int, empty: int, asked: Mapping[str, list[Ask]], where: str, size: Size
) -> list[Line]:
    """Every route with every number of connections; the empty endpoint takes turns with it."""
    nothing = [Ask(method="GET", path="/", headers={})]
    lines: list[Line] = []
    for name, asks in asked.items():
        for connections in CONNECTIONS:
            client.run(ours, asks, connections=connections, seconds=0.1)
            pairs = [
                (
                    client.run(ours, asks, connections=connections, seconds=size.seconds),
                    client.run(empty, nothing, connections=connections, seconds=size.seconds / 2),
                )
                for _ in range(size.rounds)
            ]
            taken, bare = (Rate.median(side) for side in zip(*pairs, strict=True))
            lines.append(
                Line(
                    what=f"{name}, {connections} connection{'s' * (connections > 1)}, {where}",
                    ours=f"{_told(taken)}; {statistics.median(there.rate / here.rate for here, there in pairs):.1f}×",
                    yardstick=f"{_told(bare)} (the empty endpoint)",
                )
            )
    return lines


def _told(rate: Rate) -> str:
    return f"{rate.rate:,.0f}/s, p50 {milliseconds(rate.p50)}, p99 {milliseconds(rate.p99)}"


# -- streams ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One answer of a model as its reader saw it, in nanoseconds."""

    asked: int
    sent: list[int]
    received: list[int]

    @property
    def first(self) -> float:
        """Seconds from the question to the first token."""
        return (self.received[0] - self.asked) / 1e9

    @property
    def each(self) -> float:
        """Seconds from one token to the next."""
        return (self.received[-1] - self.received[0]) / (len(self.received) - 1) / 1e9

    @property
    def on_the_way(self) -> list[float]:
        """Seconds of each token between the model's writing and our reading."""
        return [(there - here) / 1e9 for here, there in zip(self.sent, self.received, strict=True)]


async def _asked(port: int, method: str, path: str, headers: Mapping[str, str], body: str) -> bytes:
    """The body of one answer, whatever its form."""
    return b"".join([data async for data in _answer(port, method, path, headers, body)])


async def _answer(
    port: int, method: str, path: str, headers: Mapping[str, str], body: str
) -> AsyncIterator[bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    ask = Ask(method=method, path=path, headers={**headers, "Connection": "close"}, body=body)
    writer.write(ask.to_bytes(f"127.0.0.1:{port}"))
    head = await reader.readuntil(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in head.lower():
        while size := int(await reader.readline(), 16):
            yield (await reader.readexactly(size + 2))[:-2]
    else:
        yield await reader.readexactly(announced(head))
    writer.close()
    if head[9:10] != b"2":
        raise RuntimeError(f"{method} {path}: {head.splitlines()[0].decode()}")


async def _streamed(port: int, path: str, headers: Mapping[str, str], body: Mapping[str, object]) -> Stream:
    """Ask for a stream and note when each of its tokens came."""
    asked, sent, received = now(), list[int](), list[int]()
    rest = b""
    async for data in _answer(port, "POST", path, headers, json.dumps(body)):
        moment = now()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if stamp := _stamp(line):
                sent.append(stamp)
                received.append(moment)
    assert sent, f"{path} streamed no token: {rest!r}"
    return Stream(asked=asked, sent=sent, received=received)


def _stamp(line: bytes) -> int:
    """The moment that a token tells; 0: the line holds none."""
    if not line.startswith(b"data: {"):
        return 0
    event = json.loads(line[6:])
    # OpenAI's form, or ours; the whole text at the end is no token.
    text = event["choices"][0]["delta"].get("content") if event.get("choices") else event.get("delta")
    return int(text) if text else 0


async def _proxied(ours: int, upstream: int, size: Size) -> list[Line]:
    """Streams through the proxy and past it, in turn; what the last one left to do is done before the next."""
    through: dict[str, list[Stream]] = {"fast": [], "paced": []}
    past: dict[str, list[Stream]] = {"fast": [], "paced": []}
    said = [words for words, _, _ in turns(size.streams + 1, random.Random(63))]
    completions = "/v1/chat/completions"
    for number, words in enumerate(said):
        for model in through:
            body = {"model": model, "stream": True, "messages": [{"role": "user", "content": words}]}
            named = {**_AS_USER, "X-Chat-Id": f"{model}-{number}"}
            await _asked(ours, "POST", "/v1/jobs/drain?timeout=30", _AS_USER, "")
            through[model].append(await _streamed(ours, completions, named, body))
            past[model].append(await _streamed(upstream, completions, {}, body))
    # The first of each warms up.
    fast, bare_fast, paced, bare_paced = (
        side[model][1:] for model in ("fast", "paced") for side in (through, past)
    )
    each, bare = (statistics.median(run.each for run in runs) for runs in (fast, bare_fast))
    way, bare_way = (
        sorted(taken for run in runs for taken in run.on_the_way) for runs in (paced, bare_paced)
    )
    first, direct = (statistics.median(run.first for run in runs) for runs in (paced, bare_paced))
    return [
        Line(
            what=f"the proxy, tokens as fast as the model can, {TOKENS['fast']:,} of them",
            ours=f"{each * 1e6:.0f} µs a token; {(each - bare) * 1e6:+.0f} µs",
            yardstick=f"{bare * 1e6:.0f} µs (the model directly)",
        ),
        Line(
            what=f"the proxy, a token each {PACE * 1000:.0f} ms: from the model's writing to the client's reading",
            ours=_spread(way),
            yardstick=f"{_spread(bare_way)} (the model directly)",
        ),
        Line(
            what="the proxy, from the question to the first token: recorded, context built and added",
            ours=f"{milliseconds(first)}; {milliseconds(first - direct)} more",
            yardstick=f"{milliseconds(direct)} (the model directly)",
        ),
    ]


async def _talked(ours: int, upstream: int, size: Size) -> Line:
    """The first word of an answer, while every turn gives a slow summariser something to do."""
    body: dict[str, object] = {"model": "paced", "stream": True, "messages": []}
    heads: list[float] = []
    straight: list[float] = []
    for words, _, _ in turns(3 * size.streams + 1, random.Random(64)):
        talk = {"chat_id": CHAT, "text": words}
        heads.append((await _streamed(ours, "/v1/message", _AS_USER, talk)).on_the_way[0])
        straight.append((await _streamed(upstream, "/v1/chat/completions", {}, body)).on_the_way[0])
    slow = json.loads(await _asked(upstream, "GET", "/slow", {}, ""))["slow"]
    heads, straight = sorted(heads[1:]), sorted(straight[1:])
    return Line(
        what=f"/v1/message, first delta after the model's first byte; a summariser that takes {SLOW:.0f} s was asked {slow} times",
        ours=_spread(heads),
        yardstick=f"{_spread(straight)} (the model directly)",
        target="≤ 5 ms",
        met=slow > 0 and statistics.median(heads) <= 0.005,
    )


def _spread(taken: Sequence[float]) -> str:
    p95, p99 = (milliseconds(taken[int(len(taken) * part)]) for part in (0.95, 0.99))
    return f"{milliseconds(statistics.median(taken))}, p95 {p95}, p99 {p99}"


# -- the section ------------------------------------------------------------------------------------------


def _loads(client: LoadClient, empty: int, url: str, where: str, size: Size) -> list[Line]:
    """Every load on one database; recording once more with the work behind left to another process."""
    with running(serve_command(url), **_OPEN) as ours:
        asks = _asks(_token(ours))
        lines = _rates(client, ours, empty, asks, where, size)
    with running([*serve_command(url), "--no-worker"], **_OPEN) as ours:
        recording = {f"{_RECORD} (worker elsewhere)": asks[_RECORD]}
        return lines + _rates(client, ours, empty, recording, where, size)


def _streams(folder: Path, database: Path, size: Size) -> list[Line]:
    """Every stream, each kind on a copy of the database."""
    here, there = (shutil.copy(database, folder / name) for name in ("proxied.db", "talked.db"))
    with running(_module("benchmarks.upstream")) as upstream:
        models = {
            "OPENAI_BASE_URL": f"http://127.0.0.1:{upstream}/v1",
            "RECOLLECT_CHAT_MODEL": "paced",
        }
        summariser = {
            "MEMORY_SUMMARIZER_MODEL": "slow",
            # Each turn is something to fold, so that the summariser is always at it.
            "MEMORY_CHUNK_SUMMARIZE_THRESHOLD": "200",
        }
        with running(serve_command(str(here)), **_OPEN, **models) as ours:
            lines = asyncio.run(_proxied(ours, upstream, size))
        with running(serve_command(str(there)), **_OPEN, **models, **summariser) as ours:
            return [*lines, asyncio.run(_talked(ours, upstream, size))]


def service(folder: Path, *, quick: bool) -> list[Line]:
    """Every measurement of the service."""
    # Deferred: the package of the server is needed for this part alone.
    from benchmarks.server import postgres_server

    size = QUICK if quick else FULL
    here = folder / "service.db"
    asyncio.run(_filled(str(here), size))
    streams = _streams(folder, here, size)
    with load_client() as client, running(_module("benchmarks.empty")) as empty:
        lines = _loads(client, empty, str(here), "SQLite", size)
        with postgres_server() as there:
            asyncio.run(_filled(there, size))
            lines += _loads(client, empty, there, "PostgreSQL", size)
    return lines + streams
