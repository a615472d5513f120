"""Forgetting is complete: no answer and no byte of the database files holds what was forgotten, and the receipt counts it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import InvalidInput, Memory, NewMemory, NotFound

from .conftest import As, everything_said, on_disk, served, shell
from .test_chats import check_chat

#: A word of each thing to forget; none is in anything that must stay.
WORDS = (
    "zanzibarquux",
    "wolframite",
    "kryptonheim",
    "mirabellen",
    "zuleikha",
    "zsolnay",
    "xylophonist",
    "porphyrstein",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def ann(opener: Callable[..., Memory]) -> As:
    """Somebody in a file of her own; the clock is the test's."""
    return As(opener(), "ann@example.com")


def tell(ann: As, clock: Any) -> dict[str, str]:
    """A life in which each thing has a word; its ids. The fact has three versions, the message many traces."""
    first = ann.add(
        "User's favourite drink is Zanzibarquux",
        category="preference",
        reason="Because of the wolframite mine",
    )
    ann.update(
        first.memory.memory_id,
        content="User's favourite drink is Kryptonheim",
        reason="moved to Mirabellen street",
    )
    clock.move(days=1)
    fact = ann.add("User's favourite drink is Wolframite Springs", category="preference").memory
    wife = ann.add("My wife is Zuleikha").memory
    chat = ann.chat("secret", persona="coach")
    said = chat.add(user="I am allergic to xylophonist dust and live in Porphyrstein.", assistant="Noted.",
                    idempotency_key="k1").messages[0]  # fmt: skip
    for number in range(30):
        clock.move(seconds=1)
        chat.add(
            user=f"Question {number} about the garden, its roses, hedges and ponds", assistant="I see, I see."
        )
    ann.settle()
    clock.move(minutes=40)
    ann.settle()
    chat.context("What about xylophonist dust?")
    ann.search("Wolframite Zuleikha xylophonist")
    return {"fact": fact.memory_id, "wife": wife.memory_id, "message": said.message_id}


def everything_shown(ann: As) -> str:
    """What can be asked about a user, as text."""
    asked = "Wolframite Zuleikha Zsolnay xylophonist Porphyrstein Zanzibarquux"
    shown: list[Any] = [
        ann.export(), ann.memories(status=None, past=True), ann.proposals(status=None), ann.state(revisions=True),
        ann.spine(revisions=True), ann.entities(), ann.chats(), ann.seed(), ann.stats(),
        ann.context("What is known?").to_dict(), ann.context("What is known?").explain(), ann.memories(as_of="2026-03-01T12:30Z"),
    ]  # fmt: skip
    for chat in ann.chats():
        handle = ann.chat(chat.chat_id)
        shown += [everything_said(handle), handle.pins(), handle.summaries(), handle.brief(revisions=True)]
        shown += [handle.context("What is known?").to_dict()]
    for past in ann.sessions():
        shown += ann.sessions(session=past.session.session_id, revisions=True)
    found = ann.search(asked, limit=50, messages=50, sessions=10)
    return "\n".join(map(repr, [*shown, found.hits, found.cards, found.messages, found.sessions])).lower()


def check_gone(ann: As, path: Path, *words: str) -> None:
    """Neither an answer nor a byte has them, now and after the background work."""
    for _ in range(2):
        assert [word for word in words if word in everything_shown(ann)] == []
        ann.settle()
    ann.memory.close()
    assert on_disk(path, *words) == []


def test_a_memory_goes_with_all_that_it_was(ann: As, clock: Any, path: Path) -> None:
    """Versions, vectors, history, reasons: erased and counted; the rest stays as it was."""
    made = tell(ann, clock)
    kept = ann.get(made["wife"])
    assert set(on_disk(path, *WORDS)) == set(WORDS) - {"zsolnay"}
    receipt = ann.forget(made["fact"])
    counts = receipt.counts
    assert counts["memories"] == 2 and counts["vectors"] >= 2 and counts["history"] >= 2
    assert receipt.erased_from_disk and receipt.refolded == ()
    shown = receipt.to_dict()["receipt"]
    assert {"memories", "messages", "summaries", "pins", "todos", "vectors"} <= set(shown)
    assert (ann.get(made["wife"]).content, len(everything_said(ann.chat("secret")))) == (kept.content, 62)
    for verb in (ann.get, ann.history, ann.forget):
        with pytest.raises(NotFound):
            verb(made["fact"])
    check_gone(ann, path, "zanzibarquux", "wolframite", "kryptonheim", "mirabellen")


def test_a_message_goes_with_all_that_came_of_it(ann: As, clock: Any, path: Path) -> None:
    """Pins, memories, todos, briefs, segments, session, rolling and long summaries, stored answers; the chat is folded anew."""
    message = tell(ann, clock)["message"]
    ann.add(NewMemory("User lives in the Porphyrstein valley", source_message_ids=[message]))
    ann.add_todo("Order xylophonist tests", source_message_ids=[message])
    chat = ann.chat("secret")
    segments = len(chat.summaries())
    assert segments > 0
    receipt = ann.forget(message=message)
    counts = receipt.counts
    assert [counts[name] for name in ("messages", "pins", "memories", "todos")] == [1, 1, 1, 1]
    assert (receipt.refolded, receipt.erased_from_disk) == (("secret",), True)
    ann.settle()
    check_chat(ann, chat)
    assert chat.summaries() and len(everything_said(chat)) == 61
    with pytest.raises(NotFound):
        ann.message(message)
    check_gone(ann, path, "xylophonist", "porphyrstein")


def test_a_chat_goes_whole_and_alone(ann: As, clock: Any, path: Path) -> None:
    tell(ann, clock)
    other = ann.chat("other")
    kept = other.add(user="I keep bees.", assistant="How nice!").messages
    receipt = ann.forget(chat="secret")
    assert (receipt.counts["chats"], receipt.counts["messages"], receipt.counts["pins"]) == (1, 62, 1)
    assert receipt.erased_from_disk
    assert [chat.chat_id for chat in ann.chats()] == ["other"]
    assert everything_said(other) == list(kept)
    with pytest.raises(NotFound):
        ann.forget(chat="secret")
    check_gone(ann, path, "xylophonist", "porphyrstein", "hedges and ponds")


def test_an_entity_goes_under_all_its_names(ann: As, clock: Any, path: Path) -> None:
    """Every memory that mentions it, the past ones and the merged names too; who is mentioned beside it stays."""
    made = tell(ann, clock)
    ann.update(made["wife"], content="My wife is Anna")
    ann.add(NewMemory("User met Zully at work with Bob", entity_refs=["person:zuleikha_smith", "person:bob"]))
    ann.merge("person:zuleikha_smith", "person:anna")
    bees = ann.add(NewMemory("User keeps bees with Bob", entity_refs=["person:bob"])).memory
    receipt = ann.forget(entity="person:anna")
    assert receipt.counts["memories"] == 2
    assert [entity.key for entity in ann.entities(type="person")] == ["person:bob"]
    assert ann.get(bees.memory_id).content == "User keeps bees with Bob"
    with pytest.raises(NotFound):
        ann.forget(entity="person:zuleikha_smith")
    check_gone(ann, path, "zuleikha", "zully")


def test_a_user_goes_whole_and_alone(ann: As, clock: Any, path: Path) -> None:
    """No word is left, not even the name; others stay as they are, and the user may begin again."""
    bob = As(ann.memory, "bob@example.com")
    bob.add("User keeps bees behind the house")
    bob.chat("c").add(user="Hello.", assistant="Hi.")
    tell(ann, clock)
    ann.set_seed([{"content": "I collect Zsolnay porcelain"}], notes="Likes mirabellen")
    bob.settle()
    before = bob.export()
    receipt = ann.forget(everything=True)
    assert receipt.counts["memories"] >= 4 and receipt.counts["messages"] == 62 and receipt.erased_from_disk
    assert (ann.known(), ann.chats(), ann.todos(status=None), ann.sessions()) == ([], [], [], [])
    assert {**bob.export(), "exported_at": ""} == {**before, "exported_at": ""}
    ann.memory.drain(user=ann.user, timeout=60)
    ann.add("User owns a telescope in the attic")
    assert ann.known() == ["User owns a telescope in the attic"]
    ann.forget(everything=True)
    assert on_disk(path, ann.user, *WORDS, "telescope") == []
    check_gone(ann, path, *WORDS, "telescope")


def test_a_planted_fact_leaves_the_seed_for_good(ann: As, path: Path) -> None:
    facts = [{"content": "I live in Graz"}, {"content": "I collect Zsolnay porcelain"}]
    ann.set_seed(facts)
    ann.forget(next(record.memory_id for record in ann.memories() if "Zsolnay" in record.content))
    assert ann.seed().to_dict()["facts"] == facts[:1]
    ann.set_seed(facts)
    assert ann.known() == ["User lives in Graz"]
    check_gone(ann, path, "zsolnay")


def test_what_others_say_too_stays(ann: As) -> None:
    """A memory that two messages support only stops naming the forgotten one; a pin by hand outlives its message."""
    chat = ann.chat("c")
    ids = [chat.add(user=f"I keep bees in Graz, said {at}.").messages[0].message_id for at in (1, 2)]
    known = ann.add(NewMemory("User keeps bees in Graz", source_message_ids=ids)).memory
    ann.add_todo("Buy a hive", source_message_ids=ids)
    pin = chat.pin("The gate is green", source_message_id=ids[0])
    assert "memories" not in {name for name, count in ann.forget(message=ids[0]).counts.items() if count}
    assert ann.get(known.memory_id).source_message_ids == (ids[1],)
    assert ann.todos()[0].source_message_ids == (ids[1],)
    assert [(item.pin_id, item.source_message_id) for item in chat.pins()] == [(pin.pin_id, None)]
    ann.forget(message=ids[1])
    with pytest.raises(NotFound):
        ann.get(known.memory_id)
    assert ann.todos(status=None) == []


def test_one_thing_must_be_named(ann: As) -> None:
    ann.add("User keeps bees behind the house")
    for target in (
        {},
        {"everything": False},
        {"chat": "c", "everything": True},
        {"entity": "person:x", "todo": "t"},
    ):
        with pytest.raises(InvalidInput):
            ann.forget(**target)
    assert len(ann.known()) == 1


def test_a_service_and_the_shell_leave_no_byte_either(path: Path) -> None:
    """By HTTP, while the service has the file open, and by the command, with another user beside."""
    with served(path) as service:
        http, other = service.http("ann"), service.http("bob")
        for client, word in ((http, "Wolframite"), (other, "Kryptonheim")):
            client.post("/memories", json={"content": f"User drinks {word} Springs"}).raise_for_status()
        said = [{"role": "user", "text": "I am allergic to xylophonist dust"}]
        message = http.post("/v1/chats/c/messages", json={"messages": said}).json()["messages"][0]["id"]
        answer = http.post("/v1/forget", json={"message_id": message}).json()
        assert answer["receipt"]["messages"] == answer["receipt"]["pins"] == 1
        assert answer["receipt"]["erased_from_disk"] is True and on_disk(path, "xylophonist") == []
        receipt = http.post("/v1/forget", json={"everything": True}).json()["receipt"]
        assert receipt["memories"] == receipt["vectors"] == 1
        assert on_disk(path, "wolframite", "kryptonheim") == ["kryptonheim"]
    shell("--db", str(path), "forget", "--everything", "--user", "bob", "--yes")
    assert on_disk(path, "kryptonheim") == []
