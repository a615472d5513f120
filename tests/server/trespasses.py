"""Every route, with a request that names what belongs to somebody else, and how it must be answered.

`{memory_id}` and the like stand for ids of the owner's belongings (`belongings.py`). The rows are in an order in which
the owner can carry all of them out, one after another: so nobody has to believe that the requests are good ones.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import quote

from .belongings import SHARED

#: What a caller needs: nothing, any token, the scope to read or to write, a service key.
Need = Literal["nothing", "token", "read", "write", "service"]


@dataclass(frozen=True)
class Request:
    """One request, and what comes of it."""

    method: str
    #: As the route has it.
    path: str
    need: Need = "read"
    query: str = ""
    json: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    #: What may be answered to somebody else who names the owner's things.
    stranger: tuple[int, ...] = (200,)
    #: What is answered to the owner.
    owner: tuple[int, ...] = (200,)
    #: Which belongings, or else words, stand for the names in the path, where they are called otherwise.
    names: tuple[tuple[str, str], ...] = ()
    #: Whether the owner's answer must hold the mark, because it tells something.
    tells: bool = False

    def __str__(self) -> str:
        more = f" {self.json}" if self.json else ""
        return f"{self.method} {self.path}{self.query}{more}"

    def url(self, ids: dict[str, str]) -> str:
        """The address, with ids in it."""
        own = {**ids, **{name: ids.get(meant, meant) for name, meant in self.names}}
        escaped = {name: quote(text, safe="") for name, text in own.items()}
        return (self.path.replace(":path}", "}") + self.query).format_map(escaped)

    def said(self, ids: dict[str, str]) -> dict[str, str]:
        """The headers, with ids in them."""
        return {name: _filled(text, ids) for name, text in self.headers}

    def body(self, ids: dict[str, str]) -> Any:
        """The body, with ids in it."""
        return _filled(self.json, ids)


def _filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, text in ids.items():
            value = value.replace(f"{{{name}}}", text)
        return value
    if isinstance(value, list):
        return [_filled(item, ids) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, ids) for name, item in value.items()}
    return value


def _get(path: str, *, tells: bool = True, **more: Any) -> Request:
    return Request("GET", path, tells=tells, **more)


def _one(path: str, **more: Any) -> Request:
    """Something that a stranger does not find."""
    return _get(path, stranger=(404,), **more)


def _change(
    method: str, path: str, json: Any = None, *, stranger: tuple[int, ...] = (404,), **more: Any
) -> Request:
    return Request(method, path, need="write", json=json, stranger=stranger, **more)


def _tool(name: str, **arguments: Any) -> Request:
    """A tool answers 200 whatever happens; that nothing is changed and told, the test sees."""
    reads = name in ("search_memories", "list_memories")
    return Request(
        "POST",
        "/v1/tools/{name}",
        "read" if reads else "write",
        json={"arguments": arguments},
        names=(("name", name),),
        tells=reads,
    )


_OPEN: Final = [
    Request("GET", "/", "nothing"),
    Request(
        "GET", "/assets/{name}", "nothing", stranger=(404,), owner=(404,), names=(("name", "nothing.js"),)
    ),
    Request("GET", "/health", "nothing"),
    Request("GET", "/ready", "nothing"),
    Request("GET", "/docs", "nothing"),
    Request("GET", "/openapi.json", "nothing"),
]

_OPERATING: Final = [
    Request("POST", "/auth/sessions", "service", json={"user_id": "{user}"}, owner=(201,)),
    Request("GET", "/auth/sessions", "service", query="?user_id={user}", tells=True),
    Request("DELETE", "/auth/sessions/{session_id}", "service", names=(("session_id", "session_token_id"),)),
    Request("GET", "/v1/jobs", "service"),
    Request("GET", "/v1/users", "service", tells=True),
    Request("GET", "/v1/info", "service"),
    Request("GET", "/metrics", "service"),
]

_READING: Final = [
    Request("GET", "/v1/whoami", "token", tells=True),
    _get("/memories"),
    _get("/memories", query="?entity={entity}&status=ACTIVE"),
    _get("/memories/search", query="?query=keeps+a+in+the+garden"),
    _get("/memories/search", query="?query=keeps+a+in+the+garden&chat_id={chat_id}&entity={entity}"),
    _get("/memories/stats", tells=False),
    _get("/memories/block"),
    _one("/memories/{memory_id}"),
    _one("/memories/{memory_id}/history"),
    _one("/memories/{memory_id}/links", tells=False),
    Request("POST", "/memories/export", json={}, tells=True),
    Request("POST", "/memories/export", json={"format": "markdown"}, tells=True),
    _get("/v1/curations"),
    _get("/v1/proposals", query="?status=any"),
    _get("/v1/entities", tells=False),
    _get("/v1/entities/graph", tells=False),
    _get("/v1/entities/variants", tells=False),
    _get("/v1/entities/proposals", tells=False),
    _one("/v1/entities/{key}", names=(("key", "entity"),)),
    _get("/v1/chats"),
    _one("/v1/chats/{chat_id}"),
    _one("/v1/chats/{chat_id}/brief"),
    _one("/v1/chats/{chat_id}/briefs"),
    _get("/v1/chats/{chat_id}/messages", stranger=(200, 404)),
    _get("/v1/chats/{chat_id}/messages", query="?around={message_id}", stranger=(404,)),
    _one("/v1/messages/{message_id}"),
    _get(
        "/api/memory/stats/{session_id}", tells=False, stranger=(200, 404), names=(("session_id", "chat_id"),)
    ),
    _get("/api/memory/pins", query="?session_id={chat_id}"),
    _get("/api/memory/summaries", query="?session_id={chat_id}"),
    _get(
        "/api/memory/context/{session_id}",
        query="?query=garden",
        stranger=(200, 404),
        names=(("session_id", "chat_id"),),
    ),
    _get("/v1/context", query="?query=garden&persona_id=Keeper"),
    _get("/v1/sessions", tells=False),
    _one("/v1/sessions/{session_id}", tells=False),
    _get("/v1/state", query="?persona_id=Keeper", tells=False),
    _get("/v1/personas", tells=False),
    _get("/v1/rolling-summaries", query="?persona_id=Keeper", tells=False),
    _get("/v1/spine", tells=False, stranger=(200, 404), owner=(200, 404)),
    _get("/v1/spines", tells=False),
    _get("/v1/todos"),
    _get("/v1/seed"),
    _get("/v1/worker/mine", query="?status=dead", tells=False),
    _get("/v1/tools", tells=False),
    _get("/v1/models", tells=False),
    _get(
        "/v1/models/{model:path}",
        tells=False,
        stranger=(404,),
        owner=(404,),
        names=(("model", "no-such-model"),),
    ),
    _tool("search_memories", query="keeps a in the garden"),
    _tool("list_memories"),
]

_WRITING: Final = [
    _change("DELETE", "/v1/curations/{run_id}"),
    _change("POST", "/v1/proposals/{proposal_id}/accept"),
    _change("POST", "/v1/proposals/{proposal_id}/reject", names=(("proposal_id", "proposal_2"),)),
    # The same words as the owner's are no duplicate of them.
    _change(
        "POST", "/memories", {"content": SHARED, "category": "preference"}, stranger=(201,), owner=(200, 201)
    ),
    _change("POST", "/memories/batch", {"memories": [{"content": SHARED}]}, stranger=(200,)),
    _change("PATCH", "/memories/{memory_id}", {"importance": 3}),
    _change("POST", "/memories/{memory_id}/links", {"to": "{memory_2}", "kind": "supports"}, owner=(201,)),
    _change("DELETE", "/memories/{memory_id}/links/{to_id}", names=(("to_id", "memory_2"),)),
    _change("POST", "/memories/consolidate", {"dry_run": False}, stranger=(200,)),
    _change("POST", "/memories/import", {"recollect": 1, "memories": []}, stranger=(200,)),
    _change("POST", "/v1/entities/merge", {"from": "{alias}", "into": "{entity}"}, owner=(200, 409)),
    _change("DELETE", "/v1/entities/{key}/aliases/{alias}", names=(("key", "entity"),)),
    _change("PATCH", "/v1/chats/{chat_id}", {"title": "Mine now"}),
    # Chats are named by whoever makes them: a stranger's of the same name is another chat.
    _change(
        "POST",
        "/v1/chats/{chat_id}/messages",
        {"messages": [{"role": "user", "text": "Hello"}]},
        stranger=(201,),
        owner=(201,),
    ),
    _change("PATCH", "/v1/messages/{message_id}", {"text": "Something else"}),
    _change(
        "POST",
        "/api/memory/pins",
        {"session_id": "{chat_id}", "content": "A fact", "source_message_id": "{message_id}"},
        owner=(201,),
    ),
    _change("PATCH", "/api/memory/pins/{pin_id}", {"importance_score": 1}),
    _change(
        "POST",
        "/api/memory/summaries",
        {
            "session_id": "{chat_id}",
            "start_message_id": "{next_start}",
            "end_message_id": "{next_end}",
            "message_count": 2,
        },
        owner=(201,),
    ),
    _change("POST", "/v1/judge", {"chat_id": "{chat_id}"}, stranger=(400, 404), owner=(200, 400)),
    _change("POST", "/v1/todos", {"text": "Walk"}, stranger=(201,), owner=(201,)),
    _change("PATCH", "/v1/todos/{todo_id}", {"status": "done"}),
    _change("PUT", "/v1/seed", {"notes": "Nothing"}, stranger=(200,)),
    _change("POST", "/v1/jobs/{job_id}/revive"),
    _change("POST", "/v1/worker/drain", query="?timeout=0", stranger=(200,)),
    # The model of the test repeats all that it is told.
    _change("POST", "/v1/message/first", {"text": "What is in the garden?"}, stranger=(200,), tells=True),
    _change("POST", "/v1/message", {"chat_id": "{chat_id}", "text": "What did it eat?"}, tells=True),
    _change(
        "POST",
        "/v1/chat/completions",
        {"model": "scripted", "messages": [{"role": "user", "content": "What is in the garden?"}]},
        headers=(("X-Chat-Id", "{chat_id}"),),
        stranger=(200,),
        tells=True,
    ),
    _change("POST", "/v1/embeddings", {"model": "scripted", "input": "garden"}, stranger=(200,)),
    _tool("store_memory", content=SHARED, category="fact", importance=5),
    _tool("saveMemory", content=SHARED, category="fact", reasoning="It was said twice today"),
    _tool("update_memory", memory_id="{memory_2}", new_content="User has nothing at all"),
]

_ERASING: Final = [
    _tool("delete_memory", memory_id="{memory_2}"),
    _change("DELETE", "/memories", {"memory_id": "{memory_3}"}),
    _change("DELETE", "/memories/{memory_id}", names=(("memory_id", "memory_4"),)),
    _change("POST", "/v1/forget", {"memory_id": "{memory_5}"}),
    _change("POST", "/v1/forget", {"message_id": "{message_2}"}),
    _change("POST", "/v1/forget", {"entity": "{entity}"}),
    _change("DELETE", "/v1/messages/{message_id}"),
    _change("DELETE", "/api/memory/pins/{pin_id}"),
    _change("DELETE", "/v1/todos/{todo_id}"),
    _change("POST", "/v1/forget", {"chat_id": "{chat_id}"}),
    _change("POST", "/v1/forget", {"everything": True}, stranger=(200,)),
    Request("DELETE", "/auth/sessions", "token"),
]


def _mcp(name: str, *, tells: bool = False, **arguments: Any) -> Request:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    accepts = ("Accept", "application/json, text/event-stream")
    return Request("POST", "/mcp", "read", json=call, headers=(accepts,), tells=tells)


_MCP: Final = [
    _mcp("list_memories", tells=True),
    _mcp("get_context", query="What is in the garden?", tells=True),
    _mcp("delete_memory", memory_id="{memory_6}"),
]

REQUESTS: Final = [*_OPEN, *_OPERATING, *_READING, *_MCP, *_WRITING, *_ERASING]
