"""Hostile values, a request a line: what must be refused, with which status, and with which word in the sentence.

Written by hand, from what people and scanners send to services: malformed JSON, values that break parsers, databases and
terminals, cursors of elsewhere. What is hostile by its HTTP is in `hostile_http.py`. They name no user: the test does.
"""

import gzip
import json
from dataclasses import dataclass
from typing import Any

from .raw_http import chunked

JSON = ("Content-Type", "application/json")
FACT = "User keeps a blue kettle in the old shop in Porto"
MESSAGES = "/v1/chats/c/messages"
#: A valid cursor of another list, and some of none.
FOREIGN = "WyIyMDI2LTAxLTAxVDAwOjAwOjAwLjAwMFoiLCAieCIsIDEsIDIsIDNd"
BOUNDARY = "multipart/form-data; boundary=x"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A request that must not get through."""

    name: str
    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    length: bool = True
    statuses: tuple[int, ...] = (400,)
    #: A word of the sentence: the field, where there is one.
    word: str = ""
    #: Refused by the HTTP server itself, in its own words.
    by_server: bool = False


def _post(name: str, path: str, body: Any, word: str = "", *statuses: int, method: str = "POST") -> Hostile:
    return Hostile(
        name=name,
        method=method,
        path=path,
        headers=(JSON,),
        body=json.dumps(body).encode(),
        statuses=statuses or (400,),
        word=word,
    )


def _raw(name: str, body: bytes, *headers: tuple[str, str], word: str = "", **more: Any) -> Hostile:
    return Hostile(
        name=name, method="POST", path="/memories", headers=headers or (JSON,), body=body, word=word, **more
    )


def get(path: str, word: str = "", *statuses: int) -> Hostile:
    return Hostile(name=path[:70], method="GET", path=path, word=word, statuses=statuses or (400,))


def _memory(name: str, word: str, **fields: Any) -> Hostile:
    return _post(f"memory {name}", "/memories", {"content": FACT, "category": "fact", **fields}, word)


def _said(name: str, word: str, **fields: Any) -> Hostile:
    return _post(
        f"message {name}", MESSAGES, {"messages": [{"role": "user", "text": "hello", **fields}]}, word
    )


def _text(content: bytes) -> bytes:
    return b'{"category": "fact", "content": "' + content + b'"}'


_BODIES = (
    _raw("empty body", b"", word="body"),
    _raw("half a document", b"{"),
    _raw("no value", b'{"content": }'),
    _raw("null", b"null", word="body"),
    _raw("a list of nothing", b"[null]", word="0 must be an object"),
    _raw("a text", b'"content"', word="body"),
    _raw("a number", b"42", word="body"),
    _raw("trailing garbage", _text(FACT.encode()) + b" x"),
    _raw("two documents", _text(FACT.encode()) * 2),
    _raw("single quotes", b"{'content': 'User keeps a blue kettle'}"),
    _raw("comment", b'{"content": "User keeps a blue kettle" /* here */}'),
    _raw("trailing comma", b'{"content": "User keeps a blue kettle",}'),
    _raw("byte order mark", b"\xef\xbb\xbf" + _text(FACT.encode())),
    _raw("UTF-16", _text(FACT.encode()).decode().encode("utf-16")),
    _raw("UTF-32", _text(FACT.encode()).decode().encode("utf-32")),
    _raw("Latin-1", _text("User grüßt in Köln und Zürich".encode("latin-1"))),
    _raw("overlong UTF-8", _text(b"User keeps \xc0\xaf\xc0\xae kettles")),
    _raw("a surrogate in UTF-8", _text(b"User keeps \xed\xa0\x80 kettles")),
    _raw("beyond Unicode", _text(b"User keeps \xf5\x80\x80\x80 kettles")),
    _raw("a raw NUL", _text(b"User keeps \x00 kettles")),
    _raw("a raw line feed", _text(b"User keeps \n kettles")),
    _raw("a high surrogate alone", _text(b"User keeps \\ud800 kettles")),
    _raw("a low surrogate alone", _text(b"User keeps \\udfff kettles")),
    _raw("a reversed pair", _text(b"User keeps \\ude00\\ud83d kettles")),
    _raw("a lone surrogate as a key", b'{"content": "User keeps a kettle", "\\ud800": 1}'),
    _raw("a bad escape", _text(b"User keeps \\x41 kettles")),
    _raw("NaN", b'{"content": "User keeps a blue kettle", "importance": NaN}'),
    _raw("Infinity", b'{"content": "User keeps a blue kettle", "importance": Infinity}'),
    _raw("-Infinity", b'{"content": "User keeps a blue kettle", "importance": -Infinity}'),
    _raw("1e999", b'{"content": "User keeps a blue kettle", "importance": 1e999}'),
    _raw("a number of 5,000 digits", b'{"content": "User keeps a blue kettle", "importance": ' + b"9" * 5000 + b"}"),
    _raw("a leading zero", b'{"content": "User keeps a blue kettle", "importance": 007}'),
    _raw("a plus sign", b'{"content": "User keeps a blue kettle", "importance": +5}'),
    _raw("hexadecimal", b'{"content": "User keeps a blue kettle", "importance": 0x5}'),
    _raw("65 lists", b'{"content": ' + b"[" * 65 + b"]" * 65 + b"}", word="64"),
    _raw("100,000 lists", b"[" * 100_000 + b"]" * 100_000, word="64"),
    _raw("100,000 objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, word="64"),
    _raw("lists without an end", b"[" * 200_000, word="64"),
    _raw("brackets behind an open text", b'{"content": "' + b"[" * 200_000),
    _raw("9 MB", _text(b"a" * 9 * 2**20), statuses=(413,), word="8 MB"),
    _raw("9 MB of blanks", b" " * 9 * 2**20, statuses=(413,), word="8 MB"),
    _raw(
        "9 MB in chunks", chunked(_text(b"a" * 9 * 2**20)), JSON, ("Transfer-Encoding", "chunked"),
        length=False, statuses=(413,), word="8 MB",
    ),
    _raw("a length of 9 GB", b"{}", JSON, ("Content-Length", "9000000000"), length=False, statuses=(413,)),
    _raw("gzip", gzip.compress(_text(FACT.encode())), JSON, ("Content-Encoding", "gzip")),
    _raw("a bomb in gzip", gzip.compress(b" " * 50_000_000), JSON, ("Content-Encoding", "gzip")),
    _raw("a form", b"content=User+keeps+a+blue+kettle", ("Content-Type", "application/x-www-form-urlencoded")),
    _raw(
        "multipart", b'--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nUser keeps\r\n--x--\r\n',
        ("Content-Type", BOUNDARY),
    ),
    _raw("XML", b"<content>User keeps a blue kettle</content>", ("Content-Type", "application/xml")),
    _raw("text", b"User keeps a blue kettle", ("Content-Type", "text/plain")),
    _raw("bytes", bytes(range(256)), ("Content-Type", "application/octet-stream")),
    _raw("a content type that is none", b"nonsense", ("Content-Type", ";;;/,")),
    _raw("nonsense in JSON's name", b"\xff\xfe\xfd", ("Content-Type", "application/json; charset=utf-7")),
)  # fmt: skip

_MEMORIES = (
    _memory("too short", "short", content="kettle"),
    _memory("too long", "long", content="a" * 501),
    _memory("very long", "long", content="User keeps " + "a" * 1_000_000),
    _memory("blank", "", content=" \t\n" * 20),
    _memory("of invisible characters", "", content="\u200b\u2060\ufeff" * 20),
    _memory("with NUL", "content", content="User keeps\u0000 a blue kettle"),
    _memory("a number", "content", content=12345678901),
    _memory("null", "content", content=None),
    _memory("a list", "content", content=["User keeps a blue kettle"]),
    _memory("an object", "content", content={"$ne": None}),
    _memory("of no category", "category", category="kettles"),
    _memory("of an empty category", "category", category=""),
    _memory("of category 5", "category", category=5),
    _memory("of a category with a quote", "category", category="fact'; DROP TABLE memories; --"),
    _memory("importance -1", "importance", importance=-1),
    _memory("importance 11", "importance", importance=11),
    _memory("importance 1e308", "importance", importance=1e308),
    _memory("importance as text", "importance", importance="5"),
    _memory("importance true", "importance", importance=True),
    _memory("tags as text", "tags", tags="kettles"),
    _memory("tags as numbers", "tags", tags=[1, 2]),
    _memory("10,000 tags", "tag", tags=[f"tag{number}" for number in range(10_000)]),
    _memory("a tag with NUL", "tag", tags=["a\u0000b"]),
    _memory("a tag of 10,000 characters", "tag", tags=["a" * 10_000]),
    _memory("reasoning as a number", "reasoning", reasoning=5),
    _memory("persona with NUL", "persona_id", persona_id="\u0000"),
    _memory("persona of 10,000 characters", "persona_id", persona_id="a" * 10_000),
    _memory("persona as an object", "persona_id", persona_id={}),
    _memory("pinned as text", "pinned", pinned="yes"),
    _memory("entities as an object", "entity_refs", entity_refs={"person": "john"}),
    _memory("an entity without a kind", "entity", entity_refs=["john"]),
    _memory("an entity with a path", "entity", entity_refs=["person:../../etc/passwd\u0000"]),
    _memory("subtype as text", "subtype", subtype="person"),
    _memory("sources as numbers", "source_message_ids", source_message_ids=[1]),
    _memory("an unknown field", "colour", colour="blue"),
    _memory("somebody else's user_id", "user_id", user_id="root"),
    _memory("a prototype", "__proto__", __proto__={"admin": True}),
    _post("memories as text", "/memories", "all", "body"),
    _post("memories: 1,001", "/memories", [{"content": FACT}] * 1001, "1000"),
    _post("memories: not objects", "/memories", [1, None], "0 must be an object"),
    _post("erase none", "/memories", {}, "memory_id required", method="DELETE"),
    _post("erase a number", "/memories", {"memory_id": 5}, "memory_id", method="DELETE"),
    _post("erase a wildcard", "/memories", {"memory_id": "%"}, "", 404, method="DELETE"),
    _post("change one that is not", "/memories/none", {"importance": 3}, "", 404, method="PATCH"),
    _post("change to no status", "/memories/none", {"status": "gone"}, "", 400, 404, method="PATCH"),
    _post("export as a spreadsheet", "/memories/export", {"format": "xlsx"}, "format"),
    _post("export of secrets", "/memories/export", {"include": ["tokens", "../../etc"]}, "include"),
    _post("import of a text", "/memories/import", "nonsense"),
    _post("import of a number", "/memories/import", 7),
    _post("import of another version", "/memories/import", {"recollect": 99, "memories": []}, "recollect"),
    _post("import of wrong lists", "/memories/import", {"recollect": 1, "memories": 5}),
    _post("consolidate by a word", "/memories/consolidate", {"dry_run": "no"}, "dry_run"),
)

_CONVERSATIONS = (
    _post("no messages", MESSAGES, {"messages": []}, "messages"),
    _post("messages missing", MESSAGES, {}, "messages is required"),
    _post("messages as an object", MESSAGES, {"messages": {"0": "hello"}}, "messages"),
    _post("a message as text", MESSAGES, {"messages": ["hello"]}, "messages"),
    _post("the second message without a role", MESSAGES, {"messages": [{"role": "user", "text": "a"}, {"text": "b"}]}, "role"),
    _said("of no role", "role", role="root"),
    _said("of role null", "role", role=None),
    _said("without words", "text", text=""),
    _said("of blanks", "text", text=" \n\t "),
    _said("with NUL", "text", text="a\u0000b"),
    _said("of 200,001 characters", "200", text="a" * 200_001),
    _said("as a number", "text", text=5),
    _said("yesterday", "created_at", created_at="yesterday"),
    _said("on 30 February", "created_at", created_at="2026-02-30T00:00:00Z"),
    _said("in the year 10000", "created_at", created_at="10000-01-01T00:00:00Z"),
    _said("in the year 0", "created_at", created_at="0000-01-01T00:00:00Z"),
    _said("at the edge of time", "created_at", created_at="0001-01-01T00:00:00+14:00"),
    _said("at a number", "created_at", created_at=1761647445),
    _said("with half a token", "token_usage", token_usage=1.5),
    _said("with negative tokens", "token_usage", token_usage=-1),
    _said("with tokens beyond 64 bits", "token_usage", token_usage=2**63),
    _said("of a model with NUL", "model_id", model_id="\u0000"),
    _said("of an unknown field", "colour", colour="blue"),
    _post("a chat's name of 10,000 characters", f"/v1/chats/{'c' * 10_000}/messages", {"messages": [{"role": "user", "text": "a"}]}),
    _post("a chat's name with NUL", "/v1/chats/%00/messages", {"messages": [{"role": "user", "text": "a"}]}),
    _post("a chat's name in bad UTF-8", "/v1/chats/%ff%fe/messages", {"messages": [{"role": "user", "text": "a"}]}),
    _post("a title as a list", "/v1/chats/none", {"title": []}, "title", method="PATCH"),
    _post("a title of no chat", "/v1/chats/none", {"title": "Walks"}, "", 404, method="PATCH"),
    _post("words of no message", "/v1/messages/none", {"text": "hello"}, "", 404, method="PATCH"),
    _post("pin from no message", "/api/memory/pins", {"session_id": "c", "content": "Allergic to penicillin", "source_message_id": "none"}, "source_message_id", 404),
    _post("pin of nothing", "/api/memory/pins", {"session_id": "none", "content": ""}, "content", 400, 404),
    _post("pin without a chat", "/api/memory/pins", {"content": "Allergic to penicillin"}, "session_id is required"),
    _post("pin of importance 99", "/api/memory/pins", {"session_id": "c", "content": "a fact", "importance_score": 99}, "importance_score", 400, 404),
    _post("pin of no kind", "/api/memory/pins", {"session_id": "c", "content": "a fact", "pin_type": "nail"}, "pin_type", 400, 404),
    _post("summary of -1 messages", "/api/memory/summaries", {"session_id": "c", "start_message_id": "a", "end_message_id": "b", "message_count": -1}, "", 400, 404),
    _post("summary of no chat", "/api/memory/summaries", {"session_id": "c", "start_message_id": "a", "end_message_id": "b", "message_count": 2}, "", 404),
    _post("summary counted in words", "/api/memory/summaries", {"session_id": "c", "start_message_id": "a", "end_message_id": "b", "message_count": "two"}, "message_count"),
    _post("todo of nothing", "/v1/todos", {"text": ""}, "text"),
    _post("todo of no kind", "/v1/todos", {"text": "Call the dentist", "kind": "wish"}, "kind"),
    _post("todo due never", "/v1/todos", {"text": "Call the dentist", "due_at": "never"}, "due_at"),
    _post("todo of no status", "/v1/todos", {"text": "Call the dentist", "status": "lost"}, "status"),
    _post("todo of 100,000 characters", "/v1/todos", {"text": "a" * 100_000}, "text"),
    _post("seed of text", "/v1/seed", {"facts": "User is called Ann"}, "facts", method="PUT"),
    _post("seed of short facts", "/v1/seed", {"facts": [{"content": "x"}]}, "", method="PUT"),
    _post("seed of unknown facts", "/v1/seed", {"facts": [{"colour": "blue"}]}, "", method="PUT"),
    _post("forget nothing", "/v1/forget", {}, ""),
    _post("forget two things", "/v1/forget", {"memory_id": "a", "chat_id": "b"}, ""),
    _post("forget everything but no", "/v1/forget", {"everything": "true"}, "everything"),
    _post("forget a wildcard", "/v1/forget", {"entity": "%"}, "", 400, 404),
    _post("merge one into itself", "/v1/entities/merge", {"from": "person:ann", "into": "person:ann"}, "", 400, 404),
    _post("merge nobody", "/v1/entities/merge", {"from": "", "into": "\u0000"}, ""),
    _post("a tool that is none", "/v1/tools/rm", {"arguments": {}}, "", 404),
    _post("arguments as text", "/v1/tools/saveMemory", {"arguments": "all"}, "arguments"),
    _post("accept nothing", "/v1/proposals/none", {"accept": True}, "", 404),
    _post("decide nothing", "/v1/proposals/none", {}, "accept"),
    _post("a session of -1 s", "/auth/sessions", {"user_id": "ann", "ttl_seconds": -1}, "ttl_seconds"),
    _post("a session for nobody", "/auth/sessions", {"user_id": ""}, "user_id"),
    _post("a session with made-up rights", "/auth/sessions", {"user_id": "ann", "scopes": ["root"]}, "scope"),
)  # fmt: skip

_COMPLETIONS = "/v1/chat/completions"
_HELLO = {"messages": [{"role": "user", "content": "Hello"}]}

_TALKING = (
    _post("say nothing", "/v1/message/first", {"text": ""}, "text"),
    _post("say NUL", "/v1/message/first", {"text": "a\u0000b"}, "text"),
    _post("say 200,001 characters", "/v1/message/first", {"text": "a" * 200_001}, "200"),
    _post("say a list", "/v1/message/first", {"text": ["hello"]}, "text"),
    _post("go on with no chat", "/v1/message", {"chat_id": "none", "text": "hello"}, "none", 404),
    _post("go on without a chat", "/v1/message", {"text": "hello"}, "chat_id is required"),
    _post("sources as a number", "/v1/message/first", {"text": "hello", "sources": 5}, "sources"),
    _post("completion of a text", _COMPLETIONS, "hello", "", 400, 502),
    _post("completion of nothing", _COMPLETIONS, {}, "", 400, 502),
    _post("completion of no messages", _COMPLETIONS, {"model": "m", "messages": []}, "", 400, 502),
    _post("completion of a number", _COMPLETIONS, {"model": "m", "messages": 5}, "", 400, 502),
    _post("completion for model 5", _COMPLETIONS, {**_HELLO, "model": 5}, "", 400, 502),
    Hostile(
        name="completion in half a document", method="POST", path=_COMPLETIONS, headers=(JSON,), body=b'{"mess', word="JSON"
    ),
    Hostile(
        name="completion of 100,000 lists", method="POST", path=_COMPLETIONS, headers=(JSON,),
        body=b"[" * 100_000 + b"]" * 100_000, word="64",
    ),
    Hostile(
        name="completion with a budget of words", method="POST", path=_COMPLETIONS,
        headers=(JSON, ("X-Recollect-Budget", "all")), body=json.dumps({**_HELLO, "model": "m"}).encode(), statuses=(400, 502),
    ),
    Hostile(
        name="completion with a switch half on", method="POST", path=_COMPLETIONS,
        headers=(JSON, ("X-Recollect-Memory", "half")), body=json.dumps({**_HELLO, "model": "m"}).encode(), statuses=(400, 502),
    ),
    Hostile(
        name="completion in a chat of 10 kB", method="POST", path=_COMPLETIONS,
        headers=(JSON, ("X-Chat-Id", "c" * 10_000)), body=json.dumps({**_HELLO, "model": "m"}).encode(), statuses=(400, 502),
    ),
)  # fmt: skip

_QUERIES = (
    get("/memories?limit=0", "limit"),
    get("/memories?limit=-1", "limit"),
    get("/memories?limit=abc", "limit"),
    get("/memories?limit=1.5", "limit"),
    get("/memories?limit=", "limit"),
    get("/memories?limit=1e3", "limit"),
    get("/memories?limit=99999999999999999999999", "limit"),
    get("/memories?limit=" + "9" * 5000, "limit"),
    get("/memories?category=kettles", "category"),
    get("/memories?type=kettles", "type"),
    get("/memories?status=%25", "status"),
    get("/memories?as_of=now", "as_of"),
    get("/memories?as_of=2026-13-01", "as_of"),
    get("/memories?past=perhaps", "past"),
    get("/memories?cursor=nonsense", "cursor"),
    get("/memories?cursor=", "cursor"),
    get(f"/memories?cursor={FOREIGN}", "cursor"),
    get("/memories?cursor=e30", "cursor"),
    get("/memories?cursor=" + "W1tb" * 5000, "cursor"),
    get("/memories?cursor=WyJcdWQ4MDAiLCAiXHVkODAwIl0", "cursor"),
    get("/v1/chats?cursor=WyJcdTAwMDAiLCAiXHUwMDAwIl0", "not an ISO-8601 time"),
    get(f"/v1/chats?cursor={FOREIGN}", "cursor"),
    get(f"/v1/sessions?cursor={FOREIGN}", "cursor"),
    get(f"/v1/todos?cursor={FOREIGN}", "cursor"),
    get(f"/v1/entities?cursor={FOREIGN}", "cursor"),
    get("/memories/search", "query is required"),
    get("/memories/search?query=", "query"),
    get("/memories/search?query=%00", "query"),
    get("/memories/search?query=%ff%fe", "UTF-8"),
    get("/memories/search?query=" + "a" * 60_000, "query"),
    get("/memories/search?query=kettle&limit=1000000", "limit"),
    get("/memories/search?query=kettle&zone=Mars/Phobos", "zone"),
    get("/memories/search?query=kettle&zone=../../../etc/passwd", "zone"),
    get("/memories/search?query=kettle&at=teatime", "at"),
    get("/memories/search?query=kettle&episodes=-5", "episodes"),
    get("/api/memory/context/c?budget=-1", "budget"),
    get("/api/memory/context/c?budget=NaN", "budget"),
    get("/api/memory/context/c?budget=99999999999999999999", "budget"),
    get("/v1/context?budget=0", "budget"),
    get("/v1/context?at=0000-00-00", "at"),
    get("/v1/spine?version=-1", "", 400, 404),
    get("/v1/spine?version=99999999999999999999", "", 400, 404),
    get("/v1/todos?status=lost", "status"),
    get("/v1/todos?due_before=soon", "due_before"),
    get("/v1/proposals?kind=marriage", "kind"),
    get("/v1/entities?type=kettle%00", "", 200, 400),
    get("/v1/entities/graph?limit=-1", "limit"),
    get("/v1/jobs?status=lost", "status"),
    get("/v1/state?revisions=many", "revisions"),
    get("/v1/tools?format=xml", "format"),
    get("/v1/chats/none/messages?around=none", "", 404),
    get("/v1/chats/none/messages?before=-1", "", 400, 404),
    Hostile(name="wait for ever", method="POST", path="/v1/jobs/drain?timeout=inf", word="timeout"),
    Hostile(name="wait for NaN", method="POST", path="/v1/jobs/drain?timeout=nan", word="timeout"),
    Hostile(name="wait for -1 s", method="POST", path="/v1/jobs/drain?timeout=-1", word="timeout"),
    Hostile(name="wait for a year", method="POST", path="/v1/jobs/drain?timeout=31536000", word="timeout"),
)

VALUES = (*_BODIES, *_MEMORIES, *_CONVERSATIONS, *_TALKING, *_QUERIES)
