"""A new user's first minutes: what someone types who knows other memories, with the settings as they come."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Client, InvalidInput, Memory, Settings

from .conftest import QUICK, SERVICE_KEY, served, shell


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Memories with the default settings, in this process and over HTTP."""
    folder = tmp_path_factory.mktemp("plain")
    defaults = dict.fromkeys(QUICK, "")
    with (
        Memory(folder / "alice.db", settings=Settings()) as opened,
        served(folder / "served.db", **defaults) as service,
        Client(service.url, service_key=SERVICE_KEY) as client,
    ):
        yield {"process": opened, "http": client, "service": service}


@pytest.fixture
def memory(request: pytest.FixtureRequest, plain: dict[str, Any]) -> Any:
    return plain[request.param]


def test_three_facts_for_two_users(memory: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Remember, search by iterating, printing and indexing, correct, see the history, build a context, forget."""
    memory.add("I'm vegan", user="alice")
    memory.add("My dog is called Rex", user="alice")
    memory.add("I live in Oslo", user="alice")
    memory.add("I live in Rome", user="bob")

    found = memory.search("Where does she live?", user="alice")
    for hit in found:
        print(hit)  # noqa: T201
        print(hit.content, hit.score)  # noqa: T201
    assert found[0].content == "User lives in Oslo"
    assert len(found) == len(list(found)) >= 1
    print(found)  # noqa: T201
    shown = capsys.readouterr().out
    assert "User lives in Oslo" in shown and "Rome" not in shown and "MemoryRecord(" not in shown

    corrected = memory.update(found[0].memory_id, user="alice", content="I live in Bergen")
    assert corrected.content == "User lives in Bergen"
    assert [entry.change for entry in memory.history(corrected.memory_id, user="alice")] == [
        "created",
        "edited",
    ]
    moved = memory.add("I moved to Trondheim", user="alice")
    assert moved.outcome in ("added", "updated")

    context = memory.context("What should I cook for dinner?", user="alice", tokens=1000)
    assert "User is vegan" in str(context)
    assert context.to_openai(system="You are a cook.")[0]["content"].startswith("You are a cook.")

    memory.forget(everything=True, user="alice")
    assert memory.memories(user="alice") == []
    assert [record.content for record in memory.memories(user="bob")] == ["User lives in Rome"]


def test_a_conversation_forms_facts(memory: Any) -> None:
    """What is said in a chat is found in another, as a fact, a pin and a message, without a model and without a key."""
    chat = memory.chat("dads-health", user="alice")
    chat.add(user="My dad is allergic to penicillin.", assistant="Noted.")
    chat.add([{"role": "user", "content": "My name is Alice and I live in Oslo."},
              {"role": "assistant", "content": "Nice to meet you!"}])  # fmt: skip
    assert "allergic to penicillin" in str(chat.context("Which antibiotics are safe?", tokens=8000))
    assert memory.drain(user="alice", timeout=60)
    known = " ".join(record.content for record in memory.memories(user="alice"))
    assert "Alice" in known and "Oslo" in known
    other = memory.chat("travel", user="alice").context("Where do I live?")
    assert "Oslo" in str(other)
    assert memory.stats(user="alice").to_dict()["messages"] == 4


def test_without_a_user_it_is_ones_own(memory: Any) -> None:
    """Without a name the user is `local`."""
    memory.add("I'm vegan")
    assert [hit.content for hit in memory.search("What does she eat?")] == ["User is vegan"]
    assert memory.memories()[0].user_id == "local"
    assert memory.memories(user="nobody") == []


def test_without_a_model_the_error_says_what_to_set(plain: dict[str, Any]) -> None:
    asked = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
    answer = plain["service"].http("ann").post("/v1/chat/completions", json=asked)
    assert answer.status_code == 502 and "RECOLLECT_CHAT_MODEL" in answer.json()["error"]["message"]


#: What hands that know mem0 or Honcho type, and words of what they read.
HABITS: list[tuple[str, tuple[str, ...]]] = [
    ('memory.add("I like tea", user_id="alice")', ("user_id", "'user'")),
    ('memory.search(query="tea", user_id="alice")', ("memory.search(",)),
    ('memory.search("tea", user_id="alice")', ("user_id", "'user'")),
    ('memory.add("I like tea", metadata={"a": 1})', ("metadata", "tags")),
    ('memory.add([{"role": "user", "content": "I like tea"}])', ("memory.chat(",)),
    ("memory.add()", ("needs the text to remember", "memory.add(")),
    ('memory.search("tea", top_k=3)', ("top_k", "'limit'")),
    ('memory.search("tea", filters={})', ("filters",)),
    ('memory.memories(user_id="alice")', ("user_id", "'user'")),
    ("memory.update()", ("memory.update(",)),
    ('memory.update("id", data="x")', ("data", "'content'")),
    ('memory.forget(user_id="alice")', ("user_id", "'user'")),
    ("memory.forget()", ("everything",)),
    ('memory.chat("c").add("user", "Hello")', ("add()",)),
    ('memory.chat("c").add()', ("user", "assistant")),
    ('memory.context("tea", max_tokens=500)', ("max_tokens", "'tokens'")),
]


@pytest.mark.parametrize(("typed", "words"), HABITS, ids=[typed for typed, _ in HABITS])
def test_a_habit_gets_a_sentence(
    in_process: Memory, over_http: Client, typed: str, words: tuple[str, ...]
) -> None:
    """One that names the mistake and what to write instead; the same here and over HTTP."""
    sentences: set[str] = set()
    for memory in (in_process, over_http):
        with pytest.raises(InvalidInput) as refused:
            eval(typed, {"memory": memory})
        sentences.add(refused.value.message)
        assert [word for word in words if word not in refused.value.message] == []
    (sentence,) = sentences
    assert sentence.endswith((".", "?")) and len(sentence) < 300


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("get_all", "memories"),
        ("delete", "forget"),
        ("delete_all", "forget"),
        ("remember", "add"),
        ("recall", "search"),
    ],
)
def test_a_method_of_another_memory_is_translated(
    in_process: Memory, over_http: Client, typed: str, meant: str
) -> None:
    for memory in (in_process, over_http):
        with pytest.raises(AttributeError, match=meant):
            getattr(memory, typed)


def test_the_shell_does_the_same(tmp_path: Path) -> None:
    """`--db` before and after the command, hidden spellings, `--json` for programs, an exit code that means something."""
    path = str(tmp_path / "alice.db")
    assert "User is vegan" in shell("--db", path, "remember", "I'm vegan", "--user", "alice")
    found = json.loads(shell("search", "vegan food", "--user", "alice", "--db", path, "--json"))
    assert found["memories"][0]["content"] == "User is vegan"
    assert "too short" in shell("add", "short", "--db", path, code=2)
    with Memory(path) as memory:
        memory.add("I live in Oslo", user="alice")
    shell("--db", path, "forget", "--everything", "--user", "alice", "--yes")
    with Memory(path) as memory:
        assert memory.memories(user="alice") == []
