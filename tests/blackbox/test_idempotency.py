"""Once is once: requests with an `Idempotency-Key`, turns with an `idempotency_key`, imports that are repeated."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from patience import LIMIT
from scripted_model import ScriptedModel, event, refuses, says, streams

from recollect import Memory
from recollect.errors import Conflict

from .conftest import As, Http, Service, everything_said, somebody

KEY = "Idempotency-Key"
REPLAYED = "idempotent-replay"

# -- over HTTP ----------------------------------------------------------------------------------------------

#: Requests, the second of which would change something more if it were carried out.
WRITES: list[tuple[str, str, Any, int]] = [
    ("POST", "/memories", {"content": "User keeps bees behind the house"}, 201),
    ("POST", "/memories", [{"content": "User keeps bees behind the house"}, {"content": "short"}], 200),
    ("POST", "/v1/todos", {"text": "Call the dentist"}, 201),
    ("POST", "/v1/chats/c/messages", {"messages": [{"role": "user", "text": "I am allergic to nuts."}]}, 201),
    ("POST", "/api/memory/pins", {"session_id": "c", "content": "Allergic to penicillin"}, 201),
    ("POST", "/v1/tools/store_memory", {"arguments": {"content": "User likes tea", "category": "fact", "importance": 5}}, 200),
    ("PUT", "/v1/seed", {"facts": [{"content": "User lives in Austin, Texas"}]}, 200),
    ("POST", "/memories/consolidate", {"dry_run": False}, 200),
]  # fmt: skip


def _whole(http: Http) -> dict[str, Any]:
    document = http.post("/memories/export").json()
    return {name: part for name, part in document.items() if name != "exported_at"}


@pytest.mark.parametrize(("method", "path", "body", "status"), WRITES, ids=str)
def test_the_same_request_is_answered_alike(
    http: Http, method: str, path: str, body: Any, status: int
) -> None:
    """The first answer comes again, marked, and nothing is done twice; another body under the key is a conflict."""
    first = http.request(method, path, json=body, headers={KEY: "a-1"})
    before = _whole(http)
    again = http.request(method, path, json=body, headers={KEY: "a-1"})
    assert (first.status_code, again.status_code) == (status, status), first.text
    assert (again.json(), again.headers["content-type"]) == (first.json(), first.headers["content-type"])
    assert REPLAYED not in first.headers and again.headers[REPLAYED] == "true"
    assert _whole(http) == before
    changed = {"messages": [{"role": "user", "text": "I am allergic to walnuts."}]}
    elsewhere = ("/v1/todos", {"text": "Call the doctor"})
    where, what = (path, changed) if path.endswith("/messages") else elsewhere
    other = http.post(where, json=what, headers={KEY: "a-1"})
    assert other.status_code == 409 and "a-1" in other.json()["error"]
    assert http.get("/v1/todos", headers={KEY: "no good key at all"}).status_code == 200


def test_a_key_is_its_users_and_its_requests(service: Service, http: Http, user: str) -> None:
    """Another user, path or query is another request; who may less gets no answer of who may more."""
    body = {"text": "Call the dentist"}
    assert http.post("/v1/todos", json=body, headers={KEY: "b"}).status_code == 201
    stranger = service.http(somebody()).post("/v1/todos", json=body, headers={KEY: "b"})
    assert stranger.status_code == 201 and REPLAYED not in stranger.headers
    assert http.post("/v1/todos?x=1", json=body, headers={KEY: "b"}).status_code == 409
    token = service.operator.post("/auth/sessions", json={"user_id": user, "scopes": ["read"]}).json()
    reader = service.http(x_session_token=token["session_token"])
    assert reader.post("/v1/todos", json=body, headers={KEY: "b"}).status_code == 409
    assert service.http().post("/v1/todos", json=body, headers={KEY: "b"}).status_code == 401
    assert len(http.get("/v1/todos").json()["todos"]) == 1


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "schlüssel", "tab\there"])
def test_a_key_is_visible_ascii(http: Http, key: str) -> None:
    answer = http.post("/v1/todos", json={"text": "Call"}, headers={KEY.encode(): key.encode()})
    assert answer.status_code == 400 and "Idempotency-Key" in answer.json()["error"]
    assert http.get("/v1/todos").json()["todos"] == []
    assert http.post("/v1/todos", json={"text": "Call"}, headers={KEY: "~" * 255}).status_code == 201


def test_an_error_leaves_the_key_free(http: Http) -> None:
    assert http.patch("/memories/none", json={"importance": 3}, headers={KEY: "c"}).status_code == 404
    assert http.post("/v1/todos", json={"text": ""}, headers={KEY: "c"}).status_code == 400
    assert http.post("/v1/todos", json={"text": "Call"}, headers={KEY: "c"}).status_code == 201


def test_many_at_once_are_one(service: Service, http: Http, user: str) -> None:
    """Of ten at once one is carried out; the others have its answer, or are asked to come back."""

    def ask(_: int) -> Any:
        return service.http(user).post("/v1/todos", json={"text": "Call"}, headers={KEY: "d"})

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(ask, range(10)))
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert all(answer.headers["retry-after"] for answer in answers if answer.status_code == 409)
    assert len(http.get("/v1/todos").json()["todos"]) == 1


def test_a_talk_is_streamed_again(service: Service, model: ScriptedModel) -> None:
    """The second request under a key gets the events of the first; after a failure it is answered anew, and said once."""
    model.script(says("Once."), says("Twice."))
    http = service.http(somebody())
    sent: dict[str, Any] = {"json": {"text": "Only once"}, "headers": {KEY: "talk-1"}}
    first, second = (http.post("/v1/message/first", **sent) for _ in range(2))
    assert (first.text, second.headers[REPLAYED]) == (second.text, "true")
    (chat,) = http.get("/v1/chats").json()["chats"]
    assert chat["message_count"] == 2
    model.script(refuses(404, "no such model"), says("Now."))
    sent = {"json": {"text": "Try"}, "headers": {KEY: "talk-2"}}
    first, second = (http.post("/v1/message/first", **sent) for _ in range(2))
    assert "event: error" in first.text and "event: message.completed" in second.text
    assert [item["message_count"] for item in http.get("/v1/chats").json()["chats"]] == [2, 2]


def test_what_is_under_way_waits(service: Service, model: ScriptedModel) -> None:
    """A second request is a 409 that says when to come back, and then has the first one's answer."""
    let = threading.Event()
    words = (event("Late"), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 0 and let.wait(LIMIT)))
    user = somebody()
    sent: dict[str, Any] = {"json": {"text": "Wait"}, "headers": {KEY: "talk-3"}}
    with ThreadPoolExecutor(1) as pool:
        asked = len(model.requests)
        first = pool.submit(lambda: service.http(user).post("/v1/message/first", **sent))
        try:
            while len(model.requests) == asked:
                pass
            second = service.http(user).post("/v1/message/first", **sent)
        finally:
            let.set()
        assert (second.status_code, second.headers["retry-after"]) == (409, "1")
        answer = first.result(LIMIT)
        assert service.http(user).post("/v1/message/first", **sent).text == answer.text


# -- in the library -----------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_a_turn_with_its_key_is_recorded_once(ann: As, bob: As) -> None:
    """The same messages come back; another body, chat, model or name under the key is a conflict; others' keys are others'."""
    chat = ann.chat("c")
    said: dict[str, Any] = {"user": "I am allergic to nuts.", "assistant": "Noted.", "idempotency_key": "k1"}
    first, again = chat.add(**said), chat.add(**said)
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.messages, again.pins) == (first.messages, first.pins) and len(first.pins) == 1
    for other, handle in (({"user": "Second."}, chat), ({"model_id": "m"}, chat), ({}, ann.chat("other"))):
        with pytest.raises(Conflict):
            handle.add(**{**said, **other})
    assert bob.chat("c").add(**{**said, "user": "Second."}).repeated is False
    assert (len(everything_said(chat)), len(chat.pins()), len(ann.chats())) == (2, 1, 1)


def test_a_key_is_free_again_after_a_day(opener: Callable[..., Memory], clock: Any) -> None:
    chat = opener().chat("c", user="ann")
    chat.add(user="First.", idempotency_key="k1")
    clock.move(hours=24)
    assert chat.add(user="First.", idempotency_key="k1").repeated is True
    clock.move(milliseconds=1)
    assert chat.add(user="Second.", idempotency_key="k1").repeated is False
    assert [message.text for message in everything_said(chat)] == ["First.", "Second."]


ARCHIVES: dict[str, tuple[Any, int]] = {
    "our own": ({"recollect": 1, "memories": [{"memory_id": "2026-01-28T10:30:45.123Z#a1b2c3d4", "category": "fact",
                 "content": "User keeps bees behind the house", "created_at": "2026-01-28T10:30:45.123Z"}]}, 1),
    "mem0": ([{"id": "f1", "memory": "Loves hiking in the Alps", "user_id": "x", "created_at": "2025-01-02T03:04:05Z"}], 1),
    "plain": ('{"role": "user", "text": "Hello there"}\n{"role": "assistant", "text": "Good day"}', 2),
    "messages": ([{"role": "user", "content": "Hello there"}, {"role": "assistant", "content": "Good day"}], 2),
}  # fmt: skip


@pytest.mark.parametrize("archive", ARCHIVES)
def test_an_import_that_is_repeated_changes_nothing(ann: As, archive: str) -> None:
    document, number = ARCHIVES[archive]
    first = ann.load(document)
    before = {**ann.export(), "exported_at": ""}
    again = ann.load(document)
    assert (first.imported, first.duplicates, first.skipped) == (number, 0, ())
    assert (again.imported, again.duplicates, again.skipped) == (0, number, ())
    assert {**ann.export(), "exported_at": ""} == before
