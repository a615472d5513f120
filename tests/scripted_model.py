"""A server of language models that does what a test tells it: real HTTP on a free port, programmed answers.

    with ScriptedModel() as model:
        model.script("Hello.", refuses(429, "slow down", retry_after="7"), hangs())
        ...                         # ask model.url
        model.requests[0].body      # what was asked

A text is what the model says, as a chat completion, a response or a stream, whichever was asked for. Any other answer is
a function from the request to a `Reply`. Answers are used in turn and the last one repeats.
"""

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from patience import join

from recollect.models.endpoint import Limits


@dataclass(frozen=True)
class Request:
    """What came in."""

    path: str
    body: dict[str, Any]
    #: With names in lower case.
    headers: dict[str, str]
    #: The body as it came.
    content: bytes = b""

    @property
    def prompt(self) -> str:
        """Everything that the model was told."""
        return "\n".join(message["content"] for message in self.body.get("messages", [])) or str(
            self.body.get("input", "")
        )


@dataclass(frozen=True)
class Reply:
    """What goes out."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    #: Sent one after the other.
    chunks: tuple[bytes, ...] = ()
    #: Before the first and between chunks.
    delay_seconds: float = 0.0
    #: Say nothing more until the test ends, instead of ending the answer.
    hang: bool = False
    #: Said again and again after the chunks, until the client leaves or the test ends.
    forever: bytes = b""
    #: Hang up before the answer is whole.
    broken: bool = False
    #: Called with the number of each chunk before it is sent: a test may hold it back.
    before_chunk: Callable[[int], object] = lambda number: None


Answer = Callable[[Request], Reply]


def says(text: str, *, finish: str = "stop", model: str = "scripted", **message: Any) -> Answer:
    """A good answer with this text, in the form that was asked for; `message` adds fields to a chat message."""

    def answer(request: Request) -> Reply:
        if request.path.endswith("/responses"):
            return _json(_response(text, finish, model))
        if request.body.get("stream"):
            told = request.body.get("stream_options", {}).get("include_usage", False)
            return streams(*_events(text, finish, model, told))(request)
        choice = {
            "index": 0,
            "finish_reason": finish,
            "message": {"role": "assistant", "content": text, **message},
        }
        return _json({"object": "chat.completion", "model": model, "choices": [choice], "usage": _USAGE})

    return answer


def says_json(value: object) -> Answer:
    """A good answer that is JSON."""
    return says(json.dumps(value))


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    """An error in OpenAI's form."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: _json(
        {"error": {"message": message, "type": "invalid_request_error"}}, status, named
    )


def raw(body: str | bytes, status: int = 200) -> Answer:
    """Exactly these bytes."""
    return lambda request: Reply(status=status, chunks=(body.encode() if isinstance(body, str) else body,))


def hangs() -> Answer:
    """Not a word."""
    return lambda request: Reply(status=0, hang=True)


def hangs_up() -> Answer:
    """The connection is closed without a word."""
    return lambda request: Reply(status=0, broken=True)


def streams(
    *lines: str,
    hang: bool = False,
    broken: bool = False,
    delay_seconds: float = 0.0,
    before_chunk: Callable[[int], object] = lambda number: None,
) -> Answer:
    """A stream of these lines, each sent on its own; it may fall silent or break off after the last."""
    chunks = tuple(f"{line}\n\n".encode() for line in lines)
    return lambda request: Reply(
        headers={"Content-Type": "text/event-stream"},
        chunks=chunks,
        hang=hang,
        broken=broken,
        delay_seconds=delay_seconds,
        before_chunk=before_chunk,
    )


def goes_on(piece: bytes, *, first: bytes = b"", delay_seconds: float = 0.0, stream: bool = True) -> Answer:
    """The same piece for ever, after a first one."""
    kind = "text/event-stream" if stream else "application/json"
    return lambda request: Reply(
        headers={"Content-Type": kind}, chunks=(first,), forever=piece, delay_seconds=delay_seconds
    )


def event(text: str | None, finish: str | None = None, model: str = "scripted") -> str:
    """One line of a stream."""
    choice = {"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": finish}
    return "data: " + json.dumps({"object": "chat.completion.chunk", "model": model, "choices": [choice]})


def late(seconds: float, answer: str | Answer) -> Answer:
    """The same answer, later."""

    def wait(request: Request) -> Reply:
        time.sleep(seconds)
        return _as_answer(answer)(request)

    return wait


def limited(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    """Make the limits of an answer small, for whatever is opened from now on."""
    for name, value in limits.items():
        monkeypatch.setitem(Limits.__init__.__kwdefaults__, name, value)


class ScriptedModel(ThreadingHTTPServer):
    """The server; a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.requests: list[Request] = []
        self.release = threading.Event()
        self._answers: list[Answer] = [says("Scripted.")]
        self._turn = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """What belongs into OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def script(self, *answers: str | Answer) -> None:
        """What to answer from now on."""
        self._answers = [_as_answer(answer) for answer in answers]

    def answer(self, request: Request) -> Reply:
        """Note the request and take the next answer."""
        with self._turn:
            self.requests.append(request)
            chosen = self._answers[0] if len(self._answers) == 1 else self._answers.pop(0)
        return chosen(request)

    def __enter__(self) -> "ScriptedModel":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self.shutdown()
        join(self._thread)
        self.server_close()


class KeptAlive(ScriptedModel):
    """The same over connections that stay open, which are counted."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = _LongExchange
        self.connections = 0

    def get_request(self) -> Any:
        self.connections += 1
        return super().get_request()


class _Exchange(BaseHTTPRequestHandler):
    server: ScriptedModel  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        self._exchange(b"")

    def do_POST(self) -> None:
        self._exchange(self.rfile.read(int(self.headers["Content-Length"])))

    def _exchange(self, content: bytes) -> None:
        body = json.loads(content) if content else {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.answer(Request(self.path, body, headers, content))
        if reply.status:
            self.send_response(reply.status)
            # A length that is never reached: whoever reads notices that the rest is missing.
            missing = 100 if reply.hang or reply.broken else 0
            size = str(sum(map(len, reply.chunks)) + missing)
            length = {} if reply.forever else {"Content-Length": size}
            for name, value in {**length, **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
        for number, chunk in enumerate(reply.chunks):
            time.sleep(reply.delay_seconds)
            reply.before_chunk(number)
            self.wfile.write(chunk)
            self.wfile.flush()
        if reply.forever:
            self._go_on(reply)
        if reply.hang:
            self.server.release.wait(10)
        self.close_connection = self.protocol_version == "HTTP/1.0" or bool(
            reply.hang or reply.broken or reply.forever
        )

    def _go_on(self, reply: Reply) -> None:
        """Speak until nobody listens."""
        with suppress(OSError):
            while not self.server.release.wait(reply.delay_seconds):
                self.wfile.write(reply.forever)
                self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


class _LongExchange(_Exchange):
    protocol_version = "HTTP/1.1"


def _as_answer(answer: str | Answer) -> Answer:
    return says(answer) if isinstance(answer, str) else answer


def _json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    kind = {"Content-Type": "application/json"}
    return Reply(status=status, headers={**kind, **(headers or {})}, chunks=(json.dumps(value).encode(),))


def _response(text: str, finish: str, model: str) -> dict[str, Any]:
    return {
        "object": "response",
        "model": model,
        "status": "incomplete" if finish == "length" else "completed",
        "output": [
            {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]},
        ],
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    }


_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def _events(text: str, finish: str, model: str, told: bool) -> list[str]:
    """The text word by word, as servers stream it; `told`: with what it cost."""
    words = text.split(" ")
    pieces = [word if number == 0 else f" {word}" for number, word in enumerate(words)]
    cost = [cost_event(model)] if told else []
    spoken = [event(piece, model=model) for piece in pieces]
    return [*spoken, event(None, finish, model), *cost, "data: [DONE]"]


def cost_event(model: str = "scripted") -> str:
    """The line of a stream that tells what it cost."""
    return "data: " + json.dumps(
        {"object": "chat.completion.chunk", "model": model, "choices": [], "usage": _USAGE}
    )
