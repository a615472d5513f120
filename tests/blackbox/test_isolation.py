"""Nothing crosses between users: every method and every route, tried with the ids of another and with a lesser token.

The rows are in an order in which the owner can carry all of them out, one after another: so a stranger is refused for being
one, and for nothing else. A method or a route that is not in its table fails here.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from scripted_model import ScriptedModel, says

from recollect import Chat, Client, InvalidInput, Memory, NewMemory, NotFound

from .conftest import SERVICE_KEY, As, Http, Service, served, somebody
from .methods import NEEDED, call, methods

#: Every text of the owner's holds it: where it shows in another user's answer, something has crossed over.
MARK = "quokka"
OWNER = f"{MARK}@example.com"
#: What another user may store as well.
SHARED = "User plays the cello on Sundays"
Ids = dict[str, str]


def belongings(ann: As) -> Ids:
    """Something of every kind, made from outside; ids by name. Names of entities do not hold the mark: errors repeat them."""
    ann.add(SHARED)
    ids = dict.fromkeys(("entity", "key"), "person:rosalind") | {"alias": "person:rosa", "chat": "zoo"}
    for number, (text, refs) in enumerate(
        [("keeps a {} in the garden", ["person:rosalind"]), ("painted the {} house blue", ["person:rosa"]),
         ("sold a {} statue in Perth", []), ("wrote poems about one {}", []), ("filmed the {} at night", []),
         ("lost a {} figure on a train", []), ("met Makesh with a {}", ["person:makesh"]),
         ("saw Mukesh feed that {} twice", ["person:mukesh"])]
    ):  # fmt: skip
        new = NewMemory(f"User {text.format(MARK)}", entity_refs=refs)
        ids[f"memory{number or ''}"] = ann.add(new).memory.memory_id
    ann.merge("person:rosa", "person:rosalind")
    ann.consolidate()
    ids["proposal"] = ann.proposals()[0].proposal_id
    chat = ann.chat("zoo", persona="Keeper")
    turns = [chat.add(user=f"The {MARK} number {at} ate.", assistant=f"A {MARK}, I see.") for at in range(4)]
    said = [message.message_id for turn in turns for message in turn.messages]
    chat.rename(f"All about the {MARK}")
    chat.summarise(said[0], said[1], 2)
    ids |= {"message": said[4], "message2": said[5], "start": said[2], "end": said[3]}
    ids["pin"] = chat.pin(f"The {MARK} must not have nuts").pin_id
    ids["session"] = ann.sessions()[0].session.session_id
    ids["todo"], ids["todo2"] = (ann.add_todo(f"{verb} the {MARK}").todo_id for verb in ("Feed", "Wash"))
    ann.set_seed([{"content": f"User grew up beside a {MARK}"}], notes=f"A {MARK} person")
    ann.settle()
    return ids


def owned(ann: As) -> dict[str, Any]:
    """All that the owner has, as values that can be compared; what was used is no change."""
    document = ann.export()
    for record in document["memories"]:
        del record["access_count"], record["last_accessed"]
    shown = ann.proposals(status=None), ann.chats(), ann.stats().total
    return {**document, "exported_at": "", "shown": repr(shown)}


# -- every method -------------------------------------------------------------------------------------------

#: The owner's things under the arguments that a method can do without.
THEIRS = {
    "memory": "$memory", "message": "$message", "chat": "$chat", "todo": "$todo", "entity": "$entity", "session": "$session",
    "of": "$entity", "persona": "Keeper", "around": "$message", "source_message_id": "$message",
}  # fmt: skip
#: Chat ids belong to their user: bob has another chat under the owner's id.
NAMED = {"chat_id", "title"}


def tried(bob: As, ids: Ids) -> Iterator[tuple[str, bool, Callable[[], Any]]]:
    """Each method with the owner's things: its name, whether it names one that bob cannot have, and the call."""
    for kind, target in ((Memory, bob), (Chat, bob.chat(ids["chat"]))):
        for method in methods(kind):
            name, parameters = method
            needed = {item.name for item in parameters if item.default is item.empty}
            theirs = any(str(NEEDED[each]).startswith("$") for each in needed - NAMED)
            yield name, theirs, partial(call, target, method, ids)
            for item in parameters:
                if item.name in THEIRS and item.name not in needed:
                    named = {item.name: THEIRS[item.name]}
                    yield f"{name}({item.name})", theirs, partial(call, target, method, ids, **named)
    for tool, arguments in TOOLS.items():
        yield tool, False, partial(bob.call, tool, _filled(arguments, ids))


TOOLS: dict[str, Any] = {
    "search_memories": {"query": "garden"}, "list_memories": {}, "delete_memory": {"memory_id": "$memory"},
    "update_memory": {"memory_id": "$memory", "new_content": "User was here before you"},
}  # fmt: skip


@pytest.mark.postgres
def test_no_method_reaches_anothers_things(memory: Any) -> None:
    """With an id of the owner's it is not found; otherwise nothing of the owner is shown or changed."""
    ann = As(memory, f"{MARK}-{somebody()}")
    ids = belongings(ann)
    before = owned(ann)
    bob = As(memory, somebody())
    names, problems = set[str](), list[str]()
    for name, theirs, act in tried(bob, ids):
        names.add(name)
        try:
            result = act()
            shown = f"{result!r} {result.to_dict() if hasattr(result, 'to_dict') else ''}"
            assert not theirs, f"{name}: {shown}"
        except NotFound as error:
            shown = error.message
        except InvalidInput as error:
            shown = "" if theirs else error.message  # refused before anything was looked for
            problems += [f"{name}: {error.message}"] if theirs else []
        assert MARK not in shown.lower().replace(ann.user, ""), name
    assert len(names) > 70 and problems == []
    bob.forget(everything=True)
    assert owned(ann) == before


# -- every route --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Try:
    """One request with the owner's things in it, and how it is answered; `$x` is the id of x, and so is `{x_id}` in a path."""

    method: str
    #: As the description has it.
    path: str
    body: Any = None
    _: KW_ONLY
    #: What stands for a name in the path, where it is not the thing of that name.
    names: dict[str, str] = field(default_factory=dict[str, str])
    query: str = ""
    #: What a caller needs: nothing, any token, the scope to read or to write (None: by the method), a service key.
    need: str | None = None
    #: None: not found where the path names something, else an empty answer.
    stranger: tuple[int, ...] | None = None
    owner: tuple[int, ...] = (200,)
    #: The owner's answer holds the mark.
    tells: bool = False

    @property
    def scope(self) -> str:
        return self.need or ("read" if self.method == "GET" else "write")

    @property
    def refused(self) -> tuple[int, ...]:
        return (
            (403,) if self.scope == "service" else self.stranger or ((404,) if "{" in self.path else (200,))
        )

    def send(self, http: Http, ids: Ids, token: str | None, **more: str) -> Any:
        words = {name: quote(text, safe="") for name, text in ids.items()}
        variables: list[str] = re.findall(r"{(\w+)}", self.path)
        for name in variables:
            thing = str(self.names.get(name, name.removesuffix("_id")))
            words[name] = quote(ids.get(thing, thing), safe="")
        headers = {
            "Accept": "application/json, text/event-stream",
            **({"X-Session-Token": token} if token else {}),
        }
        address = (self.path + self.query).format_map(words)
        return http.request(self.method, address, json=_filled(self.body, ids), headers={**headers, **more})


def _filled(value: Any, ids: Ids) -> Any:
    """A body with ids in it."""
    text = json.dumps(value)
    for name in sorted(ids, key=len, reverse=True):
        text = text.replace(f'"${name}"', json.dumps(ids[name]))
    return json.loads(text)


def get(path: str, tells: bool = False, **more: Any) -> Try:
    return Try("GET", path, tells=tells, **more)


def tool(name: str, **arguments: Any) -> Try:
    need = "read" if name in ("search_memories", "list_memories") else "write"
    return Try(
        "POST", "/v1/tools/{name}", {"arguments": arguments}, names={"name": name}, need=need, stranger=(200,)
    )


def mcp(name: str, **arguments: Any) -> Try:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    return Try("POST", "/mcp", call, need="read", tells=name == "list_memories")


ZOO = {"session_id": "chat"}
ROUTES = [
    get("/health", need="nothing"), get("/ready", need="nothing"),
    Try("POST", "/auth/sessions", {"user_id": OWNER}, need="service", owner=(201,)),
    get("/auth/sessions", query="?user_id={user}", need="service"),
    Try("DELETE", "/auth/sessions/{session_id}", names={"session_id": "token"}, need="service"),
    get("/v1/users", True, need="service"), get("/metrics", need="service"), get("/v1/whoami", True, need="token"),
    get("/memories", True), get("/memories", True, query="?entity={entity}"), get("/memories/stats"),
    get("/memories/search", True, query="?query=keeps+a+in+the+garden&chat_id={chat}&entity={entity}"),
    get("/memories/search", True, query="?query=keeps+a+in+the+garden"),
    get("/memories/{memory_id}", True), get("/memories/{memory_id}/history", True),
    Try("POST", "/memories/export", {}, need="read", tells=True),
    get("/v1/proposals", query="?status=any"), get("/v1/entities/proposals"), get("/v1/entities"),
    get("/v1/entities/graph"), get("/v1/entities/{key}", True),
    get("/v1/chats", True), get("/v1/chats/{chat_id}", True), get("/v1/chats/{chat_id}/brief", True),
    get("/v1/chats/{chat_id}/messages", True), get("/v1/chats/{chat_id}/messages", True, query="?around={message}"),
    get("/v1/messages/{message_id}", True), get("/api/memory/stats/{session_id}", names=ZOO),
    get("/api/memory/pins", True, query="?session_id={chat}"), get("/api/memory/summaries", True, query="?session_id={chat}"),
    get("/api/memory/context/{session_id}", True, names=ZOO, query="?query=garden", stranger=(200, 404)),
    get("/v1/context", True, query="?query=garden&persona_id=Keeper"), get("/v1/sessions"), get("/v1/sessions/{session_id}"),
    get("/v1/state", query="?persona_id=Keeper"), get("/v1/spine"), get("/v1/todos", True), get("/v1/seed", True),
    get("/v1/jobs"), get("/v1/tools"), get("/v1/models"),
    tool("search_memories", query="keeps a in the garden"), tool("list_memories"), mcp("list_memories"),
    mcp("delete_memory", memory_id="$memory5"),
    Try("POST", "/v1/proposals/{proposal_id}", {"accept": True}),
    Try("POST", "/memories", {"content": SHARED}, stranger=(201,), owner=(200, 201)),
    Try("PATCH", "/memories/{memory_id}", {"importance": 3}), Try("POST", "/memories/consolidate", {"dry_run": False}),
    Try("POST", "/memories/import", {"recollect": 1, "memories": []}),
    Try("POST", "/v1/entities/merge", {"from": "$alias", "into": "$entity"}, stranger=(404,), owner=(409,)),
    Try("DELETE", "/v1/entities/{key}/aliases/{alias}"), Try("PATCH", "/v1/chats/{chat_id}", {"title": "Mine now"}),
    # Chat ids belong to their user: a stranger's chat of the same name is another one.
    Try("POST", "/v1/chats/{chat_id}/messages", {"messages": [{"role": "user", "text": "Hi"}]}, stranger=(201,), owner=(201,)),
    Try("PATCH", "/v1/messages/{message_id}", {"text": "Something else"}),
    Try("POST", "/api/memory/pins", {"session_id": "$chat", "content": "A fact", "source_message_id": "$message"},
        stranger=(404,), owner=(201,)),
    Try("PATCH", "/api/memory/pins/{pin_id}", {"importance_score": 1}),
    Try("POST", "/api/memory/summaries", {"session_id": "$chat", "start_message_id": "$start", "end_message_id": "$end",
        "message_count": 2}, stranger=(404,), owner=(201,)),
    Try("POST", "/v1/todos", {"text": "Walk"}, stranger=(201,), owner=(201,)),
    Try("PATCH", "/v1/todos/{todo_id}", {"status": "done"}), Try("PUT", "/v1/seed", {"notes": "Nothing"}),
    Try("POST", "/v1/jobs/{job_id}/revive", owner=(404,)), Try("POST", "/v1/jobs/drain", query="?timeout=60"),
    # The model of the test repeats its whole prompt.
    Try("POST", "/v1/message/first", {"text": "What is in the garden?"}, tells=True),
    Try("POST", "/v1/message", {"chat_id": "$chat", "text": "What did it eat?"}, stranger=(404,), tells=True),
    Try("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "What is in the garden?"}]}, tells=True),
    Try("POST", "/v1/embeddings", {"model": "m", "input": "garden"}),
    tool("update_memory", memory_id="$memory1", new_content="User has nothing at all"),
    tool("saveMemory", content=SHARED, category="fact", reasoning="It was said twice today"),
    tool("delete_memory", memory_id="$memory1"), Try("DELETE", "/memories", {"memory_id": "$memory2"}, stranger=(404,)),
    Try("DELETE", "/memories/{memory_id}", names={"memory_id": "memory3"}),
    *(Try("POST", "/v1/forget", {name: f"${thing}"}, stranger=(404,)) for name, thing in (
        ("memory_id", "memory4"), ("message_id", "message2"), ("entity", "entity"))),
    Try("DELETE", "/v1/messages/{message_id}"), Try("DELETE", "/api/memory/pins/{pin_id}"), Try("DELETE", "/v1/todos/{todo_id}"),
    Try("POST", "/v1/forget", {"chat_id": "$chat"}, stranger=(404,)), Try("POST", "/v1/forget", {"everything": True}),
    Try("DELETE", "/auth/sessions", need="token"),
]  # fmt: skip


@dataclass
class Street:
    """A service with an owner, and any number of strangers."""

    service: Service
    ann: As
    ids: Ids
    http: Http

    def token(self, user: str, **asked: Any) -> str:
        made = self.service.operator.post("/auth/sessions", json={"user_id": user, **asked})
        return made.json()["session_token"]

    @property
    def stranger(self) -> str:
        """The token of a user who has nothing yet."""
        return self.token(somebody())


@pytest.fixture
def street(request: pytest.FixtureRequest, model: ScriptedModel) -> Iterator[Street]:
    model.script(lambda asked: says(asked.prompt or "nothing")(asked))
    with ExitStack() as stack:
        if request.node.get_closest_marker("postgres"):
            options = {"OPENAI_BASE_URL": model.url, "RECOLLECT_CHAT_MODEL": "m"}
            service = stack.enter_context(served(request.getfixturevalue("postgres_url"), **options))
        else:
            service = request.getfixturevalue("service")
        ann = As(stack.enter_context(Client(service.url, service_key=SERVICE_KEY)), OWNER)
        ids = {**belongings(ann), "user": OWNER}
        ids["token"] = service.operator.post("/auth/sessions", json={"user_id": OWNER}).json()["session_id"]
        ids["job"] = service.http(OWNER).get("/v1/jobs").json()["jobs"][0]["id"]
        yield Street(service, ann, ids, service.http())


def _sentence(answer: Any) -> str:
    """What is wrong; OpenAI's protocol wraps it once more."""
    error: Any = answer.json()["error"]
    return error if isinstance(error, str) else error["message"]


def check_strangers(street: Street) -> None:
    """With their own token and the owner's ids, in their own name and in the owner's: nothing is shown or changed."""
    before = owned(street.ann)
    for row in ROUTES:
        answer = row.send(street.http, street.ids, street.stranger)
        assert answer.status_code in row.refused, f"{row}: {answer.text}"
        assert MARK not in answer.text.lower().replace(OWNER, ""), str(row)
        if row.scope in ("read", "write"):
            named = row.send(street.http, street.ids, street.stranger, **{"X-User-Id": OWNER})
            assert named.status_code == 403, f"{row}: {named.text}"
        if row.scope != "nothing":
            nobody = row.send(street.http, street.ids, None)
            assert (nobody.status_code, _sentence(nobody)) == (401, "Authentication required"), str(row)
    assert owned(street.ann) == before


def test_no_route_reaches_anothers_things(street: Street) -> None:
    described = {
        (method.upper(), path)
        for path, known in street.service.described["paths"].items()
        for method in known
    }
    assert described == {(row.method, row.path) for row in ROUTES} - {("POST", "/mcp")}
    check_strangers(street)
    before = owned(street.ann)
    revoked = street.token(OWNER)
    street.service.http(x_session_token=revoked).delete("/auth/sessions")
    reader, writer = street.token(OWNER, scopes=["read"]), street.token(OWNER, scopes=["write"])
    for row in ROUTES:
        for token in ("wrong", "rs_0000000000000000_wrong", revoked):
            if row.scope != "nothing":
                assert row.send(street.http, street.ids, token).status_code == 401, str(row)
        if row.scope in ("write", "service"):
            assert row.send(street.http, street.ids, reader).status_code == 403, str(row)
        if row.scope == "read" and row.path != "/mcp":
            assert row.send(street.http, street.ids, writer).status_code == 403, str(row)
    assert owned(street.ann) == before
    for row in ROUTES:
        answer = row.send(
            street.http, street.ids, SERVICE_KEY if row.scope == "service" else street.token(OWNER)
        )
        assert answer.status_code in row.owner, f"{row}: {answer.status_code} {answer.text}"
        assert not row.tells or MARK in answer.text.lower(), f"{row}: {answer.text}"
        assert '"is_error":true' not in answer.text and '"isError":true' not in answer.text, (
            f"{row}: {answer.text}"
        )
    assert street.ann.known() == []


@pytest.mark.postgres
def test_no_route_reaches_anothers_things_on_postgres(street: Street) -> None:
    check_strangers(street)


def test_a_service_key_needs_a_user(service: Service, http: Http) -> None:
    """Without a name it must give one; a cursor of one user tells another nothing."""
    for word in ("keeps", "sold"):
        made = http.post("/memories", json={"content": f"User {word} a {MARK} in the garden"})
        assert http.post("/v1/todos", json={"text": f"{word} the {MARK}"}).status_code == 201
    path = f"/memories/{quote(made.json()['memoryId'], safe='')}"
    assert MARK in http.get(path).text
    assert service.http(somebody()).get(path).status_code == 404
    unnamed = service.operator.get(path)
    assert unnamed.status_code == 400 and "X-User-Id" in unnamed.json()["error"]
    for listed in ("/memories", "/v1/todos"):
        cursor = http.get(listed, params={"limit": 1}).json()["next_cursor"]
        answer = service.http(somebody()).get(listed, params={"limit": 1, "cursor": cursor})
        assert answer.status_code == 200 and MARK not in answer.text


def test_in_local_mode_each_name_is_a_user(tmp_path: Path, model: ScriptedModel) -> None:
    """Without a key `X-User-Id`, or an OpenAI client's `user`, names the user, else `local`; other origins are refused."""
    with served(tmp_path / "memory.db", RECOLLECT_SERVICE_KEY="", OPENAI_BASE_URL=model.url) as service:
        asked = {"model": "m", "user": "alice", "messages": [{"role": "user", "content": "Hello"}]}
        openai = service.http(authorization="Bearer none")
        assert openai.post("/v1/chat/completions", json=asked).status_code == 200
        for user in ("alice", "bob"):
            body = {"content": f"User is called {user}"}
            assert service.http(x_user_id=user).post("/memories", json=body).status_code == 201
        for user, known in (("alice", 1), ("local", 0)):
            own = service.http(x_user_id=user)
            assert (
                len(own.get("/memories").json()["memories"])
                == len(own.get("/v1/chats").json()["chats"])
                == known
            )
        assert service.http().get("/memories").json()["memories"] == []
        assert service.http().get("/v1/whoami").json()["user_id"] == "local"
        for refused in ({"host": "evil.example"}, {"origin": "https://evil.example"}):
            assert service.http(**refused).post("/memories", json={"content": SHARED}).status_code == 403
